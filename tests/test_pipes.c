/* test_pipes.c - a network of pipes, whose friction is a logarithm to the base 10
 *
 * From a lake whose level swings through two tanks to the sea, by three pipes of length l and diameter d:
 *
 *     A h1' = (pi/4) d^2 (v0 - v1),   A h2' = (pi/4) d^2 (v1 - v2)
 *     0 = h_k - h_(k+1) - f_k (l/d) v_k |v_k| / (2 g)
 *     0 = s_k + 2 log10(r/3.7 + 2.51 s_k/Re_k),   f_k = 1/s_k^2, Re_k = |v_k| d/nu     (Colebrook 1939)
 *
 * With log10(x) as with log(x)/log(10): the same Jacobian, the same quad numbers, the same steps. */
#ifndef DAE_PASS
enum { A, D, L, R, NU };
enum { H = 0, V = 2, S = 5, ALL = 8 };
#include <daelab/model.h>

#include "support.h"

static const dae_problem networks[] = {
#define NETWORK(function)                                                                          \
    {.name = "pipes_" #function, .variables = "h1 h2 v0 v1 v2 s0 s1 s2",                           \
     .units = "m m m/s m/s m/s - - -", .start = DAE_MODEL(start), .t_end = 7200,                   \
     .parameters = {{"A", 20, "m^2", "area of a tank", DAE_POSITIVE},                              \
                    {"d", 0.3, "m", "diameter", DAE_POSITIVE},                                     \
                    {"l", 500, "m", "length", DAE_POSITIVE},                                       \
                    {"r", 1e-4, "-", "roughness", DAE_POSITIVE},                                   \
                    {"nu", 1e-6, "m^2/s", "viscosity", DAE_POSITIVE}},                             \
     .first_order = {.n = ALL, .index = 1, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(function)}}
    NETWORK(common), NETWORK(natural)};

typedef struct { long steps, rhs; double u[ALL]; } outcome;

static outcome run(const dae_problem *problem, const char *method, double rtol)
{
    outcome o = {0};
    const dae_options options = tolerance(rtol);
    OWNED(dae_system) *sys = consistent_system(problem, "native", NULL, o.u);
    const dae_statistics count = solve_to(sys, method, &options, problem->t_end, o.u);
    o.steps = count.steps;
    o.rhs = count.rhs;
    return o;
}

/* Rounding differs, and what is chosen by it: of excros, whose order varies, a tenth is left to it. */
TEST(as_many_steps)
{
    static const struct { const char *name; double slack; } methods[] = {
        {"radau5", 0.02}, {"rodas5p", 0.02}, {"excros", 0.1}};
    for (int m = 0; m < 3; m++) {
        const outcome common = run(&networks[0], methods[m].name, 1e-7);
        const outcome natural = run(&networks[1], methods[m].name, 1e-7);
        print_message("%s: %ld steps with log10, %ld with log\n", methods[m].name, common.steps, natural.steps);
        assert_close((double)common.steps / (double)natural.steps, 1, methods[m].slack);
        assert_close((double)common.rhs / (double)natural.rhs, 1, methods[m].slack);
        for (int i = 0; i < ALL; i++)
            assert_close(common.u[i], natural.u[i], 1e-4);
    }
}

/* dF/ds of the row of Colebrook, 1 + 2 c/(log 10 (r/3.7 + c s)), c = 2.51/Re */
TEST(jacobian_by_hand)
{
    double u[ALL], J[ALL * ALL], F_t[ALL];
    dae_report why = {0};
    for (int k = 0; k < 2; k++) {
        OWNED(dae_system) *sys = system_of(&networks[k], "native", NULL, u);
        assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, 0, u, J, F_t, &why));
        for (int i = 0; i < 3; i++) {
            const double c = 2.51 * 1e-6 / (u[V + i] * 0.3), x = 1e-4 / 3.7 + c * u[S + i];
            assert_close(J[S + i + ALL * (S + i)], 1 + 2 * c / (M_LN10 * x), 1e-14);
            assert_close(J[S + i + ALL * (V + i)] / (-2 * c * u[S + i] / (M_LN10 * x * u[V + i])), 1, 1e-14);
        }
    }
}

TEST(quad_numbers_agree)
{
    const dae_quad p[] = {20, DAE_QUAD_C(0.3), 500, DAE_QUAD_C(1e-4), DAE_QUAD_C(1e-6)};
    dae_quad u[ALL], common[ALL], natural[ALL];
    start_quad(p, u);
    common_quad(p, 10, u, common);
    natural_quad(p, 10, u, natural);
    for (int i = 0; i < ALL; i++)
        assert_true(fabs(common[i] - natural[i]) <= DAE_QUAD_C(1e-32) * fabs(u[i]));
}

#else
static void FN(start)(const param *p, real *u)
{
    const double at[] = {30, 15, 2.3, 2.3, 2.3, 8.5, 8.5, 8.5};
    for (int i = 0; i < ALL; i++)
        u[i] = at[i];
}

static void FN(mass)(const param *p, real t, const real *u, const real *x, real *r)
{
    for (int i = 0; i < ALL; i++)
        r[i] = i < V ? p[A] * x[i] : (real){0};
}

#define NETWORK_OF(name, logarithm)                                                                \
    static void FN(name)(const param *p, real t, const real *u, real *F)                           \
    {                                                                                              \
        const real level[] = {45 + 5 * sin(t / 300), u[H], u[H + 1], (real){0}};                   \
        const param area = PI / 4 * p[D] * p[D];                                                   \
        for (int k = 0; k < 3; k++) {                                                              \
            const real v = u[V + k], s = u[S + k];                                                 \
            const real x = p[R] / 3.7 + 2.51 * s * p[NU] / (fabs(v) * p[D]);                       \
            F[V + k] = level[k] - level[k + 1] - p[L] / p[D] * v * fabs(v) / (2 * 9.81 * s * s);   \
            F[S + k] = s + 2 * logarithm;                                                          \
        }                                                                                          \
        F[H] = area * (u[V] - u[V + 1]);                                                           \
        F[H + 1] = area * (u[V + 1] - u[V + 2]);                                                   \
    }
NETWORK_OF(common, log10(x))
NETWORK_OF(natural, log(x) / log(10))
#undef NETWORK_OF
#endif
