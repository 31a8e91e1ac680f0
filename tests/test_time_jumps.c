/* test_time_jumps.c - algebraic unknowns that jump in time, at a hundred times without a pattern, where their equations
 * are nonlinear: w^3 + w goes from 1 to 8
 *
 * plain: w is z. mixed: w = x - z, and M sees x + z alone. index 2: w is the rate that lets x follow a given path,
 * which bends. pushed: w is the rate less a force that jumps, and x follows a straight path. In all of them one
 * combination is t w of 1 and then w of 8 for the time since, or the path itself. none: behind the jump no w solves its
 * equation. impulse: what has a derivative would have to jump, and does.
 */
#ifndef DAE_PASS
enum { KIND, WHEN };
enum { PLAIN, MIXED, BENDING, PUSHED, KINDS, NONE = KINDS, IMPULSE };
#include <daelab/model.h>

#include "support.h"

static const double W1 = 0.68232780382801932737, W8 = 1.8337509577214089;

static void start(const double *p, double *u)
{
    u[0] = 0;
    u[1] = p[KIND] == NONE || p[KIND] == IMPULSE ? 1 : W1;
    if (p[KIND] == MIXED) {
        u[0] = W1 / 2;
        u[1] = -W1 / 2;
    }
}

#define JUMP(title, of_index)                                                                                          \
    {.name = title, .variables = "x z", .units = "- -", .start = {start}, .t_end = 1,                                  \
     .parameters = {{"kind", 0, "-", "equations", DAE_ANY_VALUE}, {"T", 0.5, "-", "when", DAE_POSITIVE}},              \
     .first_order = {.n = 2, .index = of_index, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)}}

static const dae_problem index1 = JUMP("jump", 1), index2 = JUMP("bend", 2);

static dae_status run(const dae_method *method, const double *p, const dae_options *o, double *u, dae_report *why)
{
    const int kind = (int)p[KIND];
    const dae_problem *problem = kind == PLAIN || kind == MIXED || kind == NONE ? &index1 : &index2;
    OWNED(dae_system) *sys = system_of(problem, "native", p, u);
    return try_to(sys, dae_method_describe(method).name, o, 1, u, why);
}

static double error_of(const double *p, const double *u)
{
    const double T = p[WHEN], reached = W1 * T + W8 * (1 - T);
    switch ((int)p[KIND]) {
    case PLAIN: return fmax(fabs(u[0] - reached), fabs(u[1] - W8));
    case MIXED: return fmax(fabs(u[0] + u[1] - reached), fabs(u[0] - u[1] - W8));
    case BENDING: return fmax(fabs(u[0] - (T + 8 * (1 - T))), fabs(u[1] - W8));
    case PUSHED: return fmax(fabs(u[0] - 1), fabs(u[1] - W8));
    default: return fmax(fabs(u[0] - 2), fabs(u[1] - 1));
    }
}

static double when(int k)
{
    const double golden = (k + 1) * 0.6180339887498949;
    return 0.02 + 0.95 * (golden - floor(golden));
}

static int solves(const dae_method *method, int fixed)
{
    const dae_method_info info = dae_method_describe(method);
    const double p[] = {PLAIN, 0.5};
    dae_options o = tolerance(1e-4);
    double u[2];
    dae_report why;
    o.step = fixed ? 0.1 : 0;
    return (fixed ? info.fixed : info.adaptive) && run(method, p, &o, u, &why) != DAE_UNSUPPORTED;
}

TEST(test_tolerances)
{
    static const double rtols[] = {1e-3, 1e-6, 1e-9};
    enum { TIMES = 6 };
    int runs = 0;
    for (int m = 0; dae_method_at(m); m++)
        for (int k = 0; k < KINDS * 3 * TIMES && solves(dae_method_at(m), 0); k++, runs++) {
            const double p[] = {k % KINDS, when(k)}, rtol = rtols[k / KINDS % 3];
            const dae_options o = tolerance(rtol);
            double u[2];
            dae_report why;
            const char *name = dae_method_describe(dae_method_at(m)).name;
            if (run(dae_method_at(m), p, &o, u, &why))
                fail_msg("%s, kind %g at %.9g, rtol %g: %s", name, p[KIND], p[WHEN], rtol, why.message);
            if (!(error_of(p, u) <= 30 * rtol))
                fail_msg("%s, kind %g at %.9g: %g tolerances off", name, p[KIND], p[WHEN], error_of(p, u) / rtol);
        }
    assert_true(runs > 600);
}

/* Of a method whose last stage is no end of the step, the jump may be found after the step: x is off by a step. */
TEST(test_fixed)
{
    int runs = 0;
    for (int m = 0; dae_method_at(m); m++)
        for (int k = 0; k < KINDS * 12 && solves(dae_method_at(m), 1); k++, runs++) {
            const double p[] = {k % KINDS, when(k)};
            dae_options o = tolerance(1e-6);
            double u[2];
            dae_report why;
            o.step = k % 2 ? 0.01 : 0.007;
            const char *name = dae_method_describe(dae_method_at(m)).name;
            const dae_status status = run(dae_method_at(m), p, &o, u, &why);
            if (status || !(error_of(p, u) <= 2 * o.step))
                fail_msg("%s, kind %g at %.9g, h = %g: off by %g %s", name, p[KIND], p[WHEN], o.step, error_of(p, u),
                         status ? why.message : "");
        }
    assert_true(runs > 200);
}

TEST(test_refused)
{
    for (int m = 0; dae_method_at(m); m++)
        for (int k = 0; k < 4 && solves(dae_method_at(m), 0); k++) {
            const double p[] = {k % 2 ? IMPULSE : NONE, when(k)};
            const dae_options o = tolerance(1e-6);
            double u[2];
            dae_report why = {0};
            const dae_status status = run(dae_method_at(m), p, &o, u, &why);
            if (!(status < 0 || (p[KIND] == IMPULSE && error_of(p, u) < 1e-5)))
                fail_msg("%s, kind %g at %.9g: %d, x = %g, z = %g", dae_method_describe(dae_method_at(m)).name, p[KIND],
                         p[WHEN], (int)status, u[0], u[1]);
            assert_int_equal(status < 0 ? status : DAE_INCONSISTENT, DAE_INCONSISTENT);
        }
}

#else
static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = value(p[KIND]) == MIXED ? x[0] + x[1] : x[0];
    r[1] = (real){0};
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const int kind = (int)value(p[KIND]), behind = value(t) > value(p[WHEN]);
    const real w = kind == MIXED ? u[0] - u[1] : u[1], cubic = w * w * w + w, s = t - p[WHEN];
    switch (kind) {
    case PLAIN: case MIXED: F[0] = w, F[1] = cubic - (behind ? 8 : 1); break;
    case BENDING: F[0] = cubic, F[1] = u[0] - t - (behind ? 7 * s : 0 * s); break;
    case PUSHED: F[0] = cubic - (behind ? 7 : 0), F[1] = u[0] - t; break;
    case NONE: F[0] = w, F[1] = w * w - (behind ? -1 : 1); break;
    default: F[0] = u[1], F[1] = u[0] - t - (behind ? 1 : 0); break;
    }
}
#endif
