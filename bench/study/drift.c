#include "study/drift.h"

#include "host/allocate.h"
#include "run/run_asked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A run that failed says nothing of what it would have come to. */
static void observe_growth(drift_run *d)
{
    const monitor *m = &d->monitor;
    for (int k = 0; k < SERIES; k++) {
        d->growth[k] = growth_observe(m->t, m->value[k], d->run.status ? 0 : m->count, m->t0, m->rounding[k]);
        if (d->run.status) {
            strcpy(d->growth[k].reason, "the run failed");
            strcpy(d->growth[k].brief, "failed");
        }
    }
}

int drift_has(const drift_run *d, int k)
{
    for (int i = 0; d->monitor.value[k] && i < d->monitor.count; i++)
        if (isfinite(d->monitor.value[k][i]))
            return 1;
    return 0;
}

const char *drift_rate_unit(const dae_problem *problem, growth_law law, char unit[RATE_UNIT])
{
    static const struct { const char *before, *behind; } by[GROWTH_LAWS] = {
        [GROWTH_LINEAR] = {"/", ""}, [GROWTH_QUADRATIC] = {"/", "^2"}, [GROWTH_EXPONENTIAL] = {"1/", ""}};
    char time[TIME_UNIT];
    *unit = 0;
    if (by[law].before && *time_unit(problem, time))
        snprintf(unit, RATE_UNIT, "%s%s%s", by[law].before, time, by[law].behind);
    return unit;
}

void drift_growth_label(const dae_problem *problem, const drift_run *d, int series, char label[GROWTH_LABEL])
{
    char unit[RATE_UNIT];
    const growth *g = &d->growth[series];
    if (!drift_has(d, series))
        *label = 0;
    else if (g->law == GROWTH_NOT_DETERMINED)
        snprintf(label, GROWTH_LABEL, "%s (%s)", growth_names[g->law], g->brief);
    else if (g->law == GROWTH_BOUNDED)
        snprintf(label, GROWTH_LABEL, "%s", growth_names[g->law]);
    else
        snprintf(label, GROWTH_LABEL, "%s, %.2g%s%s", growth_names[g->law], g->rate,
                 g->law == GROWTH_EXPONENTIAL ? " " : "", drift_rate_unit(problem, g->law, unit));
}

/* Each formulation by each method under each projection. */
static void run_all(drift_result *r)
{
    const study_specification *o = &r->spec;
    const int settings = o->projects ? o->projects : 1;
    for (int m = 0; m < o->methods; m++)
        front_plan(&o->run.front, o->forms * settings,
                   o->forms * settings * run_amount(&o->run, o->method[m], run_level(&o->run, o->method[m])));
    for (int i = 0; i < r->count; i++) {
        drift_run *d = &r->runs[i];
        d->form = o->form[i / settings / o->methods];
        d->method = o->method[i / settings % o->methods];
        d->project = r->setting.project = o->projects ? o->each_project[i % settings] : 0;
        d->run = run_asked(&r->s, d->form, d->method, run_level(&o->run, d->method), &d->monitor);
        observe_growth(d);
        run_count_result(&r->tally, d->form, d->method, &d->run);
    }
    front_end(&o->run.front);
}

dae_status drift_study(drift_result *r, const study_specification *spec, dae_report *report)
{
    *r = (drift_result){.spec = *spec, .setting = spec->run};
    r->spec.run.project = 0;                            /* each run has its own */
    const dae_status status = study_begin_runs(&r->s, spec, &r->setting,
                                               spec->referenced ? REFERENCE_AT_END : REFERENCE_NONE, report);
    if (status)
        return status;
    r->begun = 1;
    r->s.curves = 1;
    r->count = spec->forms * spec->methods * (spec->projects ? spec->projects : 1);
    r->runs = allocate((size_t)r->count, sizeof *r->runs);
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
