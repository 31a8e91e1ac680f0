/* ida.c - variable-order, variable-step BDF by SUNDIALS IDA
 *
 *     0 = M u' - F(t, u),   Newton matrix  c_j M - J,   c_j = alpha/h
 *
 * A variable of index k behaves as the (k-1)st derivative of what the equations determine: its
 * error, that of rounding too, is h^(1-k) times larger. The norms of IDA weigh it by (h w)^(k-1), at
 * most 1, with the pace w of the solution (rate.c),
 *
 *     w_i = (h w)^(k_i - 1) / (rtol |u_i| + atol_i)
 *
 * without which Newton's method cannot converge once h is small. In the formulations of a
 * mechanical system (q, v, lambda) have index (1, 2, 3), (1, 1, 2) or (1, 1, 1). Kept out of the
 * error test are variables of index 2 and 3, and multipliers always: a stabilised constraint turns
 * the local errors of v into jumps of lambda, which would hold the step small.
 *
 * IDA goes its own way: a stop before the end of the problem's interval cuts no step. What is shown
 * there is its polynomial inside the step that goes past it, or continued from a step that ended a small
 * part of itself before. So however close stops are, no step is short, and errors are not divided by it.
 *
 * A projection moves u by d, a constant added to all of IDA's history: its differences and u' stay.
 *
 * Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward (2005), SUNDIALS, ACM Trans. Math.
 * Softw. 31(3), 363-396. The weights: Hairer, Lubich, Roche (1989), Lect. Notes Math. 1409.
 */
#include "ida.h"

#include "projection/projection.h"
#include "stepper/derivative.h"
#include "stepper/output.h"
#include "events/watch.h"
#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "stepper/implicit.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static const double CLOSE = 0.1;        /* of the last step: so far its polynomial goes on */
static const double NEAR = 1e-3;        /* of the way to a stop: where F must not jump */
static const double FIRST = 1024 * DBL_EPSILON;         /* of t: a first step whose length t resolves */

/* ---- failures ----------------------------------------------------------------------------- */

static const struct { int flag; dae_status status; } statuses[] = {
    {IDA_BAD_T, DAE_BAD_ARGUMENT},
    {IDA_TOO_MUCH_WORK, DAE_MAX_STEPS},
    {IDA_TOO_MUCH_ACC, DAE_BAD_ARGUMENT},
    {IDA_ERR_FAIL, DAE_ERROR_TEST},
    {IDA_CONV_FAIL, DAE_NO_CONVERGENCE},
    {IDA_LSETUP_FAIL, DAE_NO_CONVERGENCE},
    {IDA_LSOLVE_FAIL, DAE_NO_CONVERGENCE},
    {IDA_RES_FAIL, DAE_NOT_FINITE},
    {IDA_REP_RES_ERR, DAE_NOT_FINITE},
    {IDA_FIRST_RES_FAIL, DAE_NOT_FINITE},
    {IDA_MEM_FAIL, DAE_NO_MEMORY},
    {SUN_ERR_MALLOC_FAIL, DAE_NO_MEMORY},
};

static int klu_is_singular(const dae_ida *w)
{
    return SUNLinSolGetID(w->linear) == SUNLINEARSOLVER_KLU
           && SUNLinSol_KLUGetCommon(w->linear)->status == KLU_SINGULAR;
}

/* What an IDA flag means; a step given up for its Newton matrix is told by the linear solver. */
static dae_status classify(const dae_ida *w, int flag)
{
    long last = 0;
    const int linear = flag == IDA_CONV_FAIL || flag == IDA_LSETUP_FAIL;
    if (linear && IDAGetLastLinFlag(w->ida, &last) == IDALS_SUCCESS) {
        const int package = last == SUNLS_PACKAGE_FAIL_REC || last == SUN_ERR_EXT_FAIL;
        if (last == SUNLS_LUFACT_FAIL || (package && klu_is_singular(w)))
            return DAE_SINGULAR;
        if (last == IDALS_JACFUNC_RECVR)
            return DAE_NOT_FINITE;
    }
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].flag == flag)
            return statuses[i].status;
    return DAE_BACKEND;
}

/* "t = 0.31, h = 1.2e-09: IDA: ..." with IDA's own words */
dae_status dae_ida_explain(dae_solver *s, int flag)
{
    const dae_ida *w = s->stepper;
    double h = 0;
    const dae_status status = classify(w, flag);
    IDAGetCurrentStep(w->ida, &h);
    dae_fail(&s->report, status, "t = %.9g, h = %.3g: IDA: %s", s->t, h,
             dae_words_or(&w->words, dae_ida_flag_name(flag)));
    return status;
}

/* ---- creation ----------------------------------------------------------------------------- */

static void destroy(dae_solver *s)
{
    dae_ida *w = s->stepper;
    if (!w)
        return;
    if (w->ida)
        IDAFree(&w->ida);
    if (w->newton)
        SUNNonlinSolFree(w->newton);
    if (w->scaled)
        SUNLinSolFree(w->scaled);
    if (w->linear)
        SUNLinSolFree(w->linear);
    if (w->A)
        SUNMatDestroy(w->A);
    N_Vector vectors[] = {w->u, w->du, w->id, w->dense};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (w->context)
        SUNContext_Free(&w->context);
    dae_jacobian_free(w->jac);
    free(w->F);
    free(w->offset);
    free(w->ends);
    free(w->row_scale);
    free(w);
    s->stepper = NULL;
}

static int create_vectors(dae_ida *w, const dae_solver *s)
{
    const dae_system *sys = s->sys;
    w->u = N_VNew_Serial(sys->n, w->context);
    w->du = N_VNew_Serial(sys->n, w->context);
    w->id = N_VNew_Serial(sys->n, w->context);
    w->dense = N_VNew_Serial(sys->n, w->context);
    w->F = calloc((size_t)sys->n, sizeof *w->F);
    w->ends = calloc(3 * (size_t)sys->n, sizeof *w->ends);
    if (!w->u || !w->du || !w->id || !w->dense || !w->F || !w->ends)
        return 0;
    if (s->options.project) {
        w->offset = calloc(2 * (size_t)sys->n, sizeof *w->offset);
        if (!w->offset)
            return 0;
        w->whole = w->offset + sys->n;
    }
    N_VConst(0, w->u);
    N_VConst(0, w->du);
    for (int i = 0; i < sys->n; i++)
        N_VGetArrayPointer(w->id)[i] =
            s->variable_index[i] == 1 && !dae_system_is_algebraic(sys, i);
    return 1;
}

static int create_linear(dae_ida *w, dae_linear_kind kind)
{
    const dae_pattern *p = &w->jac->pair.pattern;
    const int sparse = kind == DAE_LINEAR_KLU;
    w->A = sparse ? SUNSparseMatrix(p->n, p->n, p->nnz, CSC_MAT, w->context)
                  : SUNDenseMatrix(p->n, p->n, w->context);
    if (!w->A)
        return 0;
    w->linear = sparse ? SUNLinSol_KLU(w->u, w->A, w->context)
                       : SUNLinSol_Dense(w->u, w->A, w->context);
    if (w->linear && sparse)
        SUNLinSol_KLUGetCommon(w->linear)->initmem = 2; /* entries for each of A; more as needed */
    w->unordered = sparse;
    return w->linear && dae_ida_scale_linear(w);
}

/* IDALS_MEM_FAIL has the number of another flag. */
static int set_linear_solver(dae_ida *w)
{
    const int flag = IDASetLinearSolver(w->ida, w->scaled, w->A);
    return flag == IDALS_MEM_FAIL ? IDA_MEM_FAIL : flag;
}

static int configure(dae_solver *s, dae_ida *w)
{
    const int no_limit = -1, index = dae_system_index(s->sys);
    const int only_id = index >= 2 || s->sys->nq > 0
                        || s->options.error_test == DAE_TEST_DIFFERENTIAL;
    const double newton_tolerance = index >= 2 ? 0.01 : 0.33;   /* of the error test's; measured */
    int flag = dae_hear_ida(w->ida, &w->words);
    if (!flag)
        flag = IDAInit(w->ida, dae_ida_residual, 0, w->u, w->du);
    if (!flag)
        flag = IDASetUserData(w->ida, s);
    if (!flag)
        flag = IDAWFtolerances(w->ida, dae_ida_weights);
    if (!flag)
        flag = set_linear_solver(w);
    if (!flag)
        flag = IDASetJacFn(w->ida, dae_ida_newton_matrix);
    if (!flag)
        flag = IDASetId(w->ida, w->id);
    if (!flag)
        flag = IDASetSuppressAlg(w->ida, only_id);
    if (!flag)
        flag = IDASetNonlinConvCoef(w->ida, newton_tolerance);
    if (!flag)
        flag = IDASetMaxNumSteps(w->ida, no_limit);
    if (!flag && s->sys->nondiagonal_mass)
        flag = dae_ida_newton(w, s->options.rtol);
    return flag;
}

static dae_status create(dae_solver *s)
{
    dae_ida *w = s->stepper = calloc(1, sizeof *w);
    if (!w)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for IDA");
    const dae_status status = dae_implicit_jacobian(s, &w->jac);
    if (status)
        return status;
    w->jac->pair.count = &w->jac->own_count;            /* added to IDA's own after each step */
    if (s->sys->nq == 0 && s->sys->problem->first_order.mass.f) {
        const dae_status made = dae_derivative_create(s);
        if (made)
            return made;
    }
    if (!dae_sundials_context(&w->context, &w->words))
        w->ida = IDACreate(w->context);
    if (!w->ida || !create_vectors(w, s) || !create_linear(w, s->linear))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for IDA with %d unknowns", s->n);
    const int flag = configure(s, w);
    return flag ? dae_ida_explain(s, flag) : DAE_OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* KLU's ordering with less fill, tried once at the first start. */
static int choose_ordering(dae_solver *s, dae_ida *w)
{
    const dae_problem *problem = dae_system_problem(s->sys);
    if (!w->unordered)
        return 0;
    w->unordered = 0;
    dae_linearise(w->jac, s->t, s->u, w->F, NULL);
    return SUNLinSol_KLUSetOrdering(
        w->linear, dae_klu_ordering(&w->jac->pair, 1e-3 * (problem->t_end - problem->t0)));
}

static dae_status start(dae_solver *s)
{
    dae_ida *w = s->stepper;
    const int ordered = choose_ordering(s, w);
    if (ordered)
        return dae_ida_explain(s, ordered);
    w->words = (dae_words){0};
    w->jac->own_count = (dae_statistics){0};
    w->begun = w->rooted = 0;
    w->reached = w->t_start = s->t;
    w->last = w->h = 0;
    memcpy(w->ends + 2 * s->n, s->u, (size_t)s->n * sizeof *s->u);
    w->before = s->count;
    if (w->offset)
        memset(w->offset, 0, (size_t)s->n * sizeof *w->offset);
    memcpy(N_VGetArrayPointer(w->u), s->u, (size_t)s->n * sizeof *s->u);
    const dae_status status = dae_ida_derivative(s, w);
    if (status)
        return status;
    int flag = IDAReInit(w->ida, s->t, w->u, w->du);
    const int grown = w->generation != w->jac->pair.generation;
    w->generation = w->jac->pair.generation;
    if (!flag && s->linear == DAE_LINEAR_KLU)           /* forget the pivots of an earlier run */
        flag = SUNLinSol_KLUReInit(w->linear, w->A, w->jac->pair.pattern.nnz,
                                   grown ? SUNKLU_REINIT_FULL : SUNKLU_REINIT_PARTIAL);
    return flag ? dae_ida_explain(s, flag) : DAE_OK;
}

/* How far it may go past a stop: where F jumps there, not at all. */
static double farthest(dae_solver *s, dae_ida *w, double t_stop)
{
    const double far = dae_farthest(s, t_stop), near = NEAR * (t_stop - w->reached);
    const double h = w->h > 0 ? w->h : INFINITY;
    if (far <= t_stop || t_stop - w->reached > 2 * h)
        return far;
    w->jac->own_count.rhs += 3;
    return dae_jumps(s, t_stop, near, fmin(near, far - t_stop)) ? t_stop : far;
}

/* w->h := the step that IDA will try, which the weights depend on */
static int foresee(dae_solver *s, dae_ida *w, double far)
{
    int flag;
    if (w->begun) {
        flag = IDAGetCurrentStep(w->ida, &w->h);
    } else {
        w->h = dae_ida_first_step(s, w, far);
        if (dae_watched(s))                                 /* order 1 for the least part of a short flight */
            w->h = fmin(w->h, 0x1p-11 * dae_watch_first_step(s));
        w->h = fmax(w->h, fmin(FIRST * fabs(s->t), far - s->t));
        flag = IDASetInitStep(w->ida, w->h);
    }
    w->begun = 1;
    w->h = fmin(w->h, far - w->reached);
    s->t_new = w->reached + w->h;                       /* for differences */
    return flag ? flag : IDASetStopTime(w->ida, far);
}

/* Entries in the factors of IDA's matrix. */
static long fill(const dae_solver *s, const dae_ida *w)
{
    if (s->linear != DAE_LINEAR_KLU)
        return (long)s->n * s->n;
    const sun_klu_numeric *numeric = SUNLinSol_KLUGetNumeric(w->linear);
    return numeric ? (long)(numeric->lnz + numeric->unz + numeric->nzoff) - s->n : 0;
}

/* IDA's counters; a setup is one Jacobian and one factorization, an iteration one solve. */
static int count(dae_solver *s, const dae_ida *w)
{
    long error_fails = 0, step_fails = 0, rhs = 0;
    dae_statistics *c = &s->count;
    int flag = IDAGetNumSteps(w->ida, &c->steps);
    if (!flag)
        flag = IDAGetNumErrTestFails(w->ida, &error_fails);
    if (!flag)
        flag = IDAGetNumStepSolveFails(w->ida, &step_fails);
    if (!flag)
        flag = IDAGetNumResEvals(w->ida, &rhs);
    if (!flag)
        flag = IDAGetNumLinSolvSetups(w->ida, &c->factorizations);
    if (!flag)
        flag = IDAGetNumNonlinSolvIters(w->ida, &c->solves);
    if (!flag)
        flag = IDAGetNumNonlinSolvConvFails(w->ida, &c->newton_failures);
    c->steps += w->before.steps;
    c->factorizations += w->before.factorizations;
    c->solves += w->before.solves;
    c->newton_failures += w->before.newton_failures;
    c->rejected = w->before.rejected + error_fails + step_fails;
    c->rhs = w->before.rhs + rhs + w->jac->own_count.rhs;
    c->jacobians = w->before.jacobians + w->jac->own_count.jacobians;
    c->nonzeros = w->jac->pair.pattern.nnz;
    c->fill = fill(s, w);
    return flag;
}

static int solve(dae_solver *s, dae_ida *w, double t_stop, double *t)
{
    *t = w->reached;
    w->words.text[0] = 0;
    w->undefined = 0;
    const double far = farthest(s, w, t_stop);
    const int flag = foresee(s, w, far);
    return flag ? flag : IDASolve(w->ida, far, t, w->u, w->du, IDA_ONE_STEP);
}

/* A step of IDA's own, to w->reached. */
static dae_status go_on(dae_solver *s, dae_ida *w, double t_stop)
{
    double t;
    int flag = solve(s, w, t_stop, &t);
    if (flag == IDA_ILL_INPUT && dae_watched(s)) {          /* a root where it found one just now */
        const dae_status status = start(s);
        if (status)
            return status;
        flag = solve(s, w, t_stop, &t);
    }
    w->rooted = flag == IDA_ROOT_RETURN;
    if (flag == IDA_RTFUNC_FAIL && s->report.status)
        return s->report.status;                        /* the function has said why */
    const int counted = count(s, w);
    if (flag >= 0 && counted >= 0)
        flag = IDAGetLastStep(w->ida, &w->last);
    if (flag < 0 || counted < 0)
        return dae_ida_explain(s, flag < 0 ? flag : counted);
    if (!(t > w->reached))
        return dae_fail(&s->report, w->undefined ? DAE_NOT_FINITE : DAE_SMALL_STEP,
                        "t = %.17g, h = %.3g: IDA: the step does not change t%s", s->t, w->h,
                        w->undefined ? ", and behind it the equations are not finite" : "");
    w->reached = t;
    return DAE_OK;
}

/* u[n] := IDA's polynomial at t. */
static dae_status evaluate(dae_solver *s, dae_ida *w, double t, double *u)
{
    w->words.text[0] = 0;
    const int flag = IDAGetDky(w->ida, t, 0, w->dense);
    if (flag)
        return dae_ida_explain(s, flag);
    memcpy(u, dae_ida_unknowns(w, w->dense), (size_t)s->n * sizeof *u);
    return DAE_OK;
}

/* The state at a stop that is no end of a step of IDA's: as good as those. */
static dae_status stop_beside(dae_solver *s, dae_ida *w)
{
    double now = 0, *begin = w->ends, *end = begin + s->n;
    const int flag = IDAGetCurrentTime(w->ida, &now);
    dae_status status = flag ? dae_ida_explain(s, flag) : evaluate(s, w, s->t_new, s->u_new);
    if (!status && driver(s)->output)
        status = evaluate(s, w, now - w->last, begin);
    if (!status && driver(s)->output)
        status = evaluate(s, w, now, end);
    if (!status)
        dae_output_between(s, now - w->last, begin, now, end, s->t_new, s->u_new);
    if (!status)
        dae_short_start_start(s, s->t_new - w->t_start, w->ends + 2 * s->n);
    return status;
}

static dae_status step(dae_solver *s, double h, double t_stop)
{
    dae_ida *w = s->stepper;
    dae_status status = DAE_OK;
    const int close = w->reached <= s->t && t_stop - w->reached <= CLOSE * w->last;
    (void)h;
    while (!status && !close && w->reached <= s->t)
        status = go_on(s, w, t_stop);
    if (status)
        return status;
    s->t_new = close ? t_stop : fmin(t_stop, w->reached);
    dae_watch_begin_step(s);
    if (s->t_new != w->reached)
        return stop_beside(s, w);
    if (w->rooted && dae_ida_take_roots(s, w) < 0)
        return dae_ida_explain(s, IDA_ILL_INPUT);
    memcpy(s->u_new, dae_ida_unknowns(w, w->u), (size_t)s->n * sizeof *s->u_new);
    return DAE_OK;
}

static void moved(dae_solver *s, const double *by)
{
    dae_ida *w = s->stepper;
    for (int i = 0; i < s->n; i++)
        w->offset[i] += by[i];
}

static dae_status interpolate(dae_solver *s, double t, double *u)
{
    dae_ida *w = s->stepper;
    if (t > s->t)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %.9g lies behind the last step, which "
                        "ended at %.9g", t, s->t);
    const dae_status status = evaluate(s, w, t, u);
    if (status)
        return status;
    dae_projection_blend(s, -(s->t - t) / (s->t - s->t_old), u);  /* at t_old before the last move */
    dae_output_finish(s, t, u);
    return DAE_OK;
}

const dae_method dae_method_ida = {
    .info = {
        .name = "ida",
        .title = "BDF of order 1 to 5 with variable step, SUNDIALS IDA",
        .citation = "Hindmarsh et al. (2005), ACM Trans. Math. Softw. 31(3), 363-396",
        .roles = DAE_FOR_SCALING,
        .adaptive = 1,
        .implicit = 1,
    },
    .own_control = 1,
    .create = create,
    .start = start,
    .step = step,
    .moved = moved,
    .interpolate = interpolate,
    .watch = dae_ida_watch,
    .destroy = destroy,
};
