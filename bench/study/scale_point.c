/* scale_point.c - one point of a scaling study, in a process of its own
 *
 * The heap before and after says what a solver holds; the peak of the resident set of a process that does
 * nothing else comes from the kernel. What phase a process was in when it ended, and why it would not begin, stands
 * in memory that it shares.
 */
#include "study/scale.h"

#include "host/allocate.h"
#include "run/room.h"
#include "run/run_asked.h"
#include "host/platform.h"
#include "host/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST_RUNS = 5, STREAK = 8 };    /* steps timed between two begins of a solver */

/* Repeats end here where no more runs are asked for; a first run that lasts longer counts. */
static const double LEAST_SECONDS = 0.02, LONG_SECONDS = 2;

/* What a process says to the one that waits for it. */
typedef struct {
    scale_phase phase;
    char refusal[320];          /* why it takes no memory; "" where it does */
} last_words;

typedef struct {
    const study_specification *spec;
    const study *study;
    const scale_pair *pair;
    scale_point point;
    double limit, begin;        /* [s] CPU time of the point, and when it began */
    double *samples;            /* [MAX_RUNS] */
    double heap;                /* [bytes] in use before */
    last_words *said;           /* shared with who waits for it; NULL: nobody hears */
} probe;

/* ---- the measurement ---------------------------------------------------------------------- */

static dae_options options_of(const probe *p, int adaptive, double level)
{
    const run_setting setting = scale_setting(p->study->setting, adaptive, level);
    return run_options(&setting, p->pair->method, level);
}

static void tell(probe *p, scale_phase phase)
{
    p->point.phase = phase;
    if (p->said)
        p->said->phase = phase;
}

static int is_late(const probe *p)
{
    return p->limit > 0 && seconds_of(CLOCK_THREAD_CPUTIME_ID) - p->begin > p->limit;
}

static int enough(const probe *p, int runs, double total)
{
    const study_specification *o = p->spec;
    const int least = o->runs ? o->runs : LEAST_RUNS;
    const double seconds = isnan(o->seconds) ? LEAST_SECONDS : o->seconds;
    return runs == MAX_RUNS || is_late(p) || (runs >= least && total >= seconds)
           || (runs > 0 && !o->runs && total >= fmax(LONG_SECONDS, seconds));
}

/* Steps of the solver from its start: the first one warms up, as far as more than one fit into the
 * interval; then it begins again. */
static dae_status repeat_steps(probe *p, dae_solver *solver, const double *u0, double *u)
{
    const study *s = p->study;
    const double h = p->pair->step, fits = floor((s->t_end - s->t0) / h + 1e-9);
    const int streak = fits < 2 ? 0 : (int)fmin(fits - 1, STREAK);
    double total = 0;
    int runs = 0;
    dae_status status = DAE_OK;
    for (int pass = 0; !status && !enough(p, runs, total); pass++) {
        status = dae_solver_start(solver, s->t0, u0);
        for (int k = 0; !status && k <= streak && !enough(p, runs, total); k++) {
            const double begin = seconds_of(CLOCK_MONOTONIC);
            status = dae_solver_advance(solver, s->t0 + (k + 1) * h, u);
            p->samples[runs] = seconds_of(CLOCK_MONOTONIC) - begin;
            if (k > 0 || (streak == 0 && pass > 0))
                total += p->samples[runs++];
        }
    }
    p->point.step_runs = runs;
    if (!status)
        p->point.step = work_spread_of(p->samples, runs);
    return status;
}

/* How far the first solve is, which warms up. */
static int tell_time(void *context, double t, const double *u)
{
    const probe *p = context;
    (void)u;
    front_part(&p->spec->run.front, (t - p->study->t0) / (p->study->t_end - p->study->t0));
    return 0;
}

static dae_status repeat_solves(probe *p, dae_solver *solver, const double *u0, double *u)
{
    const study *s = p->study;
    double total = 0, first;
    int runs = 0;
    dae_solver_observe(solver, tell_time, p);
    dae_status status = timed_run(solver, NULL, NULL, s->t0, u0, s->t_end, u, &first);
    dae_solver_observe(solver, NULL, NULL);
    p->point.count = dae_solver_statistics(solver);
    if (first >= LONG_SECONDS)
        total = p->samples[runs++] = first;
    while (!status && !enough(p, runs, total)) {
        status = timed_run(solver, NULL, NULL, s->t0, u0, s->t_end, u, &p->samples[runs]);
        total += p->samples[runs++];
    }
    p->point.solve_runs = runs;
    if (!status)
        p->point.solve = work_spread_of(p->samples, runs);
    return status;
}

/* Where no fixed step can be timed: a solve, by its steps. */
static void mean_step(scale_point *p)
{
    const double steps = p->count.steps > 0 ? (double)p->count.steps : NAN;
    const work_spread *w = &p->solve;
    p->step = (work_spread){w->median / steps, w->lower / steps, w->upper / steps,
                            w->smallest / steps, w->largest / steps};
    p->step_runs = p->solve_runs;
}

typedef dae_status repeat_function(probe *p, dae_solver *solver, const double *u0, double *u);

/* Create a solver and repeat what it is for; *created [s]. */
static dae_status with_solver(probe *p, dae_system *sys, const double *u0, double *u,
                              const dae_options *options, repeat_function *repeat,
                              double *created, dae_report *report)
{
    dae_solver *solver = NULL;
    const double begin = seconds_of(CLOCK_MONOTONIC);
    dae_status status = dae_solver_create(&solver, sys, p->pair->method, options, report);
    *created = seconds_of(CLOCK_MONOTONIC) - begin;
    if (status)
        return status;
    p->point.jacobian = dae_solver_jacobian(solver);
    p->point.linear = dae_solver_linear(solver);
    status = repeat(p, solver, u0, u);
    if (status)
        *report = *dae_solver_report(solver);
    const double held = platform_heap() - p->heap;
    p->point.held = !status && held > 0 ? held : NAN;
    dae_solver_free(solver);
    return status;
}

/* A step that fails leaves its reason; the solve may do without. */
static void measure_step(probe *p, dae_system *sys, const double *u0, double *u)
{
    const dae_options options = options_of(p, 0, p->pair->step);
    dae_report report = {0};
    double created;
    tell(p, SCALE_AT_STEP);
    if (with_solver(p, sys, u0, u, &options, repeat_steps, &created, &report))
        snprintf(p->point.reason, sizeof p->point.reason, "no time of a step: %.280s",
                 report.message);
    p->point.held = NAN;                                /* that of a solve is reported */
}

static dae_status measure_system(probe *p, dae_system *sys, const double *u0, double *u,
                                 dae_report *report)
{
    const scale_pair *pair = p->pair;
    double created;
    if (pair->info.fixed)
        measure_step(p, sys, u0, u);
    dae_atol list[MAX_ATOLS];
    dae_options options = options_of(p, pair->adaptive, scale_level(pair));
    run_set_atols(p->study->setting, sys, &options, list);
    tell(p, SCALE_AT_SOLVE);
    const dae_status status = with_solver(p, sys, u0, u, &options, repeat_solves, &created, report);
    p->point.setup += created;
    if (!status && !pair->info.fixed)
        mean_step(&p->point);
    return status;
}

/* By the options of the solve: no less memory than those of the step. */
static dae_status look_for_room(probe *p, dae_report *report)
{
    const scale_pair *pair = p->pair;
    char what[96];
    const dae_options options = options_of(p, pair->adaptive, scale_level(pair));
    const room_need need = room_needed(p->study, pair->form, pair->method, &options);
    const memory_room room = memory_left();
    snprintf(what, sizeof what, "%s by %s", dae_formulation_describe(pair->form).name, pair->info.name);
    const dae_status status = room_suffices(&need, &room, what, report);
    if (status && p->said)
        snprintf(p->said->refusal, sizeof p->said->refusal, "%s", report->message);
    return status;
}

static dae_status measure(probe *p, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    double *u0;
    dae_status status = look_for_room(p, report);
    if (status)
        return status;
    const double begin = seconds_of(CLOCK_MONOTONIC);
    status = study_system(p->study, p->pair->form, &sys, &u0, &change, report);
    if (status)
        return status;
    p->point.n = dae_system_size(sys);
    p->point.setup = seconds_of(CLOCK_MONOTONIC) - begin;
    double *u = allocate((size_t)p->point.n, sizeof *u);
    status = measure_system(p, sys, u0, u, report);
    free(u);
    free(u0);
    dae_system_free(sys);
    return status;
}

static const char *const doing[] = {"in the setup", "at the timed steps", "in the solve", "at the end"};

/* Late between two runs, or before the first one was over. */
static void set_late(probe *p)
{
    p->point.outcome = RUN_LIMIT_TIME;
    snprintf(p->point.reason, sizeof p->point.reason, "more than %g s, %s", p->limit, doing[p->point.phase]);
}

/* All of p->point. */
static void measure_point(probe *p)
{
    dae_report report = {0};
    const double before = platform_resident_peak();
    p->begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    p->samples = allocate(MAX_RUNS, sizeof *p->samples);
    p->heap = platform_heap();
    p->point.resident = platform_resident();
    tell(p, SCALE_AT_SETUP);
    p->point.failure = measure(p, &report);
    free(p->samples);
    if (p->point.outcome == RUN_BY_ITSELF)
        p->point.outcome = run_outcome_of(&p->spec->run, p->point.failure);
    if (p->point.failure)
        snprintf(p->point.reason, sizeof p->point.reason, "%s", report.message);
    else if (is_late(p))
        set_late(p);
    else
        tell(p, SCALE_DONE);
    const double after = platform_resident_peak();
    if (p->point.phase > SCALE_AT_SETUP && (p->study->setting->runner || after > before))
        p->point.peak = fmax(0, after - p->point.resident);     /* of a process that did nothing else */
}

/* ---- by the runner ------------------------------------------------------------------------ */

#define DOUBLE(member) FIELD_AT(scale_point, member, FIELD_DOUBLE)
#define INT(member) FIELD_AT(scale_point, member, FIELD_INT)
#define SPREAD(member) DOUBLE(member.median), DOUBLE(member.lower), DOUBLE(member.upper), \
                       DOUBLE(member.smallest), DOUBLE(member.largest)

const field_place scale_point_fields[] = {
    DOUBLE(value), INT(outcome), FIELD_ARRAY(scale_point, reason, FIELD_TEXT), INT(failure), INT(phase), INT(n),
    INT(jacobian), INT(linear), SPREAD(step), SPREAD(solve), INT(step_runs), INT(solve_runs), DOUBLE(setup),
#define DAE_STATISTIC(type, name, kind, title, meaning) FIELD_COUNT(scale_point, name, type)
#include <daelab/statistics.def>
#undef DAE_STATISTIC
    DOUBLE(held), DOUBLE(resident), DOUBLE(peak),
    {NULL, FIELD_END, 0, 0}};

static json_t *compute(void *context)
{
    probe *p = context;
    front_run(&p->spec->run.front, dae_formulation_describe(p->pair->form).name, p->pair->info.name, p->point.value);
    measure_point(p);
    if (p->point.failure == DAE_NO_MEMORY)
        allocate_end();
    json_t *answer = field_write(scale_point_fields, &p->point);
    if (p->point.outcome == RUN_LIMIT_TIME)
        json_object_set_new(answer, "stopped_at", field_number(p->limit));
    return answer;
}

static json_t *point_cell(const study_specification *o, const study *s, const scale_pair *pair)
{
    json_t *cell = pair_cell(s, "size", pair->form, pair->method);
    json_object_set_new(cell, "adaptive", json_integer(pair->adaptive));
    json_object_set_new(cell, "step", field_number(pair->step));
    json_object_set_new(cell, "rtol", field_number(pair->rtol));
    json_object_set_new(cell, "repeats", json_pack("[i, o]", o->runs, field_number(o->seconds)));
    return cell;
}

/* Its process has ended; how far it had come is known where it was one of this machine's, today. */
static void explain(scale_point *p, const runner_reply *reply, const last_words *said)
{
    run_result ended = {.status = DAE_OK};
    const int computed = said && said->phase != SCALE_DONE;
    run_was_ended(&ended, reply);
    p->outcome = ended.outcome;
    p->failure = ended.outcome ? DAE_OK : ended.status;
    p->phase = said ? said->phase : SCALE_DONE;
    snprintf(p->reason, sizeof p->reason, "%.280s%s%s", ended.message, computed ? ", " : "",
             computed ? doing[p->phase] : "");
    if (said && *said->refusal)
        snprintf(p->reason, sizeof p->reason, "%s", said->refusal);
}

void scale_measure(const study_specification *spec, const study *s, const scale_pair *pair,
                   double limit, scale_point *p)
{
    const work_spread none = work_spread_of(NULL, 0);
    probe inside = {.spec = spec, .study = s, .pair = pair, .limit = limit,
                    .point = {.value = p->value, .step = none, .solve = none, .setup = NAN, .held = NAN,
                              .resident = NAN, .peak = NAN}};
    study with_limit = *s;
    char words[FRONT_RUN];
    last_words *said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    inside.said = said == MAP_FAILED ? NULL : said;
    if (inside.said)
        said->phase = SCALE_DONE;
    with_limit.limit = limit;
    front_run_words(dae_formulation_describe(pair->form).name, pair->info.name, p->value, words);
    const runner_reply reply = ask_within(&with_limit, point_cell(spec, s, pair), 1, (runner_question){
        .limits.seconds = limit, .timed = 1, .compute = compute, .context = &inside, .what = words, .work = 1});
    *p = inside.point;
    if (reply.end == RUNNER_ANSWERED)
        field_read(scale_point_fields, reply.answer, p);
    else
        explain(p, &reply, inside.said);
    json_decref(reply.answer);
    if (inside.said)
        munmap(said, sizeof *said);
}
