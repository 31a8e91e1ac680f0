/* tolerance.c - absolute tolerances of the state x = (q, v), or u, that all modes share
 *
 * Where options.atols gives each unknown of each mode a tolerance, that of x_i is the largest of all modes,
 * as its error may come from any of them. In minimal coordinates s the tolerances a_j are those of s and s'.
 * With x = e(s, s') that of x_i is
 *
 *     sum_j |e_i(s + a_j) - e_i(s)|.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static void of_unknowns(dae_hybrid *h)
{
    for (int i = 0; i < h->size; i++) {
        h->tolerated[i] = 0;
        for (int m = 0; m < h->modes; m++)
            h->tolerated[i] = fmax(h->tolerated[i], h->mode[m].atols[i]);
    }
}

static void of_coordinates(dae_hybrid *h)
{
    const dae_mode *mode = &h->mode[h->now];
    const dae_system *s = mode->sys;
    dae_map2_double *embed = s->problem->mechanical.minimal.embed.f;
    double *moved = h->tolerated + h->most, *x = moved + h->most, *y = h->entry;
    memset(h->tolerated, 0, (size_t)h->size * sizeof *h->tolerated);
    memcpy(moved, h->u, (size_t)s->n * sizeof *moved);
    embed(s->p, h->t, moved, moved + s->n / 2, x);
    for (int j = 0; j < s->n; j++) {
        moved[j] += mode->atols[j];
        embed(s->p, h->t, moved, moved + s->n / 2, y);
        moved[j] = h->u[j];
        for (int i = 0; i < h->size; i++)
            h->tolerated[i] += fabs(y[i] - x[i]);
    }
}

void dae_hybrid_tolerate(dae_hybrid *h)
{
    const dae_mode *mode = &h->mode[h->now];
    if (mode->atols && mode->sys->compose->kind == DAE_FORM_MINIMAL)
        of_coordinates(h);
    else if (mode->atols)
        of_unknowns(h);
    for (int i = 0; !mode->atols && i < h->size; i++)
        h->tolerated[i] = h->options.atol;
}
