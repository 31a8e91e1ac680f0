/* minimal_check.c - minimal coordinates of a model against the others */
#include "checker.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* c->minimal := x, x', x'' of the row; c->got := what embed makes of x, x' */
static void chart(dae_checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    m->chart.quad(c->p, c->t, c->q, c->v, c->minimal);
    m->acceleration.quad(c->p, c->t, c->minimal, c->minimal + m->n, c->minimal + 2 * m->n);
    m->embed.quad(c->p, c->t, c->minimal, c->minimal + m->n, c->got);
}

/* The path of embed from x along first and second, and what it makes of it. */
static void follow(dae_checker *c, const dae_quad *first, const dae_quad *second)
{
    memcpy(c->size, c->size_v, (size_t)c->nq * sizeof *c->size);
    memcpy(c->size + c->nq, c->size_a, (size_t)c->nq * sizeof *c->size);
    c->map = DAE_ON_EMBEDDED;
    c->pace = 1;
    c->base = c->minimal;
    c->base_v = c->first = first;
    c->second = second;
    c->moving = c->e->minimal.n;
    dae_checker_slope(c, c->span, 2 * c->nq);
}

/* embed's velocity is the derivative of its position, for another x' too: at rest nothing shows. */
static void check_embed(dae_checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    dae_quad *x = c->minimal, *first = x + 3 * m->n;
    for (int k = 0; k < DAE_DIRECTIONS; k++) {
        for (int i = 0; i < m->n; i++) {
            const dae_quad size = fabsf128(x[m->n + i]) + c->span * fabsf128(x[2 * m->n + i]);
            first[i] = x[m->n + i] + (k ? size * dae_random_direction(&c->random) : 0);
        }
        m->embed.quad(c->p, c->t, x, first, c->got);
        follow(c, first, NULL);
        for (int i = 0; i < c->nq; i++)
            dae_checker_compare(c, c->slope[i] - c->got[c->nq + i], c->error[i],
                                fmaxf128(c->size_v[i], fabsf128(c->slope[i])), "minimal.embed",
                                c->nq + i + 1, "is not the derivative of its position");
    }
}

void dae_check_minimal(dae_checker *c)
{
    const dae_minimal *m = &c->e->minimal;
    const int nq = c->nq;
    dae_energy_change by;
    if (m->n == 0 || c->found.failed)
        return;
    chart(c);
    for (int i = 0; i < nq; i++) {
        dae_checker_compare(c, c->got[i] - c->q[i], 0, c->size_q[i],
                            "minimal.embed of minimal.chart", i + 1,
                            "is not the position it came from");
        dae_checker_compare(c, c->got[nq + i] - c->v[i], 0, c->size_v[i],
                            "minimal.embed of minimal.chart", nq + i + 1,
                            "is not the velocity it came from");
    }
    check_embed(c);
    follow(c, c->minimal + m->n, c->minimal + 2 * m->n);
    const dae_quad *v_slope = c->minimal_slope, *v_error = v_slope + nq;
    memcpy(c->minimal_slope, c->slope + nq, (size_t)nq * sizeof *v_slope);
    memcpy(c->minimal_slope + nq, c->error + nq, (size_t)nq * sizeof *v_error);
    const char *what = "minimal.acceleration, force or inertia";
    if (c->e->energy.quad && !c->found.failed)
        what = dae_check_energy_holds(c, &by) ? "minimal.acceleration" : "force or inertia";
    for (int i = 0; i < nq; i++)
        dae_checker_compare(c, v_slope[i] - c->a[i], v_error[i], c->size_a[i], what, i + 1,
                            "does not move as the others do");
}
