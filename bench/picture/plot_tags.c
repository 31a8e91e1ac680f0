/* plot_tags.c - which words beside points are written: those that do not lie on others */
#include "picture/plot_tags.h"

#include <math.h>
#include <string.h>

typedef struct {
    double left, bottom, width, height;         /* px, within the axes */
} area;

static double along(const plot_axis *a, double x) { return ((a->log ? log10(x) : x) - a->lo) / (a->hi - a->lo); }

static int wanted(const plot_place *at, const plot_curve *c, int i)
{
    return c->tag && c->tag[i] && plot_point(at->panel, c, i);
}

static double width_of(double em, const char *tag) { return 0.6 * PLOT_TAG * em * (double)strlen(tag) + 4; }

int plot_tag_left(const plot_place *at, double em, const plot_curve *c, int i)
{
    return at->width * along(&at->x, c->x[i]) + width_of(em, c->tag[i]) > at->width;
}

/* Above its point, to the right or the left. */
static area area_of(const plot_place *at, double em, const plot_curve *c, int i)
{
    const double width = width_of(em, c->tag[i]), x = at->width * along(&at->x, c->x[i]);
    return (area){plot_tag_left(at, em, c, i) ? x - width : x, at->height * along(&at->y, c->y[i]), width,
                  PLOT_TAG * em};
}

static int overlap(area a, area b)
{
    return a.left < b.left + b.width && b.left < a.left + a.width && a.bottom < b.bottom + b.height
           && b.bottom < a.bottom + a.height;
}

/* The first of those that overlap is written: of an earlier curve, or an earlier point. */
int plot_tagged(const plot_place *at, double em, int k, int i)
{
    const plot_curve *c = &at->panel->curve[k];
    if (!wanted(at, c, i))
        return 0;
    const area mine = area_of(at, em, c, i);
    for (int other = 0; other <= k; other++) {
        const plot_curve *before = &at->panel->curve[other];
        for (int j = 0; j < (other < k ? before->count : i); j++)
            if (wanted(at, before, j) && overlap(mine, area_of(at, em, before, j)))
                return 0;
    }
    return 1;
}
