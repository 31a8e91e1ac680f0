/* test_loose_tolerances.c - a run at a loose tolerance is right to a few tolerances, or fails and says so
 *
 * In index 2 the direction of a constraint may turn by much within a step that a loose tolerance allows. The stages
 * of a Rosenbrock step are linear, with the constraint as it stands at its begin, and so is its error estimate.
 * Compared with the run of a collocation method at a tolerance of 1e-9.
 */
#include "support.h"

enum { ROOM = 128 };

static const char *const methods[] = {"rodas4", "rodas5p"}, *const forms[] = {"index2", "ggl"};

/* The state of a chain of n links at t = 1; 0: the run has failed, with a sentence. */
static int chain_at_end(int n, const char *form, const char *method, double rtol, double *u)
{
    const double p[] = {n, 1, 1, 9.81};
    const dae_options options = tolerance(rtol);
    dae_report why = {0};
    OWNED(dae_system) *sys = consistent_system(problem_named("chain"), form, p, u);
    const dae_status status = try_to(sys, method, &options, 1, u, &why);
    assert_true(dae_system_size(sys) <= ROOM);
    assert_true(status == DAE_OK || why.message[0]);
    return status == DAE_OK;
}

/* The distance of n numbers over the tolerance of the largest of them */
static double tolerances(const double *u, const double *exact, int n, double rtol)
{
    double apart = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        apart = hypot(apart, u[i] - exact[i]);
        largest = fmax(largest, fabs(exact[i]));
    }
    return apart / (rtol * (largest + 1));
}

static void check_chain(int n, const char *form, const char *method, double rtol)
{
    double u[ROOM], exact[ROOM];
    assert_true(chain_at_end(n, "index1", "radau", 1e-9, exact));
    if (!chain_at_end(n, form, method, rtol, u)) {
        assert_string_equal("ggl", form);
        return;
    }
    const double q = tolerances(u, exact, 2 * n, rtol), v = tolerances(u + 2 * n, exact + 2 * n, 2 * n, rtol);
    if (!(q <= 3 && v <= (rtol < 0.5 ? 6 : 10)))        /* 0.5 asks for no digit; 5.3 of 20 links, at 0.1 */
        fail_msg("%d links, %s, %s, rtol %g: positions are off by %.3g tolerances, velocities by %.3g", n, form, method,
                 rtol, q, v);
}

TEST(test_chains)
{
    static const int links[] = {2, 3, 5, 10, 20};
    static const double rtol[] = {0.5, 0.3, 0.1, 0.03};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 16; i++)
            check_chain(links[k], forms[i % 2], methods[i / 2 % 2], rtol[i / 4]);
}

/* What a loose tolerance leaves in the stages grows in those predicted for a longer step by the fifth power of its
 * length and more: where such a prediction fails, the step does not have to be short. */
TEST(test_predictions)
{
    static const char *const problem[] = {"double_pendulum", "car_axis", "slider_crank", "chain"};
    static const char *const order[] = {"radau9", "radau13"};
    for (int p = 0; p < 4; p++)
        for (int m = 0; m < 2; m++)
            for (double rtol = 0.1; rtol > 0.009; rtol /= 10) {
                double u[MOST_UNKNOWNS];
                const dae_options options = tolerance(rtol);
                OWNED(dae_system) *sys = system_at_start(problem[p], "index3", 0, u);
                const dae_statistics count = solve_to(sys, order[m], &options, problem_named(problem[p])->t_end, u);
                if (count.steps + count.rejected > 75)
                    fail_msg("%s, %s, rtol %g: %ld steps, %ld rejected", problem[p], order[m], rtol, count.steps,
                             count.rejected);
            }
}
