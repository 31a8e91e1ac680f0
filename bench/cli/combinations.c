/* combinations.c - which formulations go with which methods: tried on empty solvers, before any
 * run */
#include "measure/run.h"
#include "cli/usage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    study s;
    cli_options options;
    dae_report why;             /* of the first combination that does not exist */
} trial;

/* Does it exist? Other failures than that are for the run to tell. */
static int goes(trial *t, const dae_formulation *form, const dae_method *method, unsigned project)
{
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_report why = {0};
    const cli_options *o = &t->options;
    const double level = study_level(&t->s, method);
    dae_options options = study_options(&t->s, method, level);
    options.project = project;
    dae_status status =
        dae_system_create(&sys, o->problem, form, o->parameters, &o->baumgarte, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, method, &options, &why);
    dae_solver_free(solver);
    dae_system_free(sys);
    if (status == DAE_UNSUPPORTED && !t->why.status)
        t->why = why;
    return status != DAE_UNSUPPORTED;
}

/* A formulation (or the one) with some method (or the one), under a projection (or the one). */
static int any_goes(trial *t, const dae_formulation *form, const dae_method *method, int project)
{
    const cli_options *o = &t->options;
    const int settings = o->projects ? o->projects : 1;
    t->why = (dae_report){0};
    for (int p = 0; p < settings; p++)
        for (int f = 0; f < o->forms; f++)
            for (int m = 0; m < o->methods; m++)
                if ((!form || o->form[f] == form) && (!method || o->method[m] == method)
                    && (project < 0 || p == project)
                    && goes(t, o->form[f], o->method[m], o->projects ? o->each_project[p] : 0))
                    return 1;
    return 0;
}

/* Of what was named and will be a row without numbers. */
static void remark(trial *t)
{
    const cli_options *o = &t->options;
    for (int m = 0; m < o->methods && o->given[O_METHOD]; m++)
        if (!strstr(o->given[O_METHOD], "all") && !any_goes(t, NULL, o->method[m], -1))
            fprintf(stderr, "daelab: there is no run by %s: %s\n",
                    dae_method_describe(o->method[m]).name, t->why.message);
    for (int f = 0; f < o->forms && o->given[O_FORM]; f++)
        if (!strstr(o->given[O_FORM], "all") && !any_goes(t, o->form[f], NULL, -1))
            fprintf(stderr, "daelab: there is no run of %s: %s\n",
                    dae_formulation_describe(o->form[f]).name, t->why.message);
}

int usage_check_combinations(const cli_options *o)
{
    trial t = {.options = *o};
    t.s = (study){.options = &t.options, .t0 = o->problem->t0,
                  .t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end};
    for (int p = 0; p < (o->projects ? o->projects : 1); p++)
        if (!any_goes(&t, NULL, NULL, p))
            return cli_error(EXIT_USAGE, "%s", t.why.message);
    if (!o->quiet && (o->forms > 1 || o->methods > 1))
        remark(&t);
    return 0;
}
