/* ida.c - the method ida beside a plain IDA program (plain_ida.h) that takes the same steps, on the pendulum of index 1
 *
 * Both get the same start and tolerances, the library once with the derivatives that the problem states, once with
 * dual numbers. A run is the whole interval, from a start that IDA begins anew. Counts of steps, matrices,
 * factorisations and failures have to be the same, and the states at the end but for rounding, which may decide on one
 * iteration of a hundred. (F counts what the library evaluates of its own, beside the residuals: the start, its
 * Jacobians, its checks.)
 */
#include "plain_ida.h"
#include "rounds.h"
#include "yardsticks.h"

#include <daelab/daelab.h>
#include <daelab/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* At 1e-10 rounding of T, which the error test leaves out, decides whether a step passes. */
static const double tolerances[] = {1e-6, 1e-8, 1e-9};
static const double AGREEMENT = 10;     /* in tolerances, of T, too */
enum { PLAIN, ANALYTIC, DUAL, SUBJECTS };
static const char *const names[SUBJECTS] = {"plain IDA", "ida, analytic", "ida, dual"};

typedef struct {
    dae_system *sys;
    dae_solver *solver[SUBJECTS];
    plain_ida *plain;
    double t_end, rtol, start[PENDULUM], end[SUBJECTS][PENDULUM];
} setting;

typedef struct { setting *s; int which; } subject;

static int run(void *data)
{
    const subject *x = data;
    setting *s = x->s;
    double *u = s->end[x->which];
    if (x->which == PLAIN)
        return plain_ida_run(s->plain, u);
    dae_solver *solver = s->solver[x->which];
    return !dae_solver_start(solver, 0, s->start) && !dae_solver_advance(solver, s->t_end, u);
}

static dae_status prepare(setting *s, double rtol, dae_report *why)
{
    const dae_problem *problem = speed_problem("pendulum");
    const dae_jacobian_kind kinds[SUBJECTS] = {[ANALYTIC] = DAE_JACOBIAN_ANALYTIC, [DUAL] = DAE_JACOBIAN_DUAL};
    dae_options options = dae_default_options();
    *s = (setting){.rtol = rtol, .t_end = problem ? problem->t_end : 0};
    if (!problem)
        return dae_fail(why, DAE_UNSUPPORTED, "no problem");
    dae_status status = dae_system_create(&s->sys, problem, dae_find_formulation("index1"), NULL, NULL, why);
    if (!status && dae_system_size(s->sys) != PENDULUM)
        status = dae_fail(why, DAE_UNSUPPORTED, "%d unknowns, not %d", dae_system_size(s->sys), PENDULUM);
    options.rtol = options.atol = rtol;
    options.linear = DAE_LINEAR_DENSE;
    for (int i = ANALYTIC; !status && i < SUBJECTS; i++) {
        options.jacobian = kinds[i];
        status = dae_solver_create(&s->solver[i], s->sys, dae_find_method("ida"), &options, why);
    }
    if (!status)
        status = dae_system_start(s->sys, s->start, why);
    if (!status)
        status = dae_consistent_start(s->sys, 0, s->start, NULL, why);
    if (status)
        return status;
    s->plain = plain_ida_create(s->start, s->t_end, rtol);
    return s->plain ? DAE_OK : dae_fail(why, DAE_UNSUPPORTED, "plain IDA cannot be created");
}

static void release(setting *s)
{
    for (int i = 0; i < SUBJECTS; i++)
        dae_solver_free(s->solver[i]);
    dae_system_free(s->sys);
    plain_ida_free(s->plain);
}

static plain_ida_counts counted(const setting *s, int which)
{
    if (which == PLAIN)
        return plain_ida_counted(s->plain);
    const dae_statistics c = dae_solver_statistics(s->solver[which]);
    return (plain_ida_counts){c.steps, c.rejected, c.rhs, c.jacobians, c.factorizations, c.solves,
                              c.newton_failures};
}

static int same_counts(const setting *s, int which)
{
    const plain_ida_counts a = counted(s, PLAIN), b = counted(s, which);
    if (a.steps == b.steps && a.rejected == b.rejected && a.matrices == b.matrices
        && a.factorisations == b.factorisations && 100 * labs(a.iterations - b.iterations) <= a.iterations
        && a.newton_failures == b.newton_failures)
        return 1;
    fprintf(stderr, "%s: %ld steps, %ld undone, %ld matrices, %ld factorisations, %ld iterations, %ld failures;\n"
            "%s: %ld, %ld, %ld, %ld, %ld, %ld\n", names[PLAIN], a.steps, a.rejected, a.matrices, a.factorisations,
            a.iterations, a.newton_failures, names[which], b.steps, b.rejected, b.matrices, b.factorisations,
            b.iterations, b.newton_failures);
    return 0;
}

/* The largest difference of an unknown at the end, in tolerances */
static double difference(const setting *s, int which)
{
    double most = 0;
    for (int i = 0; i < PENDULUM; i++) {
        const double x = fabs(s->end[PLAIN][i] - s->end[which][i]) / (s->rtol * fabs(s->end[PLAIN][i]) + s->rtol);
        most = x <= most ? most : x;
    }
    return most;
}

static int check(setting *s)
{
    for (int i = 0; i < SUBJECTS; i++)
        if (!run(&(subject){s, i})) {
            fprintf(stderr, "%s: a run failed: %s\n", names[i],
                    i == PLAIN ? "" : dae_solver_report(s->solver[i])->message);
            return 0;
        }
    int good = 1;
    for (int i = ANALYTIC; i < SUBJECTS; i++) {
        const double apart = difference(s, i);
        good &= same_counts(s, i) && apart <= AGREEMENT;
        if (!(apart <= AGREEMENT))
            fprintf(stderr, "%s: the end differs from that of %s by %.2g tolerances\n", names[i], names[PLAIN], apart);
    }
    return good;
}

static int measure(setting *s, int rounds)
{
    subject data[SUBJECTS];
    speed_subject subjects[SUBJECTS];
    speed_counts counts[SUBJECTS];
    speed_time times[SUBJECTS];
    if (!check(s))
        return 0;
    for (int i = 0; i < SUBJECTS; i++) {
        const plain_ida_counts c = counted(s, i);
        data[i] = (subject){s, i};
        subjects[i] = (speed_subject){names[i], &data[i], run};
        counts[i] = (speed_counts){c.steps, c.rejected, c.residuals, c.matrices, c.factorisations};
    }
    if (!speed_rounds(SUBJECTS, subjects, rounds, times))
        return 0;
    printf("\npendulum, index 1, rtol = atol = %g\n", s->rtol);
    speed_show(SUBJECTS, subjects, times, 1, counts);
    return 1;
}

/* The slower IDA itself is, the nearer to 1 is any ratio. */
int speed_ida(int rounds)
{
    const dae_sundials_build build = dae_sundials_describe();
    int good = 1;
    printf("SUNDIALS %s, %s\n", build.version,
           build.optimised > 0 ? "optimised"
           : build.optimised   ? "NOT optimised: ratios of one that is (scripts/sundials) are farther from 1"
                               : "not known whether optimised");
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        setting s;
        dae_report why = {0};
        const int ready = !prepare(&s, tolerances[i], &why);
        if (!ready)
            fprintf(stderr, "%s\n", why.message);
        good &= ready && measure(&s, rounds);
        release(&s);
    }
    return good;
}
