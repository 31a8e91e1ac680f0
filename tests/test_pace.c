/* test_pace.c - the unit of time changes no step: weights of index 2 and 3, and first steps */
#ifndef DAE_PASS
enum { UNIT };
#include <daelab/model.h>

#include "support.h"

static void start(const double *p, double *u)
{
    u[0] = u[1] = 1;
    u[2] = -0.5;
}

/* As linear_dae (Ascher, Petzold (1998)), alpha = 2; x = e^t, z = -e^t/(2 - t), t in a unit of its
 * own. */
static const dae_problem linear = {
    .name = "linear", .title = "", .citation = "", .equations = "", .variables = "x1 x2 z",
    .units = "- - -", .parameters = {{"unit", 1, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(rhs)},
    .start = {start}, .t_end = 0.5};

/* Two accelerations of a body that must stay where it is: nothing changes but the force. */
static void at_rest(const double *p, double *u)
{
    u[0] = u[1] = 0;
}
static const dae_problem held = {
    .name = "held", .title = "", .citation = "", .equations = "", .variables = "y z",
    .units = "- -",
    .parameters = {{"unit", 1, "", "", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .index = 2, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(hold)},
    .start = {at_rest}, .t_end = 3};

/* p until its t_end, by method, in a unit of time that is smaller by 2^k */
static dae_statistics run(const dae_problem *p, const char *method, int k, double *u)
{
    dae_problem scaled = *p;
    const double unit = ldexp(1, k);
    scaled.t_end = unit * p->t_end;
    OWNED(dae_system) *sys = system_of(&scaled, "native", &unit, u);
    const dae_options o = tolerance(strcmp(method, "cros") == 0 ? 1e-4 : 1e-6);
    return solve_to(sys, method, &o, scaled.t_end, u);
}

static const char *const methods[] = {"cros", "cros4", "excros", "rodas4", "rodas5p",
                                      "radau5", "radau", "ida"};
enum { METHODS = sizeof methods / sizeof *methods };

TEST(test_unit_of_time)
{
    for (int m = 0; m < METHODS; m++) {
        double u[3], v[3];
        const dae_statistics count = run(&linear, methods[m], 0, u);
        for (int k = -30; k <= 20; k += 50) {
            const dae_statistics other = run(&linear, methods[m], k, v);
            assert_close(distance(u, v, 3), 0, 1e-8);   /* M - h J has other pivots */
            if (other.steps != count.steps || other.rejected != count.rejected)
                fail_msg("%s: %ld steps, with t 2^%d times larger %ld", methods[m], count.steps, k,
                         other.steps);
        }
    }
}

/* y = 0, z = sin t: the error of z is seen though y does not change. */
TEST(test_held)
{
    for (int m = 0; m < METHODS; m++) {
        double u[2];
        run(&held, methods[m], 0, u);
        if (!(fabs(u[1] - sin(3)) < 1e-2))
            fail_msg("%s: z = %g", methods[m], u[1]);
    }
}

/* The multipliers of the slider-crank pass 0 in its turns, where what they are wrong by moves
 * nothing: with rodas4 at 1e-5 that took 3266 steps, for (q, v) off by 48 tolerances. */
TEST(test_passing_zero)
{
    double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    for (int run = 0; run < 2; run++) {
        OWNED(dae_system) *sys = system_at_start("slider_crank", "index2", 0, run ? v : u);
        const dae_options o = tolerance(run ? 1e-5 : 1e-11);
        const dae_statistics count = solve_to(sys, run ? "rodas4" : "radau", &o, 0.1, run ? v : u);
        if (run)
            assert_in_range(count.steps, 100, 2000);
    }
    for (int i = 0; i < 6; i++)
        assert_close(v[i], u[i], 1e-3 * (1 + fabs(u[i])));
}

#else
#include "plain_terms.h"

static void FN(rhs)(const param *p, real T, const real *u, real *F)
{
    const double a = 2;
    const real t = T / p[UNIT], s = 2 - t, e = exp(t);
    F[0] = ((a - 1 / s) * u[0] + s * a * u[2] + (3 - t) / s * e) / p[UNIT];
    F[1] = ((a - 1) / s * u[0] - u[1] + (a - 1) * u[2] + 2 * e) / p[UNIT];
    F[2] = (t + 2) * u[0] + (t * t - 4) * u[1] - (t * t + t - 2) * e;
}

static void FN(hold)(const param *p, real T, const real *u, real *F)
{
    F[0] = (u[1] - sin(T / p[UNIT])) / p[UNIT];
    F[1] = u[0];
}
#endif
