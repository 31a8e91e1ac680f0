/* combinations.c - which formulations go with which methods: tried on empty solvers, before any
 * run */
#include "study/specification.h"

#include "run/derivatives.h"

typedef struct {
    const study_specification *s;
    dae_report why;             /* of the first combination that does not exist */
} trial;

/* Does it exist? Other failures than that are for the run to tell. */
static int goes(trial *t, const dae_formulation *form, const dae_method *method, unsigned project)
{
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    run_derivatives along = {.of = NULL};
    dae_report why = {0};
    const run_setting *r = &t->s->run;
    dae_options options = run_options(r, method, run_level(r, method));
    options.project = project;
    dae_status status =
        dae_system_create(&sys, r->problem, form, r->parameters, &r->baumgarte, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, method, &options, &why);
    if (!status && (status = derivatives_create(&along, r, sys, solver)) != DAE_OK)
        why = along.report;
    derivatives_free(&along);
    dae_solver_free(solver);
    dae_system_free(sys);
    if (status == DAE_UNSUPPORTED && !t->why.status)
        t->why = why;
    return status != DAE_UNSUPPORTED;
}

/* A formulation (or the one) with some method (or the one), under a projection (or the one). */
static int any_goes(trial *t, const dae_formulation *form, const dae_method *method, int project)
{
    const study_specification *s = t->s;
    const int settings = s->projects ? s->projects : 1;
    t->why = (dae_report){0};
    for (int p = 0; p < settings; p++)
        for (int f = 0; f < s->forms; f++)
            for (int m = 0; m < s->methods; m++)
                if ((!form || s->form[f] == form) && (!method || s->method[m] == method)
                    && (project < 0 || p == project)
                    && goes(t, s->form[f], s->method[m], s->projects ? s->each_project[p] : 0))
                    return 1;
    return 0;
}

/* Of what was named and will be a row without numbers. */
static void remark(trial *t)
{
    const study_specification *s = t->s;
    for (int m = 0; m < s->methods && s->methods_named; m++)
        if (!any_goes(t, NULL, s->method[m], -1))
            front_warn(&s->run.front, "there is no run by %s: %s",
                       dae_method_describe(s->method[m]).name, t->why.message);
    for (int f = 0; f < s->forms && s->forms_named; f++)
        if (!any_goes(t, s->form[f], NULL, -1))
            front_warn(&s->run.front, "there is no run of %s: %s",
                       dae_formulation_describe(s->form[f]).name, t->why.message);
}

dae_status study_check_combinations(const study_specification *s, dae_report *report)
{
    trial t = {.s = s};
    for (int p = 0; p < (s->projects ? s->projects : 1); p++)
        if (!any_goes(&t, NULL, NULL, p))
            return dae_fail(report, DAE_UNSUPPORTED, "%s", t.why.message);
    if (s->forms > 1 || s->methods > 1)
        remark(&t);
    return DAE_OK;
}
