/* ida.c - the method ida beside plain IDA programs that take the same steps
 *
 * The programs (plain_ida.h) and this library, through its public interface, get the same start, tolerances and
 * kind of linear solver, the library once with the derivatives that the problem states, once with dual numbers. A run
 * is the whole interval, from a start that IDA begins anew. Counts of steps, matrices, factorisations and failures
 * have to be the same, and the states at the end but for rounding, which may decide on one iteration of a hundred.
 * (F counts what the library evaluates of its own, beside the residuals: the start, its Jacobians, its checks.)
 */
#include "plain_ida.h"
#include "rounds.h"
#include "yardsticks.h"

#include <daelab/daelab.h>
#include <daelab/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* links 0: the pendulum. Of a chain rounding of T, which the error test leaves out, may grow from step to step until
 * it decides whether a step passes, and at 1e-10 of the pendulum; these are cases in which it does not. */
static const struct { int links; double rtol; } cases[] = {
    {0, 1e-6}, {0, 1e-8}, {0, 1e-9},
    {10, 1e-5}, {10, 1e-6}, {10, 1e-8},
    {100, 1e-4}, {100, 1e-5}, {100, 1e-6},
    {1000, 1e-4}, {1000, 1e-6}, {1000, 1e-8}};
enum { CASES = sizeof cases / sizeof *cases, PLAIN = 0, ANALYTIC = 1, DUAL = 2, SUBJECTS = 3 };
static const char *const names[SUBJECTS] = {"plain IDA", "ida, analytic", "ida, dual"};
static const double AGREEMENT = 10;     /* in tolerances, of unknowns that the error test leaves out, too */

typedef struct {
    dae_system *sys;
    dae_solver *solver[SUBJECTS];
    plain_ida *plain;
    int n;
    double t_end, rtol;
    double *start, *end[SUBJECTS];      /* [n] each, one block */
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

/* ---- preparation ---------------------------------------------------------------------------------- */

static void release(setting *s)
{
    for (int i = 0; i < SUBJECTS; i++)
        dae_solver_free(s->solver[i]);
    dae_system_free(s->sys);
    plain_ida_free(s->plain);
    free(s->start);
}

static dae_status prepare_library(setting *s, const dae_problem *problem, int links, dae_report *why)
{
    const dae_jacobian_kind kinds[SUBJECTS] = {[ANALYTIC] = DAE_JACOBIAN_ANALYTIC, [DUAL] = DAE_JACOBIAN_DUAL};
    dae_options options = dae_default_options();
    double values[DAE_PARAMETER_ENTRIES];
    for (int i = 0; i < DAE_PARAMETER_ENTRIES; i++)
        values[i] = problem->parameters[i].value;
    if (links)
        values[0] = links;
    dae_status status = dae_system_create(&s->sys, problem, dae_find_formulation("index1"), values, NULL, why);
    options.rtol = options.atol = s->rtol;
    options.linear = links ? DAE_LINEAR_KLU : DAE_LINEAR_DENSE;
    for (int i = ANALYTIC; !status && i < SUBJECTS; i++) {
        options.jacobian = kinds[i];
        status = dae_solver_create(&s->solver[i], s->sys, dae_find_method("ida"), &options, why);
    }
    return status;
}

static dae_status prepare(setting *s, int links, double rtol, dae_report *why)
{
    const dae_problem *problem = speed_problem(links ? "chain" : "pendulum");
    const plain_ida_problem by_hand = links ? plain_ida_chain(links) : plain_ida_pendulum();
    *s = (setting){.n = 2 * by_hand.positions + by_hand.multipliers, .rtol = rtol};
    if (!problem)
        return dae_fail(why, DAE_UNSUPPORTED, "no problem");
    s->t_end = problem->t_end;
    s->start = calloc((SUBJECTS + 1) * (size_t)s->n, sizeof *s->start);
    if (!s->start)
        return dae_fail(why, DAE_NO_MEMORY, "no memory for states of %d unknowns", s->n);
    for (int i = 0; i < SUBJECTS; i++)
        s->end[i] = s->start + (i + 1) * s->n;
    dae_status status = prepare_library(s, problem, links, why);
    if (!status && dae_system_size(s->sys) != s->n)
        status = dae_fail(why, DAE_UNSUPPORTED, "%d unknowns, not %d", dae_system_size(s->sys), s->n);
    if (!status)
        status = dae_system_start(s->sys, s->start, why);
    if (!status)
        status = dae_consistent_start(s->sys, 0, s->start, NULL, why);
    if (status)
        return status;
    s->plain = plain_ida_create(&by_hand, s->start, s->t_end, rtol);
    return s->plain ? DAE_OK : dae_fail(why, DAE_UNSUPPORTED, "plain IDA cannot be created");
}

/* ---- agreement ------------------------------------------------------------------------------------ */

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
    const double *a = s->end[PLAIN], *b = s->end[which];
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        const double x = fabs(a[i] - b[i]) / (s->rtol * fabs(a[i]) + s->rtol);
        most = x <= most ? most : x;
    }
    return most;
}

static int check(setting *s)
{
    int good = 1;
    for (int i = 0; i < SUBJECTS; i++)
        if (!run(&(subject){s, i})) {
            fprintf(stderr, "%s: a run failed: %s\n", names[i],
                    i == PLAIN ? "" : dae_solver_report(s->solver[i])->message);
            return 0;
        }
    for (int i = ANALYTIC; i < SUBJECTS; i++) {
        const double apart = difference(s, i);
        good &= same_counts(s, i);
        if (!(apart <= AGREEMENT)) {
            fprintf(stderr, "%s: the end differs from that of %s by %.2g tolerances\n", names[i], names[PLAIN], apart);
            good = 0;
        }
    }
    return good;
}

/* ---- the table ------------------------------------------------------------------------------------ */

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
    speed_show(SUBJECTS, subjects, times, 1, counts);
    return 1;
}

/* The slower IDA itself is, the nearer to 1 is any ratio. */
static void tell_sundials(void)
{
    const dae_sundials_build build = dae_sundials_describe();
    printf("SUNDIALS %s, %s\n", build.version,
           build.optimised > 0 ? "optimised"
           : build.optimised   ? "NOT optimised: ratios of one that is (scripts/sundials) are farther from 1"
                               : "not known whether optimised");
}

int speed_ida(int rounds)
{
    int good = 1;
    tell_sundials();
    for (int i = 0; i < CASES; i++) {
        setting s;
        dae_report why = {0};
        if (cases[i].links)
            printf("\nchain of %d links, index 1, KLU, rtol = atol = %g\n", cases[i].links, cases[i].rtol);
        else
            printf("\npendulum, index 1, dense, rtol = atol = %g\n", cases[i].rtol);
        if (prepare(&s, cases[i].links, cases[i].rtol, &why)) {
            fprintf(stderr, "%s\n", why.message);
            good = 0;
        } else {
            good &= measure(&s, rounds);
        }
        release(&s);
    }
    return good;
}
