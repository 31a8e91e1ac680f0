/* rounding.c - effect of rounding errors on one step, compared with the tolerance
 *
 * F is computed with an error r. It is estimated by high differences of F along a line, where the smooth
 * part cancels (More, Wild (2011), SIAM J. Sci. Comput. 33, 1292-1314), plus |J| |u| eps for the rounding of
 * u. In a step of size h it changes u by the solution x of (M - h J) x = h r, plus eps |u|. For an algebraic
 * unknown x does not decrease with h; for one of index k it grows with h^(1-k). No method can be more
 * accurate. This is used after a failure, with h the mean of the steps before it.
 */
#include "rounding.h"

#include "noise.h"
#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { TRIES = 3 };
static const double NEAR = 1e-4;            /* |d|/|u|, whose sixth power is below rounding */

typedef struct {
    dae_solver *s;
    dae_jacobian *jac;
    dae_pencil *pencil;
    double *F, *r, *d, *v, *x;  /* [n] */
} rounding;

static int create(rounding *w, dae_solver *s)
{
    const size_t n = (size_t)s->n;
    *w = (rounding){.s = s, .F = calloc(5 * n, sizeof *w->F)};
    if (!w->F)
        return 0;
    w->r = w->F + n;
    w->d = w->r + n;
    w->v = w->d + n;
    w->x = w->v + n;
    return !dae_jacobian_create(&w->jac, s->sys, DAE_JACOBIAN_DUAL, s->n > DAE_SMALL_MASS, NULL)
           && !dae_pencil_create(&w->pencil, &w->jac->pair, DAE_LINEAR_BEST, NULL);
}

static void destroy(rounding *w)
{
    dae_pencil_free(w->pencil);
    dae_jacobian_free(w->jac);
    free(w->F);
}

/* r_i := max(r_i, |sum over m of c_m F_i(u + m d)|/|c|) for a random d, c the binomial coefficients
 * of a sixth difference */
static void try_near(rounding *w, uint64_t *random)
{
    static const double c[] = {1, -6, 15, -20, 15, -6, 1};
    dae_solver *s = w->s;
    for (int i = 0; i < s->n; i++) {
        w->d[i] = NEAR * dae_random_direction(random) * (fabs(s->u[i]) + s->atol[i]);
        w->x[i] = 0;
    }
    for (int m = 0; m < 7; m++) {
        for (int i = 0; i < s->n; i++)
            w->v[i] = s->u[i] + m * w->d[i];
        dae_system_rhs(s->sys, s->t, w->v, w->F);
        for (int i = 0; i < s->n; i++)
            w->x[i] += c[m] * w->F[i];
    }
    s->count.rhs += 7;
    for (int i = 0; i < s->n; i++)
        w->r[i] = fmax(w->r[i], fabs(w->x[i]) / sqrt(924));
}

static void find_errors(rounding *w)
{
    const dae_solver *s = w->s;
    const dae_pattern *p = &w->jac->pair.pattern;
    uint64_t random = 19631101;
    for (int i = 0; i < s->n; i++)
        w->r[i] = 0;
    for (int try = 0; try < TRIES; try++)
        try_near(w, &random);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            w->r[p->row[k]] += DBL_EPSILON / 2 * fabs(w->jac->pair.J[k] * s->u[j]);
    for (int i = 0; i < s->n; i++)
        w->x[i] = dae_random(&random) < 0 ? -w->r[i] : w->r[i];
}

/* The unknown that rounding moves furthest beyond its tolerance, in a step of size h, or -1. */
static int worst(const rounding *w, double h)
{
    const dae_solver *s = w->s;
    const double part = dae_index_scale(s, h);
    const int *index = dae_indices(s);
    double most = 1;
    int at = -1;
    for (int i = 0; i < s->n; i++) {
        double ratio = fabs(w->x[i]) / (s->options.rtol * fabs(s->u[i]) + s->atol[i]);
        for (int k = index[i]; k > 1; k--)
            ratio *= part;
        if ((s->options.error_test == DAE_TEST_DIFFERENTIAL && !dae_has_derivative(s, i))
            || (s->sys->carried && dae_system_follows(s->sys, i)))
            continue;
        if (ratio > most) {
            most = ratio;
            at = i;
        }
    }
    return at;
}

static int solve(rounding *w, double h)
{
    dae_solver *s = w->s;
    dae_linearise(w->jac, s->t, s->u, w->F, NULL);
    dae_jacobian_add_work(w->jac, &s->count);
    const dae_matrix_pair *pair = &w->jac->pair;
    if (!dae_vector_finite(s->n, w->F) || !dae_vector_finite(pair->pattern.nnz, pair->J))
        return 0;
    find_errors(w);
    for (int i = 0; i < s->n; i++)
        w->x[i] *= h;
    if (dae_pencil_factor_real(w->pencil, h).status || dae_pencil_solve_real(w->pencil, w->x))
        return 0;
    const double *x = dae_by_index(s, w->x);
    for (int i = 0; i < s->n; i++)
        w->x[i] = fabs(x[i]) + DBL_EPSILON / 2 * fabs(s->u[i]);
    return dae_vector_finite(s->n, w->x);
}

dae_status dae_rounding_check_start(dae_solver *s)
{
    char name[32], unit[32];
    for (int i = 0; s->adaptive && i < s->n; i++) {
        const double size = fabs(s->u[i]), tolerance = s->options.rtol * size + s->atol[i];
        if (tolerance >= 2 * DBL_EPSILON * size)
            continue;
        dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %.9g: the tolerance of row %d (%s), "
                        "%.2g, is below rounding: its value is %.9g", s->t, i + 1, name, tolerance,
                        s->u[i]);
    }
    return DAE_OK;
}

void dae_rounding_explain(dae_solver *s)
{
    rounding w;
    const dae_report said = s->report;
    const double mean = (s->t - s->t_begin) / (double)(s->count.steps > 0 ? s->count.steps : 1);
    const double h = mean > 0 ? mean : 1e-3 * (s->t_end - s->t);
    char name[32], unit[32];
    if (!s->adaptive || !(h > 0))
        return;
    double by = 0;
    int i = create(&w, s) && solve(&w, h) ? worst(&w, h) : -1;
    if (i >= 0)
        by = w.x[i];
    else
        i = dae_noise_worst(s, &by);
    s->report = said;
    if (i >= 0) {
        dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
        dae_fail(&s->report, said.status, "%.190s; the tolerance is below rounding, which alone "
                 "moves row %d (%s) by %.2g, and its tolerance is %.2g", said.message, i + 1, name,
                 by, s->options.rtol * fabs(s->u[i]) + s->atol[i]);
    }
    destroy(&w);
}
