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
 * (y = T u instead of u where combinations of unknowns have an index of their own, base/components.h)
 * without which Newton's method cannot converge once h is small. In the formulations of a
 * mechanical system (q, v, lambda) have index (1, 2, 3), (1, 1, 2) or (1, 1, 1). Kept out of the
 * error test are variables of index 2 and 3, and multipliers always: a stabilised constraint turns
 * the local errors of v into jumps of lambda, which would hold the step small. So they may vary faster than steps
 * are long, and rows between these are those of dense_radau.c.
 *
 * Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward (2005), SUNDIALS, ACM Trans. Math.
 * Softw. 31(3), 363-396. The weights: Hairer, Lubich, Roche (1989), Lect. Notes Math. 1409.
 */
#include "ida.h"

#include "stepper/derivative.h"
#include "stepper/implicit.h"

#include <ida/ida.h>
#include <stdlib.h>
#include <string.h>

static int restart(dae_solver *s)
{
    const dae_integration *r = s->stepper;
    return IDAReInit(r->memory, 0, r->u, r->du);
}

static int one_step(dae_solver *s, double far, double *t)
{
    const dae_integration *r = s->stepper;
    return IDASolve(r->memory, far, t, r->u, r->du, IDA_ONE_STEP);
}

static int stride(dae_solver *s, double far, double *t)
{
    const dae_integration *r = s->stepper;
    return IDASolve(r->memory, far, t, r->u, r->du, IDA_NORMAL);
}

static void unpack(dae_solver *s, double t, N_Vector w, double *u)
{
    (void)t;
    memcpy(u, dae_integration_unknowns(s->stepper, w), (size_t)s->n * sizeof *u);
}

static int progress(void *memory, dae_integration_counts *c)
{
    long residuals;
    int last_order, order;
    double first;
    return IDAGetIntegratorStats(memory, &c->steps, &residuals, &c->setups, &c->error_fails, &last_order, &order,
                                 &first, &c->last, &c->next, &c->now);
}

static int counted(void *memory, dae_integration_counts *c)
{
    int flag = progress(memory, c);
    if (!flag)
        flag = IDAGetNonlinSolvStats(memory, &c->iterations, &c->conv_fails);
    return flag ? flag : IDAGetNumStepSolveFails(memory, &c->step_fails);
}

static const dae_integrator ida = {
    .name = "IDA", .flags = dae_ida_flags,
    .conv_fail = IDA_CONV_FAIL, .setup_fail = IDA_LSETUP_FAIL, .too_many = IDA_TOO_MUCH_WORK,
    .linear_not_finite = IDALS_JACFUNC_RECVR, .goes_past = 1,
    .restart = restart, .step = one_step, .stride = stride,
    .set_first_step = IDASetInitStep, .set_max_step = IDASetMaxStep,
    .set_stop = IDASetStopTime,
    .counted = counted, .progress = progress, .dense = IDAGetDky,
    .linear_flag = IDAGetLastLinFlag,
};

/* ---- creation ----------------------------------------------------------------------------- */

static void destroy(dae_solver *s)
{
    dae_ida *w = s->stepper;
    if (!w)
        return;
    if (w->run.memory)
        IDAFree(&w->run.memory);
    if (w->newton)
        SUNNonlinSolFree(w->newton);
    if (w->id)
        N_VDestroy(w->id);
    dae_dense_radau_free(w->rows);
    dae_integration_free(&w->run);
    free(w->F);
    free(w);
    s->stepper = NULL;
}

/* IDALS_MEM_FAIL has the number of another flag. */
static int set_linear_solver(const dae_integration *r)
{
    const int flag = IDASetLinearSolver(r->memory, r->linear.solver, r->linear.A);
    return flag == IDALS_MEM_FAIL ? IDA_MEM_FAIL : flag;
}

static int configure(dae_solver *s, dae_ida *w)
{
    const int index = dae_system_index(s->sys);
    const int only_id = index >= 2 || s->sys->nq > 0
                        || s->options.error_test == DAE_TEST_DIFFERENTIAL;
    const double newton_tolerance = index >= 2 ? 0.01 : 0.33;   /* of the error test's; measured */
    void *memory = w->run.memory;
    if (!s->sys->nondiagonal_mass)              /* whose test sees what Newton's iteration leaves: ida_newton.c */
        w->run.usual_part = dae_bdf_part(s);
    int flag = dae_hear_ida(memory, &w->run.words);
    if (!flag)
        flag = IDAInit(memory, dae_ida_residual, 0, w->run.u, w->run.du);
    if (!flag)
        flag = IDASetUserData(memory, s);
    if (!flag)
        flag = IDAWFtolerances(memory, dae_integration_weights);
    if (!flag)
        flag = set_linear_solver(&w->run);
    if (!flag)
        flag = IDASetJacFn(memory, dae_ida_newton_matrix);
    if (!flag)
        flag = IDASetId(memory, w->id);
    if (!flag)
        flag = IDASetSuppressAlg(memory, only_id);
    if (!flag)
        flag = IDASetNonlinConvCoef(memory, newton_tolerance);
    if (!flag)
        flag = IDASetMaxNumSteps(memory, s->options.max_steps);
    if (!flag && s->sys->nondiagonal_mass)
        flag = dae_ida_newton(w, s->options.rtol);
    return flag;
}

/* 0: no memory. */
static int make_parts(dae_solver *s, dae_ida *w)
{
    if (!dae_integration_create(&w->run, &ida, s->n, s))
        return 0;
    w->run.memory = IDACreate(w->run.context);
    w->id = N_VNew_Serial(s->n, w->run.context);
    w->F = calloc(2 * (size_t)s->n, sizeof *w->F);
    if (!w->run.memory || !w->id || !w->F || !dae_integration_take_components(&w->run, s))
        return 0;
    w->slope = w->F + s->n;
    const int *index = dae_indices(s);
    for (int i = 0; i < s->n; i++)
        N_VGetArrayPointer(w->id)[i] = index[i] == 1 && dae_has_derivative(s, i);
    return 1;
}

static dae_status create(dae_solver *s)
{
    dae_ida *w = s->stepper = calloc(1, sizeof *w);
    if (!w)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for IDA");
    w->run.unpack = unpack;
    w->run.slope = dae_ida_derivative;
    if (!make_parts(s, w))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for IDA with %d unknowns", s->n);
    const dae_status status = dae_integration_create_linear(s, 0);
    w->run.linear.components = w->run.components;
    if (status)
        return status;
    if (s->sys->nq == 0 && s->sys->problem->first_order.mass.f) {
        const dae_status made = dae_derivative_create(s);
        if (made)
            return made;
    }
    const int flag = configure(s, w);
    return flag ? dae_integration_explain(s, flag) : DAE_OK;
}

/* ---- between steps ------------------------------------------------------------------------- */

enum { STAGES = 5 };                    /* of collocation between steps */

static dae_status ida_accepted(dae_solver *s)
{
    dae_dense_radau_forget(((dae_ida *)s->stepper)->rows);
    return DAE_OK;
}

static dae_status ida_refine(dae_solver *s)
{
    dae_ida *w = s->stepper;
    return s->searching || dae_system_index(s->sys) < 2 ? DAE_OK
           : dae_dense_radau_find(s, &w->rows, w->run.linear.of.jac, STAGES, NULL);
}

static dae_status ida_interpolate(dae_solver *s, double t, double *u)
{
    dae_ida *w = s->stepper;
    return dae_dense_radau_is_known(s, w->rows) ? dae_dense_radau_at(s, w->rows, t, u)
                                                : dae_integration_interpolate(s, t, u);
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
    DAE_INTEGRATION(ida_interpolate),
    .accepted = ida_accepted, .refine = ida_refine,
    .multistep = 1,
    .create = create,
    .destroy = destroy,
};
