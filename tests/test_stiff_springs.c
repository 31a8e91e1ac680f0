/* test_stiff_springs.c - a mass on a spring so stiff that the equations, an ODE, are near to index 3:
 * r'' = -k (|r| - 1) r/|r|, on the circle where k (|r| - 1) = |r| */
#ifndef DAE_PASS
enum { K };
#include <daelab/model.h>

#include "support.h"

#include <math.h>

static void on_circle(const double *p, double *u)
{
    u[0] = u[3] = p[K] / (p[K] - 1);
    u[1] = u[2] = 0;
}

static const dae_problem circle = {
    .name = "circle", .title = "", .citation = "", .equations = "", .variables = "x y vx vy", .units = "- - - -",
    .parameters = {{"k", 1e8, "", "", DAE_POSITIVE}},
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(attract)}, .start = {on_circle}, .t_end = 10};

/* The largest error at the end, in tolerances of numbers of size 1 */
static double error_of(const char *method, double k, double rtol)
{
    double u[4], largest = 0;
    dae_system *sys;
    dae_report why = {0};
    const dae_options o = tolerance(rtol);
    assert_int_equal(0, dae_system_create(&sys, &circle, dae_find_formulation("native"), &k, NULL, &why));
    assert_int_equal(0, dae_system_start(sys, u, &why));
    solve_to(sys, method, &o, 10, u);
    const double r = k / (k - 1), exact[4] = {r * cos(10), r * sin(10), -r * sin(10), r * cos(10)};
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(u[i] - exact[i]) / (2 * rtol));
    dae_system_free(sys);
    return largest;
}

/* Errors of 1e4 steps in one direction were up to 6000 tolerances, up to the size of the motion. */
static void test_circle(void **state)
{
    const char *const methods[] = {"rodas4", "rodas5p", "cros4", "excros"};
    (void)state;
    for (int m = 0; m < 4; m++)
        for (double k = 1e4; k < 1e11; k *= 100) {
            const double error = error_of(methods[m], k, 1e-4);
            if (!(error <= 500))
                fail_msg("%s, k = %g: %g tolerances", methods[m], k, error);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void FN(attract)(const param *p, real t, const real *u, real *F)
{
    const real r = sqrt(u[0] * u[0] + u[1] * u[1]), f = -p[K] * (r - 1) / r;
    F[0] = u[2];
    F[1] = u[3];
    F[2] = f * u[0];
    F[3] = f * u[1];
}
#endif
