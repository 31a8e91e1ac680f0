#include "page/svg.h"

#include "page/escape.h"
#include "page/figure_axes.h"

#include <math.h>

enum { WIDTH = 300, HEIGHT = 216, LEFT = 50, RIGHT = 10, TOP = 10, BOTTOM = 38, MANY = 24, SOME = 4 };

static double across(const figure_axes *a, double x) { return LEFT + axis_place(&a->x, x) * (WIDTH - LEFT - RIGHT); }
static double down(const figure_axes *a, double y)
{
    return HEIGHT - BOTTOM - axis_place(&a->y, y) * (HEIGHT - TOP - BOTTOM);
}

static void x_ticks(const figure_axes *a, FILE *out)
{
    double tick[AXIS_TICKS];
    char label[AXIS_LABEL];
    const int count = axis_ticks(&a->x, tick);
    for (int i = 0; i < count; i++) {
        const double x = across(a, tick[i]);
        axis_label(&a->x, tick[i], label);
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" class=\"tx\">%s</text>", x, TOP,
                HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 13, label);
    }
}

static void y_ticks(const figure_axes *a, FILE *out)
{
    double tick[AXIS_TICKS];
    char label[AXIS_LABEL];
    const int count = axis_ticks(&a->y, tick);
    for (int i = 0; i < count; i++) {
        const double y = down(a, tick[i]);
        axis_label(&a->y, tick[i], label);
        fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"ty\">%s</text>", LEFT,
                y, WIDTH - RIGHT, LEFT - 4, y + 3.5, label);
    }
}

static void axis_title(const figure_quantity *q, FILE *out)
{
    escape_html(q->label, out);
    if (*q->unit) {
        fputs(", ", out);
        escape_html(q->unit, out);
    }
}

static void frame(const figure *f, const figure_row *row, const figure_axes *a, FILE *out)
{
    fputs("<g class=\"axes\">", out);
    x_ticks(a, out);
    y_ticks(a, out);
    fprintf(out, "<path class=\"frame\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    fprintf(out, "<text class=\"lx\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    axis_title(&f->quantity[row->x], out);
    fprintf(out, "</text><text class=\"ly\" transform=\"translate(11 %d)rotate(-90)\">", (TOP + HEIGHT - BOTTOM) / 2);
    axis_title(&f->quantity[row->y], out);
    fputs("</text></g>", out);
}

/* Straight lines of slope 1, 2, ... on logarithmic axes, from the upper right corner down to the left or the
 * lower end. */
static void guides(const figure_axes *a, int count, FILE *out)
{
    for (int slope = 1; slope <= count; slope++) {
        const double fall = fmin(slope * (a->x.high - a->x.low), a->y.high - a->y.low);
        const double x = across(a, pow(10, a->x.high - fall / slope)), y = down(a, pow(10, a->y.high - fall));
        fprintf(out, "<path class=\"guide\" d=\"M%d %dL%.1f %.1f\"/><text class=\"tg\" x=\"%.1f\" y=\"%.1f\">%d</text>",
                WIDTH - RIGHT, TOP, x, y, x + 3, y - 3, slope);
    }
}

/* One of eight signs about (x, y), as part of a path. */
static void mark(int shape, double x, double y, FILE *out)
{
    static const char *const form[] = {
        "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "m-2.7 -2.7h5.4v5.4h-5.4z", "m0 -3.6l3.4 6h-6.8z",
        "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z",
        "m0 3.6l3.4 -6h-6.8z", "m-3.5 -1.2h2.3v-2.3h2.4v2.3h2.3v2.4h-2.3v2.3h-2.4v-2.3h-2.3z",
        "m-3.4 -2.4l6.8 4.8v-4.8l-6.8 4.8z",
        "m-2.4 -3.4l4.8 6.8h-4.8l4.8 -6.8z"};
    fprintf(out, "M%.1f %.1f%s", x, y, form[shape % 8]);
}

/* Series 8, 9, ... have the colours of 0, 1, ... with other marks, and dashes. */
static int shape_of(int series) { return (series + 3 * (series / SVG_COLOURS)) % 8; }

static void classes(const char *what, int series, FILE *out)
{
    fprintf(out, "<path class=\"%s s%d%s\" data-series=\"%d\" d=\"", what, series % SVG_COLOURS,
            series >= SVG_COLOURS ? " more" : "", series);
}

static int points_of(const figure_row *r, const figure_curve *c)
{
    int count = 0;
    for (int k = 0; k < c->count; k++)
        count += figure_has_point(r, c, k);
    return count;
}

/* Interrupted where a point is missing. */
static void line(const figure *f, const figure_row *r, const figure_curve *c, const figure_axes *a, FILE *out)
{
    int joined = 0;
    classes("line", c->series, out);
    for (int k = 0; k < c->count; k++) {
        const double x = across(a, c->value[r->x][k]), y = down(a, c->value[r->y][k]);
        if (figure_has_point(r, c, k) && joined && f->steps)
            fprintf(out, "H%.1fV%.1f", x, y);
        else if (figure_has_point(r, c, k))
            fprintf(out, "%c%.1f %.1f", joined ? 'L' : 'M', x, y);
        joined = figure_has_point(r, c, k);
    }
    fputs("\"/>", out);
}

/* On every point; of many on some, at other places of each curve. */
static void marks(const figure_row *r, const figure_curve *c, const figure_axes *a, FILE *out)
{
    const int points = points_of(r, c), every = points > MANY ? points / SOME : 1;
    int seen = every > 1 ? c->series * every / 5 : 0;
    classes("mark", c->series, out);
    for (int k = 0; k < c->count; k++)
        if (figure_has_point(r, c, k) && seen++ % every == 0)
            mark(shape_of(c->series), across(a, c->value[r->x][k]), down(a, c->value[r->y][k]), out);
    fputs("\"/>", out);
}

/* Runs that failed: crosses at the upper end, at their level. */
static void failures(const figure_row *r, const figure_curve *c, const figure_axes *a, FILE *out)
{
    for (int k = 0; k < c->count; k++) {
        const double x = across(a, c->value[r->x][k]);
        if (!c->failed[k] || !isfinite(x))
            continue;
        classes("fail", c->series, out);
        fprintf(out, "M%.1f %dl6 6m0 -6l-6 6\"><title>", x - 3, TOP + 2);
        escape_html(c->note[k], out);
        fputs("</title></path>", out);
    }
}

static void curve(const figure *f, const figure_row *r, const figure_curve *c, const figure_axes *a, FILE *out)
{
    line(f, r, c, a, out);
    marks(r, c, a, out);
    failures(r, c, a, out);
}

void svg_panel(const figure *f, int row, int facet, FILE *out)
{
    const figure_row *r = &f->row[row];
    const figure_facet *of = &f->facet[facet];
    const figure_axes a = figure_axes_of(f, row);
    fprintf(out, "<svg class=\"panel-svg\" viewBox=\"0 0 %d %d\" role=\"img\" data-facet=\"%d\" data-x=\"%d\" "
            "data-y=\"%d\" aria-label=\"", WIDTH, HEIGHT, facet, r->x, r->y);
    escape_html(of->title, out);
    fputs(": ", out);
    axis_title(&f->quantity[r->y], out);
    fputs(" against ", out);
    axis_title(&f->quantity[r->x], out);
    fputs("\">", out);
    frame(f, r, &a, out);
    if (f->guides && a.x.log && a.y.log)
        guides(&a, f->guides, out);
    fputs("<g class=\"curves\">", out);
    for (int k = 0; k < of->curves; k++)
        curve(f, r, &of->curve[k], &a, out);
    fputs("</g></svg>", out);
}

void svg_key(int series, FILE *out)
{
    fputs("<svg class=\"mark-svg\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">", out);
    classes("line", series, out);
    fputs("M1 6H25\"/>", out);
    classes("mark", series, out);
    mark(shape_of(series), 13, 6, out);
    fputs("\"/></svg>", out);
}
