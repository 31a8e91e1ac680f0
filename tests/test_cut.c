/* test_cut.c - outputs that follow each other closely: each step of almost no length, which closes
 * nothing of the constraints, leaves errors, costs and multipliers as they are without it
 */
#include "support.h"

#include <math.h>

enum { OUTPUTS = 20 };

typedef struct {
    dae_statistics count;
    double u[MOST_UNKNOWNS];
    int n;                      /* unknowns but those that vanish */
} result;

/* To t_end by OUTPUTS stops, each but the last followed by one after tiny. */
static result run(const char *problem, const char *form, const char *method, double rtol,
                  double tiny)
{
    result r = {.n = 0};
    dae_solver *solver;
    dae_report why = {0};
    const dae_options o = tolerance(rtol);
    dae_system *sys = system_at_start(problem, form, 0, r.u);
    const double t_end = problem_named(problem)->t_end;
    if (dae_solver_create(&solver, sys, dae_find_method(method), &o, &why))
        fail_msg("%s: %s", method, why.message);
    dae_status status = dae_solver_start(solver, 0, r.u);
    for (int k = 1; k <= OUTPUTS && !status; k++) {
        status = dae_solver_advance(solver, t_end * k / OUTPUTS, r.u);
        if (!status && tiny > 0 && k < OUTPUTS)
            status = dae_solver_advance(solver, t_end * k / OUTPUTS + tiny, r.u);
    }
    if (status)
        fail_msg("%s %s %s: %s", problem, form, method, dae_solver_report(solver)->message);
    r.count = dae_solver_statistics(solver);
    for (int i = 0; i < dae_system_size(sys); i++)
        r.n += dae_system_class(sys, i) != DAE_AUXILIARY;
    dae_solver_free(solver);
    dae_system_free(sys);
    return r;
}

typedef struct { const char *problem, *form; } row;
static const row rows[] = {{"pendulum", "index2"}, {"pendulum", "index3"}, {"pendulum", "ggl"},
                           {"linear_dae", "native"}, {"linear_dae", "index1"}};
static const char *const methods[] = {"cros", "cros4", "excros", "rodas4", "rodas5p"};

static void test_close_outputs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const double rtol = m == 0 ? 1e-4 : m == 1 ? 1e-5 : 1e-6;
            const result good = run(rows[k].problem, rows[k].form, "radau", 1e-11, 0);
            const result plain = run(rows[k].problem, rows[k].form, methods[m], rtol, 0);
            const double error = distance(plain.u, good.u, good.n);
            for (double tiny = 1e-6; tiny > 1e-11; tiny /= 100) {
                const result r = run(rows[k].problem, rows[k].form, methods[m], rtol, tiny);
                const double apart = distance(r.u, good.u, good.n);
                const long more = r.count.steps - plain.count.steps - (OUTPUTS - 1);
                if (apart > 2 * error + 10 * rtol || 20 * more > plain.count.steps + 40)
                    fail_msg("%s %s %s, %g: error %g, %g without; %ld steps more than one each",
                             rows[k].problem, rows[k].form, methods[m], tiny, apart, error, more);
            }
        }
}

/* IDA, which is told nothing of the cut: z = -e^t/(2 - t) at stops close behind others. */
static void test_ida(void **state)
{
    (void)state;
    double u[MOST_UNKNOWNS];
    const dae_options options = tolerance(1e-6);
    for (double tiny = 1e-6; tiny > 1e-13; tiny /= 100) {
        dae_solver *solver;
        dae_system *sys = system_at_start("linear_dae", "native", 0, u);
        assert_int_equal(DAE_OK, dae_solver_create(&solver, sys, dae_find_method("ida"), &options,
                                                   NULL));
        assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
        for (int k = 1; k <= 5; k++) {
            const double t = k / 10.0 + tiny;
            assert_int_equal(DAE_OK, dae_solver_advance(solver, k / 10.0, u));
            assert_int_equal(DAE_OK, dae_solver_advance(solver, t, u));
            assert_close(u[2], -exp(t) / (2 - t), 2e-4);
        }
        dae_solver_free(solver);
        dae_system_free(sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_close_outputs),
                                       cmocka_unit_test(test_ida)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
