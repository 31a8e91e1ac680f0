#include "page/figure_axes.h"

/* Points, and the levels of runs that failed. */
static void take_curve(figure_axes *a, const figure_row *r, const figure_curve *c)
{
    for (int k = 0; k < c->count; k++) {
        if (figure_has_point(r, c, k) || c->failed[k])
            axis_take(&a->x, c->value[r->x][k]);
        if (figure_has_point(r, c, k))
            axis_take(&a->y, c->value[r->y][k]);
    }
}

figure_axes figure_axes_of(const figure *f, int row)
{
    const figure_row *r = &f->row[row];
    figure_axes a = {axis_begin(f->quantity[r->x].log), axis_begin(f->quantity[r->y].log)};
    for (int i = 0; i < f->facets; i++)
        for (int k = 0; k < f->facet[i].curves; k++)
            take_curve(&a, r, &f->facet[i].curve[k]);
    axis_end(&a.x);
    axis_end(&a.y);
    return a;
}
