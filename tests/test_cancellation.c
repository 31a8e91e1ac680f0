/* test_cancellation.c - where large terms cancel in F, a run at a tolerance below rounding is no success: it ends
 * within 100 rtol, or twice the error without them, or with a sentence that names rounding; and what rounding leaves
 * of an equation at the start is no inconsistency: where it leaves too little of the solution both numbers are told */
#ifndef DAE_PASS
enum { C, D };
#include <daelab/model.h>

#include "support.h"

static void ode_start(const double *p, double *u)
{
    u[0] = 0;
}

#define PARAMETERS .parameters = {{"C", 1e8, "", "", DAE_ANY_VALUE}, {"D", 0, "", "", DAE_ANY_VALUE}}, .t_end = 1

/* x' = z, 0 = (C + x) - (C + sin t);  y' = -y, 0 = (C + z) - (C + cos t);
 * u' = (C + cos t) - (C + u) */
static const dae_problem index2 = {
    .name = "index2", .first_order = {.n = 2, .index = 2, .mass = DAE_MODEL(first_of_two),
                                      .rhs = DAE_MODEL(follow)},
    .start = {start_slope}, PARAMETERS};
static const dae_problem index1 = {
    .name = "index1", .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two),
                                      .rhs = DAE_MODEL(put_out)},
    .start = {start_ones}, PARAMETERS};
static const dae_problem ode = {
    .name = "ode", .first_order = {.n = 1, .index = 0, .rhs = DAE_MODEL(relax)},
    .start = {ode_start}, PARAMETERS};

/* A pendulum of 1 m whose constraint is written with its pivot C away, and its derivatives with terms D */
static const dae_problem pendulum = {
    .name = "far_pendulum", .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = {ode_start}, PARAMETERS};

static void exact(const dae_problem *p, double t, double *u)
{
    u[0] = p == &index2 ? sin(t) : p == &index1 ? exp(-t) : (cos(t) + sin(t) - exp(-t)) / 2;
    u[1] = cos(t);
}

/* The end state in x[n]; the status */
static dae_status run(const dae_problem *p, const char *form, const char *method, double c,
                      double rtol, double *x, dae_report *why)
{
    double u[MOST_UNKNOWNS] = {0};
    dae_options o = tolerance(rtol);
    o.max_steps = 3000;
    OWNED(dae_system) *sys = system_of(p, form, (const double[]){c, 0}, u);
    if (p == &pendulum) {
        u[0] = 1;
        u[1] = u[2] = u[3] = u[4] = 0;
    }
    const dae_status status = try_to(sys, method, &o, 1, u, why);
    if (p == &pendulum)
        dae_system_split(sys, 1, u, x, x + 2, x + 4);
    else
        memcpy(x, u, (size_t)p->first_order.n * sizeof *x);
    return status;
}

/* Runs that end right, are told of rounding, run out of steps */
typedef struct { int right, told, unfinished; } tally;

static void judge(const dae_problem *p, const char *form, const char *method, double rtol,
                  const double *right, int n, tally *all)
{
    double x[MOST_UNKNOWNS] = {0};
    dae_report why = {0};
    const dae_status status = run(p, form, method, 1e8, rtol, x, &why);
    if (status == DAE_UNSUPPORTED)
        return;
    if (status) {
        all->told += strstr(why.message, "rounding") != NULL;
        all->unfinished += status == DAE_MAX_STEPS;
        if (!strstr(why.message, "rounding") && status != DAE_MAX_STEPS)
            fail_msg("%s %s %s %g: %s", p->name, form, method, rtol, why.message);
        return;
    }
    all->right++;
    double y[MOST_UNKNOWNS] = {0};
    const double error = distance(x, right, n);
    if (error > 150 * rtol && (run(p, form, method, 0, rtol, y, &why)
                               || error > 2 * distance(y, right, n)))
        fail_msg("%s %s %s: ok, and off by %g rtol at rtol = %g", p->name, form, method,
                 error / rtol, rtol);
}

static int is_tried(const dae_method_info *info)
{
    return info->adaptive && strcmp(info->name, "euler") != 0;
}

TEST(test_first_order)
{
    const dae_problem *const problems[] = {&index1, &ode, &index2};
    tally all = {0};
    for (int k = 0; k < 3; k++) {
        double u[2];
        exact(problems[k], 1, u);
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            for (double rtol = 1e-5; is_tried(&info) && rtol > 1e-14; rtol /= 10)
                judge(problems[k], "native", info.name, rtol, u, k == 1 || k == 2 ? 1 : 2, &all);
        }
    }
    assert_true(all.right > 100 && all.told > 100);
}

/* Right against a run of dop853 with C = 0 */
TEST(test_pendulum)
{
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
    double right[5], rtol[] = {1e-9, 1e-11, 1e-12};
    dae_report why = {0};
    tally all = {0};
    assert_int_equal(0, run(&pendulum, "index1", "dop853", 0, 1e-13, right, &why));
    for (int f = 0; f < 5; f++)
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            for (int k = 0; is_tried(&info) && k < 3; k++)
                judge(&pendulum, forms[f], info.name, rtol[k], right, 4, &all);
        }
    assert_true(all.right > 40 && all.told > 20);
}

/* Without cancellation there is nothing to tell, down to the tolerance of the start. */
TEST(test_no_cancellation)
{
    const dae_problem *const problems[] = {&index1, &ode, &index2};
    for (int k = 0; k < 3; k++)
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            double u[2];
            dae_report why = {0};
            for (double rtol = 1e-6; is_tried(&info) && rtol > 1e-13; rtol /= 1e3) {
                const dae_status status = run(problems[k], "native", info.name, 0, rtol, u, &why);
                if (status && status != DAE_MAX_STEPS && status != DAE_UNSUPPORTED)
                    fail_msg("%s %s %g: %s", problems[k]->name, info.name, rtol, why.message);
            }
        }
}

/* ---- starts --------------------------------------------------------------------------------- */

/* u[5] := the start of index 1 */
static dae_status start_with(double d, double nearly, double *u, dae_report *why)
{
    const double parameters[] = {0, d}, moving[] = {0.64 + nearly, 0.48}, to_one_side[] = {1, 0};
    OWNED(dae_system) *sys = system_of(&pendulum, "index1", parameters, NULL);
    u[0] = 0.6;
    u[1] = -0.8;
    memcpy(u + 2, nearly != 0 ? moving : to_one_side, sizeof moving);
    return dae_consistent_start(sys, 0, u, NULL, why);
}

/* v = (0.64, 0.48), its part across the rod, and 2 lambda = v^2 + 9.81 . 0.8; rounding leaves half a unit in the last
 * digit of D. */
TEST(test_terms_inside_of_an_equation)
{
    for (int k = 0; k < 24; k++) {
        const double d = k / 3 ? pow(10, k / 3 - 1) : 0, nearly[] = {0, 1e-6, 1e-9};
        double u[5] = {0};
        dae_report why;
        if (start_with(d, nearly[k % 3], u, &why))
            fail_msg("D = %g, off by %g: %s", d, nearly[k % 3], why.message);
        assert_true(fabs(u[2] - 0.64) < nearly[k % 3] + 1e-15 * (10 + d));
        assert_true(fabs(u[3] - 0.48) < nearly[k % 3] + 1e-15 * (10 + d));
        assert_true(fabs(2 * u[4] - 0.64 - 7.848) < 4 * nearly[k % 3] + 1e-14 * (10 + d));
    }
}

TEST(test_nothing_left)
{
    double u[5] = {0};
    dae_report why;
    assert_int_equal(DAE_INCONSISTENT, start_with(1e12, 0, u, &why));
    assert_non_null(strstr(why.message, "where the constraint is off by 1.2: what is solved for leaves"));
    assert_non_null(strstr(why.message, "and rounding makes"));
}

/* A straight beam does not move along itself at first: link i bears all weight behind it. The residuals left are the
 * rounding of tensions of 0.5 N over masses of 0.1 kg/N, and the springs pull with 0.1 N^3 of the rounding of r. */
TEST(test_straight_beam)
{
    for (double N = 500; N < 10000; N *= 4) {
        const double parameters[] = {N, 0.1, 1, 0.1, 0.01, 0.5, 9.81};
        const int n = (int)N;
        dae_report why;
        OWNED(dae_system) *sys = system_of(problem_named("elastica"), "index1", parameters, NULL);
        double *u = calloc((size_t)dae_system_size(sys), sizeof *u), *T = u + 4 * n;
        assert_non_null(u);
        assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
        if (dae_consistent_start(sys, 0, u, NULL, &why))
            fail_msg("N = %g: %s", N, why.message);
        for (int i = 0; i < n; i++)
            assert_true(fabs(T[i] + 0.1 * (n - i - 0.5) / N * 9.81 * sin(0.5)) < 1e-16 * N * N * N);
        free(u);
    }
}

#else
#include "plain_terms.h"

static void FN(follow)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = (p[C] + u[0]) - (p[C] + sin(t));
}

static void FN(put_out)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0];
    F[1] = (p[C] + u[1]) - (p[C] + cos(t));
}

static void FN(relax)(const param *p, real t, const real *u, real *F)
{
    F[0] = (p[C] + cos(t)) - (p[C] + u[0]);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *out)
{
    out[0] = a[0];
    out[1] = a[1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *out)
{
    out[0] = 0 * v[0];
    out[1] = -9.81 + 0 * v[1];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = ((p[C] + q[0]) * q[0] - p[C] * q[0]) + q[1] * q[1] - 1;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *out)
{
    out[0] = 2 * ((p[D] + q[0] * v[0]) - p[D] + ((3 * p[D] + q[1] * v[1]) - 3 * p[D]));
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *out)
{
    const real x = (p[D] + q[0] * a[0]) - p[D], y = (3 * p[D] + q[1] * a[1]) - 3 * p[D];
    out[0] = 2 * (x + y + v[0] * v[0] + v[1] * v[1]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *out)
{
    out[0] = 2 * q[0] * lambda[0];
    out[1] = 2 * q[1] * lambda[0];
}
#endif
