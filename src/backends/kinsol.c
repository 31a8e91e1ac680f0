/* kinsol.c - nonlinear equations solved to rounding by KINSOL
 *
 * A few equations are first tried with full steps of Newton's method (full_newton.h), which is all that most near
 * guesses need, in a tenth of the time; KINSOL is asked where that does not lead to a solution.
 *
 * KINSOL is given unknowns and equations in units of their own, x_j/s_j and r_i/size_i with powers
 * of two, so that nothing depends on the units of the problem, nor on what else it has. It stops
 * where these equations hold to rounding, or where its steps or its line search no longer change
 * anything. What decides is not how it stopped, but what is left of each equation:
 *
 *     |r_i| <= 1e-13 sum_j |J_ij x_j|                 solved; a start that satisfies it is not touched
 *     |r_i| <= 1e-13 sum_j |J_ij| (|x_j| + |x0_j|)    solved from the guess x0: its rounding is in r,
 *                                                     even where the solution is 0
 *
 * beside what the equation says of its terms.
 *
 * Hindmarsh et al. (2005), ACM Trans. Math. Softw. 31(3), 363-396.
 */
#include "kinsol.h"

#include "full_newton.h"
#include "sundials.h"
#include "base/parts.h"

#include <float.h>
#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double rounding = 1e-13;

typedef struct {
    const dae_equations *equations;
    double *r, *J, *size;       /* [n], [n x n] column-major, [n] of the rows */
    double *scale, *guess, *x_now;      /* [n] of the unknowns; x0; x in its own units */
    SUNContext context;
    void *kinsol;
    N_Vector x, ones;
    SUNMatrix A;
    SUNLinearSolver linear;
    dae_words words;
} newton;

static int evaluate(newton *w, const double *x)
{
    const size_t n = (size_t)w->equations->n;
    w->equations->evaluate(w->equations->context, x, w->r, w->J);
    return dae_all_finite(w->r, n) && dae_all_finite(w->J, n * n);
}

/* At the x that KINSOL has, in its units. */
static int evaluate_scaled(newton *w, N_Vector x)
{
    const double *y = N_VGetArrayPointer(x);
    for (int j = 0; j < w->equations->n; j++)
        w->x_now[j] = y[j] * w->scale[j];
    return evaluate(w, w->x_now);
}

/* r(x) for KINSOL; where it is not finite the line search goes back. */
static int residual(N_Vector x, N_Vector r, void *data)
{
    newton *w = data;
    double *out = N_VGetArrayPointer(r);
    const int good = evaluate_scaled(w, x);
    for (int i = 0; i < w->equations->n; i++)
        out[i] = w->r[i] / w->size[i];
    return good ? 0 : 1;
}

static int jacobian(N_Vector x, N_Vector r, SUNMatrix A, void *data, N_Vector a, N_Vector b)
{
    newton *w = data;
    const int n = w->equations->n;
    double *out = SUNDenseMatrix_Data(A);
    (void)r;
    (void)a;
    (void)b;
    const int good = evaluate_scaled(w, x);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out[j * n + i] = w->J[j * n + i] / w->size[i] * w->scale[j];
    return good ? 0 : 1;
}

/* sum_j |J_ij| y_j and the terms, y = |x|, or |x| + |x0|: of equation i, w->J belonging to x. */
static double size_of(const newton *w, const double *x, int with_guess, int i)
{
    const dae_equations *e = w->equations;
    double sum = i >= e->nx && e->terms ? e->terms[i - e->nx] : 0;
    for (int j = 0; j < e->n; j++)
        sum += fabs(w->J[j * e->n + i]) * (fabs(x[j]) + (with_guess ? fabs(w->guess[j]) : 0));
    return sum;
}

/* Do the equations that must hold do so to rounding? w->r and w->J belong to x. */
static int holds(const newton *w, const double *x, int with_guess)
{
    int i = w->equations->nx;
    while (i < w->equations->n && fabs(w->r[i]) <= rounding * size_of(w, x, with_guess, i))
        i++;
    return i == w->equations->n;
}

/* What is left of the equations that must hold: the largest |r_i|. */
static double left(const newton *w)
{
    double largest = 0;
    for (int i = w->equations->nx; i < w->equations->n; i++)
        largest = fmax(largest, fabs(w->r[i]));
    return largest;
}

static double power_of_two(double x)
{
    return x > 0 && isfinite(x) ? ldexp(1, ilogb(x)) : 1;
}

/* Units for the unknowns and equations at x. An unknown that is zero may change by what the
 * equations that have it allow. */
static void choose_units(newton *w, const double *x)
{
    const int n = w->equations->n;
    for (int i = 0; i < n; i++)
        w->size[i] = size_of(w, x, 1, i) + fabs(w->r[i]);
    for (int j = 0; j < n; j++) {
        double unit = fmax(fabs(x[j]), fabs(w->guess[j])), least = INFINITY;
        for (int i = 0; unit == 0 && i < n; i++)
            if (w->J[j * n + i] != 0 && w->size[i] > 0)
                least = fmin(least, w->size[i] / fabs(w->J[j * n + i]));
        w->scale[j] = power_of_two(unit > 0 ? unit : least);
    }
    for (int i = 0; i < n; i++)
        w->size[i] = power_of_two(w->size[i]);
}

static int evaluate_any(void *w, const double *x) { return evaluate(w, x); }

/* From x, where r and J have been evaluated. 0: x is as it was, with its r and J. */
static int solved_by_full_steps(newton *w, double *x)
{
    const dae_full_newton e = {.n = w->equations->n, .context = w, .evaluate = evaluate_any, .r = w->r, .J = w->J,
                               .size = w->size, .scale = w->scale};
    if (e.n > DAE_SMALL)
        return 0;
    choose_units(w, x);
    if (dae_full_newton_solve(&e, x) && holds(w, x, 1))
        return 1;
    memcpy(x, w->guess, (size_t)e.n * sizeof *x);
    (void)evaluate(w, x);
    return 0;
}

static int create_objects(newton *w)
{
    const sunindextype n = w->equations->n;
    if (dae_sundials_context(&w->context, &w->words))
        return 0;
    w->kinsol = KINCreate(w->context);
    w->x = N_VNew_Serial(n, w->context);
    w->ones = N_VNew_Serial(n, w->context);
    w->A = SUNDenseMatrix(n, n, w->context);
    if (!w->kinsol || !w->x || !w->ones || !w->A)
        return 0;
    N_VConst(1, w->ones);
    w->linear = SUNLinSol_Dense(w->x, w->A, w->context);
    return w->linear != NULL;
}

static int configure(newton *w)
{
    const int exact_newton = 1, most_iterations = 200;
    const double no_limit = 1e100;
    int flag = dae_hear_kinsol(w->kinsol, &w->words);
    if (!flag)
        flag = KINSetUserData(w->kinsol, w);
    if (!flag)
        flag = KINInit(w->kinsol, residual, w->x);
    if (!flag)
        flag = KINSetLinearSolver(w->kinsol, w->linear, w->A);
    if (!flag)
        flag = KINSetJacFn(w->kinsol, jacobian);
    if (!flag)
        flag = KINSetMaxSetupCalls(w->kinsol, exact_newton);
    if (!flag)
        flag = KINSetNumMaxIters(w->kinsol, most_iterations);
    if (!flag)
        flag = KINSetMaxNewtonStep(w->kinsol, no_limit);
    if (!flag)
        flag = KINSetFuncNormTol(w->kinsol, DBL_EPSILON);
    if (!flag)
        flag = KINSetScaledStepTol(w->kinsol, DBL_EPSILON);
    return flag;
}

/* KINSOL from x to x; its flag. */
static int iterate(newton *w, double *x)
{
    const int n = w->equations->n;
    double *y = N_VGetArrayPointer(w->x);
    choose_units(w, x);
    for (int j = 0; j < n; j++)
        y[j] = x[j] / w->scale[j];
    const int flag = KINSol(w->kinsol, w->x, KIN_LINESEARCH, w->ones, w->ones);
    for (int j = 0; j < n; j++)
        x[j] = y[j] * w->scale[j];
    return flag;
}

static dae_status explain(const newton *w, int flag, double before, dae_report *report)
{
    const dae_equations *e = w->equations;
    const char *name = flag == KIN_SUCCESS ? "ended, but what is left is more than rounding, as where the Jacobian "
                                             "is singular at the solution"
                                           : dae_flag_name(dae_kinsol_flags, flag);
    return dae_fail(report, dae_flag_status(dae_kinsol_flags, flag),
                    "t = %.6g: no consistent %s near the start, where the constraint is off by "
                    "%.3g: KINSOL: %s", e->t, e->what, before,
                    dae_words_or(&w->words, name));
}

static dae_status solve(newton *w, double *x, dae_report *report)
{
    const dae_equations *e = w->equations;
    if (!evaluate(w, x))
        return dae_fail(report, DAE_NOT_FINITE, "t = %.6g: the equations of the %s are not "
                        "finite at the start", e->t, e->what);
    if (!e->always && holds(w, x, 0))
        return DAE_OK;
    memcpy(w->guess, x, (size_t)e->n * sizeof *x);
    const double before = left(w);
    if (solved_by_full_steps(w, x))
        return DAE_OK;
    if (!create_objects(w))
        return dae_fail(report, DAE_NO_MEMORY, "no memory to make %d %s consistent", e->nx,
                        e->what);
    int flag = configure(w), passes = flag ? 0 : 2, good = 1;
    while (good && passes-- > 0) {                      /* again with the sizes of the solution */
        flag = iterate(w, x);
        good = dae_all_finite(x, (size_t)e->n) && evaluate(w, x);
    }
    return good && holds(w, x, 1) ? DAE_OK : explain(w, flag, before, report);
}

static void destroy(newton *w)
{
    if (w->kinsol)
        KINFree(&w->kinsol);
    if (w->linear)
        SUNLinSolFree(w->linear);
    if (w->A)
        SUNMatDestroy(w->A);
    if (w->x)
        N_VDestroy(w->x);
    if (w->ones)
        N_VDestroy(w->ones);
    if (w->context)
        SUNContext_Free(&w->context);
    free(w->r);
}

dae_status dae_equations_solve(const dae_equations *equations, double *x, dae_report *report)
{
    const size_t n = (size_t)equations->n;
    newton w = {.equations = equations};
    if (!DAE_PARTS(&w,
                   DAE_PART(newton, r, n), DAE_PART(newton, size, n), DAE_PART(newton, scale, n),
                   DAE_PART(newton, guess, n), DAE_PART(newton, x_now, n), DAE_PART(newton, J, n * n)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory to make %d %s consistent",
                        equations->nx, equations->what);
    const dae_status status = solve(&w, x, report);
    destroy(&w);
    return status;
}
