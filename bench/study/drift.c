#include "study/drift.h"

#include <stdio.h>
#include <stdlib.h>

const char *const drift_names[SERIES] = {"position", "velocity", "acceleration", "energy",
                                         "invariant"};

const char *drift_title(const dae_problem *problem, int series)
{
    static const char *const titles[3][SERIES] = {
        {"|g|", "|dg/dt|", "|d2g/dt2|", "energy balance", "invariants"},
        {"|g|", "|dg/dt, A v + b|", "|d2g/dt2, d(A v + b)/dt|", "energy balance", "invariants"},
        {"|g|", "|A v + b|", "|d(A v + b)/dt|", "energy balance", "invariants"}};
    const dae_problem_info info = dae_problem_describe(problem);
    return titles[(info.nonholonomic > 0) + (info.nonholonomic > 0 && info.nonholonomic == info.multipliers)]
                 [series];
}

int drift_series(const study_specification *o)
{
    return o->run.problem->invariants.n ? SERIES : DRIFT_INVARIANT;
}

void drift_label(const drift_run *d, char label[DRIFT_LABEL])
{
    snprintf(label, DRIFT_LABEL, "%s %s%s%s", dae_formulation_describe(d->form).name,
             dae_method_describe(d->method).name, d->project ? " " : "",
             d->project ? run_project_name(d->project) : "");
}

/* All projections of one formulation by one method. */
static void run_pair(drift_result *r, const dae_formulation *form, const dae_method *method,
                     drift_run *runs)
{
    const study_specification *o = &r->spec;
    for (int k = 0; k < (o->projects ? o->projects : 1); k++) {
        drift_run *d = &runs[k];
        d->form = form;
        d->method = method;
        d->project = r->setting.project = o->projects ? o->each_project[k] : 0;
        d->run = study_run(&r->s, form, method, run_level(&o->run, method), &d->monitor);
        run_count(&r->tally, d->run.status, d->run.message);
    }
}

static void run_all(drift_result *r)
{
    const study_specification *o = &r->spec;
    const int settings = o->projects ? o->projects : 1;
    front_begin(&o->run.front, r->count);
    for (int i = 0; i < o->forms * o->methods; i++)
        run_pair(r, o->form[i / o->methods], o->method[i % o->methods], r->runs + i * settings);
    front_end(&o->run.front);
}

dae_status drift_study(drift_result *r, const study_specification *spec, dae_report *report)
{
    *r = (drift_result){.spec = *spec, .setting = spec->run};
    r->spec.run.project = 0;                            /* each run has its own */
    const dae_status status = study_begin(
        &r->s, &r->setting, spec->referenced ? REFERENCE_AT_END : REFERENCE_NONE, report);
    if (status)
        return status;
    r->begun = 1;
    r->count = spec->forms * spec->methods * (spec->projects ? spec->projects : 1);
    r->runs = calloc((size_t)r->count, sizeof *r->runs);
    if (!r->runs)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    run_all(r);
    return DAE_OK;
}

void drift_result_free(drift_result *r)
{
    for (int i = 0; r->runs && i < r->count; i++) {
        run_free(&r->runs[i].run);
        monitor_free(&r->runs[i].monitor);
    }
    free(r->runs);
    if (r->begun)
        study_end(&r->s);
    *r = (drift_result){.count = 0};
}
