/* test_chain.c - the chain and the double pendulum against references; redundant constraints */
#ifndef DAE_PASS
enum { N };
#include <daelab/model.h>

#include "support.h"

#include "jacobian/jacobian.h"
#include "linear/pencil.h"

#include <fenv.h>

OWNED_BY_POINTER(dae_jacobian)
OWNED_BY_POINTER(dae_pencil)

/* ---- states from files -------------------------------------------------------------------- */

/* The numbers of tests/data/name, lines that begin with # left out; to be freed. */
static double *numbers(const char *name, int count)
{
    char path[1024], line[512];
    double *x = calloc((size_t)count, sizeof *x);
    snprintf(path, sizeof path, "%s/tests/data/%s", DAELAB_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    int got = 0;
    if (!x || !file)
        fail_msg("cannot read %s", path);
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        for (double y = strtod(at, &end); line[0] != '#' && end != at; y = strtod(at, &end)) {
            assert_true(got < count);
            x[got++] = y;
            at = end;
        }
    }
    fclose(file);
    assert_int_equal(count, got);
    return x;
}

/* x y vx vy T of links [n] from a state (q, v, lambda) */
static double component(const double *u, int n, int link, int k)
{
    return u[k < 2 ? 2 * link + k : k < 4 ? 2 * n + 2 * link + k - 2 : 4 * n + link];
}

/* Positions and velocities to within tolerance of the largest of their kind, the distance of each
 * bob of its own; tensions to 1e-7 of their own. */
static void check_links(const double *u, const double *links, int n, double tolerance)
{
    for (int i = 0; i < n; i++) {
        const double *ref = links + 5 * i;
        const double x = component(u, n, i, 0) - ref[0], y = component(u, n, i, 1) - ref[1];
        assert_close(hypot(x, y) / hypot(ref[0], ref[1]), 0, tolerance);
        assert_close(component(u, n, i, 2), ref[2], 1e-7);
        assert_close(component(u, n, i, 3), ref[3], 1e-7);
        assert_close(component(u, n, i, 4) / ref[4], 1, 1e-7);
    }
}

static dae_system *chain(int n, const char *form, double *u)
{
    const double p[] = {n, 1, 1, 9.81};
    return consistent_system(problem_named("chain"), form, p, u);
}

/* ---- the chain ---------------------------------------------------------------------------- */

static const struct { int n; const char *file; } files[] = {
    {2, "chain_N2_t1.txt"}, {10, "chain_N10_t1.txt"}, {100, "chain_N100_t1.txt"},
};
enum { FILES = sizeof files / sizeof *files };

TEST(test_chain)
{
    static const struct { const char *form, *method; double rtol; } by[] = {
        {"index1", "dop853", 1e-11}, {"index1", "radau", 1e-10}, {"index2", "radau", 1e-10},
        {"index1", "ida", 1e-12},    {"index2", "ida", 1e-12},
    };
    for (int f = 0; f < FILES; f++) {
        const int n = files[f].n;
        double *links = numbers(files[f].file, 5 * n), u[500];
        for (size_t k = 0; k < (n < 100 ? sizeof by / sizeof *by : 2); k++) {
            const dae_options options = tolerance(by[k].rtol);
            OWNED(dae_system) *sys = chain(n, by[k].form, u);
            double begin, end, power;
            assert_int_equal(1, dae_system_energy(sys, 0, u, u + 2 * n, &begin, &power));
            solve_to(sys, by[k].method, &options, 1, u);
            assert_int_equal(1, dae_system_energy(sys, 1, u, u + 2 * n, &end, &power));
            assert_close(end, begin, 1e-8 * n * n);
            check_links(u, links, n, 1e-9);
        }
        free(links);
    }
}

/* daelab's own reference agrees with the files to all digits that it claims. */
TEST(test_reference)
{
    for (int f = 0; f < FILES - 1; f++) {               /* that of 100 links takes 10 s */
        const int n = files[f].n;
        const double one = 1;
        double *links = numbers(files[f].file, 5 * n), u[500];
        OWNED(dae_system) *sys = chain(n, "index1", u);
        OWNED(dae_reference) r = reference_of(sys, u, &one, 1);
        assert_true(r.digits > 20);
        for (int i = 0; i < n; i++) {
            assert_close((double)r.q[2 * i], links[5 * i], 1e-14 * n);
            assert_close((double)r.q[2 * i + 1], links[5 * i + 1], 1e-14 * n);
            assert_close((double)r.v[2 * i], links[5 * i + 2], 1e-14 * n);
            assert_close((double)r.v[2 * i + 1], links[5 * i + 3], 1e-14 * n);
            assert_close((double)r.lambda[i] / links[5 * i + 4], 1, 1e-14);
        }
        free(links);
    }
}

/* One link is a pendulum of length 1. */
TEST(test_one_link)
{
    const double p[] = {1, 1, 9.81, 0, 1, 1, 0, 0, 0, 0};
    const dae_options options = tolerance(1e-12);
    double u[5], w[5];
    OWNED(dae_system) *sys = chain(1, "index1", u);
    OWNED(dae_system) *pendulum = consistent_system(problem_named("pendulum"), "index1", p, w);
    solve_to(sys, "radau", &options, 1, u);
    solve_to(pendulum, "radau", &options, 1, w);
    assert_close(distance(u, w, 5), 0, 1e-10);
}

/* Two links are the double pendulum. */
TEST(test_two_links)
{
    const double p[] = {1, 1, 1, 1, 9.81};
    const dae_options options = tolerance(1e-12);
    double u[10], w[10];
    OWNED(dae_system) *sys = chain(2, "index1", u);
    OWNED(dae_system) *pendulum = system_of(problem_named("double_pendulum"), "index1", p, w);
    solve_to(sys, "radau", &options, 1, u);
    solve_to(pendulum, "radau", &options, 1, w);
    assert_close(distance(u, w, 10), 0, 1e-9);
}

/* ---- the double pendulum ------------------------------------------------------------------ */

TEST(test_double_pendulum)
{
    static const struct { const char *form, *method; double rtol; } by[] = {
        {"index1", "dop853", 1e-12}, {"index1", "radau", 1e-12}, {"index2", "radau", 1e-12},
        {"ggl", "radau", 1e-12},     {"index1", "ida", 1e-13},   {"ode", "ida", 1e-13},
    };
    double *x = numbers("double_pendulum.txt", 3 * 11), links[10], u[MOST_UNKNOWNS], w[10];
    for (size_t k = 0; k < sizeof by / sizeof *by; k++)
        for (int row = 0; row < 3; row++) {
            const double *at = x + 11 * row;
            const dae_options options = tolerance(by[k].rtol);
            OWNED(dae_system) *sys = system_at_start("double_pendulum", by[k].form, 0, u);
            solve_to(sys, by[k].method, &options, at[0], u);
            dae_system_split(sys, at[0], u, w, w + 4, w + 8);
            for (int i = 0; i < 2; i++) {
                memcpy(links + 5 * i, at + 1 + 4 * i, 4 * sizeof *links);
                links[5 * i + 4] = at[9 + i];
            }
            check_links(w, links, 2, 1e-9);
        }
    free(x);
}

/* ---- what is refused ---------------------------------------------------------------------- */

TEST(test_bad_count)
{
    static const double counts[] = {0, -3, 2.5, 1e9, NAN, INFINITY};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const double p[] = {counts[k], 1, 1, 9.81};
        char value[32];
        dae_system *sys;
        dae_report why = {0};
        assert_int_equal(DAE_BAD_ARGUMENT,
                         dae_system_create(&sys, problem_named("chain"),
                                           dae_find_formulation("index1"), p, NULL, &why));
        snprintf(value, sizeof value, "N = %.15g ", counts[k]);
        assert_non_null(strstr(why.message, value));
        assert_non_null(strstr(why.message, "whole number from 1 to 1000000"));
    }
}

/* The start is refused, and constraint number row named; u stays as it was. */
static void refused(const dae_problem *problem, int row)
{
    static const char *const forms[] = {"index1", "index2", "index3", "ggl", "baumgarte"};
    double u[400], before[400];
    char name[32];
    snprintf(name, sizeof name, "constraint %d ", row);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        dae_report why = {0};
        OWNED(dae_system) *sys = system_of(problem, forms[f], NULL, u);
        memcpy(before, u, (size_t)dae_system_size(sys) * sizeof *u);
        if (dae_consistent_start(sys, 0, u, NULL, &why) != DAE_INCONSISTENT)
            fail_msg("%s with %g copies, %s: started", problem->name, problem->parameters[0].value,
                     forms[f]);
        if (!strstr(why.message, name))
            fail_msg("%s: \"%s\" does not name %s", forms[f], why.message, name);
        assert_memory_equal(u, before, (size_t)dae_system_size(sys) * sizeof *u);
    }
}

/* Bobs 3 and 4 at the same place: the gradient of constraint 4 vanishes. */
static void start_coincident(const double *p, double *u)
{
    for (int i = 0; i < p[0]; i++)
        u[2 * i] = i < 3 ? i + 1 : i;
}

TEST(test_coincident_bobs)
{
    static const double lengths[] = {5, 12, 13, 50};
    dae_problem chains = *problem_named("chain");
    chains.start.f = start_coincident;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        chains.parameters[0].value = lengths[k];
        refused(&chains, 4);
    }
}

/* N masses, each on a circle of its own, but for the last: the one before it is held twice. */
static void start_repeated(const double *p, double *u)
{
    for (int i = 0; i < p[N]; i++)
        u[2 * i] = 1;
}

TEST(test_redundant_constraint)
{
    static const int counts[] = {2, 5, 12, 13, 60};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const dae_problem repeated = {
            .name = "repeated", .variables = "x y vx vy T", .units = "m m m/s m/s N",
            .parameters = {{"N", counts[k], "-", "masses", DAE_COUNT}},
            .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
            .start = {start_repeated}, .t_end = 1,
        };
        refused(&repeated, counts[k]);
    }
}

/* A run that is started there nevertheless says so. */
TEST(test_singular_run)
{
    const dae_problem repeated = {
        .name = "repeated", .variables = "x y vx vy T", .units = "m m m/s m/s N",
        .parameters = {{"N", 3, "-", "masses", DAE_COUNT}},
        .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL},
        .start = {start_repeated}, .t_end = 1,
    };
    static const char *const methods[] = {"dop853", "rk4", "cros", "radau5", "excros"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double u[MOST_UNKNOWNS];
        dae_options options = dae_default_options();
        options.step = 0.01;
        OWNED(dae_system) *sys = system_of(&repeated, "index1", NULL, u);
        OWNED(dae_solver) *solver = solver_of(sys, dae_find_method(methods[m]), &options, 0, u);
        assert_int_equal(DAE_SINGULAR, dae_solver_advance(solver, 1, u));
        assert_non_null(strstr(dae_solver_report(solver)->message, "t = 0"));
    }
}

/* Beside the end that moves a chain is straight to more digits than there are: what that leaves in the factors of a
 * band must not fall through numbers below the smallest normal one, which take a hundred times as long. */
TEST(test_factors_do_not_underflow)
{
    enum { LINKS = 150 };
    const double gamma[] = {1e-4, 5e-3, 0.05};
    double u[5 * LINKS], F[5 * LINKS];
    OWNED(dae_system) *sys = chain(LINKS, "index2", u);
    OWNED(dae_pencil) *pencil = NULL;
    OWNED(dae_jacobian) *jac = NULL;
    const dae_options options = tolerance(1e-5);
    solve_to(sys, "radau", &options, 0.02, u);
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, DAE_JACOBIAN_BEST, 1, NULL));
    assert_int_equal(DAE_OK, dae_pencil_create(&pencil, &jac->pair, DAE_LINEAR_BAND, NULL));
    dae_linearise(jac, 0.02, u, F, NULL);
    for (int i = 0; i < 3; i++)
        for (int complex = 0; complex < 2; complex++) {
            feclearexcept(FE_ALL_EXCEPT);
            assert_int_equal(DAE_OK, complex ? dae_pencil_factor(pencil, gamma[i], gamma[i]).status
                                             : dae_pencil_factor_real(pencil, gamma[i]).status);
            assert_false(fetestexcept(FE_UNDERFLOW));
        }
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[N]); i++)
        r[i] = a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        f[2 * i] = 0;
        f[2 * i + 1] = -1;
    }
}

/* 2 x the mass that constraint i holds */
static int FN(held)(const param *p, int i)
{
    return 2 * (i == dae_count(p[N]) - 1 ? i - 1 : i);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        const real *r = q + FN(held)(p, i);
        g[i] = (r[0] * r[0] + r[1] * r[1] - 1) / 2;
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        const int k = FN(held)(p, i);
        dg[i] = q[k] * v[k] + q[k + 1] * v[k + 1];
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *ddg)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        const int k = FN(held)(p, i);
        ddg[i] = q[k] * a[k] + q[k + 1] * a[k + 1] + v[k] * v[k] + v[k + 1] * v[k + 1];
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[N]); i++)
        r[i] = 0;
    for (int i = 0; i < dae_count(p[N]); i++) {
        const int k = FN(held)(p, i);
        r[k] += q[k] * T[i];
        r[k + 1] += q[k + 1] * T[i];
    }
}

#endif
