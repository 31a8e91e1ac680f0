#include "run.h"

#include "cache.h"
#include "pace.h"
#include "timing.h"
#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report)
{
    const cli_options *o = s->options;
    *u = NULL;
    *change = (dae_start_change){0};
    dae_status status =
        dae_system_create(sys, o->problem, form, o->parameters, &o->baumgarte, report);
    if (status)
        return status;
    *u = calloc((size_t)dae_system_size(*sys), sizeof **u);
    if (!*u)
        status = dae_fail(report, DAE_NO_MEMORY, "no memory for a state");
    if (!status)
        status = dae_system_start(*sys, *u, report);
    const int minimal = dae_formulation_describe(form).index == 0;      /* says what it has moved */
    if (!status && (minimal || !o->as_given))
        status = dae_consistent_start(*sys, s->t0, *u, change, report);
    if (status) {
        free(*u);
        dae_system_free(*sys);
        *u = NULL;
        *sys = NULL;
    }
    return status;
}

int study_adaptive(const study *s, const dae_method *method)
{
    return usage_chooses_steps(s->options, method);
}

double study_level(const study *s, const dae_method *method)
{
    const cli_options *o = s->options;
    if (study_adaptive(s, method))
        return isnan(o->rtol) ? 1e-6 : o->rtol;
    const dae_method_info info = dae_method_describe(method);
    const int high = info.order[1][DAE_VELOCITY] > 4;   /* fewer steps, or there is rounding only */
    return isnan(o->step) ? (s->t_end - s->t0) / (high ? 40 : 400) : o->step;
}

dae_options study_options(const study *s, const dae_method *method, double level)
{
    dae_options options = dae_default_options();
    if (study_adaptive(s, method)) {
        options.rtol = level;
        options.atol = isnan(s->options->atol) ? level : s->options->atol;
    } else {
        options.step = level;
    }
    if (s->options->max_events)
        options.max_events = s->options->max_events;
    if (!isnan(s->options->accumulation))
        options.accumulation = s->options->accumulation;
    options.error_test = s->options->error_test;
    options.project = s->options->project;
    options.jacobian = s->options->jacobian;
    options.linear = s->options->linear;
    return options;
}

static double sample_time(const study *s, int k)
{
    return k == RUN_SAMPLES ? s->t_end : s->t0 + k * (s->t_end - s->t0) / RUN_SAMPLES;
}

/* The reference on the path, for all studies the same; that at t_end is its last row. */
static int refer(study *s, dae_system *sys, const double *u0, dae_report *why)
{
    dae_reference *r = &s->path;
    double times[RUN_SAMPLES];
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = sample_time(s, k + 1);
    if (dae_cached_reference(r, sys, s->t0, u0, times, RUN_SAMPLES, &s->from_cache, why) != DAE_OK)
        return 0;
    s->reference = *r;
    s->reference.q += (RUN_SAMPLES - 1) * r->nq;
    if (r->v)
        s->reference.v += (RUN_SAMPLES - 1) * r->nq;
    if (r->lambda)
        s->reference.lambda += (RUN_SAMPLES - 1) * r->nl;
    return 1;
}

/* A start that was moved so far is hardly the one that was meant. */
static void warn(const dae_start_change *change, const cli_options *o)
{
    static const double FAR = 0.1;
    if (!o->quiet && change->relative > FAR)
        fprintf(stderr, "daelab: warning: the start was not consistent, and the nearest consistent "
                "state is far from it: %.2e, which is more than %g of the size of the motion\n",
                change->position, FAR);
}

/* The problem's start in its first formulation: bad parameters and a start that cannot be made
 * consistent end the study here. From it, the reference where it is wanted. */
static dae_status try_start(study *s, reference_kind wanted, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    dae_report why = {0};
    double *u;
    int i = 0;
    while (!dae_formulation_applies(dae_formulation_at(i), s->options->problem))
        i++;
    const dae_status status = study_system(s, dae_formulation_at(i), &sys, &u, &change, report);
    if (status)
        return status;
    warn(&change, s->options);
    if (wanted != REFERENCE_NONE) {
        progress p = progress_begin(1, s->options->quiet);
        progress_run(&p, "reference", "in quad precision to t =", s->t_end);
        progress_now(&p);
        s->referenced = refer(s, sys, u, &why);
        s->sampled = s->referenced && wanted == REFERENCE_ON_PATH;
        s->pace = wanted == REFERENCE_ON_PATH ? study_pace(s) : 0;
        progress_end(&p);
    }
    snprintf(s->why_not, sizeof s->why_not, "%s", why.message);
    free(u);
    dae_system_free(sys);
    if (!s->referenced && why.status == DAE_NO_MEMORY) {
        *report = why;
        return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

/* As typed: a number in other digits may be another number. */
static const char *typed(const cli_options *o, option_id id)
{
    return o->given[id] ? o->given[id] : "";
}

int study_check(const cli_options *o)
{
    const double t0 = o->problem->t0, t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end;
    if (!(t_end > t0))
        return cli_error(EXIT_USAGE, "--t-end %s: it must lie after the start, t = %g",
                         typed(o, O_T_END), t0);
    if (!isfinite(t_end - t0))
        return cli_error(EXIT_USAGE, "--t-end %s: the interval from %g on is too long for a number",
                         typed(o, O_T_END), t0);
    if (o->step > t_end - t0)
        return cli_error(EXIT_USAGE, "--step %s is larger than the interval from %g to %g",
                         typed(o, O_STEP), t0, t_end);
    if (o->rtol >= 1)
        return cli_error(EXIT_USAGE, "--rtol %s must be below 1", typed(o, O_RTOL));
    return 0;
}

int study_begin(study *s, const cli_options *o, reference_kind wanted)
{
    dae_report report = {0};
    *s = (study){.options = o, .t0 = o->problem->t0,
                 .t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end};
    const int wrong = study_check(o);
    if (wrong)
        return wrong;
    const dae_status status = try_start(s, wanted, &report);
    return status ? cli_error(cli_exit_status(status), "%s", report.message) : 0;
}

void study_end(study *s)
{
    if (s->referenced)
        dae_reference_free(&s->path);
}

/* Keep the end state by class; values[c] is allocated here. */
static int keep(run_result *r, dae_class c, const double *x, int count)
{
    if (count == 0)
        return 1;
    r->values[c] = malloc((size_t)count * sizeof *x);
    if (!r->values[c])
        return 0;
    memcpy(r->values[c], x, (size_t)count * sizeof *x);
    r->length[c] = count;
    return 1;
}

static int keep_mechanical(run_result *r, dae_system *sys, double t, const double *u)
{
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    double *q = malloc((3 * (size_t)nq + 2 * (size_t)nl + 1) * sizeof *q);
    if (!q)
        return 0;
    double *v = q + nq, *a = v + nq, *lambda = a + nq, *recovered = lambda + nl;
    int good = dae_system_split(sys, t, u, q, v, lambda) == DAE_OK;
    good = good && keep(r, DAE_POSITION, q, nq) && keep(r, DAE_VELOCITY, v, nq);
    if (good && dae_system_class(sys, dae_system_size(sys) - 1) != DAE_VELOCITY)
        good = keep(r, DAE_MULTIPLIER, lambda, nl);     /* minimal coordinates have no raw one */
    if (good && dae_system_accelerate(sys, t, q, v, a, recovered) == DAE_OK)
        good = keep(r, DAE_RECOVERED, recovered, nl);
    free(q);
    return good;
}

static int keep_first_order(run_result *r, dae_system *sys, const double *u)
{
    const int n = dae_system_size(sys);
    double *x = malloc((size_t)n * sizeof *x);
    int good = x != NULL;
    for (dae_class c = DAE_DIFFERENTIAL; good && c <= DAE_ALGEBRAIC; c++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (dae_system_class(sys, i) == c)
                x[count++] = u[i];
        good = keep(r, c, x, count);
    }
    free(x);
    return good;
}

static int keep_end(run_result *r, dae_system *sys, double t, const double *u)
{
    return dae_system_positions(sys) ? keep_mechanical(r, sys, t, u) : keep_first_order(r, sys, u);
}

/* error[c] := max |x - x_ref|; scale[c] := max |x_ref|; mixed by absolute = atol/rtol */
static void compare(run_result *r, dae_class c, const dae_quad *reference, double absolute)
{
    if (!r->values[c])
        return;
    r->error[c] = r->scale[c] = r->relative[c] = r->mixed[c] = 0;
    for (int i = 0; i < r->length[c]; i++) {
        const double error = fabs((double)((dae_quad)r->values[c][i] - reference[i]));
        const double scale = fabs((double)reference[i]);
        r->error[c] = fmax(r->error[c], error);
        r->scale[c] = fmax(r->scale[c], scale);
        if (scale > 0)
            r->relative[c] = fmax(r->relative[c], error / scale);
        r->mixed[c] = fmax(r->mixed[c], error / (absolute + scale));
    }
}

/* Against row number k of a reference. */
static void measure(const study *s, const dae_reference *reference, int k, run_result *r,
                    dae_system *sys)
{
    const double absolute =
        isnan(r->rtol) || isnan(s->options->atol) ? 1 : s->options->atol / r->rtol;
    const dae_quad *q = reference->q + k * reference->nq;
    if (dae_system_positions(sys)) {
        const dae_quad *lambda = reference->lambda + k * reference->nl;
        compare(r, DAE_POSITION, q, absolute);
        compare(r, DAE_VELOCITY, reference->v + k * reference->nq, absolute);
        compare(r, DAE_MULTIPLIER, lambda, absolute);
        compare(r, DAE_RECOVERED, lambda, absolute);
        return;
    }
    for (dae_class c = DAE_DIFFERENTIAL; c <= DAE_ALGEBRAIC; c++) {
        dae_quad *x = malloc((size_t)dae_system_size(sys) * sizeof *x);
        int count = 0;
        for (int i = 0; x && i < dae_system_size(sys); i++)
            if (dae_system_class(sys, i) == c)
                x[count++] = q[i];
        if (x)
            compare(r, c, x, absolute);
        free(x);
    }
}

static void clear_errors(run_result *r)
{
    for (int c = 0; c < DAE_CLASSES; c++)
        r->error[c] = r->scale[c] = r->relative[c] = r->mixed[c] = r->path[c] = NAN;
}

/* path[c]^2 += error[c]^2/RUN_SAMPLES at sample k */
static int add_sample(const study *s, int k, dae_system *sys, const double *u, run_result *r)
{
    run_result here = {.rtol = NAN};
    clear_errors(&here);
    const int good = keep_end(&here, sys, sample_time(s, k), u);
    if (good)
        measure(s, &s->path, k - 1, &here, sys);
    for (int c = 0; c < DAE_CLASSES; c++) {
        r->path[c] = hypot(k == 1 ? 0 : r->path[c], here.error[c] / sqrt(RUN_SAMPLES));
        r->path_scale[c] = fmax(r->path_scale[c], here.scale[c]);
    }
    run_free(&here);
    return good;
}

/* Once more, with a stop at each sample: there steps must end, or the multipliers would see a
 * shorter one. */
static dae_status sample(const study *s, dae_solver *solver, dae_system *sys, const double *u0,
                         double *u, run_result *r)
{
    if (!s->sampled || isnan(r->step) || r->count.steps % RUN_SAMPLES)
        return DAE_OK;
    memcpy(u, u0, (size_t)dae_system_size(sys) * sizeof *u);
    dae_status status = dae_solver_start(solver, s->t0, u);
    for (int k = 1; !status && k <= RUN_SAMPLES; k++) {
        status = dae_solver_advance(solver, sample_time(s, k), u);
        if (!status && !add_sample(s, k, sys, u, r))
            status = DAE_NO_MEMORY;
    }
    return status;
}

static dae_status advance(const study *s, dae_solver *solver, double *u, run_result *r)
{
    dae_status status = dae_solver_start(solver, s->t0, u);
    const double begin = seconds_of(CLOCK_MONOTONIC);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    r->seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    r->t_reached = dae_solver_time(solver);
    r->count = dae_solver_statistics(solver);
    if (status)
        snprintf(r->message, sizeof r->message, "%s", dae_solver_report(solver)->message);
    return status;
}

static void tick(void *context, double fraction)
{
    progress_part(context, fraction);
}

/* The same run once more, watched. */
static void watch(const study *s, dae_solver *solver, dae_system *sys, const double *u0, double *u,
                  monitor *m, run_result *r)
{
    memcpy(u, u0, (size_t)dae_system_size(sys) * sizeof *u);
    if (!monitor_begin(m, sys, s->t0, s->t_end, u0)) {
        r->status = DAE_NO_MEMORY;
        return;
    }
    if (s->progress) {
        m->tick = tick;
        m->tick_context = s->progress;
    }
    m->solver = solver;
    dae_solver_observe(solver, monitor_observe, m);
    dae_status status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    if (m->failed || status == DAE_NO_MEMORY)
        r->status = DAE_NO_MEMORY;
    memcpy(r->drift, m->largest, sizeof r->drift);
    r->energy = m->largest[DRIFT_ENERGY];
    r->invariant = m->largest[DRIFT_INVARIANT];
}

static void run_system(const study *s, const dae_method *method, double level, dae_system *sys,
                       double *u, monitor *m, run_result *r)
{
    const dae_options options = study_options(s, method, level);
    const size_t n = (size_t)dae_system_size(sys);
    dae_report report = {0};
    dae_solver *solver = NULL;
    double *u0 = malloc(n * sizeof *u0);
    r->status = u0 ? dae_solver_create(&solver, sys, method, &options, &report) : DAE_NO_MEMORY;
    snprintf(r->message, sizeof r->message, "%s", report.message);
    if (!r->status) {
        r->jacobian = dae_solver_jacobian(solver);
        r->linear = dae_solver_linear(solver);
        memcpy(u0, u, n * sizeof *u0);
        r->status = advance(s, solver, u, r);
        if (!r->status && !keep_end(r, sys, s->t_end, u))
            r->status = DAE_NO_MEMORY;
        if (!r->status && s->referenced)
            measure(s, &s->reference, 0, r, sys);
        if (!r->status && s->again)
            r->status = s->again(s->again_context, solver, (int)n, u0, u, r);
        if (!r->status)
            r->status = sample(s, solver, sys, u0, u, r);
        if (m)
            watch(s, solver, sys, u0, u, m, r);
    }
    dae_solver_free(solver);
    free(u0);
}

run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m)
{
    const int adaptive = study_adaptive(s, method);
    run_result r = {.step = adaptive ? NAN : level, .rtol = adaptive ? level : NAN,
                    .t_reached = s->t0, .energy = NAN, .invariant = NAN,
                    .seconds = NAN};
    dae_report report = {0};
    dae_system *sys;
    double *u;
    clear_errors(&r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        r.drift[k] = NAN;
    if (s->progress)
        progress_run(s->progress, dae_formulation_describe(form).name,
                     dae_method_describe(method).name, level);
    r.status = study_system(s, form, &sys, &u, &r.start, &report);
    if (r.status) {
        snprintf(r.message, sizeof r.message, "%s", report.message);
        return r;
    }
    run_system(s, method, level, sys, u, m, &r);
    free(u);
    dae_system_free(sys);
    return r;
}

void run_free(run_result *r)
{
    for (int c = 0; c < DAE_CLASSES; c++)
        free(r->values[c]);
    memset(r->values, 0, sizeof r->values);
}

void run_count(run_tally *tally, dae_status status, const char *reason)
{
    tally->runs++;
    if (status == DAE_UNSUPPORTED && !tally->unsupported++)
        tally->absent = reason;
    tally->memory |= status == DAE_NO_MEMORY;
    if (status && status != DAE_UNSUPPORTED && !tally->failed++)
        tally->first = *reason ? reason : dae_status_sentence(status);
}

int run_tally_status(const run_tally *tally)
{
    if (tally->unsupported == tally->runs)
        return cli_error(EXIT_USAGE, "%s", tally->absent);
    if (!tally->failed)
        return EXIT_DONE;
    return cli_error(tally->memory ? EXIT_SYSTEM : EXIT_NUMERICAL, "%d of %d runs failed%s: %s",
                     tally->failed, tally->runs, tally->failed > 1 ? ", the first" : "",
                     tally->first);
}
