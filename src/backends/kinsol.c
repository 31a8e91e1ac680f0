/* kinsol.c - nonlinear equations solved to rounding by KINSOL
 *
 * KINSOL stops where |r_i| <= tolerance size_i, or where its steps or its line search no longer
 * change anything. What decides is not how it stopped, but what is left of the equations:
 *
 *     |r_i| <= 1e-13 sum_j |J_ij| |x_j|       solved; a start that satisfies it is not touched
 *     |r_i| <= 1e-13 sum_j |J_ij| max|x|      as good as rounding lets it be, where terms cancel
 *
 * Hindmarsh et al. (2005), ACM Trans. Math. Softw. 31(3), 363-396.
 */
#include "kinsol.h"

#include "sundials.h"

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
    SUNContext context;
    void *kinsol;
    N_Vector x, x_scale, r_scale;
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

/* r(x) for KINSOL; where it is not finite the line search goes back. */
static int residual(N_Vector x, N_Vector r, void *data)
{
    newton *w = data;
    const int good = evaluate(w, N_VGetArrayPointer(x));
    memcpy(N_VGetArrayPointer(r), w->r, (size_t)w->equations->n * sizeof *w->r);
    return good ? 0 : 1;
}

static int jacobian(N_Vector x, N_Vector r, SUNMatrix A, void *data, N_Vector a, N_Vector b)
{
    newton *w = data;
    const size_t n = (size_t)w->equations->n;
    (void)r;
    (void)a;
    (void)b;
    const int good = evaluate(w, N_VGetArrayPointer(x));
    memcpy(SUNDenseMatrix_Data(A), w->J, n * n * sizeof *w->J);
    return good ? 0 : 1;
}

/* size_i = sum_j |J_ij| |x_j|, and the same with the largest |x| of its block for |x_j|: w->r and
 * w->J belong to x. The largest |r_i| / size_i of the equations that must hold. */
static double measure(newton *w, const double *x, int block)
{
    const int n = w->equations->n, nx = w->equations->nx;
    double worst = 0, largest[2] = {0, 0};
    for (int j = 0; j < n; j++)
        largest[j >= nx] = fmax(largest[j >= nx], fabs(x[j]));
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += fabs(w->J[j * n + i]) * (block ? largest[j >= nx] : fabs(x[j]));
        w->size[i] = sum > 0 ? sum : fabs(w->r[i]);
        if (i >= nx && w->r[i] != 0)
            worst = fmax(worst, fabs(w->r[i]) / w->size[i]);
    }
    return worst;
}

/* What is left of the equations that must hold: the largest |r_i|. */
static double left(const newton *w)
{
    double largest = 0;
    for (int i = w->equations->nx; i < w->equations->n; i++)
        largest = fmax(largest, fabs(w->r[i]));
    return largest;
}

static int create_objects(newton *w)
{
    const sunindextype n = w->equations->n;
    if (SUNContext_Create(NULL, &w->context))
        return 0;
    w->kinsol = KINCreate(w->context);
    w->x = N_VNew_Serial(n, w->context);
    w->x_scale = N_VNew_Serial(n, w->context);
    w->r_scale = N_VNew_Serial(n, w->context);
    w->A = SUNDenseMatrix(n, n, w->context);
    if (!w->kinsol || !w->x || !w->x_scale || !w->r_scale || !w->A)
        return 0;
    w->linear = SUNLinSol_Dense(w->x, w->A, w->context);
    return w->linear != NULL;
}

static int configure(newton *w)
{
    const int exact_newton = 1, most_iterations = 200;
    const double no_limit = 1e100;
    int flag = KINSetErrHandlerFn(w->kinsol, dae_words_catch, &w->words);
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
    double *x_scale = N_VGetArrayPointer(w->x_scale), *r_scale = N_VGetArrayPointer(w->r_scale);
    for (int i = 0; i < n; i++) {
        x_scale[i] = x[i] != 0 ? 1 / fabs(x[i]) : 1;
        r_scale[i] = w->size[i] > 0 ? 1 / w->size[i] : 1;
    }
    memcpy(N_VGetArrayPointer(w->x), x, (size_t)n * sizeof *x);
    const int flag = KINSol(w->kinsol, w->x, KIN_LINESEARCH, w->x_scale, w->r_scale);
    memcpy(x, N_VGetArrayPointer(w->x), (size_t)n * sizeof *x);
    return flag;
}

static dae_status explain(const newton *w, int flag, double before, dae_report *report)
{
    const dae_equations *e = w->equations;
    char *name = KINGetReturnFlagName(flag);
    const dae_status status =
        dae_fail(report, flag == KIN_MEM_FAIL ? DAE_NO_MEMORY : DAE_INCONSISTENT,
                 "t = %.6g: no consistent %s near the start, where the constraint is off by "
                 "%.3g: KINSOL: %s", e->t, e->what, before, dae_words_or(&w->words, name));
    free(name);
    return status;
}

static dae_status solve(newton *w, double *x, dae_report *report)
{
    const dae_equations *e = w->equations;
    if (!evaluate(w, x))
        return dae_fail(report, DAE_NOT_FINITE, "t = %.6g: the equations of the %s are not "
                        "finite at the start", e->t, e->what);
    if (measure(w, x, 0) <= rounding)
        return DAE_OK;
    const double before = left(w);
    if (!create_objects(w))
        return dae_fail(report, DAE_NO_MEMORY, "no memory to make %d %s consistent", e->nx,
                        e->what);
    int flag = configure(w), passes = flag ? 0 : 2, good = 1;
    while (good && passes-- > 0) {                      /* again with the sizes of the solution */
        flag = iterate(w, x);
        good = dae_all_finite(x, (size_t)e->n) && evaluate(w, x);
        measure(w, x, 0);
    }
    return good && measure(w, x, 1) <= rounding ? DAE_OK : explain(w, flag, before, report);
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
    if (w->x_scale)
        N_VDestroy(w->x_scale);
    if (w->r_scale)
        N_VDestroy(w->r_scale);
    if (w->context)
        SUNContext_Free(&w->context);
    free(w->r);
}

dae_status dae_equations_solve(const dae_equations *equations, double *x, dae_report *report)
{
    const size_t n = (size_t)equations->n;
    newton w = {.equations = equations, .r = calloc(n * n + 2 * n, sizeof *w.r)};
    if (!w.r)
        return dae_fail(report, DAE_NO_MEMORY, "no memory to make %d %s consistent",
                        equations->nx, equations->what);
    w.size = w.r + n;
    w.J = w.size + n;
    const dae_status status = solve(&w, x, report);
    destroy(&w);
    return status;
}
