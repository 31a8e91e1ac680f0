/* plot_script.c - the axes, the curves and the key of a picture, in the words of gnuplot
 *
 * A logarithmic axis is a linear one of log10 with tics of our own.
 */
#include "picture/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 76, RIGHT = 20, TOP = 34, BOTTOM = 60 };  /* around the axes of a panel, pixels */
enum { FEW_POINTS = 30, MARKS = 9 };    /* more points than few: that many of them are marked */

/* In the coordinate that is drawn. */
typedef struct {
    double lo, hi;
    int log;
} axis;

/* ---- axes ---- */

/* Widen lo ... hi by the coordinates of the guides, or of the other curves and thin lines. A point
 * without a y still counts for the x axis, so that panels of the same runs agree in it. */
static void cover(const plot_panel *p, int guides, int vertical, axis *a)
{
    for (int k = 0; k < p->curves; k++) {
        const plot_curve *c = &p->curve[k];
        if ((c->style == PLOT_GUIDE) != guides || c->style == PLOT_TIMES)
            continue;
        for (int i = 0; i < c->count; i++) {
            const double x = vertical ? c->y[i] : c->x[i];
            if (!(vertical ? plot_point(p, c, i) : plot_drawable(x, a->log)))
                continue;
            a->lo = fmin(a->lo, a->log ? log10(x) : x);
            a->hi = fmax(a->hi, a->log ? log10(x) : x);
        }
    }
}

/* A margin around the range: what one value needs; none for time, but up to a round end nearby. */
static void widen(axis *a, int vertical)
{
    const double span = a->hi - a->lo, size = fmax(fabs(a->lo), fabs(a->hi));
    double margin = vertical ? 0.05 * span : 0;
    if (a->log)
        margin = fmax(0.05 * span, (1 - span) / 2);
    else if (!(span > 1e-9 * size && size > 1e-300))
        margin = size > 1e-300 ? 0.1 * size : 1;
    else if (!vertical) {
        const double unit = pow(10, floor(log10(1.05 * span)));
        const double lo = unit * floor(a->lo / unit), hi = unit * ceil(a->hi / unit);
        a->lo = a->lo - lo < 0.03 * span ? lo : a->lo;
        a->hi = hi - a->hi < 0.03 * span ? hi : a->hi;
    }
    a->lo -= margin;
    a->hi += margin;
}

static int in_plane(const plot_panel *p)
{
    for (int k = 0; k < p->curves; k++)
        if (p->curve[k].style == PLOT_PATH)
            return 1;
    return 0;
}

/* The range of an axis: curves as a whole, guides as far as they stay near. */
static axis choose_axis(const plot_panel *p, int vertical)
{
    axis a = {INFINITY, -INFINITY, vertical ? p->log_y : p->log_x};
    cover(p, 0, vertical, &a);
    axis guided = a;
    cover(p, 1, vertical, &guided);
    if (a.lo > a.hi)
        a = guided;
    const double reach = 0.15 * (a.hi - a.lo);
    a.lo = fmax(guided.lo, a.lo - reach);
    a.hi = fmin(guided.hi, a.hi + reach);
    widen(&a, vertical || in_plane(p));
    return a;
}

/* One unit is to be as long on both axes of a panel: the finer scale gives way about its middle. */
static void make_equal(axis *x, axis *y)
{
    const double width = PANEL_WIDTH - LEFT - RIGHT, height = PANEL_HEIGHT - TOP - BOTTOM;
    const double unit = fmax((x->hi - x->lo) / width, (y->hi - y->lo) / height);
    const double mid_x = (x->lo + x->hi) / 2, mid_y = (y->lo + y->hi) / 2;
    *x = (axis){mid_x - unit * width / 2, mid_x + unit * width / 2, 0};
    *y = (axis){mid_y - unit * height / 2, mid_y + unit * height / 2, 0};
}

typedef enum { POWER, PLAIN, BARE } tic_label;

/* A tic at mantissa 10^exponent, a short one without a label; 1 where it is seen. */
static int put_tic(FILE *out, const axis *a, int mantissa, int exponent, tic_label kind, int first)
{
    const double z = log10(mantissa) + exponent;
    if (z < a->lo || z > a->hi)
        return 0;
    fputs(first ? "'" : ", '", out);
    if (kind == PLAIN && abs(exponent) <= 3)
        fprintf(out, "%g", mantissa * pow(10, exponent));
    else if (kind != BARE && mantissa > 1)
        fprintf(out, "%d·10^{%d}", mantissa, exponent);
    else if (kind != BARE)
        fprintf(out, "10^{%d}", exponent);
    fprintf(out, "' %.10g %d", z, kind == BARE);
    return 1;
}

/* Every step-th decade has a label; 2 and 5 between them too where there are few decades. */
static void put_log_tics(FILE *out, char name, const axis *a)
{
    const int first = (int)floor(a->lo), last = (int)ceil(a->hi);
    const int narrow = a->hi - a->lo < 1.8;
    int step = (last - first + 6) / 7, seen = 0;
    if (step > 4)
        step = (step + 4) / 5 * 5;
    fprintf(out, "set %ctics nomirror out (", name);
    for (int e = first; e <= last; e++) {
        seen += put_tic(out, a, 1, e, e % step ? BARE : narrow ? PLAIN : POWER, !seen);
        for (int m = 2; step == 1 && m < 10; m++)
            seen += put_tic(out, a, m, e, narrow && (m == 2 || m == 5) ? PLAIN : BARE, !seen);
    }
    fputs(")\n", out);
}

static void put_axis(FILE *out, char name, const axis *a)
{
    fprintf(out, "set %crange [%.17g:%.17g]\n", name, a->lo, a->hi);
    if (a->log)
        put_log_tics(out, name, a);
    else
        fprintf(out, "set %ctics nomirror out autofreq format '%%g'\n", name);
}

/* ---- the script ---- */

/* How many labels of the same kind come before it: chooses its colour or dashes. */
static int label_rank(const picture *p, const plot_curve *c)
{
    int rank = 0;
    for (int i = plot_label(p, c) - 1; i >= 0; i--)
        rank += plot_guides(p->label[i]) == plot_guides(c);
    return rank;
}

/* A string of gnuplot: between single quotes only a quote is special. */
void plot_put_text(FILE *out, const char *s)
{
    fputc('\'', out);
    for (s = plot_text(s); *s; s++) {
        if (*s == '\'')
            fputc('\'', out);
        fputc((unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s, out);
    }
    fputc('\'', out);
}

/* A title no wider than width pixels, if 8 points are enough for that. */
static void put_title(FILE *out, const char *s, double width, double size)
{
    const double fit = width / (0.53 * (double)strlen(plot_text(s)) + 0.1);
    plot_put_text(out, s);
    fprintf(out, " font ',%.3g' noenhanced", fmax(8, fmin(size, fit)));
}

static void put_head(FILE *out, const picture *p, int png)
{
    const double scale = png ? 2 : 1;
    fprintf(out, "set terminal %s enhanced font 'Helvetica,12' size %.0f,%.0f background 'white'",
            png ? "pngcairo" : "svg", scale * p->width, scale * p->height);
    if (png)
        fprintf(out, " fontscale %g linewidth %g pointscale %g", scale * 0.8, scale, scale);
    fputs("\nset encoding utf8\nset multiplot\n"
          "set style line 100 lc rgb '#555555' lw 0.8\n"
          "set style line 101 lc rgb '#e4e4e4' lw 0.7 dt 1\n"
          "set border 3 ls 100\nset tics scale 0.6,0.3\n"
          "set grid xtics ytics ls 101, ls 101 back\nunset key\n", out);
}

static int interrupted(const plot_curve *c)
{
    return c->style == PLOT_TRACE || c->style == PLOT_PATH || c->style == PLOT_THIN;
}

/* An empty line interrupts a curve. */
static void put_data(FILE *out, const picture *p, int panel)
{
    const plot_panel *from = &p->panels[panel];
    for (int k = 0; k < from->curves; k++) {
        const plot_curve *c = &from->curve[k];
        if (!plot_points(from, c) || c->style == PLOT_TIMES)
            continue;
        fprintf(out, "$d%d << EOD\n", k);
        for (int i = 0; i < c->count; i++)
            if (plot_point(from, c, i))
                fprintf(out, "%.12g %.12g\n", from->log_x ? log10(c->x[i]) : c->x[i],
                        from->log_y ? log10(c->y[i]) : c->y[i]);
            else if (interrupted(c) && i > 0 && plot_point(from, c, i - 1))
                fputc('\n', out);
        fputs("EOD\n", out);
    }
}

static void put_times(FILE *out, const plot_panel *panel)
{
    fputs("unset arrow\n", out);
    for (int k = 0; k < panel->curves; k++) {
        const plot_curve *c = &panel->curve[k];
        for (int i = 0; c->style == PLOT_TIMES && i < c->count; i++)
            if (plot_point(panel, c, i))
                fprintf(out, "set arrow from first %.12g,graph 0 to first %.12g,graph 1 nohead "
                        "back lc rgb '#b0b0b0' lw 0.7 dt 1\n", c->x[i], c->x[i]);
    }
}

/* How a curve is drawn, with lines, points or linespoints. Colours of Okabe and Ito, which
 * colour-blind readers tell apart, without the yellow. */
static void put_style(FILE *out, const picture *p, const plot_curve *c, const char *with)
{
    static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                         "#56b4e9", "#000000"};
    static const int mark[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
    static const char *const dashes[] = {"(14,8)", "(4,6)", "(20,8,4,8)", "(30,12)"};
    enum { COLOURS = sizeof colour / sizeof *colour, MARK_KINDS = sizeof mark / sizeof *mark };
    const int rank = label_rank(p, c);
    if (c->style == PLOT_THIN || c->style == PLOT_TIMES) {
        fprintf(out, " with lines lc rgb '%s' lw 0.7 dt 1",
                c->style == PLOT_THIN ? "#8c8c8c" : "#b0b0b0");
        return;
    }
    if (c->style == PLOT_GUIDE) {
        fprintf(out, " with lines lc rgb '#8c8c8c' lw 1 dt %s", dashes[rank % 4]);
        return;
    }
    fprintf(out, " with %s lc rgb '%s'", with, colour[rank % COLOURS]);
    if (strstr(with, "lines"))
        fprintf(out, " lw 1.8 dt %s", rank < COLOURS || c->style == PLOT_PATH ? "1" : "(16,6)");
    if (strstr(with, "points"))
        fprintf(out, " pt %d ps 0.7", mark[rank % MARK_KINDS]);
}

/* A long curve has a few marks, at other places than the curves of its neighbours in the key. */
static void put_curve(FILE *out, const picture *p, const plot_curve *c, int k, int count)
{
    fprintf(out, "$d%d", k);
    if (interrupted(c)) {
        put_style(out, p, c, "lines");
        return;
    }
    if (c->style != PLOT_LINE || count <= FEW_POINTS) {
        put_style(out, p, c, c->style == PLOT_LINE ? "linespoints" : "points");
        return;
    }
    put_style(out, p, c, "lines");
    const int every = count / MARKS, first = every * (2 * (label_rank(p, c) % 5) + 1) / 10;
    fprintf(out, ", $d%d every %d::%d", k, every, first);
    put_style(out, p, c, "points");
}

static void put_margins(FILE *out, const picture *p, double left, double right, double top,
                        double bottom)
{
    fprintf(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n"
            "set tmargin at screen %.6g\nset bmargin at screen %.6g\n",
            left / p->width, right / p->width, 1 - top / p->height, 1 - bottom / p->height);
}

/* Guides lie below the curves. */
static void put_curves(FILE *out, const picture *p, const plot_panel *panel)
{
    const char *separator = "plot ";
    for (int guides = 1; guides >= 0; guides--) {
        for (int k = 0; k < panel->curves; k++) {
            const plot_curve *c = &panel->curve[k];
            const int n = plot_points(panel, c);
            if (plot_guides(c) != guides || !n || c->style == PLOT_TIMES)
                continue;
            fputs(separator, out);
            put_curve(out, p, c, k, n);
            separator = ", ";
        }
    }
    fputc('\n', out);
}

static void put_panel(FILE *out, const picture *p, int i)
{
    const plot_panel *panel = &p->panels[i];
    const double x = PANEL_WIDTH * (i % p->columns);
    const double y = (*p->title ? TITLE_HEIGHT : 0)
                     + (double)PANEL_HEIGHT * (i / p->columns);
    put_margins(out, p, x + LEFT, x + PANEL_WIDTH - RIGHT, y + TOP, y + PANEL_HEIGHT - BOTTOM);
    fputs("set title ", out);
    put_title(out, panel->title, PANEL_WIDTH - LEFT + RIGHT, 12.5);
    fputs(" offset 0,-0.4\nset xlabel ", out);
    put_title(out, panel->xlabel, PANEL_WIDTH - LEFT, 12);
    fputs("\nset ylabel ", out);
    put_title(out, panel->ylabel, PANEL_HEIGHT - TOP - BOTTOM, 12);
    fputc('\n', out);
    if (!plot_panel_points(panel)) {
        fputs("unset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n"
              "set label 2 'nothing to draw' at graph 0.5,0.5 center tc rgb '#8c8c8c'\n"
              "plot NaN notitle\nunset label 2\n", out);
        return;
    }
    axis horizontal = choose_axis(panel, 0), vertical = choose_axis(panel, 1);
    if (in_plane(panel))
        make_equal(&horizontal, &vertical);
    fputs(in_plane(panel) ? "set clip two\n" : "unset clip two\n", out);
    put_axis(out, 'x', &horizontal);
    put_axis(out, 'y', &vertical);
    put_times(out, panel);
    put_data(out, p, i);
    put_curves(out, p, panel);
}

/* One key for all panels, below them. */
static void put_key(FILE *out, const picture *p, int png)
{
    const char *separator = "plot ";
    if (!p->key_rows)
        return;
    put_margins(out, p, 10, p->width - 10, p->height - KEY_LINE * p->key_rows - 8, p->height - 8);
    fprintf(out, "unset arrow\nunset title\nunset xlabel\nunset ylabel\nunset border\n"
            "unset tics\nunset grid\n"
            "set xrange [0:1]\nset yrange [0:1]\n"
            "set key inside center center horizontal Left reverse noenhanced samplen 3"
            " spacing %g maxcols %d maxrows %d\n", png ? 1.45 : 1, p->key_columns, p->key_rows);
    for (int i = 0; i < p->labels; i++) {
        if (!*plot_text(p->label[i]->label))
            continue;
        fprintf(out, "%sNaN", separator);
        const plot_style style = p->label[i]->style;
        put_style(out, p, p->label[i], style == PLOT_LINE ? "linespoints"
                                       : style == PLOT_POINTS ? "points" : "lines");
        fputs(" title ", out);
        plot_put_text(out, p->label[i]->label);
        separator = ", ";
    }
    fputc('\n', out);
}

void plot_script(const picture *p, int png, FILE *out)
{
    put_head(out, p, png);
    fputs("set label 1 ", out);
    put_title(out, p->title, p->width - 20, 15);
    fprintf(out, " at screen 0.5,%.6g center\n", 1 - 0.6 * TITLE_HEIGHT / p->height);
    for (int i = 0; i < p->count; i++) {
        put_panel(out, p, i);
        fputs("unset label 1\n", out);
    }
    put_key(out, p, png);
    fputs("unset multiplot\n", out);
}

