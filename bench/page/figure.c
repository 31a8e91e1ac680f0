#include "page/figure.h"

#include <math.h>

int figure_has_point(const figure_row *row, const figure_curve *c, int k)
{
    return isfinite(c->value[row->x][k]) && isfinite(c->value[row->y][k]);
}

int figure_shows(const figure_row *row, const figure_facet *facet)
{
    for (int k = 0; k < facet->curves; k++) {
        const figure_curve *c = &facet->curve[k];
        for (int j = 0; j < c->count; j++)
            if (figure_has_point(row, c, j) || (c->failed[j] && isfinite(c->value[row->x][j])))
                return 1;
    }
    return 0;
}

static int clipped(const figure *f, const figure_curve *c, int quantity)
{
    int count = 0;
    for (int k = 0; f->quantity[quantity].log && k < c->count; k++)
        count += c->value[quantity][k] <= 0;
    return count;
}

int figure_clips(const figure *f)
{
    int count = 0;
    for (int r = 0; r < f->rows; r++)
        for (int i = 0; i < f->facets; i++)
            for (int k = 0; k < f->facet[i].curves; k++)
                count += clipped(f, &f->facet[i].curve[k], f->row[r].x)
                         + clipped(f, &f->facet[i].curve[k], f->row[r].y);
    return count > 0;
}

static int failed_marks(const figure_row *row, const figure_facet *facet)
{
    int count = 0;
    for (int k = 0; k < facet->curves; k++)
        for (int j = 0; j < facet->curve[k].count; j++)
            count += facet->curve[k].failed[j] && isfinite(facet->curve[k].value[row->x][j]);
    return count;
}

int figure_fails(const figure *f)
{
    for (int r = 0; r < f->rows; r++)
        for (int i = 0; i < f->facets; i++)
            if (failed_marks(&f->row[r], &f->facet[i]))
                return 1;
    return 0;
}
