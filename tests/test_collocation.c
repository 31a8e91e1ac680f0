/* test_collocation.c - Radau IIA in quad precision: tableau, orders, starts, known solutions (published ones:
 * test_literature.c)
 */
#include "support.h"

#include "daelab/functions.h"
#include "reference/radau_step.h"
#include "reference/reference.h"

/* ---- the method --------------------------------------------------------------------------- */

/* B(2s-1): sum b_j c_j^(k-1) = 1/k;  C(s): sum a_ij c_j^(k-1) = c_i^k/k;  a_sj = b_j */
TEST(tableau_has_its_order)
{
    for (int s = DAE_RADAU_FEWEST; s <= DAE_RADAU_MOST; s++) {
        dae_quad_radau tab;
        dae_quad_radau_compute(&tab, s);
        for (int i = -1; i < s; i++)
            for (int k = 1; k <= (i < 0 ? 2 * s - 1 : s); k++) {
                dae_quad sum = 0;
                for (int j = 0; j < s; j++)
                    sum += (i < 0 ? tab.b[j] : tab.a[i][j]) * dae_quad_pow(tab.c[j], k - 1);
                assert_near(sum, (i < 0 ? 1 : dae_quad_pow(tab.c[i], k)) / k, 1e-32);
            }
        for (int j = 0; j < s; j++)
            assert_near(tab.a[s - 1][j], tab.b[j], 1e-32);
    }
}

/* Orders 2s-1 and s of an index-2 DAE, at t = 1/2. */
TEST(orders_are_those_of_the_theory)
{
    static const dae_class group[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_ALGEBRAIC};
    const dae_problem *problem = problem_named("linear_dae");
    const dae_quad p[] = {2};
    const dae_quad end = 0.5;
    const dae_quad_dae dae = {&problem->first_order, p, group, NULL};
    const dae_quad_grid grid = {.t0 = 0, .times = &end, .count = 1};
    dae_quad start[3], exact[3], u[3], size[3] = {0};
    problem->first_order.exact.quad(p, 0, start);
    problem->first_order.exact.quad(p, end, exact);
    for (int s = 2; s <= 5; s++) {
        double error[2][2];
        for (int k = 0; k < 2; k++) {
            const dae_radau_rule rule = {.stages = s, .step = 0.03125 / (1 + k)};
            assert_int_equal(DAE_OK, dae_collocate(&dae, &rule, &grid, start, u, size, NULL));
            error[k][0] = (double)dae_quad_fabs(u[0] - exact[0]);
            error[k][1] = (double)dae_quad_fabs(u[2] - exact[2]);
        }
        assert_close(log2(error[0][0] / error[1][0]), 2 * s - 1, 0.3);
        assert_close(log2(error[0][1] / error[1][1]), s, 0.3);
    }
}

/* ---- known solutions ---------------------------------------------------------------------- */

static void last_without(const dae_quad *p, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    out[0] = x[0];
    out[1] = x[1];
    out[2] = 0;
}

static void four_of_five(const dae_quad *p, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    for (int i = 0; i < 5; i++)
        out[i] = i < 4 ? x[i] : 0;
}

static void rope(const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -u[0] / 5 * u[4];
    F[3] = -u[1] / 5 * u[4] - ((dae_quad)9.81 + (dae_quad)0.05 * dae_quad_sin(2 * DAE_PI_QUAD * t));
    F[4] = u[0] * u[0] + u[1] * u[1] - 25;
}

/* The pendulum as it stands, of index 3, against its angle by extrapolation */
TEST(index_3_is_solved)
{
    static const dae_class group[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_DIFFERENTIAL,
                                      DAE_DIFFERENTIAL, DAE_ALGEBRAIC};
    const dae_first_order equations = {.n = 5, .index = 3, .mass = {.quad = four_of_five},
                                       .rhs = {.quad = rope}};
    const dae_quad_dae dae = {&equations, NULL, group, NULL};
    const double end = 2;
    const dae_quad quad_end = end;
    const dae_quad_grid grid = {.t0 = 0, .times = &quad_end, .count = 1};
    const dae_quad start[5] = {3, -4};
    dae_quad u[5];
    double v[MOST_UNKNOWNS], digits;
    int slow;
    OWNED(dae_system) *sys = system_at_start("pendulum", "index3", 1, v);
    OWNED(dae_reference) r = reference_of(sys, v, &end, 1);
    assert_int_equal(DAE_OK, dae_collocate_pair(&dae, &grid, start, u, &digits, &slow, NULL));
    assert_true(digits >= 20);
    for (int i = 0; i < 2; i++) {
        assert_near(u[i], r.q[i], 1e-20);
        assert_near(u[2 + i], r.v[i], 1e-20);
    }
    assert_near(u[4], r.lambda[0], 1e-19);
}

/* ---- starts ------------------------------------------------------------------------------- */

enum { K = 2 };                 /* the parameter k of the springs */

static dae_system *spring(const char *name, double k, double *u)
{
    const dae_problem *problem = problem_named(name);
    double p[MOST_PARAMETERS];
    default_parameters(problem, p);
    p[K] = k;
    return system_of(problem, "native", p, u);
}

static void solve_spring(const char *name, double k, double end, dae_reference *r)
{
    double u[5];
    OWNED(dae_system) *sys = spring(name, k, u);
    *r = reference_of(sys, u, &end, 1);
}

/* With its force an unknown, of index 1, and without: two methods that have nothing in common. */
TEST(extrapolation_agrees)
{
    const double k = 1e4;
    dae_reference dae, ode;
    solve_spring("spring_tension", k, 1, &dae);
    solve_spring("spring_pendulum", k, 1, &ode);
    assert_string_equal(dae.source, "collocation");
    assert_string_equal(ode.source, "extrapolation");
    for (int i = 0; i < 4; i++)
        assert_near(dae.q[i], ode.q[i], 1e-21);
    dae_reference_free(&dae);
    dae_reference_free(&ode);
}

/* k = 1e10 ... 1e12: u has an expansion in 1/k, the slow solution; the force is k (r - L). The first
 * form at 1e10, whose force has the rounding of r in it, falls back to the same. */
TEST(slow_solution_is_found)
{
    dae_reference r[3], ode;
    for (int i = 0; i < 3; i++) {
        solve_spring("spring_tension", pow(10, 10 + i), 1, &r[i]);
        assert_string_equal(r[i].source, "collocation, slow solution");
        assert_true(r[i].digits < 16);      /* the oscillation of k times the rounding of the start is left out */
        const dae_quad length = dae_quad_hypot(r[i].q[0], r[i].q[1]);
        assert_near(r[i].q[4], dae_quad_pow(10, 10 + i) * (length - 5), 1e-19);
    }
    for (int j = 0; j < 5; j++)             /* differences 9e-11, 9e-12 of u = a + b/k + c/k^2 */
        assert_near(r[0].q[j] - r[1].q[j], 10 * (r[1].q[j] - r[2].q[j]), 1e-15);
    solve_spring("spring_pendulum", 1e10, 1, &ode);
    assert_string_equal(ode.source, "collocation, slow solution");
    for (int j = 0; j < 4; j++)
        assert_near(ode.q[j], r[0].q[j], 1e-20);
    dae_reference_free(&ode);
    for (int i = 0; i < 3; i++)
        dae_reference_free(&r[i]);
}

/* Index 1: z comes from the equations, from wherever; index 2: x off the constraint is refused. */
TEST(starts_are_made_consistent)
{
    const dae_problem *problem = problem_named("linear_dae");
    static const dae_class group[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_ALGEBRAIC};
    dae_first_order reduced = problem->first_order;
    const dae_quad p[] = {2};
    const double end = 0.5;
    dae_quad u[3] = {1, 1, 7};
    int slow;
    dae_report why;
    dae_quad_dae dae = {&problem->first_order, p, group, NULL};
    assert_int_equal(DAE_OK, dae_collocation_start(&dae, 0, end, u, &slow, &why));
    assert_near(u[2], -0.5, 1e-24);
    u[0] += 1e-6;
    assert_int_equal(DAE_INCONSISTENT, dae_collocation_start(&dae, 0, end, u, &slow, &why));
    assert_non_null(strstr(why.message, "constraints"));
    reduced.rhs = reduced.reduced;
    reduced.index = 1;
    dae.equations = &reduced;
    u[0] = 1;
    u[2] = 7;
    assert_int_equal(DAE_OK, dae_collocation_start(&dae, 0, end, u, &slow, &why));
    assert_near(u[2], -0.5, 1e-30);
    assert_false(slow);
}

TEST(linear_dae_is_met)
{
    const double end = 0.5;
    double u[3];
    OWNED(dae_reference) r = {0};
    OWNED(dae_system) *sys = system_at_start("linear_dae", "native", 1, u);
    assert_int_equal(DAE_OK, dae_reference_solve_in(&r, sys, DAE_REFERENCE_COLLOCATION, 0, u, &end,
                                                    1, NULL));
    assert_string_equal(r.source, "collocation");
    assert_near(r.q[0], dae_quad_exp(0.5), 1e-26);
    assert_near(r.q[2], -dae_quad_exp(0.5) / 1.5, 1e-23);
}

/* ---- numbers that underflow ------------------------------------------------------------------ */

static void pulse(const dae_quad *p, dae_quad t, const dae_quad *u, dae_quad *F)
{
    F[0] = u[2];
    F[1] = u[2] * u[2];
    F[2] = u[0] - dae_quad_exp(-1e6 * (t - (dae_quad)0.7) * (t - (dae_quad)0.7));
}

/* x = exp(-k (t - 0.7)^2) has no quad number before t = 0.59; y' = x'^2, y = sqrt(k pi/2)/2 at its top. */
TEST(what_begins_below_all_numbers_is_solved)
{
    static const dae_class group[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_ALGEBRAIC};
    const dae_first_order equations = {.n = 3, .index = 2, .mass = {.quad = last_without}, .rhs = {.quad = pulse}};
    const dae_quad_dae dae = {&equations, NULL, group, NULL};
    const dae_quad end = (dae_quad)0.7;
    const dae_quad_grid grid = {.t0 = 0, .times = &end, .count = 1};
    const dae_radau_rule rule = {.stages = 7, .tolerance = 1e-4};
    const dae_quad start[3] = {0};
    dae_quad u[3], size[3] = {0};
    dae_report why;
    if (dae_collocate(&dae, &rule, &grid, start, u, size, &why))
        fail_msg("%s", why.message);
    assert_near(u[0], 1, 1e-30);
    assert_close((double)u[1], 0.5 * sqrt(1e6 * 3.14159265358979324 / 2), 0.1);
}

TEST(bad_arguments_are_refused)
{
    static const dae_class group[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_ALGEBRAIC};
    const dae_quad_dae dae = {&problem_named("linear_dae")->first_order, (const dae_quad[]){2}, group, NULL};
    const dae_quad_grid grid = {.t0 = 0, .times = (const dae_quad[]){1, 0.5}, .count = 2};
    const dae_radau_rule rules[] = {{.stages = 3, .step = 1}, {.stages = 13, .step = 1},
                                    {.stages = 3}};
    const dae_quad u0[3] = {1, 0, 0};
    dae_quad z[6], size[3] = {0};
    for (int i = 0; i < 3; i++)
        assert_int_equal(DAE_BAD_ARGUMENT, dae_collocate(&dae, &rules[i], &grid, u0, z, size, NULL));
}
