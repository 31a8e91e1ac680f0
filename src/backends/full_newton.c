/* full_newton.c - Newton's method with full steps
 *
 * The steps are those of a line search whose first trial always does (Nocedal, Wright (2006), Numerical
 * Optimization, 11.2): f = sum_i (r_i/size_i)^2 has to fall by 2e-4 of itself. Where it does not, all is left to
 * a method that searches.
 */
#include "full_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 30 };
static const double LEAST_DESCENT = 2e-4;
static const double SMALL_STEP = 1e-8;  /* |dx_j|/scale_j, after which second order leaves rounding, ... */
static const double QUADRATIC = 1e-2;   /* ... where it is this part of the step before */
static const double AT_ROUNDING = 4 * DBL_EPSILON;

static double sum_of_squares(const dae_full_newton *e)
{
    double sum = 0;
    for (int i = 0; i < e->n; i++)
        sum += e->r[i] / e->size[i] * (e->r[i] / e->size[i]);
    return sum;
}

/* y := -J^-1 r, in units of the unknowns; its largest component, or a negative number where J is singular or y is
 * not finite */
static double find_step(const dae_full_newton *e, double *y)
{
    const int n = e->n;
    double A[DAE_SMALL * DAE_SMALL], one[DAE_SMALL] = {0}, row[DAE_SMALL], largest = 0;
    int pivot[DAE_SMALL];
    for (int j = 0; j < n; j++) {
        one[j] = 1;
        y[j] = -e->r[j] / e->size[j];
        for (int i = 0; i < n; i++)
            A[j * n + i] = e->J[j * n + i] / e->size[i] * e->scale[j];
    }
    if (dae_dense_factor_real(n, A, one, row, pivot) >= 0)
        return -1;
    dae_dense_solve_real(n, A, pivot, y);
    for (int j = 0; j < n; j++) {
        if (!(fabs(y[j]) < HUGE_VAL))
            return -1;
        largest = fabs(y[j]) > largest ? fabs(y[j]) : largest;
    }
    return largest;
}

int dae_full_newton_solve(const dae_full_newton *e, double *x)
{
    double y[DAE_SMALL] = {0}, at[DAE_SMALL], f = sum_of_squares(e), before = INFINITY;
    memcpy(at, x, (size_t)e->n * sizeof *at);
    for (int k = 0; k < MOST_STEPS; k++) {
        const double step = find_step(e, y);
        if (step < 0)
            return 0;
        for (int j = 0; j < e->n; j++)
            at[j] += y[j] * e->scale[j];
        if (!e->evaluate(e->context, at))
            return 0;
        if (step <= AT_ROUNDING || (step <= SMALL_STEP && step <= QUADRATIC * before)) {
            memcpy(x, at, (size_t)e->n * sizeof *x);
            return 1;
        }
        const double f_new = sum_of_squares(e);
        if (!(f_new <= (1 - LEAST_DESCENT) * f))
            return 0;
        f = f_new;
        before = step;
    }
    return 0;
}
