/* cvode.c - variable-order, variable-step BDF by SUNDIALS CVODE, where M is regular
 *
 *     u' = M^-1 F(t, u),   Newton matrix  M - gamma J
 *
 * Cohen, Hindmarsh (1996), CVODE, a stiff/nonstiff ODE solver in C, Comput. Phys. 10(2), 138-143.
 */
#include "ode.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double FIRST_GROWTH = 10;          /* not 1e4, which is for first steps that know nothing: it went
                                                   past the flights of a ball that hardly bounces */

static int restart(dae_solver *s)
{
    const dae_integration *r = s->stepper;
    return CVodeReInit(r->memory, 0, r->u);
}

static int one_step(dae_solver *s, double far, double *t)
{
    const dae_integration *r = s->stepper;
    return CVode(r->memory, far, r->u, t, CV_ONE_STEP);
}

static int stride(dae_solver *s, double far, double *t)
{
    const dae_integration *r = s->stepper;
    return CVode(r->memory, far, r->u, t, CV_NORMAL);
}

static int progress(void *memory, dae_integration_counts *c)
{
    long slopes;
    int last_order, order;
    double first;
    return CVodeGetIntegratorStats(memory, &c->steps, &slopes, &c->setups, &c->error_fails, &last_order, &order, &first,
                                 &c->last, &c->next, &c->now);
}

static int counted(void *memory, dae_integration_counts *c)
{
    int flag = progress(memory, c);
    if (!flag)
        flag = CVodeGetNonlinSolvStats(memory, &c->iterations, &c->conv_fails);
    return flag ? flag : CVodeGetNumStepSolveFails(memory, &c->step_fails);
}

static const dae_integrator cvode = {
    .name = "CVODE", .flags = dae_cvode_flags,
    .conv_fail = CV_CONV_FAILURE, .setup_fail = CV_LSETUP_FAIL, .too_many = CV_TOO_MUCH_WORK,
    .linear_not_finite = CVLS_JACFUNC_RECVR,
    .restart = restart, .step = one_step, .stride = stride,
    .set_first_step = CVodeSetInitStep, .set_max_step = CVodeSetMaxStep,
    .set_stop = CVodeSetStopTime,
    .counted = counted, .progress = progress, .dense = CVodeGetDky,
    .linear_flag = CVodeGetLastLinFlag,
};

static int newton_matrix(double t, N_Vector y, N_Vector f, SUNMatrix A, int current, int *renewed,
                         double gamma, void *data, N_Vector a, N_Vector b, N_Vector c)
{
    (void)f, (void)a, (void)b, (void)c;
    return dae_ode_newton_matrix(t, y, A, current, renewed, gamma, data);
}

/* CVLS_MEM_FAIL has the number of another flag. */
static int set_linear_solver(const dae_integration *r)
{
    const int flag = CVodeSetLinearSolver(r->memory, r->linear.solver, r->linear.A);
    return flag == CVLS_MEM_FAIL ? CV_MEM_FAIL : flag;
}

static int configure(dae_solver *s, dae_integration *r)
{
    int flag = dae_hear_cvode(r->memory, &r->words);
    r->usual_part = dae_bdf_part(s);
    if (!flag)
        flag = CVodeInit(r->memory, dae_ode_slope, 0, r->u);
    if (!flag)
        flag = CVodeSetUserData(r->memory, s);
    if (!flag)
        flag = CVodeWFtolerances(r->memory, dae_ode_weights);
    if (!flag)
        flag = set_linear_solver(r);
    if (!flag)
        flag = CVodeSetLinSysFn(r->memory, newton_matrix);
    if (!flag)
        flag = CVodeSetMaxNumSteps(r->memory, s->options.max_steps);
    if (!flag)
        flag = CVodeSetEtaMaxFirstStep(r->memory, FIRST_GROWTH);
    return flag;
}

static dae_status create(dae_solver *s)
{
    s->stepper = calloc(1, sizeof(dae_ode));
    const dae_status status = s->stepper ? dae_ode_create(s, &cvode, 1)
                                         : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for CVODE");
    if (status)
        return status;
    dae_integration *r = s->stepper;
    r->memory = CVodeCreate(CV_BDF, r->context);
    if (!r->memory)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for CVODE with %d unknowns", s->n);
    const int flag = configure(s, r);
    return flag ? dae_integration_explain(s, flag) : DAE_OK;
}

static void destroy(dae_solver *s)
{
    dae_integration *r = s->stepper;
    if (r && r->memory)
        CVodeFree(&r->memory);
    dae_ode_destroy(s);
}

const dae_method dae_method_cvode = {
    .info = {
        .name = "cvode",
        .title = "BDF of order 1 to 5 with variable step, SUNDIALS CVODE, regular M",
        .citation = "Cohen, Hindmarsh (1996), Comput. Phys. 10(2), 138-143",
        .adaptive = 1,
        .implicit = 1,
    },
    .multistep = 1,
    DAE_INTEGRATION(dae_integration_interpolate),
    .supports = dae_ode_supports,
    .create = create,
    .destroy = destroy,
};
