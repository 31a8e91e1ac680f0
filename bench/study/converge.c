/* converge.c - a convergence study, for each value of a parameter or for one */
#include "study/converge.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A finest level that no run can reach is refused before the first one starts. */
static dae_status too_fine(const study *s, const converge_curve *c, dae_report *report)
{
    const double most = (double)dae_default_options().max_steps, finest = c->level[c->levels - 1];
    const run_front *front = &s->setting->front;
    if (c->subject.tolerances ? finest > 1e-16 : (s->t_end - s->t0) / finest <= most)
        return DAE_OK;
    return dae_fail(report, DAE_BAD_ARGUMENT, "level %d of %s would be %g, which is too fine; fewer %s or a smaller %s",
                    c->levels, c->info.name, finest, front_field(front, "levels").text,
                    front_field(front, "ratio").text);
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
            status = too_fine(&s, &c, report);
    }
    return status;
}

/* The specification with value v of the varied parameter. */
static void set_value(converge_result *r, int v)
{
    r->each[v] = r->spec;
    if (!r->spec.values)
        return;
    r->parameters[v] = run_copy_parameters(&r->spec.run);
    r->parameters[v][r->spec.varied] = r->spec.value[v];
    r->each[v].run.parameters = r->parameters[v];
}

/* The plans of the curves of value v, whose reference is known: which form by which method. */
static dae_status begin_value(converge_result *r, int v, dae_report *report)
{
    const study_specification *o = &r->each[v];
    const int each = r->count / r->values;
    const study *s = &r->s[v];
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < each; i++) {
        converge_curve *c = &r->curves[v * each + i];
        c->value = r->spec.value[v];
        converge_plan(c, o, s, o->form[i / o->methods], o->method[i % o->methods]);
        c->refused = run_possible(s, c->subject.form, c->subject.method, c->level[0]) != DAE_OK;
        status = too_fine(s, c, report);
    }
    return status;
}

/* References of all values that have none yet: from the first on whose reference is not known they are asked for, and
 * begun in a later round. */
static dae_status begin(converge_result *r, dae_report *report)
{
    const long open = runner_open(r->spec.run.runner);
    dae_status status = DAE_OK;
    int later = 0;
    for (int v = r->begun; !status && v < r->values; v++) {
        status = study_begin_runs(&r->s[v], &r->each[v], &r->each[v].run, REFERENCE_ON_PATH, report);
        later |= status && runner_open(r->spec.run.runner) != open;
        if (later && !status)
            study_end(&r->s[v]);
        if (later) {
            status = DAE_OK;
        } else if (!status) {
            r->begun++;
            status = begin_value(r, v, report);
        }
    }
    return later && !status ? dae_fail(report, DAE_STOPPED, "not known yet") : status;
}

static void tell_plan(const converge_result *r)
{
    const int each = r->count / r->values;
    double work = 0;
    int runs = 0;
    for (int i = 0; i < r->count; i++) {
        work += converge_amount(&r->s[i / each], &r->curves[i], 0);
        runs += r->curves[i].levels;
    }
    front_plan(&r->spec.run.front, runs, work);
}

dae_status converge_again(converge_result *r, dae_report *report)
{
    const int each = r->count / r->values;
    const dae_status status = begin(r, report);
    if (!status)
        tell_plan(r);
    r->tally = (run_tally){.runs = 0};
    for (int i = 0; !status && i < r->count; i++) {
        converge_curve *c = &r->curves[i];
        const long open = runner_open(r->spec.run.runner);
        if (!c->complete) {
            converge_free(c);
            c->levels = c->ladder.levels;
            converge_run(&r->each[i / each], &r->s[i / each], c);
            c->complete = runner_open(r->spec.run.runner) == open;
        }
        for (int k = 0; k < c->levels; k++)
            run_count_result(&r->tally, c->subject.form, c->subject.method, &c->runs[k]);
    }
    front_end(&r->spec.run.front);
    return status;
}

dae_status converge_study(converge_result *r, const study_specification *spec, dae_report *report)
{
    *r = (converge_result){.spec = *spec, .values = spec->values ? spec->values : 1};
    const dae_status status = check_levels(spec, report);
    if (status)
        return status;
    r->count = r->values * spec->forms * spec->methods;
    r->each = allocate((size_t)r->values, sizeof *r->each);
    r->parameters = allocate((size_t)r->values, sizeof *r->parameters);
    r->s = allocate((size_t)r->values, sizeof *r->s);
    r->curves = allocate((size_t)r->count, sizeof *r->curves);
    for (int v = 0; v < r->values; v++)
        set_value(r, v);
    r->spec.run.parameters = r->each[0].run.parameters;
    return converge_again(r, report);
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
