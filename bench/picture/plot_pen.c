/* plot_pen.c - which colour, mark and dashes a curve has, and where its marks stand */
#include "picture/plot_pen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_POINTS = 30, SPREAD = 9 };   /* more points than few: so many of them are marked */
_Static_assert((int)FEW_POINTS < (int)MOST_MARKS && (int)SPREAD < (int)MOST_MARKS, "marks");

/* Of Okabe and Ito, which colour-blind readers tell apart, without the yellow. */
const char *const plot_colours[PEN_COLOURS] = {"0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9",
                                               "000000"};

int plot_guides(const plot_curve *c) { return c->style >= PLOT_GUIDE; }

int plot_interrupted(const plot_curve *c)
{
    return c->style == PLOT_TRACE || c->style == PLOT_PATH || c->style == PLOT_THIN;
}

/* ---- labels ---- */

int plot_label(const plot_labels *labels, const plot_curve *c)
{
    for (int i = 0; i < labels->count; i++)
        if (strcmp(plot_text(labels->first[i]->label), plot_text(c->label)) == 0
            && plot_guides(labels->first[i]) == plot_guides(c))
            return i;
    return -1;
}

/* Collect the labels of one kind from what is drawn. */
static void collect(plot_labels *labels, const plot_figure *f, int guides)
{
    for (int i = 0; i < f->count; i++) {
        const plot_panel *panel = &f->panel[i];
        for (int k = 0; k < panel->curves; k++) {
            const plot_curve *c = &panel->curve[k];
            if (plot_guides(c) == guides && c->style != PLOT_CROSS && plot_points(panel, c)
                && plot_label(labels, c) < 0)
                labels->first[labels->count++] = c;
        }
    }
}

int plot_collect(plot_labels *labels, const plot_figure *figures, int count)
{
    size_t curves = 1;
    for (int f = 0; f < count; f++)
        for (int i = 0; i < figures[f].count; i++)
            curves += (size_t)figures[f].panel[i].curves;
    *labels = (plot_labels){calloc(curves, sizeof *labels->first), 0};
    for (int guides = 0; labels->first && guides < 2; guides++)
        for (int f = 0; f < count; f++)
            collect(labels, &figures[f], guides);
    return labels->first != NULL;
}

/* How many labels of the same kind come before it: chooses its colour or dashes. */
static int rank_of(const plot_labels *labels, const plot_curve *c)
{
    int rank = 0;
    for (int i = plot_label(labels, c) - 1; i >= 0; i--)
        rank += plot_guides(labels->first[i]) == plot_guides(c);
    return rank;
}

/* ---- pens ---- */

plot_pen plot_choose_pen(const plot_labels *labels, const plot_curve *c)
{
    static const double long_dash[] = {14, 8, 0}, short_dash[] = {4, 6, 0}, mixed[] = {20, 8, 4, 8, 0},
                        longest[] = {30, 12, 0}, second[] = {16, 6, 0}, third[] = {3, 4, 0};
    static const double *const of_guides[] = {long_dash, short_dash, mixed, longest};
    static const double *const of_curves[] = {NULL, second, third, mixed};
    const int rank = rank_of(labels, c), turn = rank / PEN_COLOURS % 4;
    switch (c->style) {
    case PLOT_TIMES: return (plot_pen){.colour = -1, .grey = 0xb0, .width = 0.7};
    case PLOT_THIN: return (plot_pen){.colour = -1, .grey = 0x8c, .width = 0.7};
    case PLOT_GUIDE:
        return (plot_pen){.colour = -1, .grey = 0x8c, .width = 1, .dashes = of_guides[rank % 4]};
    default:
        return (plot_pen){.colour = rank % PEN_COLOURS, .width = 1.8, .mark = (pen_mark)(rank % PEN_MARKS),
                          .dashes = c->style == PLOT_PATH ? NULL : of_curves[turn]};
    }
}

/* ---- marks ---- */

/* The length of a curve between points i and j, as it is drawn in a box of height 1. */
static double length(const plot_panel *p, const plot_curve *c, const plot_axis *x, const plot_axis *y, double aspect,
                     int i, int j)
{
    const double dx = p->log_x ? log10(c->x[j] / c->x[i]) : c->x[j] - c->x[i];
    const double dy = p->log_y ? log10(c->y[j] / c->y[i]) : c->y[j] - c->y[i];
    return hypot(aspect * dx / (x->hi - x->lo), dy / (y->hi - y->lo));
}

static double whole_length(const plot_panel *p, const plot_curve *c, const plot_axis *x, const plot_axis *y,
                           double aspect)
{
    double sum = 0;
    for (int i = 0, last = -1; i < c->count; i++)
        if (plot_point(p, c, i)) {
            sum += last < 0 ? 0 : length(p, c, x, y, aspect, last, i);
            last = i;
        }
    return sum;
}

int plot_marks(const plot_labels *labels, const plot_panel *p, const plot_curve *c, const plot_axis *x,
               const plot_axis *y, double aspect, int *marks)
{
    const int all = plot_points(p, c) <= FEW_POINTS;
    const double step = whole_length(p, c, x, y, aspect) / SPREAD;
    double next = step * (2 * (rank_of(labels, c) % 5) + 1) / 10, at = 0;
    int count = 0;
    for (int i = 0, last = -1; i < c->count && count < MOST_MARKS; i++) {
        if (!plot_point(p, c, i))
            continue;
        at += last < 0 ? 0 : length(p, c, x, y, aspect, last, i);
        last = i;
        if (!all && at < next)
            continue;
        marks[count++] = i;
        while (!all && next <= at && step > 0)
            next += step;
    }
    return count;
}
