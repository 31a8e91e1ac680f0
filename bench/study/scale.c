/* scale.c - time and memory against the size of a problem, and their exponents
 *
 * A point is one formulation by one method at one value of a parameter. Timed are its setup, one
 * fixed step and a whole solve; memory is read from the heap and from the kernel. Each point runs
 * in a process of its own, which may take so many seconds; where one fails, larger ones are
 * skipped.
 */
#include "study/scale.h"

#include "catalogue/catalogue.h"
#include "host/allocate.h"
#include "numbers/quantile.h"
#include "run/run_asked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double scale_limit = 60;

/* ---- defaults ----------------------------------------------------------------------------- */

/* Increasing values, each once; where none are given, of the parameter that counts copies. */
static dae_status choose_values(study_specification *o, dae_report *report)
{
    static const double sizes[] = {10, 30, 100, 300, 1000};
    for (int i = 0; !o->values && i < dae_parameter_count(o->run.problem); i++)
        if (dae_parameter_at(o->run.problem, i)->range == DAE_COUNT) {
            o->varied = i;
            o->values = sizeof sizes / sizeof *sizes;
            memcpy(o->value, sizes, sizeof sizes);
        }
    if (!o->values)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s has no parameter that counts copies: which "
                        "one grows? give %s NAME=V,V..", o->run.problem->name,
                        front_field(&o->run.front, "vary").text);
    quantile_sort(o->value, o->values);
    int kept = 1;
    for (int i = 1; i < o->values; i++)
        if (o->value[i] > o->value[kept - 1])
            o->value[kept++] = o->value[i];
    o->values = kept;
    return DAE_OK;
}

static void choose_default_methods(study_specification *o)
{
    for (int i = 0; catalogue_method(i) && o->methods < MAX_CHOICES; i++)
        if (dae_method_describe(catalogue_method(i)).roles & DAE_FOR_SCALING)
            o->method[o->methods++] = catalogue_method(i);
}

dae_status scale_fill_in(study_specification *o, int *by_default, dae_report *report)
{
    const dae_status status = choose_values(o, report);
    *by_default = o->methods == 0;
    if (status)
        return status;
    if (!o->forms)
        study_default_form(o);
    if (!o->methods)
        choose_default_methods(o);
    return DAE_OK;
}

/* ---- which pairs, and by which steps ------------------------------------------------------ */

int scale_chooses_steps(const study_specification *o, const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    const double order = info.order[1][DAE_VELOCITY];
    const int by_step = !isnan(o->run.step), by_rtol = !isnan(o->run.rtol);
    if (!info.fixed || !info.adaptive)
        return !info.fixed;
    return by_step != by_rtol ? by_rtol : order >= 4 || order == DAE_UNDECLARED;
}

run_setting scale_setting(const run_setting *setting, int adaptive, double level)
{
    run_setting one = *setting;
    one.step = adaptive ? NAN : level;
    one.rtol = adaptive ? level : NAN;
    return one;
}

double scale_level(const scale_pair *pair) { return pair->adaptive ? pair->rtol : pair->step; }

/* The step that is timed: the one given, or the default of a run by fixed steps. */
static double timed_step(const study_specification *o, const scale_pair *pair)
{
    run_setting one = o->run;
    one.rtol = NAN;
    return pair->info.fixed ? run_level(&one, pair->method) : NAN;
}

/* Where its start does not exist its point will say so. */
static int solves(const scale_result *all, const scale_pair *pair)
{
    const run_setting setting = scale_setting(&all->spec.run, pair->adaptive, scale_level(pair));
    study s = all->s;
    s.setting = &setting;
    return run_possible(&s, pair->form, pair->method, scale_level(pair)) != DAE_UNSUPPORTED;
}

/* Of methods that were not named those that solve the form. */
static void plan(scale_result *all)
{
    const study_specification *o = &all->spec;
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++) {
            scale_pair *pair = &all->pairs[all->count];
            pair->form = o->form[f];
            pair->method = o->method[m];
            pair->info = dae_method_describe(pair->method);
            pair->adaptive = scale_chooses_steps(o, pair->method);
            pair->step = timed_step(o, pair);
            pair->rtol = !pair->adaptive ? NAN : isnan(o->run.rtol) ? run_own_rtol(o->run.problem) : o->run.rtol;
            all->count += !all->by_default || solves(all, pair);
        }
}

/* ---- points ------------------------------------------------------------------------------- */

static void set_value(scale_result *all, int i)
{
    all->parameters[all->spec.varied] = all->spec.value[i];
}

static void skip(scale_point *p, const char *name, const scale_point *failed)
{
    const work_spread none = work_spread_of(NULL, 0);
    *p = (scale_point){.value = p->value, .outcome = RUN_SKIPPED, .step = none, .solve = none,
                       .setup = NAN, .held = NAN, .peak = NAN};
    snprintf(p->reason, sizeof p->reason, "%s = %g: %.230s", name, failed->value, failed->reason);
}

/* All values; where the combination does not exist the first one says so. */
static void run_pair(scale_result *all, scale_pair *pair)
{
    const study_specification *o = &all->spec;
    char name[STUDY_NAME];
    study_varied_name(o, name);
    const double limit = isnan(o->limit) ? scale_limit : o->limit;
    const scale_point *failed = NULL;
    const long open = runner_open(o->run.runner);
    for (int i = 0; i < o->values; i++) {
        scale_point *p = &pair->point[pair->points++];
        p->value = o->value[i];
        set_value(all, i);
        if (failed)
            skip(p, name, failed);
        else
            scale_measure(o, &all->s, pair, limit, p);
        if (p->failure == DAE_UNSUPPORTED || runner_open(o->run.runner) != open)
            break;
        if (!failed && (p->failure || p->outcome))
            failed = p;
    }
}

/* ---- the study ---------------------------------------------------------------------------- */

/* Values of a count that cannot be, found without a system of that size; any value of another
 * parameter. The study is begun with the smallest value. */
static dae_status begin(scale_result *all, dae_report *report)
{
    const study_specification *o = &all->spec;
    const int counts = dae_parameter_at(o->run.problem, o->varied)->range == DAE_COUNT;
    dae_status status = DAE_OK;
    for (int i = o->values - 1; !status && i >= 0; i--) {
        const double x = o->value[i];
        set_value(all, i);
        if (i > 0 && counts && x >= 1 && x <= 1e6 && x == floor(x))
            continue;
        status = study_begin(&all->s, &o->run, REFERENCE_NONE, 0, report);
        if (!status && i > 0)
            study_end(&all->s);
    }
    return status;
}

/* A limit that was reached is a result; a process that died has failed as where memory is short. */
static void count_point(run_tally *tally, const scale_pair *pair, const scale_point *p)
{
    const int stepless = *p->reason && !p->failure && !p->outcome, died = p->outcome == RUN_KILLED;
    if (p->outcome == RUN_NOT_RUN) {
        tally->runs++;
        tally->missing++;
        return;
    }
    tally->memory |= died;
    run_count(tally, pair->form, pair->method, p->failure ? p->failure : died || stepless ? DAE_BACKEND : DAE_OK,
              p->reason);
}

static void count_runs(scale_result *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->pairs[i].points; k++)
            count_point(&r->tally, &r->pairs[i], &r->pairs[i].point[k]);
}

dae_status scale_study(scale_result *r, const study_specification *spec, int by_default,
                       dae_report *report)
{
    *r = (scale_result){.spec = *spec, .by_default = by_default};
    r->pairs = allocate((size_t)(spec->forms * spec->methods), sizeof *r->pairs);
    r->spec.run.parameters = r->parameters = run_copy_parameters(&spec->run);
    const dae_status status = begin(r, report);
    if (status)
        return status;
    r->begun = 1;
    plan(r);
    front_plan(&spec->run.front, r->count * spec->values, r->count * spec->values);
    for (int i = 0; i < r->count; i++)
        run_pair(r, &r->pairs[i]);
    front_end(&spec->run.front);
    set_value(r, 0);
    count_runs(r);
    return DAE_OK;
}

void scale_result_free(scale_result *r)
{
    if (r->begun)
        study_end(&r->s);
    free(r->pairs);
    free(r->parameters);
    *r = (scale_result){.count = 0};
}
