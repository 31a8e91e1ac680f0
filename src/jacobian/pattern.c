/* pattern.c - where dF/du or M has entries, by probing F with dual numbers
 *
 * A probe asks M and the derivatives at several random points near the start; what vanishes at all
 * of them is taken as structurally zero. An entry that is NaN counts as present.
 */
#include "providers.h"

#include "numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { POINTS = 3 };

typedef struct {
    dae_jacobian *jac;
    double *point;              /* [POINTS x n] */
    double t[POINTS];
} probed;

static int all_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && isfinite(x[i]))
        i++;
    return i == n;
}

/* u (1 + size r) + size r around the start, size 1/10 or smaller where F is not finite. */
static void random_point(dae_jacobian *jac, double t, const double *start, uint64_t *state,
                         double *u)
{
    dae_system *sys = jac->sys;
    const int n = sys->n;
    for (double size = 0.1; size > 1e-6; size /= 10) {
        for (int i = 0; i < n; i++) {
            const double r = size * dae_random(state);
            u[i] = start[i] * (1 + r) + size * dae_random(state);
        }
        sys->compose->rhs(sys, t, u, jac->work);
        if (all_finite(n, jac->work))
            return;
    }
}

static void probe(void *context, const double *direction, unsigned char *hit)
{
    const probed *p = context;
    dae_system *sys = p->jac->sys;
    const int n = sys->n;
    dae_dual *x = p->jac->dual, *y = x + n;
    double *Mx = p->jac->work;
    for (int k = 0; k < POINTS; k++) {
        const double *u = p->point + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++)
            x[i] = dae_dual_make(u[i], direction[i]);
        sys->compose->rhs_dual(sys, dae_dual_make(p->t[k], 0), x, y);
        for (int i = 0; i < n; i++)
            hit[i] |= dae_dual_derivative(y[i]) != 0;
    }
    dae_system_mass(sys, direction, Mx);
    for (int i = 0; i < n; i++)
        hit[i] |= Mx[i] != 0;
}

dae_status dae_pattern_probe(dae_jacobian *jac, dae_report *report)
{
    const int n = jac->sys->n;
    const size_t size = (size_t)n;
    probed p = {.jac = jac, .point = malloc((POINTS + 1) * size * sizeof *p.point)};
    uint64_t state = 20090217;
    if (!p.point)
        return DAE_NO_MEMORY;
    double *start = p.point + POINTS * size;
    dae_status status = dae_system_start(jac->sys, start, report);
    for (int k = 0; !status && k < POINTS; k++) {
        p.t[k] = jac->sys->problem->t0 + 0.1 * (k + 1);
        random_point(jac, p.t[k], start, &state, p.point + (size_t)k * size);
    }
    if (!status)
        status = dae_pattern_detect(&jac->pattern, n, n, probe, &p);
    free(p.point);
    return status;
}
