/* work.c - daelab bench: how long each method takes to reach which accuracy
 *
 * A point is one formulation by one method at one tolerance or step: a warm-up run, which also
 * gives the errors and the counts, then repeats on the same solver until there are enough of them
 * and they have lasted long enough. Timed is dae_solver_start and dae_solver_advance; nothing
 * observes.
 */
#include "study/work.h"

#include "cli/choices.h"
#include "study/converge.h"
#include "numbers/decimal.h"
#include "report/doubt.h"
#include "host/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_RUNS = 5, LEVELS = 7 };

static const double LEAST_SECONDS = 0.02, RTOL_FIRST = 1e-3, RTOL_LAST = 1e-12;

/* ---- one point ---------------------------------------------------------------------------- */

typedef struct {
    const study *study;
    double *samples;            /* [MAX_RUNS] */
    work_point *point;
} repeater;

static dae_status repeat(void *context, dae_solver *solver, int n, const double *u0,
                         const double *u_end, run_result *r)
{
    const repeater *p = context;
    const cli_options *o = p->study->options;
    const size_t bytes = (size_t)n * sizeof(double);
    const int least = o->runs ? o->runs : LEAST_RUNS;
    const double least_seconds = isnan(o->seconds) ? LEAST_SECONDS : o->seconds;
    double total = 0, *u = malloc(bytes);
    dae_status status = u ? DAE_OK : DAE_NO_MEMORY;
    int runs = 0, same = 1;
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (!status && runs < MAX_RUNS && (runs < least || total < least_seconds)) {
        status = timed_run(solver, p->study->t0, u0, p->study->t_end, u, &p->samples[runs]);
        same = same && !status && memcmp(u, u_end, bytes) == 0;
        total += p->samples[runs++];
    }
    p->point->cpu = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / (runs ? runs : 1);
    if (status)
        snprintf(r->message, sizeof r->message, "%s", dae_solver_report(solver)->message);
    free(u);
    p->point->runs = runs;
    p->point->repeatable = same;
    if (!status)
        p->point->wall = work_spread_of(p->samples, runs);
    return status;
}

/* min over the components of the state of -log10 of x: the recovered multiplier is not one of it */
static double digits(const double *x)
{
    double largest = NAN;
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        if (c != DAE_RECOVERED)
            largest = fmax(largest, x[c]);
    return largest > 0 ? -log10(largest) : NAN;
}

static void measure_point(study *s, const work_curve *c, double level, repeater *again)
{
    work_point *p = again->point;
    *p = (work_point){.wall = work_spread_of(NULL, 0), .cpu = NAN, .repeatable = 1};
    s->again = repeat;
    s->again_context = again;
    p->run = study_run(s, c->form, c->method, level, NULL);
    p->scd = p->run.status ? NAN : digits(p->run.relative);
    p->mescd = p->run.status ? NAN : digits(p->run.mixed);
}

const char *work_reason(const work_point *p)
{
    return p->run.status ? p->run.message
           : p->repeatable ? "" : "a repeat did not end with the same bits as the first run";
}

/* ---- curves ------------------------------------------------------------------------------- */

/* Levels from A down to B: as many as asked for, else by the ratio. */
static void tolerance_levels(const cli_options *o, work_curve *c)
{
    const double last = isnan(o->rtol) ? RTOL_LAST : o->rtol_last;
    c->first = isnan(o->rtol) ? RTOL_FIRST : o->rtol;
    c->ratio = isnan(o->ratio) ? 10 : o->ratio;
    c->levels = o->levels ? o->levels : LEVELS;
    if (isnan(last))
        return;
    if (!o->levels)
        c->levels = 1 + (int)fmin(MAX_LEVELS - 1, log(c->first / last) / log(c->ratio) + 1e-9);
    else if (isnan(o->ratio) && o->levels > 1)
        c->ratio = pow(c->first / last, 1.0 / (o->levels - 1));
}

static int plan(const study *s, work_curve *curves)
{
    const cli_options *o = s->options;
    int runs = 0;
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++) {
            work_curve *c = &curves[f * o->methods + m];
            c->form = o->form[f];
            c->method = o->method[m];
            c->info = dae_method_describe(c->method);
            c->adaptive = study_adaptive(s, c->method);
            if (c->adaptive) {
                tolerance_levels(o, c);
            } else {
                c->first = isnan(o->step) ? (s->t_end - s->t0) / 100 : o->step;
                c->ratio = isnan(o->ratio) ? 2 : o->ratio;
                c->levels = o->levels ? o->levels : LEVELS;
            }
            runs += c->levels;
        }
    return runs;
}

/* All levels; where the combination does not exist one says so. */
static int run_curve(study *s, work_curve *c, double *samples)
{
    double level = c->first;                            /* steps: halved, as they are exactly */
    const int levels = c->levels;
    c->point = calloc((size_t)levels, sizeof *c->point);
    c->levels = 0;
    for (int i = 0; c->point && i < levels; i++, level /= c->ratio) {
        repeater again = {s, samples, &c->point[i]};
        level = c->adaptive ? decimal_level(c->first, c->ratio, i) : level;
        measure_point(s, c, level, &again);
        c->levels++;
        if (c->point[i].run.status == DAE_UNSUPPORTED)
            break;
    }
    return c->point != NULL;
}

/* ---- the result --------------------------------------------------------------------------- */

static void notes(document *doc, const study *s)
{
    const cli_options *o = s->options;
    run_note_reference(doc, s);
    document_note(doc, "time: of one run on one solver, median and quartiles of the repeats after "
                       "a warm-up run");
    if (o->targets && o->baseline)
        document_note(doc, "x: how many times faster than the best of %s over its forms",
                      dae_method_describe(o->baseline).name);
    run_note_sundials(doc);
}

static document *report(const study *s, const work_curve *curves, int count)
{
    const cli_options *o = s->options;
    char heading[80];
    snprintf(heading, sizeof heading, "time to reach an error (%s; %s of the repeats)",
             run_class_names[o->of], o->smallest ? "smallest" : "median");
    document *doc = document_new("bench", o, s->t0, s->t_end);
    json_t *array = json_array();
    if (!doc || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        json_array_append_new(array, work_curve_json(o, &curves[i]));
    document_set(doc, "reference", run_reference_json(s));
    document_set(doc, "curves", array);
    document_section_add(doc, "largest error of any component at the end, and the time of a run",
                         work_point_grid(o, curves, count));
    if (o->targets) {
        document_set(doc, "at", work_at_json(o, curves, count));
        document_section_add(doc, heading, work_at_grid(o, curves, count));
    }
    for (int i = 0; i < count; i++)
        doubt_remark(doc, o, curves[i].form, curves[i].method);
    notes(doc, s);
    return doc;
}

/* A point that did not repeat has failed, too. */
static int worst(const work_curve *curves, int count)
{
    run_tally tally = {0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].levels; k++) {
            const work_point *p = &curves[i].point[k];
            run_count(&tally, p->run.status || p->repeatable ? p->run.status : DAE_BACKEND,
                      work_reason(p));
        }
    return run_tally_status(&tally);
}

static int finish(const study *s, const work_curve *curves, int count, grid *summary,
                  document **doc)
{
    dae_report why = {0};
    *doc = report(s, curves, count);
    if (!*doc)
        return cli_error(EXIT_SYSTEM, "out of memory");
    if (summary)
        work_summary_add(summary, s->options, curves, count);
    if (s->options->plot && work_plot(s, curves, count, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    return worst(curves, count);
}

static void free_curves(work_curve *curves, int count)
{
    for (int i = 0; curves && i < count; i++) {
        for (int k = 0; curves[i].point && k < curves[i].levels; k++)
            run_free(&curves[i].point[k].run);
        free(curves[i].point);
    }
    free(curves);
}

/* ---- the command -------------------------------------------------------------------------- */

/* A method that chooses steps and is of order 4 at least, or whose order varies. */
static int may_be_efficient(const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    const double order = info.order[1][DAE_VELOCITY];
    return info.adaptive && (order >= 4 || order == DAE_UNDECLARED);
}

/* Methods that choose their steps where none are named, and the baseline among them. */
static void default_methods(cli_options *o)
{
    int known = o->baseline == NULL;
    if (!o->methods)
        for (int i = 0; dae_method_at(i) && o->methods < MAX_CHOICES; i++)
            if (may_be_efficient(dae_method_at(i)))
                o->method[o->methods++] = dae_method_at(i);
    for (int i = 0; i < o->methods; i++)
        known = known || o->method[i] == o->baseline;
    if (!known && o->methods < MAX_CHOICES)
        o->method[o->methods++] = o->baseline;
}

/* Tolerances, not steps, where neither is given; errors of the positions, or of the differential
 * variables. An exit status, having complained, or 0. */
int work_prepare(cli_options *o)
{
    default_methods(o);
    if (isnan(o->step) && isnan(o->rtol)) {
        o->rtol = RTOL_FIRST;
        o->rtol_last = RTOL_LAST;
    }
    if (o->of == DAE_CLASSES)
        o->of = o->problem->mechanical.nq > 0 ? DAE_POSITION : DAE_DIFFERENTIAL;
    if (!run_shows(o, o->of))
        return cli_error(EXIT_USAGE, "--of %s: %s has no such variables",
                         run_class_names[o->of], o->problem->name);
    if (o->baseline && !o->targets)
        return cli_error(EXIT_USAGE, "--baseline compares times to reach an error: give --at too");
    return choose_defaults(o);
}

int work_problem(const cli_options *o, grid *summary, document **doc)
{
    study s;
    *doc = NULL;
    const int count = o->forms * o->methods;
    int status = study_begin(&s, o, REFERENCE_AT_END);
    if (status)
        return status;
    work_curve *curves = calloc((size_t)count, sizeof *curves);
    double *samples = malloc(MAX_RUNS * sizeof *samples);
    int good = curves && samples;
    progress p = progress_begin(good ? plan(&s, curves) : 0, o->quiet);
    s.progress = &p;
    for (int i = 0; good && i < count; i++)
        good = run_curve(&s, &curves[i], samples);
    progress_end(&p);
    status = good ? finish(&s, curves, count, summary, doc)
                  : cli_error(EXIT_SYSTEM, "out of memory");
    free_curves(curves, count);
    free(samples);
    study_end(&s);
    return status;
}

static int one_problem(const cli_options *given, document **doc)
{
    cli_options options = *given;
    *doc = NULL;
    const int wrong = work_prepare(&options);
    return wrong ? wrong : work_problem(&options, NULL, doc);
}

int command_bench(const cli_options *o)
{
    document *doc;
    int status = choose_several(o->subject) ? work_problems(o, &doc) : one_problem(o, &doc);
    const int unwritten = doc ? document_finish(doc, o) : 0;
    return unwritten ? unwritten : status;
}
