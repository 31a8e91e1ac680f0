/* arkode.c - Runge-Kutta methods by SUNDIALS ARKODE, explicit and diagonally implicit, where M is regular
 *
 * u' = M^-1 F(t, u). ARKODE's defaults differ from one version to the next, so its tableaus are chosen here:
 * Dormand and Prince's 5(4), and ESDIRK4(3)6L[2]SA of Kennedy and Carpenter (2019), Appl. Numer. Math. 146,
 * 221-244, L-stable, stiffly accurate and of stage order 2.
 *
 * Slopes of implicit stages are those of the stages solved for, (z - a)/(h gamma), not f(z), which would
 * multiply what the iteration has left by f_y: van der Pol's equation took 3415 steps at rtol 1e-7, and
 * takes 1182 so, with stages predicted by polynomials of an order that falls with the distance. What is left
 * enters a slope divided by gamma: so the iteration goes on to a hundredth of the error test's tolerance, that
 * of fixed steps to rounding.
 *
 * Reynolds, Gardner, Woodward, Chinomona (2023), ARKODE: a flexible IVP solver infrastructure for one-step
 * methods, ACM Trans. Math. Softw. 49(2), 19.
 */
#include "integration.h"
#include "ode.h"

#include "daelab/tableau.h"
#include "stepper/doubt.h"

#include <arkode/arkode_arkstep.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

/* ---- steps of the explicit method are looked at between their ends ---------------------------
 *
 * as those of the library's own are. ARKODE keeps what passes its own test. A step that this look refuses is undone:
 * the run begins anew where it began, with a shorter one. The polynomial is Hermite's of order 4, whose defect is of
 * the order of the estimate. */

typedef struct {
    dae_doubt kept;             /* of the last step */
    int refused;                /* the one before, which is made again */
    long fails;                 /* of ARKODE's own test until then */
    N_Vector e, w, f;           /* [length] estimate or defect, weights, slope */
} look_inside;

static const double REJECTED = 2;       /* an estimate seems so much larger in a step that ARKODE has tried before */

static int create_look(look_inside *look, const dae_integration *r)
{
    look->e = N_VClone(r->u);
    look->w = N_VClone(r->u);
    look->f = N_VClone(r->u);
    return look->e && look->w && look->f;
}

static void free_look(look_inside *look)
{
    N_Vector vectors[] = {look->e, look->w, look->f};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
}

/* w := weights of the larger state of both ends */
static int weigh(dae_solver *s, const look_inside *look)
{
    const dae_integration *r = s->stepper;
    const double *end = NV_DATA_S(look->f);
    double *w = NV_DATA_S(look->w);
    if (ARKodeGetErrWeights(r->memory, look->w) || dae_ode_weights(r->u, look->f, s))
        return 0;
    for (int i = 0; i < r->length; i++)
        w[i] = fmin(w[i], end[i]);
    return 1;
}

/* |d(x)| in tolerances; negative: f is not defined there */
static double defect(dae_solver *s, const look_inside *look, double x)
{
    const dae_integration *r = s->stepper;
    const double h = r->counts.last, t = r->counts.now - (1 - x) * h;
    if (r->code->dense(r->memory, t, 0, r->dense) || r->code->dense(r->memory, t, 1, look->e)
        || dae_ode_slope(t, r->dense, look->f, s))
        return -1;
    N_VLinearSum(h, look->e, -h, look->f, look->e);
    return N_VWrmsNorm(look->e, look->w);
}

/* The step that ARKODE has made passes its test, of an estimate of order h^k: 1 where it is doubtful (stepper/doubt.h)
 * and what lies between its ends says no. */
static int refuses_inside(dae_solver *s, look_inside *look, double k)
{
    const dae_integration *r = s->stepper;
    const double h = r->counts.last;
    if (ARKodeGetEstLocalErrors(r->memory, look->e) || !weigh(s, look))
        return 0;
    const double rough = N_VWrmsNorm(look->e, look->w);
    const double more = r->counts.error_fails > look->fails ? REJECTED : 1;
    int refused = 0;
    if (look->refused || dae_is_doubtful(&look->kept, more * rough, h, k, s->options.rtol))
        for (int i = 0; !refused && i < DAE_DEFECTS; i++) {
            const double size = defect(s, look, dae_defect_at[i]);
            refused = !(size >= 0 && size <= DAE_USUAL_DEFECT);
        }
    look->refused = refused;
    look->fails = r->counts.error_fails;
    if (!refused)
        look->kept = (dae_doubt){rough, h};
    return refused;
}

/* ---- runs --------------------------------------------------------------------------------- */

static const char ERK[] = "ARKODE_DORMAND_PRINCE_7_4_5", DIRK[] = "ARKODE_ESDIRK436L2SA_6_3_4";

static const double ROUNDING = 16 * DBL_EPSILON;
static const double STAGNANT = 1e5;     /* corrections that end an iteration which is stuck, in units of
                                           rounding: 4e-10 of the unknowns */
static const double FALLING = 0.5;      /* theta of corrections above rounding */
static const double DIVERGING = 2;
static const double NEWTON = 0.01;
enum { MOST_ITERATIONS = 60, VARIABLE_ORDER = 2,        /* the second: a predictor of ARKODE */
       MOST_FAILS = 40 };       /* tries of a step, each a third of the one before: to the rounding of t */
static const double STIFFLY = 0.25;     /* of the tolerance, for a step: the estimate is too small by so much where
                                           stiff components are forced, as the order is reduced, and errors add up */

typedef struct {
    dae_ode ode;
    SUNNonlinearSolver newton;  /* of fixed steps; else NULL, ARKODE's own */
    double correction;          /* its last one */
    double *top;                /* [n] the largest that unknowns have been since the start */
    look_inside look;              /* of explicit steps that are chosen */
} arkode_run;

static int restart_explicit(dae_solver *s)
{
    const dae_integration *r = s->stepper;
    arkode_run *w = s->stepper;
    w->look.kept.h = 0;
    w->look.fails = 0;
    return ARKStepReInit(r->memory, dae_ode_slope, NULL, 0, r->u);
}

static int restart_implicit(dae_solver *s)
{
    const dae_integration *r = s->stepper;
    const arkode_run *w = s->stepper;
    for (int i = 0; w->top && i < r->length; i++)
        w->top[i] = 0;
    return ARKStepReInit(r->memory, NULL, dae_ode_slope, 0, r->u);
}

static int one_step(dae_solver *s, double far, double *t)
{
    const dae_integration *r = s->stepper;
    return ARKodeEvolve(r->memory, far, r->u, t, ARK_ONE_STEP);
}

static int counted(void *memory, dae_integration_counts *c)
{
    double first;
    int flag = ARKodeGetStepStats(memory, &c->steps, &first, &c->last, &c->next, &c->now);
    if (!flag)
        flag = ARKodeGetNumErrTestFails(memory, &c->error_fails);
    if (!flag)
        flag = ARKodeGetNumStepSolveFails(memory, &c->step_fails);
    if (!flag)
        flag = ARKodeGetNumLinSolvSetups(memory, &c->setups);
    return flag ? flag : ARKodeGetNonlinSolvStats(memory, &c->iterations, &c->conv_fails);
}

#define ARKODE                                                                                    \
    .name = "ARKODE", .flags = dae_arkode_flags,                                                  \
    .conv_fail = ARK_CONV_FAILURE, .setup_fail = ARK_LSETUP_FAIL,   \
    .linear_not_finite = ARKLS_JACFUNC_RECVR, .step = one_step, .set_size = ARKodeSetFixedStep,   \
    .set_first_step = ARKodeSetInitStep, .set_max_step = ARKodeSetMaxStep,                        \
    .set_stop = ARKodeSetStopTime,                                                                \
    .counted = counted, .dense = ARKodeGetDky, .linear_flag = ARKodeGetLastLinFlag

static int refuses(dae_solver *s) { return refuses_inside(s, &((arkode_run *)s->stepper)->look, 5); }

static const dae_integrator explicit_steps = {ARKODE, .restart = restart_explicit, .refuses = refuses};
static const dae_integrator implicit_steps = {ARKODE, .restart = restart_implicit};

/* ---- Newton's iteration ------------------------------------------------------------------- */

static int newton_matrix(double t, N_Vector y, N_Vector f, SUNMatrix A, SUNMatrix M, int current,
                         int *renewed, double gamma, void *data, N_Vector a, N_Vector b, N_Vector c)
{
    (void)f, (void)M, (void)a, (void)b, (void)c;
    return dae_ode_newton_matrix(t, y, A, current, renewed, gamma, data);
}

/* The root mean square of a correction in units of rounding of each unknown, which is as large as at the ends
 * of the step or the stage; *stuck: the largest in those of the largest that each has been. */
static double measure(arkode_run *w, N_Vector begin, N_Vector stage, N_Vector correction, double *stuck)
{
    const double *y = NV_DATA_S(begin), *z = NV_DATA_S(stage);
    const double *moved = NV_DATA_S(correction);
    const int length = w->ode.run.length;
    double sum = 0;
    *stuck = 0;
    for (int i = 0; i < length; i++) {
        const double size = fmax(fabs(y[i]), fabs(z[i]));
        const double x = fabs(moved[i]) / fmax(ROUNDING * size, DBL_MIN);
        w->top[i] = fmax(w->top[i], size);
        *stuck = fmax(*stuck, fabs(moved[i]) / fmax(ROUNDING * w->top[i], DBL_MIN));
        sum += x * x;
    }
    return sqrt(sum / length);
}

/* At rounding of each unknown, or as near to it as noise in f lets corrections fall. */
static int at_rounding(SUNNonlinearSolver newton, N_Vector y, N_Vector correction,
                       sunrealtype tolerance, N_Vector weight, void *data)
{
    arkode_run *w = data;
    const double before = w->correction;
    double stuck;
    int iteration = 0;
    N_Vector stage = NULL;
    (void)y, (void)tolerance, (void)weight;
    if (ARKodeGetCurrentState(w->ode.run.memory, &stage))
        return SUN_NLS_CONV_RECVR;
    SUNNonlinSolGetCurIter(newton, &iteration);
    const double size = w->correction = measure(w, w->ode.run.u, stage, correction, &stuck);
    if (size <= 1 || (iteration > 0 && size > FALLING * before && stuck <= STAGNANT))
        return SUN_SUCCESS;
    return iteration > 0 && size > DIVERGING * before ? SUN_NLS_CONV_RECVR : SUN_NLS_CONTINUE;
}

static int iterate_to_rounding(arkode_run *w)
{
    const dae_integration *r = &w->ode.run;
    w->newton = SUNNonlinSol_Newton(r->u, r->context);
    w->top = calloc((size_t)r->length, sizeof *w->top);
    int flag = w->newton && w->top ? ARKodeSetNonlinearSolver(r->memory, w->newton) : ARK_MEM_FAIL;
    if (!flag)
        flag = SUNNonlinSolSetConvTestFn(w->newton, at_rounding, w);
    if (!flag)
        flag = ARKodeSetMaxNonlinIters(r->memory, MOST_ITERATIONS);
    return flag;
}

/* ---- creation ----------------------------------------------------------------------------- */

/* ARKLS_MEM_FAIL has the number of another flag. */
static int set_linear_solver(const dae_integration *r)
{
    const int flag = ARKodeSetLinearSolver(r->memory, r->linear.solver, r->linear.A);
    return flag == ARKLS_MEM_FAIL ? ARK_MEM_FAIL : flag;
}

static int configure_implicit(const dae_integration *r)
{
    int flag = set_linear_solver(r);
    if (!flag)
        flag = ARKodeSetLinSysFn(r->memory, newton_matrix);
    if (!flag)
        flag = ARKodeSetDeduceImplicitRhs(r->memory, 1);
    if (!flag)
        flag = ARKodeSetPredictorMethod(r->memory, VARIABLE_ORDER);
    if (!flag)
        flag = ARKodeSetNonlinConvCoef(r->memory, NEWTON);
    return flag;
}

static int configure(dae_solver *s, dae_integration *r, const char *explicit_table,
                     const char *implicit_table)
{
    const int no_limit = -1;
    int flag = dae_hear_arkode(r->memory, &r->words);
    if (!flag)
        flag = ARKodeSetUserData(r->memory, s);
    if (!flag)
        flag = ARKodeWFtolerances(r->memory, dae_ode_weights);
    if (!flag)
        flag = ARKStepSetTableName(r->memory, implicit_table, explicit_table);
    if (!flag && r->linear.of.jac)
        flag = configure_implicit(r);
    if (!flag)
        flag = ARKodeSetMaxNumSteps(r->memory, no_limit);
    return flag;
}

static dae_status create(dae_solver *s, const dae_integrator *code, int implicit)
{
    arkode_run *w = s->stepper = calloc(1, sizeof *w);
    const dae_status status = w ? dae_ode_create(s, code, implicit)
                              : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for ARKODE");
    if (status)
        return status;
    dae_integration *r = &w->ode.run;
    r->memory = ARKStepCreate(implicit ? NULL : dae_ode_slope, implicit ? dae_ode_slope : NULL, 0, r->u,
                              r->context);
    if (!r->memory)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for ARKODE with %d unknowns", s->n);
    if (implicit && s->adaptive)
        r->usual_part = STIFFLY;
    int flag = configure(s, r, implicit ? "ARKODE_ERK_NONE" : ERK, implicit ? DIRK : "ARKODE_DIRK_NONE");
    if (!flag && !implicit)
        flag = create_look(&w->look, r) ? ARKodeSetMaxErrTestFails(r->memory, MOST_FAILS) : ARK_MEM_FAIL;
    if (!flag && implicit && !s->adaptive)
        flag = iterate_to_rounding(w);
    return flag ? dae_integration_explain(s, flag) : DAE_OK;
}

static dae_status create_explicit(dae_solver *s) { return create(s, &explicit_steps, 0); }
static dae_status create_implicit(dae_solver *s) { return create(s, &implicit_steps, 1); }

static void destroy(dae_solver *s)
{
    arkode_run *w = s->stepper;
    if (w && w->ode.run.memory)
        ARKodeFree(&w->ode.run.memory);
    if (w && w->newton)
        SUNNonlinSolFree(w->newton);
    if (w) {
        free(w->top);
        free_look(&w->look);
    }
    dae_ode_destroy(s);
}

const dae_method dae_method_erk = {
    .info = {
        .name = "erk",
        .title = "explicit Runge-Kutta 5(4), SUNDIALS ARKODE, regular M",
        .citation = "Reynolds et al. (2023), ACM Trans. Math. Softw. 49(2), 19",
        .stages = 7,
        .fixed = 1,
        .adaptive = 1,
        .order = DAE_ORDERS(5),
    },
    DAE_INTEGRATION(dae_integration_interpolate),
    .supports = dae_ode_supports,
    .create = create_explicit,
    .destroy = destroy,
};

const dae_method dae_method_dirk = {
    .info = {
        .name = "dirk",
        .title = "diagonally implicit Runge-Kutta 4(3), SUNDIALS ARKODE, regular M",
        .citation = "Reynolds et al. (2023), ACM Trans. Math. Softw. 49(2), 19",
        .stages = 6,
        .fixed = 1,
        .adaptive = 1,
        .implicit = 1,
        .order = DAE_ORDERS(4),
    },
    DAE_INTEGRATION(dae_integration_interpolate),
    .supports = dae_ode_supports,
    .create = create_implicit,
    .destroy = destroy,
};
