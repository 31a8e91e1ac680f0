/* test_sensitivity_limits.c - derivatives of runs where they are easily wrong: actions on parameters, masses and
 * starts that parameters move, jumps in time; and where they are refused, as they are not known or do not exist */
#ifndef DAE_PASS
enum { P, Q, R, K1, K2, COUNT };
#include <daelab/model.h>

#include "support.h"

#include <daelab/sensitivity.h>

OWNED_BY_POINTER(dae_hybrid_sensitivity)

#define ANY(name, number) {name, number, "-", "", DAE_ANY_VALUE}
#define PARAMETERS                                                                                \
    .parameters = {ANY("p", 0.7), ANY("q", 1.3), ANY("r", 0.4), ANY("k1", 2), ANY("k2", 2)}
#define OSCILLATOR                                                                                \
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(spring)}, .start = DAE_MODEL(kicked)

static const dae_event gear[] = {
    {.name = "gear", .direction = DAE_RISING, .value = DAE_MODEL(at_p), .action = DAE_MODEL(take_k2)}, {0}};
static const dae_event heavier[] = {
    {.name = "heavier", .direction = DAE_RISING, .value = DAE_MODEL(at_p), .action = DAE_MODEL(add_mass)}, {0}};
static const dae_event apart[] = {
    {.name = "turn", .direction = DAE_RISING, .value = DAE_MODEL(at_p), .action = DAE_MODEL(turn)},
    {.name = "push", .direction = DAE_RISING, .value = DAE_MODEL(at_later_p), .action = DAE_MODEL(push)}, {0}};

static const dae_problem geared = {.name = "geared", PARAMETERS, OSCILLATOR, .t_end = 2, .events = gear};
static const dae_problem loaded = {.name = "loaded", PARAMETERS, OSCILLATOR, .t_end = 2, .events = heavier};
static const dae_problem parting = {.name = "parting", PARAMETERS, OSCILLATOR, .t_end = 2, .events = apart};
static const dae_problem drained = {
    .name = "drained", PARAMETERS, .t_end = 2, .events = heavier, .start = DAE_MODEL(kicked),
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(q_first), .rhs = DAE_MODEL(drain)}};
static const dae_problem steps = {.name = "steps", PARAMETERS, .t_end = 2.5, .start = DAE_MODEL(one),
                                  .first_order = {.n = 1, .index = 0, .rhs = DAE_MODEL(stairs)}};
static const dae_problem null_mass = {
    .name = "null_mass", PARAMETERS, .t_end = 1, .start = DAE_MODEL(off),
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(tilted), .rhs = DAE_MODEL(tilted_rhs)}};
static const dae_problem circle = {
    .name = "circle", PARAMETERS, .t_end = 1, .start = DAE_MODEL(outside),
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(round)}};
static const dae_problem hidden = {
    .name = "hidden", PARAMETERS, .t_end = 1, .start = DAE_MODEL(radial),
    .first_order = {.n = 5, .index = 3, .mass = DAE_MODEL(four_of_five), .rhs = DAE_MODEL(swing)}};

enum { MOST = 8 };

/* u at the end of a run by radau, or by this method, with parameters p, and unless it is NULL du[COUNT x n] */
static dae_status run_to_end(const dae_problem *problem, const char *method, double rtol, const double *p, double *u,
                             double *du, dae_report *why)
{
    static const int all[COUNT] = {P, Q, R, K1, K2};
    const dae_directions along = {.parameters = all, .parameter_count = COUNT};
    const dae_options options = tolerance(rtol);
    OWNED(dae_hybrid) *run = hybrid_of(problem, problem->mechanical.nq ? "index1" : "native", p,
                                       dae_find_method(method),
                                       &options);
    OWNED(dae_hybrid_sensitivity) *s = NULL;
    if (du)
        assert_int_equal(DAE_OK, dae_hybrid_sensitivity_create(&s, run, &along, why));
    assert_int_equal(DAE_OK, dae_hybrid_start(run, 0, NULL));
    assert_int_equal(DAE_OK, dae_hybrid_advance(run, problem->t_end));
    memcpy(u, dae_hybrid_unknowns(run), (size_t)dae_hybrid_size(run, 0) * sizeof *u);
    const dae_status status = du ? dae_hybrid_sensitivity_at(s, du, NULL, why) : DAE_OK;
    dae_hybrid_sensitivity_free(s);
    s = NULL;
    return status;
}

/* All derivatives of the first n unknowns beside central differences of runs */
static void agrees(const dae_problem *problem, const char *method, int n, double bound)
{
    const double d = 1e-4;
    double p[MOST_PARAMETERS], u[MOST], du[COUNT * MOST], ends[2][MOST];
    dae_report why = {0};
    default_parameters(problem, p);
    if (run_to_end(problem, method, 1e-10, p, u, du, &why))
        fail_msg("%s %s: %s", problem->name, method, why.message);
    for (int c = 0; c < COUNT; c++) {
        for (int k = 0; k < 2; k++) {
            p[c] += k ? 2 * d : -d;
            run_to_end(problem, method, 1e-11, p, ends[k], NULL, &why);
        }
        p[c] -= d;
        for (int i = 0; i < n; i++)
            assert_close(du[c * n + i], (ends[1][i] - ends[0][i]) / (2 * d), bound);
    }
}

TEST(actions_change_parameters)
{
    static const char *const methods[] = {"radau", "rodas4", "dop853"};
    for (int m = 0; m < 3; m++) {
        agrees(&geared, methods[m], 2, 1e-6);
        agrees(&loaded, methods[m], 2, 1e-6);
    }
    agrees(&drained, "radau", 2, 1e-6);
    agrees(&drained, "rodas4", 2, 1e-6);
}

TEST(force_that_jumps_in_time)
{
    agrees(&steps, "radau", 1, 1e-6);
    agrees(&steps, "rodas4", 1, 1e-6);
}

TEST(mass_whose_kernel_moves)
{
    agrees(&null_mass, "radau", 2, 1e-6);
}

/* Refused, with words that say why */
static void refused(const dae_problem *problem, const char *words)
{
    double u[MOST], du[COUNT * MOST];
    dae_report why = {0};
    assert_int_equal(DAE_UNSUPPORTED, run_to_end(problem, "radau", 1e-8, NULL, u, du, &why));
    if (!strstr(why.message, words))
        fail_msg("%s: %s", problem->name, why.message);
}

TEST(what_has_no_derivative)
{
    refused(&circle, "moved onto its constraints");
    refused(&hidden, "hidden");
    refused(&parting, "move apart");
}

#else

static void FN(kicked)(const param *p, real *u) { u[0] = 1; u[1] = p[P]; }
static void FN(one)(const param *p, real *u) { u[0] = 1; }
static void FN(off)(const param *p, real *u) { u[0] = 1; u[1] = 0.5; }
static void FN(outside)(const param *p, real *u) { u[0] = 2 * cos(p[P]); u[1] = 2 * sin(p[P]); }
static void FN(radial)(const param *p, real *u) { u[0] = 1; u[2] = p[P] - 0.7; u[3] = 1; }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = p[Q] * a[0]; }
static void FN(spring)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = -p[K1] * q[0] + p[R] * sin(t);
}
static real FN(at_p)(const param *p, real t, const real *x, int k) { return t - p[P]; }
static real FN(at_later_p)(const param *p, real t, const real *x, int k) { return t - 0.7 - 2 * (p[P] - 0.7); }
static int FN(take_k2)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[K1] = p[K2];
    return 0;
}
static int FN(add_mass)(const param *p, real t, real *x, real *p_new, int k)
{
    p_new[Q] = p[Q] * (1 + 0.3 * x[0] * x[0]) + t;
    return 0;
}
static int FN(turn)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] = -2 * x[1];
    return 0;
}
static int FN(push)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] = x[1] + 1;
    return 0;
}

static void FN(q_first)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = p[Q] * x[0];
    out[1] = 0;
}
static void FN(drain)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[1] + p[R] * sin(t);
    F[1] = u[1] - p[Q] * u[0];
}
static void FN(stairs)(const param *p, real t, const real *u, real *F) { F[0] = p[P] * floor(t) - p[Q] * u[0]; }
static void FN(tilted)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0] + p[P] * x[1];
    out[1] = 0;
}
static void FN(tilted_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0] + p[R] * sin(t);
    F[1] = u[1] - p[Q] * u[0];
}
static void FN(two_of_three)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0;
}
static void FN(round)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[Q] * u[1] - u[0] * u[2];
    F[1] = p[Q] * u[0] - u[1] * u[2];
    F[2] = u[0] * u[0] + u[1] * u[1] - 1;
}
static void FN(four_of_five)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = x[i];
    out[4] = 0;
}
static void FN(swing)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -u[0] * u[4];
    F[3] = -u[1] * u[4] - p[Q];
    F[4] = u[0] * u[0] + u[1] * u[1] - 1;
}
#endif
