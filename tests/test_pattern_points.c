/* test_pattern_points.c - the pattern of dF/du is that of several points near the start, and finding it
 * takes as many evaluations of F for a large system as for a small one, but for the logarithm */
#ifndef DAE_PASS
enum { COUNT, KIND };
enum { EVERYWHERE, WHERE_LARGE, SMALL_BESIDE, NOT_AT_FIRST };
#include <daelab/model.h>

#include "support.h"

#include "jacobian/jacobian.h"

#include <math.h>
#include <stdlib.h>

static void small_start(const double *p, double *u)
{
    for (int i = 0; i < dae_count(p[COUNT]); i++)
        u[i] = i == 0 ? 1 : 1e-3;
}

static long asked;

static void counted(const double *p, dae_dual t, const dae_dual *u, dae_dual *F)
{
    asked++;
    ring_dual(p, t, u, F);
}

static dae_problem ring_of(int count, int kind)
{
    return (dae_problem){
        .name = "ring", .variables = "", .units = "", .start = {small_start}, .t_end = 1,
        .parameters = {{"count", count, "-", "", DAE_POSITIVE}, {"kind", kind, "-", "", DAE_ANY_VALUE}},
        .first_order = {.n = count, .rhs = {ring_double, counted, ring_quad, ring_tangent}}};
}

/* Off the diagonal; the evaluations of F that it took. */
static int entries(int count, int kind, long *evaluations)
{
    const dae_problem ring = ring_of(count, kind);
    dae_system *sys;
    dae_jacobian *jac;
    dae_report why = {0};
    if (dae_system_create(&sys, &ring, dae_find_formulation("native"), NULL, NULL, &why))
        fail_msg("%s", why.message);
    asked = 0;
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, DAE_JACOBIAN_DUAL, 1, NULL));
    *evaluations = asked;
    const int nnz = jac->pair.pattern.nnz;
    dae_jacobian_free(jac);
    dae_system_free(sys);
    return nnz - count;
}

/* What begins beyond 0.02 from 1e-3 is found where the second point has gone that far. */
static void entries_of_other_points_are_found(void **state)
{
    enum { MANY = 400 };
    long few, all;
    (void)state;
    assert_int_equal(2 * MANY, entries(MANY, EVERYWHERE, &few));
    assert_in_range(entries(MANY, WHERE_LARGE, &all), MANY / 4, 2 * MANY);
    assert_true(all > 2 * few);
    assert_int_equal(2 * MANY, entries(MANY, SMALL_BESIDE, &all));
    assert_true(all < 2 * few);
}

/* The first point is near the start, the second is not. */
static void rows_without_value_are_found_elsewhere(void **state)
{
    long evaluations;
    (void)state;
    assert_int_equal(2 * 100, entries(100, NOT_AT_FIRST, &evaluations));
}

static void evaluations_grow_as_the_logarithm(void **state)
{
    long few, many;
    (void)state;
    entries(256, EVERYWHERE, &few);
    entries(16384, EVERYWHERE, &many);
    if (few > 4 * 4 * 4 + 20 || many > 4 * 4 * 7 + 20)     /* 4 parts, 3 or 4 colours, log4 n levels */
        fail_msg("%ld and %ld evaluations of F", few, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_other_points_are_found),
        cmocka_unit_test(rows_without_value_are_found_elsewhere),
        cmocka_unit_test(evaluations_grow_as_the_logarithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* Each unknown is pulled by both neighbours: always; from 0.02 on; by 1e-14 beside its own pull; or by a
 * function that has no value near the start, 1e-3. */
static void FN(ring)(const param *p, real t, const real *u, real *F)
{
    const int n = dae_count(p[COUNT]), kind = dae_count(p[KIND]);
    for (int i = 0; i < n; i++) {
        const real a = u[(i + 1) % n], b = u[(i + n - 1) % n];
        F[i] = -u[i];
        if (kind == EVERYWHERE)
            F[i] += a + b;
        if (kind == WHERE_LARGE)
            F[i] += (value(a) > EXACT(0.02) ? a : 0 * a) + (value(b) > EXACT(0.02) ? b : 0 * b);
        if (kind == SMALL_BESIDE)
            F[i] += EXACT(1e-14) * (a + b);
        if (kind == NOT_AT_FIRST)
            F[i] += value(a) < EXACT(2e-3) && value(a) > 0 ? log(-a) : a * b;
    }
}

#endif
