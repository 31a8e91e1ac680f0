/* scale_point.c - one point of a scaling study, in a process of its own
 *
 * The child measures and writes the point into a pipe at the begin of each phase and at the end, so
 * that the parent knows how far it came. It ends itself by SIGALRM at the limit; the peak of its
 * resident set comes from the kernel, however it ends.
 */
#include "host/interrupt.h"
#include "study/scale.h"
#include "host/timing.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_DONE = 0, CHILD_FAILED = 3 };     /* its exit status */
enum { LEAST_RUNS = 5, STREAK = 8 };    /* steps timed between two begins of a solver */

/* Repeats end here where no more runs are asked for; a first run that lasts longer counts. */
static const double LEAST_SECONDS = 0.02, LONG_SECONDS = 2;

typedef struct {
    const study_specification *spec;
    const study *study;
    const scale_pair *pair;
    scale_point point;
    double *samples;            /* [MAX_RUNS] */
    double heap;                /* [bytes] in use before */
    int pipe;
} probe;

/* ---- memory ------------------------------------------------------------------------------- */

static double heap_bytes(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

/* Pages of this process that are in memory now: field 2 of /proc/self/statm. */
static double resident_bytes(void)
{
    double pages = NAN;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %lf", &pages) != 1)
        pages = NAN;
    if (file)
        fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* ---- the child ---------------------------------------------------------------------------- */

static void tell(probe *p, scale_phase phase)
{
    p->point.phase = phase;
    const char *bytes = (const char *)&p->point;
    for (size_t sent = 0; sent < sizeof p->point;) {
        const ssize_t count = write(p->pipe, bytes + sent, sizeof p->point - sent);
        if (count <= 0)
            _exit(CHILD_FAILED);
        sent += (size_t)count;
    }
}

static int enough(const probe *p, int runs, double total)
{
    const study_specification *o = p->spec;
    const int least = o->runs ? o->runs : LEAST_RUNS;
    const double seconds = isnan(o->seconds) ? LEAST_SECONDS : o->seconds;
    return runs == MAX_RUNS || (runs >= least && total >= seconds)
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

static dae_status repeat_solves(probe *p, dae_solver *solver, const double *u0, double *u)
{
    const study *s = p->study;
    double total = 0, first;
    int runs = 0;
    dae_status status = timed_run(solver, s->t0, u0, s->t_end, u, &first);
    p->point.count = dae_solver_statistics(solver);
    if (first >= LONG_SECONDS)
        total = p->samples[runs++] = first;
    while (!status && !enough(p, runs, total)) {
        status = timed_run(solver, s->t0, u0, s->t_end, u, &p->samples[runs]);
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
    const double held = heap_bytes() - p->heap;
    p->point.held = !status && held > 0 ? held : NAN;
    dae_solver_free(solver);
    return status;
}

/* A step that fails leaves its reason; the solve may do without. */
static void measure_step(probe *p, dae_system *sys, const double *u0, double *u)
{
    const scale_pair *pair = p->pair;
    const dae_options options = scale_options(p->study->setting, pair->method, 0, pair->step);
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
    dae_options options = scale_options(p->study->setting, pair->method, pair->adaptive,
                                        pair->adaptive ? pair->rtol : pair->step);
    run_set_atols(p->study->setting, sys, &options, list);
    tell(p, SCALE_AT_SOLVE);
    const dae_status status = with_solver(p, sys, u0, u, &options, repeat_solves, &created, report);
    p->point.setup += created;
    if (!status && !pair->info.fixed)
        mean_step(&p->point);
    return status;
}

static dae_status measure(probe *p, dae_report *report)
{
    dae_system *sys;
    dae_start_change change;
    double *u0;
    const double begin = seconds_of(CLOCK_MONOTONIC);
    dae_status status = study_system(p->study, p->pair->form, &sys, &u0, &change, report);
    if (status)
        return status;
    p->point.n = dae_system_size(sys);
    p->point.setup = seconds_of(CLOCK_MONOTONIC) - begin;
    double *u = calloc((size_t)p->point.n, sizeof *u);
    status = u ? measure_system(p, sys, u0, u, report)
               : dae_fail(report, DAE_NO_MEMORY, "no memory for a state");
    free(u);
    free(u0);
    dae_system_free(sys);
    return status;
}

static void run_child(probe *p, double limit)
{
    dae_report report = {0};
    const double whole = floor(fmin(limit, 1e9));
    const struct itimerval timer = {
        .it_value = {(time_t)whole, (suseconds_t)(1 + 999998 * (fmin(limit, 1e9) - whole))}};
    interrupt_end();
    signal(SIGALRM, SIG_DFL);
    if (setitimer(ITIMER_REAL, &timer, NULL))
        _exit(CHILD_FAILED);
    p->samples = malloc(MAX_RUNS * sizeof *p->samples);
    p->heap = heap_bytes();
    p->point.resident = resident_bytes();
    tell(p, SCALE_AT_SETUP);
    p->point.failure = p->samples ? measure(p, &report)
                                  : dae_fail(&report, DAE_NO_MEMORY, "no memory for times");
    snprintf(p->point.status, sizeof p->point.status, "%s",
             p->point.failure ? dae_status_name(p->point.failure) : "ok");
    if (p->point.failure)
        snprintf(p->point.reason, sizeof p->point.reason, "%s", report.message);
    tell(p, p->point.failure ? p->point.phase : SCALE_DONE);
    _exit(CHILD_DONE);
}

/* ---- the parent --------------------------------------------------------------------------- */

/* Into *p the last point that came whole; how many did. */
static int receive(int pipe, scale_point *p)
{
    scale_point next;
    size_t have = 0;
    int points = 0;
    for (;;) {
        const ssize_t count = read(pipe, (char *)&next + have, sizeof next - have);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return points;
        have += (size_t)count;
        if (have == sizeof next) {
            *p = next;
            points++;
            have = 0;
        }
    }
}

/* A child that did not end by itself says nothing. */
static void explain(scale_point *p, int ended, double limit)
{
    static const char *const doing[] = {"in the setup", "at the timed steps", "in the solve", ""};
    const int ok = WIFEXITED(ended) && WEXITSTATUS(ended) == CHILD_DONE;
    if (ok)
        return;
    const int late = WIFSIGNALED(ended) && WTERMSIG(ended) == SIGALRM;
    snprintf(p->status, sizeof p->status, "%s", late ? "limit" : "killed");
    if (late)
        snprintf(p->reason, sizeof p->reason, "more than %g s, %s", limit, doing[p->phase]);
    else if (WIFSIGNALED(ended))
        snprintf(p->reason, sizeof p->reason, "%s, %s", strsignal(WTERMSIG(ended)),
                 doing[p->phase]);
    else
        snprintf(p->reason, sizeof p->reason, "its process ended with status %d, %s",
                 WEXITSTATUS(ended), doing[p->phase]);
}

static void wait_for(pid_t child, int pipe, double limit, scale_point *p)
{
    struct rusage usage = {0};
    int ended = 0;
    const int points = receive(pipe, p);
    while (wait4(child, &ended, 0, &usage) < 0 && errno == EINTR)
        continue;
    explain(p, ended, limit);
    if (points && p->phase > SCALE_AT_SETUP)
        p->peak = fmax(0, 1024 * (double)usage.ru_maxrss - p->resident);
}

void scale_measure(const study_specification *spec, const study *s, const scale_pair *pair,
                   double limit, scale_point *p)
{
    const work_spread none = work_spread_of(NULL, 0);
    int ends[2] = {-1, -1};
    *p = (scale_point){.value = p->value, .step = none, .solve = none, .setup = NAN, .held = NAN,
                       .resident = NAN, .peak = NAN};
    const int piped = pipe(ends) == 0;
    const pid_t child = piped ? fork() : -1;
    if (child == 0) {
        probe inside = {.spec = spec, .study = s, .pair = pair, .point = *p,
                        .pipe = ends[1]};
        close(ends[0]);
        run_child(&inside, limit);
    }
    if (piped)
        close(ends[1]);
    if (child > 0) {
        interrupt_child(child);
        wait_for(child, ends[0], limit, p);
        interrupt_child(0);
    } else {
        snprintf(p->status, sizeof p->status, "killed");
        snprintf(p->reason, sizeof p->reason, "no process: %s", strerror(errno));
    }
    if (piped)
        close(ends[0]);
}
