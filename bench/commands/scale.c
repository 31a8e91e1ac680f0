/* scale.c - daelab scale: time and memory against the size of a problem, and their exponents
 *
 * A point is one formulation by one method at one value of a parameter. Timed are its setup, one
 * fixed step and a whole solve; memory is read from the heap and from the kernel. Each point runs
 * in a process of its own, which may take --limit seconds; where one fails, larger ones are
 * skipped.
 */
#include "study/scale.h"

#include "cli/choices.h"
#include "cli/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LIMIT = 60;         /* [s] */

typedef struct {
    cli_options options;        /* with the value under way among the parameters */
    study s;
    int by_default;             /* methods that were not named */
    int count;
    scale_pair *pairs;          /* [count] */
    progress p;
} series;

/* ---- defaults ----------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Increasing values, each once; where none are given, of the parameter that counts copies. */
static int choose_values(cli_options *o)
{
    static const double sizes[] = {10, 30, 100, 300, 1000};
    for (int i = 0; !o->values && i < dae_parameter_count(o->problem); i++)
        if (o->problem->parameters[i].range == DAE_COUNT) {
            o->varied = i;
            o->values = sizeof sizes / sizeof *sizes;
            memcpy(o->value, sizes, sizeof sizes);
        }
    if (!o->values)
        return cli_error(EXIT_USAGE, "%s has no parameter that counts copies: which one grows? "
                         "give --vary NAME=V,V..", o->problem->name);
    qsort(o->value, (size_t)o->values, sizeof *o->value, ascending);
    int kept = 1;
    for (int i = 1; i < o->values; i++)
        if (o->value[i] > o->value[kept - 1])
            o->value[kept++] = o->value[i];
    o->values = kept;
    return 0;
}

static void choose_default_methods(cli_options *o)
{
    static const char *const names[] = {"cros", "dop853", "radau", "ida"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dae_find_method(names[i]))
            o->method[o->methods++] = dae_find_method(names[i]);
}

/* ---- which pairs, and by which steps ------------------------------------------------------ */

dae_options scale_options(const study *s, const dae_method *method, int adaptive, double level)
{
    cli_options o = *s->options;
    study one = *s;
    o.step = adaptive ? NAN : level;
    o.rtol = adaptive ? level : NAN;
    one.options = &o;
    return study_options(&one, method, level);
}

/* The step that is timed: --step, or the default of a run by fixed steps. */
static double timed_step(const study *s, const scale_pair *pair)
{
    cli_options o = *s->options;
    study one = *s;
    o.rtol = NAN;
    one.options = &o;
    return pair->info.fixed ? study_level(&one, pair->method) : NAN;
}

static int solves(const series *all, const scale_pair *pair)
{
    dae_system *sys;
    dae_start_change change;
    dae_report report = {0};
    dae_solver *solver = NULL;
    double *u;
    const dae_options options = scale_options(&all->s, pair->method, pair->adaptive,
                                              pair->adaptive ? pair->rtol : pair->step);
    if (study_system(&all->s, pair->form, &sys, &u, &change, &report))
        return 1;                                       /* its point will say so */
    const dae_status status = dae_solver_create(&solver, sys, pair->method, &options, &report);
    dae_solver_free(solver);
    free(u);
    dae_system_free(sys);
    return status != DAE_UNSUPPORTED;
}

/* Of methods that were not named those that solve the form. */
static void plan(series *all)
{
    const cli_options *o = &all->options;
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++) {
            scale_pair *pair = &all->pairs[all->count];
            pair->form = o->form[f];
            pair->method = o->method[m];
            pair->info = dae_method_describe(pair->method);
            pair->adaptive = usage_scale_chooses_steps(o, pair->method);
            pair->step = timed_step(&all->s, pair);
            pair->rtol = !pair->adaptive ? NAN : isnan(o->rtol) ? 1e-6 : o->rtol;
            all->count += !all->by_default || solves(all, pair);
        }
}

/* ---- points ------------------------------------------------------------------------------- */

static void set_value(series *all, int i)
{
    all->options.parameters[all->options.varied] = all->options.value[i];
}

static void skip(scale_point *p, const char *name, const scale_point *failed)
{
    const work_spread none = work_spread_of(NULL, 0);
    *p = (scale_point){.value = p->value, .status = "skipped", .step = none, .solve = none,
                       .setup = NAN, .held = NAN, .peak = NAN};
    snprintf(p->reason, sizeof p->reason, "%s = %g: %.250s", name, failed->value, failed->reason);
}

/* All values; where the combination does not exist the first one says so. */
static void run_pair(series *all, scale_pair *pair)
{
    const cli_options *o = &all->options;
    const char *name = o->problem->parameters[o->varied].name;
    const double limit = isnan(o->limit) ? LIMIT : o->limit;
    const scale_point *failed = NULL;
    for (int i = 0; i < o->values; i++) {
        scale_point *p = &pair->point[pair->points++];
        p->value = o->value[i];
        progress_run(&all->p, dae_formulation_describe(pair->form).name, pair->info.name,
                     p->value);
        progress_now(&all->p);
        set_value(all, i);
        if (failed)
            skip(p, name, failed);
        else
            scale_measure(&all->s, pair, limit, p);
        if (p->failure == DAE_UNSUPPORTED)
            break;
        if (!failed && strcmp(p->status, "ok") != 0)
            failed = p;
    }
}

/* ---- the result --------------------------------------------------------------------------- */

static void notes(document *doc, const series *all)
{
    const cli_options *o = &all->options;
    const char *which = o->smallest ? "smallest" : "median";
    int mean = 0;
    for (int i = 0; i < all->count; i++)
        mean = mean || !all->pairs[i].info.fixed;
    document_note(doc, "step: time of one fixed step after a first one, %s%s", which,
                  mean ? "; of a method without fixed steps: a solve, divided by its steps" : "");
    document_note(doc, "solve: time of a run from t = %g to %g, %s after a warm-up run; a first "
                       "run that lasts longer than 2 s counts", all->s.t0, all->s.t_end, which);
    document_note(doc, "setup: time for system, consistent start and solver, once");
    document_note(doc, "memory: bytes on the heap that system, state and solver hold after the "
                       "solve (mallinfo2)");
    document_note(doc, "peak: how far the resident set of the point's own process grew at most "
                       "(ru_maxrss): with pages of the program, without those never touched; its "
                       "exponent is fitted from %g MB on", scale_peak_resolved / 1e6);
    run_note_sundials(doc);
}

static json_t *vary_json(const cli_options *o)
{
    json_t *values = json_array();
    for (int i = 0; i < o->values; i++)
        json_array_append_new(values, json_real(o->value[i]));
    return json_pack("{s:s, s:o}", "parameter", o->problem->parameters[o->varied].name, "values",
                     values);
}

static document *report(const series *all)
{
    const cli_options *o = &all->options;
    char heading[128];
    document *doc = document_new("scale", o, all->s.t0, all->s.t_end);
    json_t *array = json_array();
    if (!doc || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < all->count; i++)
        json_array_append_new(array, scale_pair_json(o, &all->pairs[i]));
    document_set(doc, "vary", vary_json(o));
    document_set(doc, "limit", json_real(isnan(o->limit) ? LIMIT : o->limit));
    document_set(doc, "time", json_string(o->smallest ? "smallest" : "median"));
    document_set(doc, "curves", array);
    document_section_add(doc, "time [s] and memory [MB] of a point",
                         scale_point_grid(o, all->pairs, all->count));
    snprintf(heading, sizeof heading, "exponents p of C %s^p: least squares over all points, and "
             "between the last two", o->problem->parameters[o->varied].name);
    document_section_add(doc, heading, scale_fit_grid(o, all->pairs, all->count));
    notes(doc, all);
    return doc;
}

/* A limit that was reached is a result, and so are the larger points that were skipped; 3 where a
 * process died. */
static int worst(const series *all)
{
    run_tally tally = {0};
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < all->pairs[i].points; k++) {
            const scale_point *p = &all->pairs[i].point[k];
            const int stepless = *p->reason && strcmp(p->status, "ok") == 0;
            const int died = strcmp(p->status, "killed") == 0;
            tally.memory |= died;
            run_count(&tally, p->failure ? p->failure : died || stepless ? DAE_BACKEND : DAE_OK,
                      p->reason);
        }
    return run_tally_status(&tally);
}

static int finish(const series *all)
{
    dae_report why = {0};
    const cli_options *o = &all->options;
    int status = document_finish(report(all), o);
    if (!status && o->plot && scale_plot(&all->s, all->pairs, all->count, &why))
        status = cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : worst(all);
}

/* ---- the command -------------------------------------------------------------------------- */

/* Values of a count that cannot be, found without a system of that size; any value of another
 * parameter. The study is begun with the smallest value. */
static int begin(series *all)
{
    const cli_options *o = &all->options;
    const int counts = o->problem->parameters[o->varied].range == DAE_COUNT;
    int status = 0;
    for (int i = o->values - 1; !status && i >= 0; i--) {
        const double x = o->value[i];
        set_value(all, i);
        if (i > 0 && counts && x >= 1 && x <= 1e6 && x == floor(x))
            continue;
        status = study_begin(&all->s, o, REFERENCE_NONE);
        if (!status && i > 0)
            study_end(&all->s);
    }
    return status;
}

static int run_series(series *all)
{
    int status = begin(all);
    if (status)
        return status;
    plan(all);
    all->p = progress_begin(all->count * all->options.values, all->options.quiet);
    for (int i = 0; i < all->count; i++)
        run_pair(all, &all->pairs[i]);
    progress_end(&all->p);
    set_value(all, 0);
    status = finish(all);
    study_end(&all->s);
    return status;
}

int command_scale(const cli_options *given)
{
    series all = {.options = *given, .by_default = given->methods == 0};
    cli_options *o = &all.options;
    int status = choose_values(o);
    if (status)
        return status;
    if (!o->forms)
        choose_default_form(o);
    if (!o->methods)
        choose_default_methods(o);
    status = choose_defaults(o);
    if (status)
        return status;
    all.pairs = calloc((size_t)(o->forms * o->methods), sizeof *all.pairs);
    status = all.pairs ? run_series(&all) : cli_error(EXIT_SYSTEM, "out of memory");
    free(all.pairs);
    return status;
}
