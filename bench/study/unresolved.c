/* unresolved.c - the largest |lambda| by the power method
 *
 *     |lambda| = lim |A^k x|^(1/k),    A = M^-1 J,
 *
 * from the last of many steps, so that a pair of complex eigenvalues, for which |A x| goes up and down,
 * is seen in the mean.
 */
#include "study/unresolved.h"

#include "host/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, STEPS = 200, FIRST = 50 };

/* J := M^-1 J; 0 where M is not diagonal and regular. work: [2 n] */
static int divide_by_mass(const dae_system *sys, int n, double *J, double *work)
{
    double *x = work, *Mx = work + n;
    for (int j = 0; j < n; j++) {
        memset(x, 0, (size_t)n * sizeof *x);
        x[j] = 1;
        dae_system_mass(sys, x, Mx);
        for (int i = 0; i < n; i++) {
            if ((Mx[i] != 0) != (i == j))
                return 0;
            if (i == j)
                for (int k = 0; k < n; k++)
                    J[k * n + i] /= Mx[i];
        }
    }
    return 1;
}

/* The spectral radius of A[n x n]; NaN where it has no number. x, y: [n] */
static double largest_eigenvalue(int n, const double *A, double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.3 * sin(1 + 2 * i);
    for (int k = 0; k < STEPS; k++) {
        double size = 0;
        memset(y, 0, (size_t)n * sizeof *y);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                y[i] += A[j * n + i] * x[j];
        for (int i = 0; i < n; i++)
            size = hypot(size, y[i]);
        if (!(size > 0))
            return size;
        for (int i = 0; i < n; i++)
            x[i] = y[i] / size;
        sum += k < FIRST ? 0 : log(size);
    }
    return exp(sum / (STEPS - FIRST));
}

/* NaN where it is not known */
static double fastest_rate(const study *s, const dae_formulation *form)
{
    dae_system *sys;
    dae_start_change change;
    double *u, rate = NAN;
    if (study_system(s, form, &sys, &u, &change, NULL))
        return NAN;
    const int n = dae_system_size(sys);
    if (n <= MOST && dae_system_index(sys) == 0) {
        double *J = allocate((size_t)(n * n + 3 * n), sizeof *J), *work = J + n * n;
        if (!dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, s->t0, u, J, work, NULL)
            && divide_by_mass(sys, n, J, work + n))
            rate = largest_eigenvalue(n, J, work + n, work + 2 * n);
        free(J);
    }
    free(u);
    dae_system_free(sys);
    return rate;
}

static int is_below(const order_result *o)
{
    return o->verdict && strcmp(o->verdict, "below") == 0;
}

void unresolved_modes(const study *s, converge_curve *c)
{
    const double step = c->runs[c->levels - 1].step;
    double ratio = NAN;
    for (dae_class k = 0; k < DAE_CLASSES; k++) {
        order_result *o = &c->order[k];
        if (!is_below(o))
            continue;
        if (isnan(ratio))
            ratio = step * fastest_rate(s, c->subject.form);
        if (!(ratio > 1))
            return;
        o->verdict = "not determined";
        snprintf(o->reason, sizeof o->reason, "the finest step is %.2g times 1/|lambda| of the fastest mode of "
                 "the equations, whose error need not fall before it is resolved", ratio);
    }
}
