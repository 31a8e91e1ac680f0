/* plot_axis.c - ranges of axes and their tics
 *
 * A logarithmic axis is a linear one of log10 with tics of its own.
 */
#include "picture/plot_axis.h"

#include <math.h>
#include <stdlib.h>

static const double largest_drawn = 1e300;

/* ---- what is drawn ---- */

int plot_drawable(double x, int logarithmic)
{
    return isfinite(x) && fabs(x) < largest_drawn && (!logarithmic || x > 0);
}

int plot_point(const plot_panel *p, const plot_curve *c, int i)
{
    return plot_drawable(c->x[i], p->log_x)
           && (c->style == PLOT_TIMES || c->style == PLOT_CROSS || plot_drawable(c->y[i], p->log_y));
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
        if (p->curve[k].style != PLOT_TIMES && p->curve[k].style != PLOT_CROSS)
            n += plot_points(p, &p->curve[k]);
    return n;
}

/* ---- ranges ---- */

/* Widen lo ... hi by the coordinates of the guides, or of the other curves and thin lines. A point
 * without a y still counts for the x axis, so that panels of the same runs agree in it. */
static void cover(const plot_panel *p, int guides, int vertical, plot_axis *a)
{
    for (int k = 0; k < p->curves; k++) {
        const plot_curve *c = &p->curve[k];
        if ((c->style == PLOT_GUIDE) != guides || c->style == PLOT_TIMES)
            continue;
        for (int i = 0; i < c->count; i++) {
            const double x = vertical ? c->y[i] : c->x[i];
            if (!plot_drawable(x, a->log) || (vertical && !plot_point(p, c, i)))
                continue;
            a->lo = fmin(a->lo, a->log ? log10(x) : x);
            a->hi = fmax(a->hi, a->log ? log10(x) : x);
        }
    }
}

/* A margin around the range: what one value needs; none for time, but up to a round end nearby. */
static void widen(plot_axis *a, int vertical)
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

int plot_in_plane(const plot_panel *p)
{
    for (int k = 0; k < p->curves; k++)
        if (p->curve[k].style == PLOT_PATH)
            return 1;
    return 0;
}

/* Single points, which are all marked: they are to lie within the axes. */
static int has_points(const plot_panel *p)
{
    enum { FEW = 30 };
    for (int k = 0; k < p->curves; k++)
        if (p->curve[k].style <= PLOT_POINTS && p->curve[k].count <= FEW)
            return 1;
    return 0;
}

plot_axis plot_choose_axis(const plot_panel *const *panels, int count, int vertical)
{
    plot_axis a = {INFINITY, -INFINITY, vertical ? panels[0]->log_y : panels[0]->log_x};
    for (int i = 0; i < count; i++)
        cover(panels[i], 0, vertical, &a);
    plot_axis guided = a;
    for (int i = 0; i < count; i++)
        cover(panels[i], 1, vertical, &guided);
    if (a.lo > a.hi)
        a = guided;
    if (a.lo > a.hi)
        return (plot_axis){0, 1, 0};
    const double reach = 0.15 * (a.hi - a.lo);
    a.lo = fmax(guided.lo, a.lo - reach);
    a.hi = fmin(guided.hi, a.hi + reach);
    widen(&a, vertical || plot_in_plane(panels[0]) || has_points(panels[0]));
    return a;
}

void plot_make_equal(plot_axis *x, plot_axis *y, double width, double height)
{
    const double unit = fmax((x->hi - x->lo) / width, (y->hi - y->lo) / height);
    const double mid_x = (x->lo + x->hi) / 2, mid_y = (y->lo + y->hi) / 2;
    *x = (plot_axis){mid_x - unit * width / 2, mid_x + unit * width / 2, 0};
    *y = (plot_axis){mid_y - unit * height / 2, mid_y + unit * height / 2, 0};
}

/* ---- tics ---- */

static int add(plot_tic *tic, int count, const plot_axis *a, plot_tic new)
{
    if (new.z < a->lo || new.z > a->hi || count == MOST_TICS)
        return count;
    tic[count] = new;
    return count + 1;
}

/* Every step-th decade has a label; 2 and 5 between them too where there are few decades and room. */
static int log_tics(const plot_axis *a, int most, plot_tic *tic)
{
    const int first = (int)floor(a->lo), last = (int)ceil(a->hi);
    const int narrow = a->hi - a->lo < 1.8
                       && (3 * (a->hi - a->lo) <= most || floor(a->hi) - ceil(a->lo) < 1);
    const plot_tic_label number = narrow && first >= -4 && last <= 5 ? TIC_PLAIN : TIC_POWER;
    int step = (last - first + most - 1) / most, count = 0;
    if (step > 4)
        step = (step + 4) / 5 * 5;
    while (step > 1 && floor(a->hi / step) - ceil(a->lo / step) < 1)    /* two labels at least */
        step -= step > 5 ? 5 : 1;
    for (int e = first; e <= last; e++) {
        if (e % step && step >= 10)
            continue;
        const plot_tic_label whole = e % step ? TIC_BARE : number;
        count = add(tic, count, a, (plot_tic){e, 1, e, whole});
        for (int m = 2; step == 1 && m < 10; m++) {
            const plot_tic_label part = narrow && (m == 2 || m == 5) ? number : TIC_BARE;
            count = add(tic, count, a, (plot_tic){log10(m) + e, m, e, part});
        }
    }
    return count;
}

/* Multiples of 1, 2 or 5 powers of ten. */
static int linear_tics(const plot_axis *a, int most, plot_tic *tic)
{
    const double least = (a->hi - a->lo) / (most > 1 ? most : 1), slack = 1e-9 * (a->hi - a->lo);
    const int exponent = (int)floor(log10(least));
    const double ratio = (1 - 1e-9) * least / pow(10, exponent);
    const int digit = ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10;
    const double step = digit * pow(10, exponent), first = ceil((a->lo - slack) / step);
    int count = 0;
    for (int i = 0; (first + i) * step <= a->hi + slack && i < MOST_TICS; i++) {
        const double k = first + i, z = fmin(fmax(k * step, a->lo), a->hi);
        if (!(fabs(k) < 1e15))                          /* a range below the rounding of its ends */
            return count;
        tic[count++] = (plot_tic){z, k * digit, exponent, TIC_PLAIN};
    }
    return count;
}

int plot_tics(const plot_axis *a, int most, plot_tic tic[MOST_TICS])
{
    return a->log ? log_tics(a, most, tic) : linear_tics(a, most, tic);
}
