/* test_cancellation.c - where large terms cancel in F, a run at a tolerance below rounding is no
 * success: it ends within 100 rtol, or twice the error without them, or with a sentence that names
 * rounding */
#ifndef DAE_PASS
enum { C };
#include <daelab/model.h>

#include "support.h"

static void index2_start(const double *p, double *u)
{
    u[1] = 1;
}

static void index1_start(const double *p, double *u)
{
    u[0] = u[1] = 1;
}

static void ode_start(const double *p, double *u)
{
    u[0] = 0;
}

#define PARAMETER .parameters = {{"C", 1e8, "", "", DAE_ANY_VALUE}}, .t_end = 1

/* x' = z, 0 = (C + x) - (C + sin t);  y' = -y, 0 = (C + z) - (C + cos t);
 * u' = (C + cos t) - (C + u) */
static const dae_problem index2 = {
    .name = "index2", .first_order = {.n = 2, .index = 2, .mass = DAE_MODEL(mass),
                                      .rhs = DAE_MODEL(follow)},
    .start = {index2_start}, PARAMETER};
static const dae_problem index1 = {
    .name = "index1", .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(mass),
                                      .rhs = DAE_MODEL(put_out)},
    .start = {index1_start}, PARAMETER};
static const dae_problem ode = {
    .name = "ode", .first_order = {.n = 1, .index = 0, .rhs = DAE_MODEL(relax)},
    .start = {ode_start}, PARAMETER};

/* A pendulum of 1 m whose constraint is written with its pivot C away */
static const dae_problem pendulum = {
    .name = "far_pendulum", .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
    .start = {ode_start}, PARAMETER};

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
    OWNED(dae_system) *sys = system_of(p, form, &c, u);
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

#else
static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = 0 * x[1];
}

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
    out[0] = 2 * (q[0] * v[0] + q[1] * v[1]);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *out)
{
    out[0] = 2 * (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1]);
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *out)
{
    out[0] = 2 * q[0] * lambda[0];
    out[1] = 2 * q[1] * lambda[0];
}
#endif
