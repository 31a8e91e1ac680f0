/* minimal_check.c - minimal coordinates of a model: embed leads onto the constraints, chart back
 *
 *     g(embed(s, s')) = 0,   velocity of embed = d/dt of its position,   chart(embed(s, s')) = (s, s')
 *     embed(chart(q, v)) = (q, v),   minimal.acceleration(chart(q, v)) = d/dt s' of chart along (v, a)
 *
 * An embed that contradicts the constraints or itself is wrong; one that does not shows whether chart is.
 */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* c->minimal := s, s' of the state, s'' and another s', c->embedded := what embed makes of it; in another
 * direction s, too, is another one. */
static void choose_coordinates(dae_checker *c, int direction)
{
    const dae_quad part = 0x1p-10;
    const dae_minimal *m = &c->e->minimal;
    dae_quad *s = c->minimal, *ds = s + m->n, *dds = ds + m->n, *first = dds + m->n;
    m->chart.quad(c->p, c->t, c->q, c->v, s);
    m->acceleration.quad(c->p, c->t, s, ds, dds);
    dae_quad largest = 0;
    for (int i = 0; i < m->n; i++)
        largest = dae_quad_fmax(largest, dae_quad_fabs(ds[i]) + c->span * dae_quad_fabs(dds[i]));
    for (int i = 0; i < m->n; i++) {
        const dae_quad own = dae_quad_fabs(ds[i]) + c->span * dae_quad_fabs(dds[i]), size = own > 0 ? own : largest;
        first[i] = ds[i] + (direction ? size * dae_random_direction(&c->random) : 0);
        s[i] += direction ? part * c->span * size * dae_random_direction(&c->random) : 0;
    }
    m->embed.quad(c->p, c->t, s, first, c->embedded);
}

/* c->slope, c->error: of embed's positions along first */
static void follow_embed(dae_checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    memcpy(c->size, c->size_v, (size_t)c->nq * sizeof *c->size);
    memcpy(c->size + c->nq, c->size_a, (size_t)c->nq * sizeof *c->size);
    c->map = DAE_ON_EMBEDDED;
    c->pace = 1;
    c->base = c->minimal;
    c->base_v = c->first = c->minimal + 3 * m->n;
    c->second = NULL;
    c->moving = m->n;
    dae_checker_slope(c, c->span, 2 * c->nq);
}

/* How far number i of a state is off, as a part of its size in the motion; 0: it is not. */
static double off(const dae_checker *c, int i, const dae_quad *found, dae_quad expected)
{
    const double part = dae_difference(found[i], expected, 0, c->size_q[i]);
    return part > c->found.rounding ? part : 0;
}

/* Is (q, v) another one after chart and embed? In c->got, where both are right the same. */
static double not_back(const dae_checker *c, int i)
{
    return off(c, i, c->got, i < c->nq ? c->q[i] : c->v[i - c->nq]);
}

/* Does embed leave the constraints, at any velocity? */
static int leaves(dae_checker *c)
{
    int off = 0;
    c->e->constraint.quad(c->p, c->t, c->embedded, c->mu);
    for (int k = 0; k < c->nl; k++)
        off |= dae_difference(c->mu[k], 0, 0, c->size_g[k]) > c->found.rounding;
    return off;
}

/* Position i and its velocity contradict each other: which of them is it? */
static int guilty(dae_checker *c, int i)
{
    const int position = not_back(c, i) > 0, velocity = not_back(c, c->nq + i) > 0;
    if (position != velocity)
        return position ? i : c->nq + i;
    choose_coordinates(c, 1);                           /* at the row it may be 0 */
    return c->nl && leaves(c) ? i : c->nq + i;
}

static int check_embed(dae_checker *c)
{
    const int nq = c->nq;
    for (int k = 0; k < c->directions; k++) {
        int worst = -1;
        double part = c->found.rounding;
        choose_coordinates(c, k);
        follow_embed(c);
        for (int i = 0; i < nq; i++) {
            const double apart = dae_difference(c->embedded[nq + i], c->slope[i], c->error[i],
                                                dae_quad_fmax(c->size_v[i], dae_quad_fabs(c->slope[i])));
            worst = apart > part ? i : worst;
            part = fmax(apart, part);
        }
        if (worst >= 0) {
            const double found = (double)c->embedded[nq + worst], slope = (double)c->slope[worst];
            choose_coordinates(c, 0);
            memcpy(c->got, c->embedded, 2 * (size_t)nq * sizeof *c->got);
            dae_blame(&c->found, "minimal.embed", guilty(c, worst) + 1, 0, found, slope, part,
                      "its velocity is not the derivative of its position");
            return 0;
        }
    }
    return 1;
}

/* c->size := of s', s'' along a random motion */
static void set_chart_size(dae_checker *c)
{
    dae_checker_choose(c, c->nq, c->size_v, c->w);
    dae_checker_choose(c, c->nq, c->size_a, c->b);
    memset(c->size, 0, 2 * (size_t)c->e->minimal.n * sizeof *c->size);
    dae_checker_differentiate(c, DAE_ON_CHART, 2 * c->e->minimal.n, 1, c->v, c->w, c->b);
    for (int i = 0; i < 2 * c->e->minimal.n; i++)
        c->size[i] = dae_quad_fabs(c->slope[i]);
}

/* Coordinates of the same state, an angle a turn further? */
static int same_state(dae_checker *c, const dae_quad *back)
{
    int same = 1;
    c->e->minimal.embed.quad(c->p, c->t, back, back + c->e->minimal.n, c->got);
    for (int i = 0; i < 2 * c->nq; i++)
        same &= off(c, i, c->got, c->embedded[i]) == 0;
    return same;
}

static int check_chart(dae_checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    const dae_quad *s = c->minimal, *first = s + 3 * m->n;
    dae_quad *back = c->minimal + 4 * m->n;
    int right = 1;
    choose_coordinates(c, 1);
    m->chart.quad(c->p, c->t, c->embedded, c->embedded + c->nq, back);
    if (same_state(c, back))
        return 1;
    set_chart_size(c);
    for (int i = 0; i < 2 * m->n; i++) {
        const dae_quad from = i < m->n ? s[i] : first[i - m->n];
        const dae_quad size = dae_quad_fmax(c->span * c->size[i], dae_quad_fabs(from));
        right &= dae_compare(&c->found, back[i], from, 0, size, "minimal.chart", i + 1,
                                     "is not what minimal.embed came from");
    }
    return right;
}

/* Where embed is right, a state that it does not come back to is one that chart has lost: by its first
 * coordinate, or where the positions are the same by its first velocity. */
static void check_back(dae_checker *c)
{
    const int nq = c->nq;
    choose_coordinates(c, 0);
    for (int i = 0; i < 2 * nq && dae_goes_on(c); i++)
        dae_compare(&c->found, c->embedded[i], i < nq ? c->q[i] : c->v[i - nq], 0, c->size_q[i], "minimal.chart",
                    i < nq ? 1 : c->e->minimal.n + 1, "its state, by minimal.embed, is not what it came from");
}

static void blame_position(dae_checker *c)
{
    int worst = 0;
    memcpy(c->got, c->embedded, 2 * (size_t)c->nq * sizeof *c->got);
    for (int i = 1; i < c->nq; i++)
        worst = not_back(c, i) > not_back(c, worst) ? i : worst;
    dae_blame(&c->found, "minimal.embed", worst + 1, 0, (double)c->got[worst], (double)c->q[worst],
              not_back(c, worst), "is not on the constraints");
}

void dae_check_minimal(dae_checker *c)
{
    if (c->e->minimal.n == 0 || !c->moves || !dae_goes_on(c) || !check_embed(c))
        return;
    choose_coordinates(c, 0);
    if (c->nl && leaves(c))
        blame_position(c);
    else if (check_chart(c))
        check_back(c);
}

int dae_check_minimal_motion(dae_checker *c, dae_row_difference *off)
{
    const dae_minimal *m = &c->e->minimal;
    const dae_quad *dds = c->minimal + 2 * m->n, *slope = c->slope + m->n;
    int row = 0;
    if (m->n == 0 || !dae_goes_on(c))
        return 0;
    choose_coordinates(c, 0);
    set_chart_size(c);
    dae_checker_differentiate(c, DAE_ON_CHART, 2 * m->n, 1, c->v, c->v, c->a);
    for (int i = 0; i < m->n; i++) {
        const dae_quad values = dae_quad_fmax(dae_quad_fabs(dds[i]), dae_quad_fabs(slope[i]));
        const double part = dae_show(&c->found, dds[i], slope[i], c->error[m->n + i],
                                     dae_quad_fmax(c->size[m->n + i], values));
        if (part > c->found.rounding && part > off->part) {
            *off = (dae_row_difference){part, (double)dds[i], (double)slope[i]};
            row = i + 1;
        }
    }
    return row ? -row : 1;
}
