/* converge.c - a convergence study, for each value of a parameter or for one */
#include "study/converge.h"

#include "cells/begin_asked.h"
#include "cells/room_asked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which form by which method; the number of runs. */
static int plan(const study_specification *o, const study *s, converge_curve *curves)
{
    int runs = 0;
    for (int i = 0; i < o->forms * o->methods; i++) {
        converge_plan(&curves[i], o, s, o->form[i / o->methods], o->method[i % o->methods]);
        runs += curves[i].levels;
    }
    return runs;
}

/* A finest level that no run can reach is refused before the first one starts. */
static dae_status too_fine(const study *s, const converge_curve *curves, int count,
                           dae_report *report)
{
    const double most = (double)dae_default_options().max_steps;
    const run_front *front = &s->setting->front;
    for (int i = 0; i < count; i++) {
        const converge_curve *c = &curves[i];
        const double finest = converge_level(s, c, c->levels - 1);
        if (c->subject.tolerances ? !(finest > 1e-16) : !((s->t_end - s->t0) / finest <= most))
            return dae_fail(report, DAE_BAD_ARGUMENT, "level %d of %s would be %g, which is too "
                            "fine; fewer %s or a smaller %s", c->levels, c->info.name, finest,
                            front_field(front, "levels").text, front_field(front, "ratio").text);
    }
    return DAE_OK;
}

/* Levels that were asked for, before the reference is computed, which those by default need. */
static dae_status check_levels(const study_specification *o, dae_report *report)
{
    const study s = {.setting = &o->run, .t0 = o->run.problem->t0, .t_end = run_end(&o->run)};
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < o->forms * o->methods; i++) {
        converge_curve c = {.value = 0};
        converge_plan(&c, o, &s, o->form[i / o->methods], o->method[i % o->methods]);
        if (c.subject.tolerances || !isnan(o->run.step))
            status = too_fine(&s, &c, 1, report);
    }
    return status;
}

/* The specification with value v of the varied parameter. */
static dae_status set_value(converge_result *r, int v, dae_report *report)
{
    r->each[v] = r->spec;
    if (!r->spec.values)
        return DAE_OK;
    r->parameters[v] = run_copy_parameters(&r->spec.run);
    if (!r->parameters[v])
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    r->parameters[v][r->spec.varied] = r->spec.value[v];
    r->each[v].run.parameters = r->parameters[v];
    if (v == 0)
        r->spec.run.parameters = r->parameters[v];
    return DAE_OK;
}

/* References and plans of all values. */
static dae_status begin(converge_result *r, dae_report *report)
{
    const int each = r->count / r->values;
    dae_status status = DAE_OK;
    int runs = 0, later = 0;
    for (int v = 0; !status && v < r->values; v++) {
        const study_specification *o = &r->each[v];
        status = set_value(r, v, report);
        if (!status)
            status = room_for_runs(&o->run, (room_pairs){o->form, o->method, o->forms, o->methods}, report);
    }
    for (int v = 0; !status && v < r->values; v++) {
        converge_curve *curves = r->curves + v * each;
        const long open = runner_open(r->spec.run.runner);
        status = study_begin_asked(&r->s[v], &r->each[v].run, REFERENCE_ON_PATH, study_limit(&r->spec), report);
        later |= status && runner_open(r->spec.run.runner) != open;
        if (status && !later)
            break;
        if (later && !status)
            study_end(&r->s[v]);
        status = DAE_OK;
        if (later)
            continue;
        r->begun++;
        r->s[v].limit = study_limit(&r->spec);
        for (int i = 0; i < each; i++)
            curves[i].value = r->spec.value[v];
        runs += plan(&r->each[v], &r->s[v], curves);
        status = too_fine(&r->s[v], curves, each, report);
    }
    if (later)
        return dae_fail(report, DAE_STOPPED, "not known yet");
    double work = 0;
    for (int i = 0; !status && i < r->count; i++)
        work += converge_amount(&r->s[i / each], &r->curves[i], 0);
    front_plan(&r->spec.run.front, runs, work);
    return status;
}

static dae_status run_all(converge_result *r, dae_report *report)
{
    const int each = r->count / r->values;
    dae_status status = begin(r, report);
    for (int i = 0; !status && i < r->count; i++)
        if (!converge_run(&r->each[i / each], &r->s[i / each], &r->curves[i]))
            status = dae_fail(report, DAE_NO_MEMORY, "out of memory");
    front_end(&r->spec.run.front);
    return status;
}

static void count_runs(converge_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->curves[i].levels; k++)
            run_count_result(&r->tally, &r->curves[i].runs[k]);
}

dae_status converge_study(converge_result *r, const study_specification *spec, dae_report *report)
{
    *r = (converge_result){.spec = *spec, .values = spec->values ? spec->values : 1};
    dae_status status = check_levels(spec, report);
    if (status)
        return status;
    r->count = r->values * spec->forms * spec->methods;
    r->each = calloc((size_t)r->values, sizeof *r->each);
    r->parameters = calloc((size_t)r->values, sizeof *r->parameters);
    r->s = calloc((size_t)r->values, sizeof *r->s);
    r->curves = calloc((size_t)r->count, sizeof *r->curves);
    const int good = r->each && r->parameters && r->s && r->curves;
    status = good ? run_all(r, report) : dae_fail(report, DAE_NO_MEMORY, "out of memory");
    if (!status)
        count_runs(r);
    return status;
}

void converge_result_free(converge_result *r)
{
    for (int i = 0; r->curves && i < r->count; i++)
        converge_free(&r->curves[i]);
    for (int v = 0; v < r->begun; v++)
        study_end(&r->s[v]);
    for (int v = 0; r->parameters && v < r->values; v++)
        free(r->parameters[v]);
    free(r->parameters);
    free(r->curves);
    free(r->s);
    free(r->each);
    *r = (converge_result){.count = 0};
}
