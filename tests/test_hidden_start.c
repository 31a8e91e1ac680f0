/* test_hidden_start.c - unknowns of index 2 and 3 that derivatives of the constraints determine */
#include "cli.h"
#include "cli_says.h"

extern const dae_problem dae_uncharged, dae_index2_scales, dae_index3_micrometres, dae_linear_dae;

enum { MOST = 8 };

static dae_start_change settle(const dae_problem *problem, const double *given, double *u)
{
    dae_report why = {0};
    dae_start_change change;
    dae_system *sys = system_of(problem, "native", NULL, u);
    if (given)
        memcpy(u, given, (size_t)dae_system_size(sys) * sizeof *u);
    if (dae_consistent_start(sys, 0, u, &change, &why))
        fail_msg("%s: %s", problem->name, why.message);
    dae_system_free(sys);
    return change;
}

static void assert_part(double x, double expected, double relative)
{
    if (!(fabs(x - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g within %g of it", x, expected, relative);
}

/* i = C v' + v/R with v = V sin(w t) */
TEST(test_current_of_a_capacitor)
{
    static const double given[][2] = {{0, 0}, {0, 1e12}, {0, -0.0299}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        double u[MOST];
        const dae_start_change change = settle(&dae_uncharged, given[k], u);
        assert_true(u[0] == 0);
        assert_part(u[1], 0x1p-20 * 5 * 6283, 1e-13);
        assert_true(change.changed && !change.open && change.position == 0 && change.relative == 0);
    }
}

/* z' of the exact solution, -e^t/(2-t) at 0 */
TEST(test_linear)
{
    static const double given[] = {1, 1, 7};
    double u[MOST];
    settle(&dae_linear_dae, given, u);
    assert_true(u[0] == 1 && u[1] == 1);
    assert_part(u[2], -0.5, 1e-13);
}

/* With (x, y) on the circle: v loses its part along (x, y), T = (v^2 - y g)/L^2. */
TEST(test_pendulum)
{
    const double L = 2e6, g = 1.271376e14, x = L / 2, y = -L * sqrt(0.75), vx = 1e9;
    const double along = vx * y / L, given[] = {x, y, vx, 0, 0};
    double u[MOST];
    const dae_start_change change = settle(&dae_index3_micrometres, given, u);
    assert_true(u[0] == x && u[1] == y);
    assert_part(u[2], along * y / L, 1e-11);
    assert_part(u[3], -along * x / L, 1e-11);
    assert_part(u[4], (along * along - y * g) / (L * L), 1e-11);
    assert_true(change.relative > 0.1 && !change.open);
}

TEST(test_consistent_starts_stay)
{
    static const dae_problem *const problems[] = {&dae_uncharged, &dae_index2_scales, &dae_index3_micrometres,
                                                  &dae_linear_dae};
    for (int k = 0; k < 4; k++) {
        double u[MOST], before[MOST];
        dae_system *sys = system_of(problems[k], "native", NULL, before);
        const dae_start_change change = settle(problems[k], NULL, u);
        assert_memory_equal(u, before, (size_t)dae_system_size(sys) * sizeof *u);
        assert_true(!change.changed && !change.open && change.relative == 0);
        dae_system_free(sys);
    }
}

/* Without functions in quad precision it is not known, and that is said. */
TEST(test_open)
{
    dae_problem problem = dae_uncharged;
    double u[MOST] = {0};
    problem.first_order.rhs.quad = NULL;
    const dae_start_change change = settle(&problem, (const double[]){0, 0}, u);
    assert_true(change.open && u[1] == 0);
}

/* The same in a file of its own, with a current of zero at first */
TEST(test_what_is_said)
{
    static const char *const as_given[] = {"solve", "drift", "converge"};
    in_folder("sed -e 's/^#else/DAE_PLUGIN_PROBLEMS(\\&dae_uncharged);\\n#else/' -e 's/u.1. = p.*/u[1] = 0;/' '"
              DAELAB_SOURCE_DIR "/tests/unusual/uncharged.c' >u.c");
    runs("", "solve ./u.c --samples 1");
    says(cli_said.out, " 0  0.02995968\n");
    says(cli_said.out, "the start was not consistent and was moved (differential unknowns by 0.00e+00, algebraic ones "
         "by 3.00e-02)");
    runs("", "check ./u.c");
    says(cli_said.out, "i is 0.0299597 A where 0 is given");
    for (size_t k = 0; k < sizeof as_given / sizeof *as_given; k++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s ./u.c --start as-given", as_given[k]);
        cli_run("", arguments);
        says(cli_said.out, "the start is as given, and not consistent");
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
