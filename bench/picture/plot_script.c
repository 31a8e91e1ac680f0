/* plot_script.c - axes, curves and key of a page in the words of gnuplot */
#include "picture/plot_script.h"

#include <math.h>
#include <string.h>

/* A string of gnuplot, between double quotes. What is special there is written by its number: a quote, a backslash, a
 * backquote, which would run a command. (Between single quotes gnuplot 5.4 loses its way behind two of them.) */
void plot_put_text(FILE *out, const char *s)
{
    fputc('"', out);
    for (s = plot_text(s); *s; s++)
        if (strchr("\"\\`", *s))
            fprintf(out, "\\%03o", (unsigned)*s);
        else
            fputc((unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s, out);
    fputc('"', out);
}

/* ---- head ---- */

/* The size in px, twice that for PNG; in inches for PDF, whose letters are in points. */
static void put_head(FILE *out, const plot_document *d, const plot_page *p, plot_kind kind, const char *name)
{
    static const char *const terminals[PLOT_KINDS] = {"svg", "pngcairo", "pdfcairo", ""};
    const char *face = *d->look.face ? d->look.face : "Helvetica";
    fprintf(out, "set terminal %s enhanced rounded font ", terminals[kind]);
    char font[PLOT_FACE + 32];
    snprintf(font, sizeof font, "%s,%.4g", face, d->em);
    plot_put_text(out, font);
    if (kind == PLOT_PDF)
        fprintf(out, " size %.6gin,%.6gin fontscale 0.56 linewidth 1.5 pointscale 0.85 dashlength 0.6", p->width / 96,
                p->height / 96);
    else if (kind == PLOT_PNG)
        fprintf(out, " size %.0f,%.0f fontscale 1.6 linewidth 2 pointscale 2", 2 * p->width, 2 * p->height);
    else
        fprintf(out, " size %.0f,%.0f", p->width, p->height);
    if (!d->look.transparent)
        fputs(" background 'white'", out);
    else if (kind != PLOT_SVG)
        fputs(" transparent", out);
    fputc('\n', out);
    if (name) {
        fputs("set output ", out);
        plot_put_text(out, name);
        fputc('\n', out);
    }
    fputs("set encoding utf8\n"
          "set style line 100 lc rgb '#555555' lw 0.8\n"
          "set style line 101 lc rgb '#e4e4e4' lw 0.7 dt 1\n"
          "set style textbox opaque noborder margins 0.3,0.2 fillcolor rgb '#50ffffff'\n"
          "set tics scale 0.6,0.3\nunset key\n", out);
}

static void put_font(FILE *out, double size) { fprintf(out, " font ',%.3g' noenhanced", size); }

/* ---- axes ---- */

static void put_tic(FILE *out, const plot_axis *a, const plot_tic *t, int labelled)
{
    if (!labelled || t->label == TIC_BARE)
        fputs("''", out);
    else if (!a->log || t->label == TIC_PLAIN)
        fprintf(out, "'%g'", t->mantissa * pow(10, t->exponent));
    else if (t->mantissa > 1)
        fprintf(out, "'%g·10^{%d}'", t->mantissa, t->exponent);
    else
        fprintf(out, "'10^{%d}'", t->exponent);
    fprintf(out, " %.10g %d", t->z, t->label == TIC_BARE);
}

static void put_axis(FILE *out, char name, const plot_axis *a, int most, int labelled)
{
    plot_tic tic[MOST_TICS];
    const int count = plot_tics(a, most, tic);
    fprintf(out, "set %crange [%.17g:%.17g]\nset %ctics nomirror out (", name, a->lo, a->hi, name);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_tic(out, a, &tic[i], labelled);
    }
    fputs(")\n", out);
}

static void put_margins(FILE *out, const plot_page *p, double left, double right, double top, double bottom)
{
    fprintf(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n"
            "set tmargin at screen %.6g\nset bmargin at screen %.6g\n",
            left / p->width, right / p->width, 1 - top / p->height, 1 - bottom / p->height);
}

/* ---- curves ---- */

static void put_number(FILE *out, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", x);
    fputs(text, out);
}

/* The height of a cross: of its point, or just below the upper edge. */
static double cross_height(const plot_place *at, const plot_curve *c, int i)
{
    const double edge = at->y.hi - 0.03 * (at->y.hi - at->y.lo);
    return plot_drawable(c->y[i], at->panel->log_y) ? c->y[i] : at->y.log ? pow(10, edge) : edge;
}

/* An empty line interrupts a curve. */
static void put_data(FILE *out, const plot_place *at)
{
    const plot_panel *from = at->panel;
    for (int k = 0; k < from->curves; k++) {
        const plot_curve *c = &from->curve[k];
        if (!plot_points(from, c) || c->style == PLOT_TIMES)
            continue;
        fprintf(out, "$d%d << EOD\n", k);
        for (int i = 0; i < c->count; i++)
            if (plot_point(from, c, i)) {
                put_number(out, c->x[i]);
                fputc(' ', out);
                put_number(out, c->style == PLOT_CROSS ? cross_height(at, c, i) : c->y[i]);
                fputc('\n', out);
            } else if (plot_interrupted(c) && i > 0 && plot_point(from, c, i - 1)) {
                fputc('\n', out);
            }
        fputs("EOD\n", out);
    }
}

static void put_marks(FILE *out, const plot_document *d, const plot_place *at)
{
    int marks[MOST_MARKS];
    for (int k = 0; k < at->panel->curves; k++) {
        const plot_curve *c = &at->panel->curve[k];
        const int count = c->style == PLOT_LINE ? plot_marks(&d->labels, at->panel, c, &at->x, &at->y,
                                                             at->width / at->height, marks) : 0;
        if (!count)
            continue;
        fprintf(out, "$m%d << EOD\n", k);
        for (int i = 0; i < count; i++)
            fprintf(out, "%.15g %.15g\n", c->x[marks[i]], c->y[marks[i]]);
        fputs("EOD\n", out);
    }
}

static double drawn(const plot_axis *a, double x) { return a->log ? log10(x) : x; }

static void put_times(FILE *out, const plot_place *at)
{
    fputs("unset arrow\n", out);
    for (int k = 0; k < at->panel->curves; k++) {
        const plot_curve *c = &at->panel->curve[k];
        for (int i = 0; c->style == PLOT_TIMES && i < c->count; i++)
            if (plot_point(at->panel, c, i))
                fprintf(out, "set arrow from first %.12g,graph 0 to first %.12g,graph 1 nohead "
                        "back lc rgb '#b0b0b0' lw 0.7 dt 1\n", drawn(&at->x, c->x[i]), drawn(&at->x, c->x[i]));
    }
}

static void put_tags(FILE *out, const plot_document *d, const plot_place *at)
{
    for (int k = 0; k < at->panel->curves; k++) {
        const plot_curve *c = &at->panel->curve[k];
        for (int i = 0; c->tag && i < c->count; i++) {
            if (!plot_tagged(at, d->em, k, i))
                continue;
            fputs("set label ", out);
            plot_put_text(out, c->tag[i]);
            fprintf(out, " at first %.12g,%.12g %s,0.5 front boxed tc rgb '#707070'", drawn(&at->x, c->x[i]),
                    drawn(&at->y, c->y[i]), plot_tag_left(at, d->em, c, i) ? "right offset -0.5" : "left offset 0.5");
            put_font(out, PLOT_TAG * d->em);
            fputc('\n', out);
        }
    }
}

static void put_line(FILE *out, const plot_pen *pen)
{
    if (pen->colour < 0)
        fprintf(out, " with lines lc rgb '#%02x%02x%02x' lw %g", pen->grey, pen->grey, pen->grey, pen->width);
    else
        fprintf(out, " with lines lc rgb '#%s' lw %g", plot_colours[pen->colour], pen->width);
    fputs(pen->dashes ? " dt (" : " dt 1", out);
    for (const double *x = pen->dashes; x && *x > 0; x++)
        fprintf(out, "%s%g", x == pen->dashes ? "" : ",", *x);
    fputs(pen->dashes ? ")" : "", out);
}

static void put_points(FILE *out, const plot_pen *pen)
{
    static const int mark[PEN_MARKS] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
    fprintf(out, " with points lc rgb '#%s' pt %d ps 0.7 lw 1.2", plot_colours[pen->colour], mark[pen->mark]);
}

static const char *using_of(const plot_panel *p)
{
    return p->log_x ? p->log_y ? "(log10($1)):(log10($2))" : "(log10($1)):2" : p->log_y ? "1:(log10($2))" : "1:2";
}

static void put_curve(FILE *out, const plot_document *d, const plot_place *at, int k)
{
    const plot_curve *c = &at->panel->curve[k];
    const plot_pen pen = plot_choose_pen(&d->labels, c);
    const char *columns = using_of(at->panel);
    if (c->style == PLOT_CROSS) {
        fprintf(out, "$d%d using %s with points lc rgb '#%s' pt 2 ps 0.9 lw 2", k, columns, plot_colours[pen.colour]);
        return;
    }
    if (c->style != PLOT_POINTS) {
        fprintf(out, "$d%d using %s", k, columns);
        put_line(out, &pen);
    }
    if (c->style == PLOT_LINE || c->style == PLOT_POINTS) {
        fprintf(out, "%s$%c%d using %s", c->style == PLOT_LINE ? ", " : "", c->style == PLOT_LINE ? 'm' : 'd', k,
                columns);
        put_points(out, &pen);
    }
}

/* Guides lie below the curves. */
static void put_curves(FILE *out, const plot_document *d, const plot_place *at)
{
    const char *separator = "plot ";
    for (int guides = 1; guides >= 0; guides--)
        for (int k = 0; k < at->panel->curves; k++) {
            const plot_curve *c = &at->panel->curve[k];
            if (plot_guides(c) != guides || !plot_points(at->panel, c) || c->style == PLOT_TIMES)
                continue;
            fputs(separator, out);
            put_curve(out, d, at, k);
            separator = ", \\\n     ";
        }
    fputc('\n', out);
}

/* ---- a panel ---- */

/* Where gnuplot would put words of its own depends on what it takes for the width of tics. */
static void put_beside(FILE *out, const plot_page *p, const char *words, double x, double y, double size, int turned)
{
    if (!*words)
        return;
    fputs("set label ", out);
    plot_put_text(out, words);
    fprintf(out, " at screen %.6g,%.6g center%s", x / p->width, 1 - y / p->height, turned ? " rotate by 90" : "");
    put_font(out, size);
    fputc('\n', out);
}

static void put_around(FILE *out, const plot_document *d, const plot_page *p, const plot_place *at, int bare)
{
    const double s = d->em / 12, middle = at->left + at->width / 2;
    put_beside(out, p, at->title, middle, at->top - 13 * s, at->title_size, 0);
    if (bare)
        return;
    put_beside(out, p, at->xlabel, middle, at->top + at->height + 41 * s, d->em, 0);
    put_beside(out, p, at->ylabel, at->left - 62 * s, at->top + at->height / 2, d->em, 1);
}

static void put_empty(FILE *out, const plot_document *d, const plot_place *at)
{
    const char *why = at->panel->empty ? at->panel->empty : "nothing to draw";
    fputs("set label ", out);
    plot_put_text(out, why);
    fputs(" at graph 0.5,0.5 center tc rgb '#8c8c8c'", out);
    put_font(out, fmin(d->em, fmax(0.66 * d->em, at->width / (0.56 * (double)strlen(why) + 1))));
    fputs("\nplot NaN notitle\n", out);
}

static void put_panel(FILE *out, const plot_document *d, const plot_page *p, const plot_place *at)
{
    put_margins(out, p, at->left, at->left + at->width, at->top, at->top + at->height);
    fputs("set border 3 ls 100\nset grid xtics ytics ls 101, ls 101 back\n", out);
    const int empty = !plot_panel_points(at->panel), bare = empty && !at->in_grid;
    put_around(out, d, p, at, bare);
    fputs(plot_in_plane(at->panel) ? "set clip two\n" : "unset clip two\n", out);
    put_axis(out, 'x', &at->x, at->most_x, at->labels_x && !bare);
    put_axis(out, 'y', &at->y, at->most_y, at->labels_y && !bare);
    if (empty) {
        fputs("unset grid\nset border 0\nset tics scale 0,0\n", out);
        put_empty(out, d, at);
        fputs("set tics scale 0.6,0.3\n", out);
        return;
    }
    put_times(out, at);
    put_data(out, at);
    put_marks(out, d, at);
    put_tags(out, d, at);
    put_curves(out, d, at);
}

/* ---- words and key ---- */

static void put_words(FILE *out, const plot_page *p)
{
    for (int i = 0; i < p->words; i++) {
        const plot_words *w = &p->word[i];
        fputs("set label ", out);
        plot_put_text(out, w->text);
        fprintf(out, " at screen %.6g,%.6g %s%s%s", w->x / p->width, 1 - w->y / p->height,
                w->how == WORDS_LEFT ? "left" : "center", w->how == WORDS_TURNED ? " rotate by 270" : "",
                w->grey ? " tc rgb '#707070'" : "");
        put_font(out, w->size);
        fputc('\n', out);
    }
}

static void put_sample(FILE *out, const plot_document *d, const plot_sample *s, int k)
{
    const plot_pen pen = plot_choose_pen(&d->labels, s->curve);
    const int points = s->curve->style == PLOT_POINTS || s->curve->style == PLOT_LINE;
    if (s->curve->style != PLOT_POINTS) {
        fprintf(out, "$s%d", k);
        put_line(out, &pen);
    }
    if (points) {
        fprintf(out, "%s$p%d", s->curve->style == PLOT_LINE ? ", " : "", k);
        put_points(out, &pen);
    }
}

/* Words and samples of the key in one plot over the whole page, in its pixels. */
static void put_rest(FILE *out, const plot_document *d, const plot_page *p)
{
    put_margins(out, p, 0, p->width, 0, p->height);
    fprintf(out, "unset arrow\nunset border\nunset tics\nunset grid\n"
            "set xrange [0:%.6g]\nset yrange [%.6g:0]\n", p->width, p->height);
    put_words(out, p);
    for (int k = 0; k < p->samples; k++) {
        const plot_sample *s = &p->sample[k];
        fprintf(out, "$s%d << EOD\n%.6g %.6g\n%.6g %.6g\nEOD\n$p%d << EOD\n%.6g %.6g\nEOD\n", k, s->x, s->y,
                s->x + s->length, s->y, k, s->x + s->length / 2, s->y);
    }
    fputs(p->samples ? "plot " : "plot NaN", out);
    for (int k = 0; k < p->samples; k++) {
        fputs(k ? ", \\\n     " : "", out);
        put_sample(out, d, &p->sample[k], k);
    }
    fputs("\nunset label\n", out);
}

void plot_script(const plot_document *d, int first, int count, plot_kind kind, const char *name, FILE *out)
{
    put_head(out, d, &d->page[first], kind, name);
    for (int i = first; i < first + count; i++) {
        fputs("set multiplot\n", out);
        for (int k = 0; k < d->page[i].places; k++) {
            put_panel(out, d, &d->page[i], &d->page[i].place[k]);
            fputs("unset label\n", out);
        }
        put_rest(out, d, &d->page[i]);
        fputs("unset multiplot\n", out);
    }
}
