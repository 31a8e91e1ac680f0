/* pattern.c - where dF/du or M has entries, by probing F with dual numbers
 *
 * A probe asks M and the derivatives at several random points, near the start, or near the state
 * where the pattern turned out to lack an entry; what vanishes at all of them is taken as
 * structurally zero. A row that cannot be evaluated at any of them counts as full near the start,
 * and tells nothing later.
 */
#include "providers.h"

#include "base/numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 3 };

typedef struct {
    dae_jacobian *jac;
    double *point;              /* [POINTS x n] */
    double t[POINTS];
    const dae_pattern *known;   /* entries that stand already, or NULL */
    unsigned char *seen;        /* [n] rows that could be evaluated */
} probed;

static int all_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && isfinite(x[i]))
        i++;
    return i == n;
}

/* The three points differ in where an unknown goes: by a part of itself; and of the largest of its
 * class; and of a thousandth of that. One that is 0 has no size but theirs. */
static const double of_largest[POINTS] = {0, 1, 1e-3}, of_span[POINTS] = {0.1, 0.35, 0.8};

/* Point k of p around (t, u), by parts of a tenth or smaller where F is not finite; at last u
 * itself. top[n]: the largest of each class. */
static void random_point(probed *p, int k, double t, double span, const double *u,
                         const double *top, uint64_t *random)
{
    dae_system *sys = p->jac->sys;
    const int n = sys->n;
    double *x = p->point + (size_t)k * (size_t)n;
    for (double part = 0.1; part > 1e-6; part /= 10) {
        p->t[k] = t + 10 * part * of_span[k] * span;
        for (int i = 0; i < n; i++) {
            const double a = dae_random(random), b = dae_random_direction(random);
            const double size = k == 0 && u[i] == 0 ? top[i] : of_largest[k] * top[i];
            x[i] = u[i] + part * (a * u[i] + b * size);
        }
        sys->compose->rhs(sys, p->t[k], x, p->jac->work);
        if (all_finite(n, p->jac->work))
            return;
    }
    p->t[k] = t;
    memcpy(x, u, (size_t)n * sizeof *x);
}

static void probe_points(probed *p, const double *direction, unsigned char *hit)
{
    dae_system *sys = p->jac->sys;
    const int n = sys->n;
    dae_dual *x = p->jac->dual, *y = x + n;
    memset(p->seen, 0, (size_t)n);
    for (int k = 0; k < POINTS; k++) {
        const double *u = p->point + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++)
            x[i] = dae_dual_make(u[i], direction[i]);
        sys->compose->rhs_dual(sys, dae_dual_make(p->t[k], 0), x, y);
        for (int i = 0; i < n; i++)
            if (isfinite(dae_dual_derivative(y[i]))) {
                hit[i] |= dae_dual_derivative(y[i]) != 0;
                p->seen[i] = 1;
            }
    }
}

static void probe(void *context, const double *direction, unsigned char *hit)
{
    probed *p = context;
    const int n = p->jac->sys->n;
    const dae_pattern *known = p->known;
    double *Mx = p->jac->work;
    probe_points(p, direction, hit);
    dae_system_mass(p->jac->sys, direction, Mx);
    for (int i = 0; i < n; i++)
        hit[i] |= Mx[i] != 0 || (!known && !p->seen[i]);
    for (int j = 0; known && j < n; j++)
        for (int k = known->column[j]; direction[j] != 0 && k < known->column[j + 1]; k++)
            hit[known->row[k]] = 1;
}

/* Memory: the points, and the largest of each class behind them. */
static int create(probed *p, dae_jacobian *jac, const dae_pattern *known)
{
    const size_t n = (size_t)jac->sys->n;
    *p = (probed){.jac = jac, .known = known};
    p->point = malloc((POINTS + 2) * n * sizeof *p->point);
    p->seen = malloc(n + 1);
    return p->point && p->seen;
}

static void destroy(probed *p)
{
    free(p->point);
    free(p->seen);
}

dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report)
{
    const dae_problem *problem = jac->sys->problem;
    const int n = jac->sys->n;
    const double span = problem->t_end - problem->t0;
    uint64_t random = 20090217;
    probed p;
    dae_status status = create(&p, jac, NULL) ? DAE_OK : DAE_NO_MEMORY;
    double *start = p.point + POINTS * (size_t)n, *top = start + n;
    if (!status)
        status = dae_system_start(jac->sys, start, report);
    if (!status)
        dae_unknown_sizes(jac, start, NULL, NULL, top);
    for (int k = 0; !status && k < POINTS; k++)
        random_point(&p, k, problem->t0, isfinite(span) && span > 0 ? span : 0, start, top,
                     &random);
    if (!status)
        status = dae_pattern_detect(&jac->pair.pattern, n, n, probe, &p);
    destroy(&p);
    return status;
}

dae_status dae_pattern_extend(dae_jacobian *jac, double t, const double *u, dae_pattern *larger)
{
    const size_t n = (size_t)jac->sys->n;
    uint64_t random = 20090217;
    probed p;
    dae_status status = create(&p, jac, &jac->pair.pattern) ? DAE_OK : DAE_NO_MEMORY;
    if (!status) {
        double *top = p.point + POINTS * n;
        dae_unknown_sizes(jac, u, NULL, NULL, top);
        for (int k = 1; k < POINTS; k++)
            random_point(&p, k, t, 0, u, top, &random);
        p.t[0] = t;
        memcpy(p.point, u, n * sizeof *u);
        status = dae_pattern_detect(larger, jac->sys->n, jac->sys->n, probe, &p);
    }
    destroy(&p);
    return status;
}
