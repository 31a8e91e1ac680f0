/* test_radau_control.c - what Radau makes of a tolerance: no work at the start that the error estimate does not ask for
 * (errors that follow it: test_literature.c)
 */
#include "support.h"

static const char *const methods[] = {"radau", "radau5", "radau9", "radau13"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- the start ------------------------------------------------------------------------------ */

enum { MOST_STEPS = 400, MANY_UNKNOWNS = 256 };
typedef struct { int steps; double t[MOST_STEPS + 1]; } times;

static int note(void *context, double t, const double *u)
{
    times *seen = context;
    if (seen->steps < MOST_STEPS)
        seen->t[++seen->steps] = t;
    return 0;
}

static dae_statistics watched(const char *problem, const char *form, double links,
                              const char *method, double rtol, times *seen)
{
    double u[MANY_UNKNOWNS];
    const dae_options options = tolerance(rtol);
    const dae_problem *record = problem_named(problem);
    double p[MOST_PARAMETERS];
    for (int k = 0; k < MOST_PARAMETERS && record->parameters[k].name; k++)
        p[k] = links > 0 && strcmp(record->parameters[k].name, "N") == 0
                   ? links : dae_parameter_default(record, k);
    OWNED(dae_system) *sys = system_of(record, form, p, u);
    OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    *seen = (times){0};
    dae_solver_observe(solver, note, seen);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, record->t_end, u));
    return dae_solver_statistics(solver);
}

/* From rest one short step, whose error estimate tells how long the next may be; a failure of
 * Newton's iteration costs another two. */
TEST(test_short_steps)
{
    for (int m = 0; m < METHODS; m++)
        for (double rtol = 1e-4; rtol > 0.9e-10; rtol /= 10) {
            times seen;
            int first = 0;
            const dae_statistics count =
                watched("pendulum", "index1", 0, methods[m], rtol, &seen);
            double longest = 0;
            for (int k = 1; k <= 4; k++)
                longest = fmax(longest, seen.t[k] - seen.t[k - 1]);
            while (seen.t[first + 1] - seen.t[first] < longest / 4)
                first++;
            if (first > 1 + 2 * count.newton_failures)
                fail_msg("%s, rtol %.2g: %d short steps", methods[m], rtol, first);
        }
}

/* A first step that was too long for Newton's iteration says nothing of the order: more stages need
 * far fewer steps. */
TEST(test_order_of_first_step)
{
    long few = 0, many = 0;
    for (double rtol = 1e-5; rtol > 0.9e-6; rtol /= sqrt(10)) {
        times seen;
        few += watched("chain", "index1", 40, "radau", rtol, &seen).steps;
        many += watched("chain", "index1", 40, "radau5", rtol, &seen).steps;
    }
    if (5 * few > 2 * many)
        fail_msg("%ld steps with 5 stages, %ld with 3", few, many);
}

/* ---- rejected steps --------------------------------------------------------------------------- */

/* Steps that Radau undoes: the size of the next one follows how the error has
 * changed from step to step, so that few are tried in vain where a solution turns stiff
 *
 * Gustafsson (1994), ACM Trans. Math. Softw. 20, 496-517; Hairer, Wanner (1996), Solving Ordinary
 * Differential Equations II, IV.8.
 */

TEST(test_rejected)
{
    static const char *const turning_stiff[] = {"hires", "oregonator", "van_der_pol", "robertson"};
    long steps = 0, rejected = 0;
    for (int p = 0; p < 4; p++)
        for (double rtol = 1e-3; rtol > 1e-8; rtol /= 3) {
            double u[MOST_UNKNOWNS];
            dae_options o = tolerance(rtol);
            o.atol = 1e-3 * rtol;
            OWNED(dae_system) *sys = system_at_start(turning_stiff[p], "native", 0, u);
            const dae_statistics c =
                solve_to(sys, "radau5", &o, dae_system_problem(sys)->t_end, u);
            steps += c.steps;
            rejected += c.rejected;
        }
    if (!(1000 * rejected < 61 * steps))                /* 57; 65 without the last step's error */
        fail_msg("%ld of %ld steps undone", rejected, steps);
}
