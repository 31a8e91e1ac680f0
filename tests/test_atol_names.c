/* test_atol_names.c - absolute tolerances by name and class: what they come to in each system, what is
 * refused, and a problem whose unknowns differ by 1e8
 *
 *     T' = -a T,  n' = r n (1 - n/N)       what is left of a heat of 1e3 K, and 1e-7 to 1e-5 mol that grow
 */
#ifndef DAE_PASS
enum { LOSS, RATE, LARGEST };
#include <daelab/model.h>

#include "refusals.h"
#include "switching.h"

static const dae_problem cooling = {
    .name = "cooling", .title = "heat that goes, and a culture that grows", .citation = "a test",
    .equations = "T' = -a T, n' = r n (1 - n/N)", .variables = "T n", .units = "K mol",
    .parameters = {{"a", 50, "1/s", "loss", DAE_POSITIVE}, {"r", 5, "1/s", "growth", DAE_POSITIVE},
                   {"N", 1e-5, "mol", "most", DAE_POSITIVE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(cooling)}, .start = DAE_MODEL(start), .t_end = 1};

/* ---- what names come to ---- */

static void resolve(const char *problem, const char *form, const dae_atol *list, int count, double *atols)
{
    double u[MOST_UNKNOWNS];
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start(problem, form, 0, u);
    if (dae_system_atols(sys, 1e-9, list, count, atols, &why))
        fail_msg("%s %s: %s", problem, form, why.message);
}

static void compare(const double *atols, const double *expected, int n)
{
    for (int i = 0; i < n; i++)
        if (atols[i] != expected[i])
            fail_msg("unknown %d: atol %g, not %g", i + 1, atols[i], expected[i]);
}

TEST(test_names_before_classes)
{
    double atols[MOST_UNKNOWNS];
    resolve("pendulum", "ggl", (dae_atol[]){{"vy", 3}, {"velocity", 2}, {"T", 5}}, 3, atols);
    compare(atols, (double[]){1e-9, 1e-9, 2, 3, 5, 1e-9}, 6);
    resolve("pendulum", "index2", (dae_atol[]){{"velocity", 2}, {"vy", 3}, {"position", 7}}, 3, atols);
    compare(atols, (double[]){7, 7, 2, 3, 1e-9}, 5);
    resolve("pendulum", "ode", (dae_atol[]){{"position", 4}}, 1, atols);
    compare(atols, (double[]){4, 1e-9}, 2);
    resolve("robertson", "native", NULL, 0, atols);
    compare(atols, (double[]){1e-9, 1e-9, 1e-9}, 3);
}

/* Of many copies: all of a kind, one of them, and none of another that only begins alike. */
TEST(test_copies)
{
    double u[MOST_UNKNOWNS], atols[MOST_UNKNOWNS];
    char name[32], unit[32];
    OWNED(dae_system) *sys = system_at_start("chain", "index1", 0, u);
    const int n = dae_system_size(sys);
    dae_system_unknown(sys, 0, name, unit, sizeof name);
    assert_string_equal(name, "x1");
    assert_true(n >= 20 && n <= MOST_UNKNOWNS);
    const dae_atol list[] = {{"x", 2}, {"x1", 3}, {"velocity", 4}};
    assert_int_equal(dae_system_atols(sys, 1, list, 3, atols, NULL), DAE_OK);
    for (int i = 0; i < n; i++) {
        dae_system_unknown(sys, i, name, unit, sizeof name);
        const double expected = strcmp(name, "x1") == 0                           ? 3
                                : name[0] == 'x'                                  ? 2
                                : dae_system_class(sys, i) == DAE_VELOCITY        ? 4 : 1;
        if (atols[i] != expected)
            fail_msg("%s: %g, not %g", name, atols[i], expected);
    }
}

TEST(test_refused)
{
    double u[MOST_UNKNOWNS];
    dae_report why = {0};
    OWNED(dae_system) *sys = system_at_start("pendulum", "index1", 0, u);
    dae_options o = tolerance(1e-6);
    dae_solver *s;
    const struct { dae_atol list[2]; int count; const char *says; } wrong[] = {
        {{{"vz", 1}, {"x", 1}}, 2, "atol of vz: pendulum in form index1 has no unknown"},
        {{{"zzz", 1}}, 1, "its classes are position, velocity, multiplier"},
        {{{"velocty", 1}}, 1, "did you mean velocity?"}, {{{"x", 1}, {"x", 2}}, 2, "x is given twice, 1 and 2"},
        {{{NULL, 1}}, 1, "names nothing"}, {{{"x", -1}}, 1, "atol = -1 of x must be positive"},
        {{{"x", NAN}}, 1, "of x must be positive"}, {{{"x", 1}}, -1, "atol_count = -1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.atol_of = wrong[i].list;
        o.atol_count = wrong[i].count;
        expect(dae_solver_create(&s, sys, dae_find_method("radau"), &o, &why), DAE_BAD_ARGUMENT, &why,
               wrong[i].says);
        assert_null(s);
    }
    OWNED(dae_system) *carried = system_at_start("varactor", "native", 0, u);
    expect(dae_system_atols(carried, 1, (dae_atol[]){{"zzz", 1}}, 1, NULL, &why), DAE_BAD_ARGUMENT, &why,
           "its classes are differential");
    assert_null(strstr(why.message, "auxiliary"));      /* the u' that M carries: nobody tests them */
    const dae_atol one = {"x", 1e-3};
    o.atol_of = NULL;
    o.atol_count = 1;
    expect(dae_solver_create(&s, sys, dae_find_method("ida"), &o, &why), DAE_BAD_ARGUMENT, &why, "NULL");
    o.atol_of = &one;
    o.atols = u;
    expect(dae_solver_create(&s, sys, dae_find_method("ida"), &o, &why), DAE_BAD_ARGUMENT, &why,
           "exclude each other");
    expect(dae_system_atols(NULL, 1, &one, 1, u, &why), DAE_BAD_ARGUMENT, &why, "no system");
}

/* ---- runs: the list is as the array that it stands for ---- */

TEST(test_same_as_array)
{
    for (int m = 0; dae_method_at(m); m++) {
        double start[MOST_UNKNOWNS], u[MOST_UNKNOWNS], v[MOST_UNKNOWNS], w[MOST_UNKNOWNS];
        OWNED(dae_system) *sys = pendulum_for(dae_method_at(m), start);
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const int n = dae_system_size(sys);
        dae_atol list[] = {{"velocity", 1e-2}, {"position", 1e-7}};
        dae_options o = tolerance(1e-5);
        if (info.adaptive) {
            o.atol_of = list;
            o.atol_count = 2;
            memcpy(u, start, sizeof u);
            solve_to(sys, info.name, &o, 1, u);
            double atols[MOST_UNKNOWNS];
            assert_int_equal(dae_system_atols(sys, 1e-5, list, 2, atols, NULL), DAE_OK);
            o = tolerance(1e-5);
            o.atols = atols;
            memcpy(v, start, sizeof v);
            solve_to(sys, info.name, &o, 1, v);
            o.atols = NULL;
            memcpy(w, start, sizeof w);
            solve_to(sys, info.name, &o, 1, w);
            assert_memory_equal(u, v, (size_t)n * sizeof *u);
            if (memcmp(u, w, (size_t)n * sizeof *u) == 0)
                fail_msg("%s: the same with and without", info.name);
        }
    }
}

/* Modes: a name that one of them has, and one that none has; the caller's list is gone when it runs. */
TEST(test_modes)
{
    OWNED(dae_hybrid) *run = NULL;
    dae_report why = {0};
    const dae_formulation *form = dae_find_formulation("index1");
    const dae_method *method = dae_find_method("radau");
    dae_options o = tolerance(1e-8);
    dae_atol list[] = {{"velocity", 1e-6}, {"T", 1e-2}};
    o.atol_of = list;
    o.atol_count = 2;
    assert_int_equal(dae_hybrid_create(&run, problem_named("string_pendulum"), form, NULL, NULL, method, &o,
                                       &why), DAE_OK);
    list[0] = list[1] = (dae_atol){"nothing", NAN};
    assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
    assert_true(dae_hybrid_advance(run, 3) >= 0);
    assert_true(dae_hybrid_events(run) > 0);
    dae_hybrid_free(run);
    list[0] = (dae_atol){"velocity", 1e-6};
    list[1] = (dae_atol){"Tension", 1e-2};
    expect(dae_hybrid_create(&run, problem_named("string_pendulum"), form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "atol of Tension: string_pendulum");
    list[1] = (dae_atol){"T", 0};
    expect(dae_hybrid_create(&run, problem_named("string_pendulum"), form, NULL, NULL, method, &o, &why),
           DAE_BAD_ARGUMENT, &why, "must be positive");
}

/* ---- unknowns that differ by 1e8 ---- */

typedef struct { double off_T, off_n; long rhs; } outcome;

/* At t = 1: T beside its start, n beside itself. */
static outcome cool(const char *method, double atol, const dae_atol *list, int count)
{
    const double N = 1e-5, n = 1e-7, exact = N / (1 + (N / n - 1) * exp(-5));
    double u[2];
    dae_options o = tolerance(1e-6);
    o.atol = atol;
    o.atol_of = list;
    o.atol_count = count;
    OWNED(dae_system) *sys = system_of(&cooling, "native", NULL, u);
    const dae_statistics work = solve_to(sys, method, &o, 1, u);
    return (outcome){fabs(u[0] - 1000 * exp(-50)) / 1000, fabs(u[1] / exact - 1), work.rhs};
}

/* One atol for both is too large for n, or costs what nobody asks of T; by unknown neither. */
TEST(test_scales)
{
    static const char *const methods[] = {"radau5", "radau", "rodas4", "rodas5p", "cros", "cvode", "ida"};
    const dae_atol each[] = {{"T", 1e-3}, {"n", 1e-11}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const outcome of_T = cool(methods[i], 1e-3, NULL, 0), of_n = cool(methods[i], 1e-11, NULL, 0);
        const outcome named = cool(methods[i], 1e-9, each, 2);
        if (!(of_T.off_n > 10 * named.off_n && named.off_n < 1e-4 && named.off_T < 1e-6
              && 5 * named.rhs < 4 * of_n.rhs))
            fail_msg("%s: n off by %.2g (%ld F), %.2g (%ld F) and by unknown %.2g (%ld F), T by %.2g",
                     methods[i], of_T.off_n, of_T.rhs, of_n.off_n, of_n.rhs, named.off_n, named.rhs,
                     named.off_T);
    }
}

#else
static void FN(start)(const param *p, real *u)
{
    u[0] = 1000;
    u[1] = 1e-7;
}

static void FN(cooling)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[LOSS] * u[0];
    F[1] = p[RATE] * u[1] * (1 - u[1] / p[LARGEST]);
}
#endif
