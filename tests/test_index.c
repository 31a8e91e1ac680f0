/* test_index.c - the index of each unknown of M u' = F, against what is known of these problems, in
 * any order of unknowns and equations and in any units; and runs of the same motion as mechanics
 * and as M u' = F */
#ifndef DAE_PASS
#include "support.h"

#include "index/growth.h"
#include "base/numbers.h"
#include "system/system.h"

enum { MOST = 12, WIDE = DAE_SMALL_MASS };
#include <daelab/model.h>

/* Entry (row, column, value) of M, or of J. */
typedef struct { char of; int i, j; double x; } place;

typedef struct {
    const char *name;
    int n;
    int k[MOST];                /* growth of each row of the inverse */
    place entries[28];          /* ends with n = 0 */
} known;

static const known pencils[] = {
    {"decay", 1, {0}, {{'M', 0, 0, 1}, {'J', 0, 0, -1}}},
    {"implicit oscillator", 2, {0, 0},
     {{'M', 0, 0, 2}, {'M', 0, 1, 1}, {'M', 1, 0, 1}, {'M', 1, 1, 3}, {'J', 0, 1, 1},
      {'J', 1, 0, -1}}},
    {"0 = z - y", 2, {0, 1}, {{'M', 0, 0, 1}, {'J', 0, 0, -1}, {'J', 1, 1, 1}, {'J', 1, 0, -1}}},
    {"z = y', y given", 2, {1, 2}, {{'M', 0, 0, 1}, {'J', 0, 1, 1}, {'J', 1, 0, 1}}},
    {"z = y'', y given", 3, {1, 2, 3},
     {{'M', 0, 0, 1}, {'M', 1, 1, 1}, {'J', 0, 1, 1}, {'J', 1, 2, 1}, {'J', 2, 0, 1}}},
    {"y is fed by z of index 3, w by y", 5, {1, 2, 3, 2, 1},
     {{'M', 0, 0, 1}, {'M', 1, 1, 1}, {'J', 0, 1, 1}, {'J', 1, 2, 1}, {'J', 2, 0, 1},
      {'M', 3, 3, 1}, {'J', 3, 2, 1}, {'M', 4, 4, 1}, {'J', 4, 3, 1}}},
    /* (q, v, lambda) of a pendulum at an angle, and an idle body beside it */
    {"pendulum and idle body", 7, {1, 1, 2, 2, 3, 0, 0},
     {{'M', 0, 0, 1}, {'M', 1, 1, 1}, {'M', 2, 2, 3}, {'M', 3, 3, 3}, {'J', 0, 2, 1},
      {'J', 1, 3, 1}, {'J', 2, 4, -0.6}, {'J', 3, 4, -0.8}, {'J', 2, 0, -2}, {'J', 3, 1, -2},
      {'J', 4, 0, 0.6}, {'J', 4, 1, 0.8}, {'M', 5, 5, 1}, {'M', 6, 6, 1}, {'J', 5, 6, 1}}},
    {"pendulum on the velocity level", 5, {0, 0, 1, 1, 2},
     {{'M', 0, 0, 1}, {'M', 1, 1, 1}, {'M', 2, 2, 3}, {'M', 3, 3, 3}, {'J', 0, 2, 1},
      {'J', 1, 3, 1}, {'J', 2, 4, -0.6}, {'J', 3, 4, -0.8}, {'J', 4, 2, 0.6}, {'J', 4, 3, 0.8}}},
    /* C (u1 - u2)' = -u1/R + i, C (u2 - u1)' = -u2/R: the sum has no derivative */
    {"a capacitor between nodes", 2, {1, 1},
     {{'M', 0, 0, 1e-6}, {'M', 0, 1, -1e-6}, {'M', 1, 0, -1e-6}, {'M', 1, 1, 1e-6},
      {'J', 0, 0, -1e-3}, {'J', 1, 1, -1e-3}}},
    /* a voltage source over a capacitor, its current a third unknown: C (u1 - u2)' + u1/R = i,
     * C (u2 - u1)' + u2/R = -i, 0 = u1 - u2 - V */
    {"a loop of a source and a capacitor", 3, {1, 1, 2},
     {{'M', 0, 0, 1e-6}, {'M', 0, 1, -1e-6}, {'M', 1, 0, -1e-6}, {'M', 1, 1, 1e-6},
      {'J', 0, 0, -1e-3}, {'J', 1, 1, -1e-3}, {'J', 0, 2, 1}, {'J', 1, 2, -1}, {'J', 2, 0, 1},
      {'J', 2, 1, -1}}},
    /* x' = w, 0 = x - s(t), (y + w)' = -y: w and y have derivatives, and are of index 2 */
    {"differential unknowns of index 2", 3, {1, 2, 2},
     {{'M', 0, 0, 1}, {'J', 0, 1, 1}, {'J', 1, 0, 1}, {'M', 2, 2, 1}, {'M', 2, 1, 1},
      {'J', 2, 2, -1}}},
    /* x + y = s, x' + y' = z + x, (x - y)' = 0: what cancels is a derivative of an equation */
    {"an equation and its derivative", 3, {1, 1, 2},
     {{'J', 0, 0, 1}, {'J', 0, 1, 1}, {'M', 1, 0, 1}, {'M', 1, 1, 1}, {'J', 1, 2, 1},
      {'J', 1, 0, 1}, {'M', 2, 0, 1}, {'M', 2, 1, -1}}},
};

static void fill(const known *p, double *M, double *J)
{
    memset(M, 0, MOST * MOST * sizeof *M);
    memset(J, 0, MOST * MOST * sizeof *J);
    for (const place *e = p->entries; e->of; e++)
        (e->of == 'M' ? M : J)[e->j * p->n + e->i] = e->x;
}

static void shuffle(int n, int *order, uint64_t *random)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int k = (int)((dae_random(random) + 1) / 2 * (i + 1)), x = order[i];
        order[i] = order[k];
        order[k] = x;
    }
}

/* Rows and columns in another order and in other units, time too. */
static void disguise(int n, const double *M, const double *J, const int *row, const int *column,
                     double decades, uint64_t *random, double *M_new, double *J_new)
{
    double of_row[MOST], of_column[MOST];
    const double of_time = pow(10, decades * dae_random(random));
    for (int i = 0; i < n; i++) {
        of_row[i] = pow(10, decades * dae_random(random));
        of_column[i] = pow(10, decades * dae_random(random));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double scale = of_row[row[i]] * of_column[column[j]];
            M_new[j * n + i] = scale * M[column[j] * n + row[i]];
            J_new[j * n + i] = scale * of_time * J[column[j] * n + row[i]];
        }
}

TEST(test_values)
{
    uint64_t random = 1;
    for (size_t p = 0; p < sizeof pencils / sizeof *pencils; p++)
        for (int try = 0; try < 200; try++) {
            const int n = pencils[p].n;
            double M[MOST * MOST], J[MOST * MOST], M_new[MOST * MOST], J_new[MOST * MOST];
            int row[MOST], column[MOST], k[MOST];
            fill(&pencils[p], M, J);
            shuffle(n, row, &random);
            shuffle(n, column, &random);
            disguise(n, M, J, row, column, try % 10, &random, M_new, J_new);
            if (dae_growth_with_terms(n, M_new, J_new, k, NULL) != 1)
                fail_msg("%s, %d decades: no index", pencils[p].name, try % 10);
            for (int i = 0; i < n; i++)
                if (k[i] != pencils[p].k[column[i]])
                    fail_msg("%s, %d decades: unknown %d has index %d, not %d", pencils[p].name,
                             try % 10, column[i], k[i], pencils[p].k[column[i]]);
        }
}

/* Equations mixed by a random matrix, unknowns left as they are: the same indices. */
TEST(test_mixed_equations)
{
    uint64_t random = 7;
    for (size_t p = 0; p < sizeof pencils / sizeof *pencils; p++)
        for (int try = 0; try < 20; try++) {
            const int n = pencils[p].n;
            double M[MOST * MOST], J[MOST * MOST];
            double M_new[MOST * MOST] = {0}, J_new[MOST * MOST] = {0};
            int k[MOST];
            fill(&pencils[p], M, J);
            for (int i = 0; i < n; i++)
                for (int l = 0; l < n; l++) {
                    const double x = dae_random(&random);
                    for (int j = 0; j < n; j++) {
                        M_new[j * n + i] += x * M[j * n + l];
                        J_new[j * n + i] += x * J[j * n + l];
                    }
                }
            assert_int_equal(1, dae_growth_with_terms(n, M_new, J_new, k, NULL));
            for (int i = 0; i < n; i++)
                if (k[i] != pencils[p].k[i])
                    fail_msg("%s, mixed: unknown %d has index %d, not %d", pencils[p].name, i, k[i],
                             pencils[p].k[i]);
        }
}

TEST(test_singular)
{
    const double M[4] = {1, 1, 1, 1}, J[4] = {2, 2, 3, 3}, zero[4] = {0}, nan[4] = {NAN, 0, 0, 1};
    int k[2];
    assert_int_equal(0, dae_growth_with_terms(2, M, J, k, NULL));
    assert_int_equal(0, dae_growth_with_terms(2, zero, zero, k, NULL));
    assert_int_equal(0, dae_growth_with_terms(2, M, nan, k, NULL));
    int column[3] = {0, 1, 2}, row[2] = {0, 0};
    const dae_pattern pattern = {.rows = 2, .n = 2, .nnz = 2, .column = column, .row = row};
    assert_int_equal(0, dae_growth_of_pattern(&pattern, M, k));
}

/* Many copies of those pencils that need no values, each unknown and equation at a random place. */
TEST(test_pattern)
{
    enum { COPIES = 3000 };
    static const int plain[] = {0, 2, 3, 4, 5, 6, 7, 10};
    uint64_t random = 3;
    int n = 0, nnz = 0;
    for (int c = 0; c < COPIES; c++) {
        const known *p = &pencils[plain[c % 8]];
        n += p->n;
        for (const place *e = p->entries; e->of; e++)
            nnz++;
    }
    int *memory = calloc(8 * (size_t)(n + nnz) + 2, sizeof *memory);
    int *at_row = memory, *at_column = at_row + n, *count = at_column + n, *rows = count + n + 1;
    int *expected = rows + nnz, *k = expected + n;
    double *M = calloc((size_t)nnz + 1, sizeof *M);
    shuffle(n, at_row, &random);
    shuffle(n, at_column, &random);
    for (int fill_in = 0; fill_in < 2; fill_in++) {
        for (int c = 0, first = 0; c < COPIES; first += pencils[plain[c % 8]].n, c++) {
            const known *p = &pencils[plain[c % 8]];
            for (const place *e = p->entries; e->of; e++) {
                int known_before = 0;                   /* one place for M and J together */
                for (const place *other = p->entries; other < e; other++)
                    known_before |= other->i == e->i && other->j == e->j;
                if (known_before)
                    continue;
                const int j = at_column[first + e->j];
                if (!fill_in) {
                    count[j + 1]++;
                } else {
                    const int to = count[j]++;
                    rows[to] = at_row[first + e->i];
                    M[to] = e->of == 'M' ? e->x : 0;
                }
            }
            for (int i = 0; i < p->n; i++)
                expected[at_column[first + i]] = p->k[i];
        }
        for (int j = 0; !fill_in && j < n; j++)
            count[j + 1] += count[j];
    }
    memmove(count + 1, count, (size_t)n * sizeof *count);
    count[0] = 0;
    const dae_pattern pattern = {.rows = n, .n = n, .nnz = count[n], .column = count, .row = rows};
    assert_int_equal(1, dae_growth_of_pattern(&pattern, M, k));
    for (int j = 0; j < n; j++)
        if ((k[j] > 0 ? k[j] : 0) != expected[j])
            fail_msg("unknown %d has index %d, not %d", j, k[j], expected[j]);
    free(memory);
    free(M);
}

/* ---- runs --------------------------------------------------------------------------------- */

static const dae_problem mechanics = {
    .name = "mechanics", .variables = "x y vx vy N", .units = "m m m/s m/s N",
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = {start_one}, .t_end = 2};
#define FIRST_ORDER(k, F)                                                                         \
    {.name = "index" #k, .variables = "x y vx vy N", .units = "m m m/s m/s N",                    \
     .first_order = {.n = 5, .index = k, .mass = DAE_MODEL(mass), .rhs = DAE_MODEL(F)},           \
     .start = {start_one}, .t_end = 2}
static const dae_problem written[] = {
    FIRST_ORDER(1, acceleration_level), FIRST_ORDER(2, velocity_level),
    FIRST_ORDER(3, position_level)};

static void of_ones(const double *p, double *u)
{
    for (int i = 0; i < WIDE; i++)
        u[i] = 1;
}

static dae_statistics run(const dae_problem *problem, const char *form, const dae_method *method,
                          double *u)
{
    dae_options o = tolerance(1e-6);
    if (!dae_method_describe(method).adaptive)
        o.step = 0.01;
    OWNED(dae_system) *sys = system_of(problem, form, NULL, u);
    return solve_to(sys, dae_method_describe(method).name, &o, 2, u);
}

/* Written as M u' = F a pendulum costs little more than as mechanics, and is as good. IDA keeps only
 * multipliers of mechanics out of the error test in index 1. In index 2 and 3 it shows the method's own
 * multiplier, which is asked for to rtol of itself where it passes 0, too, at a rate since the start that no t_end
 * makes smaller: for 1.4 to 1.63 times the steps
 * cros4, rodas4 and rodas5p have half the errors, and next to 0 down to a 30th of the multiplier's.
 * IDA is wrong by 2e-3 in index 3, one way as the other. */
TEST(test_runs)
{
    static const char *const forms[] = {"index1", "index2", "index3"};
    static const char *const methods[] = {"cros", "cros4", "rodas4", "rodas5p", "radau5", "radau9",
                                          "radau", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int index = 0; index < 3; index++) {
            double u[5], v[5];
            const dae_method *method = dae_find_method(methods[m]);
            const dae_statistics a = run(&mechanics, forms[index], method, u);
            const dae_statistics b = run(&written[index], "native", method, v);
            const int loose = index == 2 && strcmp(methods[m], "ida") == 0;
            if ((double)b.steps > 1.7 * (double)a.steps + 5
                || distance(u, v, 2) > (loose ? 2e-3 : 1e-3))
                fail_msg("%s, index %d: %ld steps as M u' = F, %ld as mechanics, apart by %g",
                         methods[m], index + 1, b.steps, a.steps, distance(u, v, 2));
        }
}

/* A declared index that is not that of the equations is told, with both. */
TEST(test_declared)
{
    double u[5];
    for (int is = 0; is < 3; is++)
        for (int declared = 0; declared <= 3; declared++) {
            dae_problem problem = written[is];
            dae_report why = {0};
            char says[64];
            problem.first_order.index = declared;
            OWNED(dae_system) *sys = system_of(&problem, "native", NULL, u);
            OWNED(dae_solver) *solver = NULL;
            const dae_status status = dae_solver_create(&solver, sys, dae_find_method("radau"),
                                                        NULL, &why);
            snprintf(says, sizeof says, "of index %d, that of unknown 5 (N)", is + 1);
            if (declared == is + 1)
                assert_int_equal(DAE_OK, status);
            else if (status != DAE_BAD_ARGUMENT || !strstr(why.message, says))
                fail_msg("index %d declared as %d: %s", is + 1, declared, why.message);
        }
}

/* M u' = -u, M = P diag(1, ..., 1, 0) P with P = I - 2 w w^T, |w| = 1: no entry of M is 0, and still it is
 * singular, which values show and a pattern does not. The largest system of which values are looked at. */
static const dae_problem reflected = {
    .name = "reflected", .start = {of_ones}, .t_end = 1,
    .first_order = {.n = WIDE, .index = 1, .mass = DAE_MODEL(reflected), .rhs = DAE_MODEL(decay)}};

TEST(test_values_of_many)
{
    for (int declared = 1; declared <= 2; declared++) {
        dae_problem problem = reflected;
        dae_report why = {0};
        problem.first_order.index = declared;
        OWNED(dae_system) *sys = system_of(&problem, "native", NULL, NULL);
        OWNED(dae_solver) *solver = NULL;
        const dae_status status = dae_solver_create(&solver, sys, dae_find_method("radau"), NULL, &why);
        if (status != (declared == 1 ? DAE_OK : DAE_BAD_ARGUMENT))
            fail_msg("index 1 declared as %d: %s", declared, why.message);
    }
}

#else
#include "unit_circle.h"

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{ f[0] = 0; f[1] = -9.81; }
static void FN(mass)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = x[i];
    out[4] = 0 * x[4];
}
static void FN(reflect)(real *x)
{
    real along = 0;
    for (int i = 0; i < WIDE; i++)
        along += x[i] / WIDE;
    for (int i = 0; i < WIDE; i++)
        x[i] -= 2 * along;
}
static void FN(reflected)(const param *p, real t, const real *u, const real *x, real *out)
{
    for (int i = 0; i < WIDE; i++)
        out[i] = x[i];
    FN(reflect)(out);
    out[WIDE - 1] = 0 * out[WIDE - 1];
    FN(reflect)(out);
}
static void FN(decay)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < WIDE; i++)
        F[i] = -u[i];
}
static void FN(position_level)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -u[0] * u[4];
    F[3] = -9.81 - u[1] * u[4];
    F[4] = (u[0] * u[0] + u[1] * u[1] - 1) / 2;
}
static void FN(velocity_level)(const param *p, real t, const real *u, real *F)
{
    FN(position_level)(p, t, u, F);
    F[4] = u[0] * u[2] + u[1] * u[3];
}
static void FN(acceleration_level)(const param *p, real t, const real *u, real *F)
{
    FN(position_level)(p, t, u, F);
    F[4] = u[2] * u[2] + u[3] * u[3] + u[0] * F[2] + u[1] * F[3];
}

#endif
