/* plot.c - pictures of results: what is drawn, how large, and into which file */
#include "picture/plot.h"

#include "picture/gnuplot.h"
#include "picture/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SAMPLE = 64, LETTER = 7 };   /* pixels of a key without and per letter */

static const double largest_drawn = 1e300;

/* ---- what is drawn ---- */

int plot_drawable(double x, int logarithmic)
{
    return isfinite(x) && fabs(x) < largest_drawn && (!logarithmic || x > 0);
}

int plot_point(const plot_panel *p, const plot_curve *c, int i)
{
    return plot_drawable(c->x[i], p->log_x)
           && (c->style == PLOT_TIMES || plot_drawable(c->y[i], p->log_y));
}

int plot_points(const plot_panel *p, const plot_curve *c)
{
    int n = 0;
    for (int i = 0; i < c->count; i++)
        n += plot_point(p, c, i);
    return n;
}

int plot_panel_points(const plot_panel *p)
{
    int n = 0;
    for (int k = 0; k < p->curves; k++)
        n += p->curve[k].style == PLOT_TIMES ? 0 : plot_points(p, &p->curve[k]);
    return n;
}

int plot_label(const picture *p, const plot_curve *c)
{
    for (int i = 0; i < p->labels; i++)
        if (strcmp(plot_text(p->label[i]->label), plot_text(c->label)) == 0
            && plot_guides(p->label[i]) == plot_guides(c))
            return i;
    return -1;
}

/* Collect the labels of one kind from what is drawn. */
static void collect(picture *p, int guides)
{
    for (int i = 0; i < p->count; i++) {
        const plot_panel *panel = &p->panels[i];
        for (int k = 0; k < panel->curves; k++) {
            const plot_curve *c = &panel->curve[k];
            if (plot_guides(c) == guides && plot_points(panel, c) && plot_label(p, c) < 0)
                p->label[p->labels++] = c;
        }
    }
}

static void lay_out(picture *p)
{
    size_t longest = 0;
    int keys = 0;
    for (int i = 0; i < p->labels; i++) {
        const size_t n = strlen(plot_text(p->label[i]->label));
        keys += n > 0;
        longest = n > longest ? n : longest;
    }
    p->width = (double)p->columns * PANEL_WIDTH;
    const double fit = (p->width - 20) / ((double)longest * LETTER + KEY_SAMPLE);
    p->key_columns = fit < 1 ? 1 : fit < keys ? (int)fit : keys;
    p->key_rows = keys ? (keys + p->key_columns - 1) / p->key_columns : 0;
    p->key_columns = keys ? (keys + p->key_rows - 1) / p->key_rows : 0;
    p->height = (double)p->rows * PANEL_HEIGHT + (*p->title ? TITLE_HEIGHT : 0)
                + (keys ? KEY_LINE * p->key_rows + 14 : 0);
}

static int prepare(picture *p)
{
    size_t curves = 0;
    for (int i = 0; i < p->count; i++)
        curves += (size_t)p->panels[i].curves;
    p->label = calloc(curves + 1, sizeof *p->label);
    if (!p->label)
        return 0;
    collect(p, 0);
    collect(p, 1);
    lay_out(p);
    return 1;
}

/* ---- the two ways in ---- */

typedef enum { SVG, PNG, OTHER } ending;

static ending ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".svg") == 0 ? SVG : dot && strcmp(dot, ".png") == 0 ? PNG : OTHER;
}

static dae_status check_ending(const char *path, dae_report *report)
{
    return ending_of(path) != OTHER ? DAE_OK
           : dae_fail(report, DAE_BAD_ARGUMENT, "%s: a plot ends in .svg or .png", path);
}

/* Without a picture: try whether there is a gnuplot that knows the kind of file. */
static dae_status draw(const picture *p, const char *path, dae_report *report)
{
    const int png = ending_of(path) == PNG;
    FILE *script = gnuplot_file(report);
    FILE *out = script ? gnuplot_file(report) : NULL;
    dae_status status = out ? DAE_OK : DAE_FILE;
    if (out && p)
        plot_script(p, png, script);
    else if (out)
        fputs(png ? "set terminal pngcairo\n" : "set terminal svg\n", script);
    if (out)
        status = gnuplot_run(script, out, report);
    if (!status && p)
        status = gnuplot_deliver(out, png ? "IEND" : "</svg>", path, report);
    if (script)
        fclose(script);
    if (out)
        fclose(out);
    return status;
}

dae_status plot_write(const char *path, const char *title, const plot_panel *panels, int count,
                      int columns, dae_report *report)
{
    if (check_ending(path, report))
        return DAE_BAD_ARGUMENT;
    if (count < 1 || columns < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a plot without panels", path);
    columns = columns < count ? columns : count;
    picture p = {.title = plot_text(title), .panels = panels, .count = count,
                 .columns = columns, .rows = (count + columns - 1) / columns};
    if (!prepare(&p))
        return dae_fail(report, DAE_NO_MEMORY, "%s: out of memory for the plot", path);
    const dae_status status = p.labels ? draw(&p, path, report)
        : dae_fail(report, DAE_BAD_ARGUMENT, "%s: there is nothing to draw", path);
    free(p.label);
    return status;
}

dae_status plot_check(const char *path, dae_report *report)
{
    const dae_status status = check_ending(path, report);
    return status ? status : draw(NULL, path, report);
}
