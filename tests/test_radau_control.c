/* test_radau_control.c - what Radau makes of a tolerance: errors that follow it, and no work at the
 * start that the error estimate does not ask for
 */
#include "support.h"

static const char *const methods[] = {"radau", "radau5", "radau9", "radau13"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- errors --------------------------------------------------------------------------------- */

/* Ends of stiff problems: published, and computed again in quad precision by two methods. Absolute
 * tolerances are those of unknowns that are as small as these. */
static const struct {
    const char *name;
    double t, atol, u[8];               /* atol: in units of rtol */
    int n;
} problems[] = {
    {"hires", 321.8122, 1e-2,
     {7.3713125733256678e-04, 1.4424857263161847e-04, 5.8887297409675750e-05,
      1.1756513432831491e-03, 2.3863561988313305e-03, 6.2389682527427958e-03,
      2.8499983951857687e-03, 2.8500016048142313e-03}, 8},
    {"robertson", 4e5, 1e-8,
     {4.938274520979816e-03, 1.984994087954375e-08, 9.950617056290793e-01}, 3},
    {"van_der_pol", 2, 1, {1.7061677321704650e+00, -8.9280970102481655e-01}, 2},
    {"oregonator", 30, 1, {1.0006614671804967e+00, 1.5127789373482504e+03,
                           1.0358543127672276e+04}, 3},
    {"akzo_nobel", 180, 1e-2, {1.1507949206617022e-01, 1.2038314715677151e-03,
                               1.6115628874079742e-01, 3.6561564212492830e-04,
                               1.7080108852644041e-02, 4.8735313103074551e-03}, 6},
    {"transistor_amplifier", 0.2, 1, {-5.5621450122622744e-03, 3.0065224719030427e+00,
                                      2.8499587886081285e+00, 2.9264225362062415e+00,
                                      2.7046178650105546e+00, 2.7618377783931441e+00,
                                      4.7709276316167722e+00, 1.2369958680915475e+00}, 8}};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* The largest error in units of rtol (|u_i| + atol_i/rtol) */
static double error_in_tolerances(int p, const char *method, double rtol)
{
    double u[MOST_UNKNOWNS], most = 0;
    dae_options options = tolerance(rtol);
    options.atol = problems[p].atol * rtol;
    dae_system *sys = system_at_start(problems[p].name, "native", 0, u);
    solve_to(sys, method, &options, problems[p].t, u);
    for (int i = 0; i < problems[p].n; i++) {
        const double right = problems[p].u[i];
        most = fmax(most, fabs(u[i] - right) / (rtol * fabs(right) + options.atol));
    }
    dae_system_free(sys);
    return most;
}

/* A single error is a matter of chance, as the last steps fall where they do: over many tolerances
 * the geometric mean is a few of them (10 allows for HIRES, whose end lies on a steep slope), and
 * none is far from it. */
TEST(test_errors)
{
    for (int p = 0; p < PROBLEMS; p++)
        for (int m = 0; m < METHODS; m++) {
            double sum = 0;
            int count = 0;
            for (double rtol = 1e-3; rtol > 0.9e-9; rtol /= sqrt(10), count++) {
                const double error = error_in_tolerances(p, methods[m], rtol);
                if (!(error <= 300))
                    fail_msg("%s, %s, rtol %.2g: the error is %.3g tolerances", problems[p].name,
                             methods[m], rtol, error);
                sum += log(fmax(error, 1e-10));
            }
            if (!(exp(sum / count) <= 10))
                fail_msg("%s, %s: errors of %.3g tolerances", problems[p].name, methods[m],
                         exp(sum / count));
        }
}

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
    dae_system *sys = system_of(record, form, p, u);
    dae_solver *solver = solver_of(sys, dae_find_method(method), &options, 0, NULL);
    *seen = (times){0};
    dae_solver_observe(solver, note, seen);
    assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
    assert_int_equal(DAE_OK, dae_solver_advance(solver, record->t_end, u));
    const dae_statistics count = dae_solver_statistics(solver);
    dae_solver_free(solver);
    dae_system_free(sys);
    return count;
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
            dae_system *sys = system_at_start(turning_stiff[p], "native", 0, u);
            const dae_statistics c =
                solve_to(sys, "radau5", &o, dae_system_problem(sys)->t_end, u);
            steps += c.steps;
            rejected += c.rejected;
            dae_system_free(sys);
        }
    if (!(1000 * rejected < 61 * steps))                /* 57; 65 without the last step's error */
        fail_msg("%ld of %ld steps undone", rejected, steps);
}
