/* test_partials.c - derivatives that a model writes by hand, entry by entry or in blocks, with every term that one can
 * have: in all formulations, dense and sparse, with few and many constraints, F, J, F_t and the pattern are those of
 * dual numbers; and what is refused
 *
 * n beads in the plane, each at a distance of the one before that grows, under a weight s(t) = 1 + t^2/2 of the
 * constraint; forces that depend on everything; and, as a second record, a nonholonomic constraint for each,
 *
 *     0 = s (|d_i|^2 - 1 - t)/2,   d_i = r_i - r_{i-1},      0 = v_y - x v_x + t
 */
#ifndef DAE_PASS
enum { N, SKATES };             /* SKATES 1: the nonholonomic constraints are there */
#include <daelab/model.h>

#include "support.h"

#include "jacobian/jacobian.h"

#include <daelab/check.h>

OWNED_BY_POINTER(dae_jacobian)

static int faulty;              /* what sparse_partials does wrong */
enum { RIGHT, OUTSIDE, WANDERS, WANDERS_LATER, FEWER_LATER, MORE_LATER, WRONG };

/* What link i has to say, of x: factor times its difference, in row i. */
static void put_link(dae_entries *block, int i, double dx, double dy)
{
    for (int sign = 1, j = i; j >= 0 && j >= i - 1; j--, sign = -sign) {
        dae_put(block, i, 2 * j, sign * dx);
        dae_put(block, i, 2 * j + 1, sign * dy);
    }
}

typedef struct { double dx, dy, wx, wy, ex, ey; } link_state;

static link_state link_at(const double *q, const double *v, const double *a, int i)
{
    const double zero[2] = {0, 0}, *q0 = i ? q + 2 * i - 2 : zero, *v0 = i ? v + 2 * i - 2 : zero,
                 *a0 = i ? a + 2 * i - 2 : zero;
    return (link_state){q[2 * i] - q0[0], q[2 * i + 1] - q0[1], v[2 * i] - v0[0], v[2 * i + 1] - v0[1],
                        a[2 * i] - a0[0], a[2 * i + 1] - a0[1]};
}

static void put_force(int n, double t, const double *q, const double *v, dae_sparse_partials *d)
{
    for (int i = 0; i < n; i++) {
        dae_put(&d->f_q, 2 * i, 2 * i, -t * t);
        dae_put(&d->f_q, 2 * i, 2 * i + 1, v[2 * i]);
        if (i > 0)
            dae_put(&d->f_q, 2 * i, 2 * i - 2, 1);
        dae_put(&d->f_v, 2 * i, 2 * i, q[2 * i + 1]);
        dae_put(&d->f_v, 2 * i + 1, 2 * i + 1, -sin(t));
        d->f_t[2 * i] = -2 * t * q[2 * i];
        d->f_t[2 * i + 1] = -cos(t) * v[2 * i + 1];
        d->r_t[2 * i] = d->r_t[2 * i + 1] = 0;
    }
}

static void put_link_terms(double t, link_state l, double lambda, int i, dae_sparse_partials *d)
{
    const double s = 1 + t * t / 2, rest = (l.dx * l.dx + l.dy * l.dy - 1 - t) / 2;
    const double rate = l.dx * l.wx + l.dy * l.wy - 0.5;
    put_link(&d->G, i, s * l.dx, s * l.dy);
    d->g_t[i] = t * rest - s / 2;
    d->r_t[2 * i] += t * l.dx * lambda;
    d->r_t[2 * i + 1] += t * l.dy * lambda;
    for (int k = 2 * i; k < 2 * i + 2; k++) {           /* places that two links share are put twice */
        dae_put(&d->r_q, k, k, s * lambda);
        if (i == 0)
            continue;
        dae_put(&d->r_q, k, k - 2, -s * lambda);
        dae_put(&d->r_q, k - 2, k, -s * lambda);
        dae_put(&d->r_q, k - 2, k - 2, s * lambda);
        d->r_t[k - 2] -= t * (k % 2 ? l.dy : l.dx) * lambda;
    }
    if (d->level < 1)
        return;
    put_link(&d->rate_q, i, t * l.dx + s * l.wx, t * l.dy + s * l.wy);
    d->rate_t[i] = rest - t / 2 + t * rate;
    if (d->level < 2)
        return;
    const double wrong = faulty == WRONG && i == 1 ? 1.001 : 1;
    put_link(&d->acc_q, i, l.dx + 2 * t * l.wx + s * l.ex, l.dy + 2 * t * l.wy + s * l.ey);
    put_link(&d->acc_v, i, wrong * (2 * t * l.dx + 2 * s * l.wx), 2 * t * l.dy + 2 * s * l.wy);
    d->acc_t[i] = -0.5 + 2 * rate + t * (l.dx * l.ex + l.dy * l.ey + l.wx * l.wx + l.wy * l.wy);
}

static void put_skate(const double *q, const double *v, const double *a, double mu, int i, int row,
                      dae_sparse_partials *d)
{
    dae_put(&d->G, row, 2 * i, -q[2 * i]);
    dae_put(&d->G, row, 2 * i + 1, 1);
    dae_put(&d->r_q, 2 * i, 2 * i, -mu);
    dae_put(&d->rate_q, row, 2 * i, -v[2 * i]);
    d->rate_t[row] = 1;
    dae_put(&d->acc_q, row, 2 * i, -a[2 * i]);
    dae_put(&d->acc_v, row, 2 * i, -2 * v[2 * i]);
}

static void sparse_partials(const double *p, double t, const double *q, const double *v, const double *a,
                            const double *lambda, dae_sparse_partials *d)
{
    static int calls;
    const int n = dae_count(p[N]);
    calls++;
    put_force(n, t, q, v, d);
    for (int i = 0; i < n; i++)
        put_link_terms(t, link_at(q, v, a, i), lambda[i], i, d);
    for (int i = 0; p[SKATES] > 0 && i < n; i++)
        put_skate(q, v, a, lambda[n + i], i, n + i, d);
    if (faulty == OUTSIDE)
        dae_put(&d->G, 0, 2 * n, 1);
    if (faulty == WANDERS)
        dae_put(&d->f_q, 0, calls % 2, 1);
    if (faulty == WANDERS_LATER)
        dae_put(&d->f_q, 0, t > 0.1, 0);
    if (faulty == FEWER_LATER && !(t > 0.1))
        dae_put(&d->f_q, 0, 0, 0);
    if (faulty == MORE_LATER && t > 0.1)
        dae_put(&d->f_q, 0, 0, 0);
}

/* The same as blocks, with the force */
static void partials(const double *p, double t, const double *q, const double *v, const double *a, const double *lambda,
                     dae_partials *d)
{
    enum { BLOCKS = 7, ROOM = 1024 };
    static int row[BLOCKS][ROOM], column[BLOCKS][ROOM];
    static double value[BLOCKS][ROOM];
    const int nq = 2 * dae_count(p[N]), blocks = d->level < 1 ? 4 : d->level < 2 ? 5 : BLOCKS;
    dae_sparse_partials s = {.level = d->level, .f_t = d->f_t, .r_t = d->r_t, .g_t = d->g_t, .rate_t = d->rate_t,
                             .acc_t = d->acc_t};
    dae_entries *const from[BLOCKS] = {&s.f_q, &s.f_v, &s.r_q, &s.G, &s.rate_q, &s.acc_q, &s.acc_v};
    double *const to[BLOCKS] = {d->f_q, d->f_v, d->r_q, d->G, d->rate_q, d->acc_q, d->acc_v};
    for (int b = 0; b < BLOCKS; b++)
        *from[b] = (dae_entries){.room = ROOM, .row = row[b], .column = column[b], .value = value[b]};
    sparse_partials(p, t, q, v, a, lambda, &s);
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < 2 * from[b]->count; k++) {      /* what was written before goes first */
            const int e = k % from[b]->count, at = row[b][e] * nq + column[b][e];
            to[b][at] = k < from[b]->count ? 0 : to[b][at] + value[b][e];
        }
    force_double(p, t, q, v, d->f);
}

static void start(const double *p, double *u)
{
    for (int i = 0; i < dae_count(p[N]); i++)
        u[2 * i] = i + 1;
}

#define COUNT {"N", 4, "-", "beads", DAE_COUNT}
static const dae_problem beads = {
    .name = "beads", .variables = "x y vx vy T", .start = {start}, .t_end = 1,
    .parameters = {COUNT},                              /* what lies behind is NaN, and no skate */
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .sparse_partials = sparse_partials}};
static const dae_problem blocks = {
    .name = "blocks", .variables = "x y vx vy T", .start = {start}, .t_end = 1, .parameters = {COUNT},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .partials = partials}};
static const dae_problem skates = {
    .name = "skates", .variables = "x y vx vy T B", .start = {start}, .t_end = 1,
    .parameters = {COUNT, {"skates", 1, "-", "there are skates", DAE_ANY_VALUE}},
    .mechanical = {.nq = 2, .nl = 2, .nonholonomic = 1, DAE_MECHANICAL_MODEL,
                   .sparse_partials = sparse_partials}};

static dae_system *system_with(const dae_problem *problem, const dae_formulation *form, int n)
{
    dae_system *sys;
    dae_report why = {0};
    const double p[] = {n, 1};
    if (dae_system_create(&sys, problem, form, p, NULL, &why))
        fail_msg("%s", why.message);
    return sys;
}

/* ---- what dual numbers say ---------------------------------------------------------------------- */

static dae_jacobian *jacobian_of(dae_system *sys, dae_jacobian_kind kind, int sparse)
{
    dae_jacobian *jac;
    dae_report why = {0};
    if (dae_jacobian_create(&jac, sys, kind, sparse, &why))
        fail_msg("%s", why.message);
    return jac;
}

static void compare(dae_system *sys, int sparse, double t)
{
    const int n = sys->n;
    double *u = calloc(5 * (size_t)n, sizeof *u), *F = u + n, *F_t = F + n, *F_dual = F_t + n, *F_t_dual = F_dual + n;
    OWNED(dae_jacobian) *a = jacobian_of(sys, DAE_JACOBIAN_ANALYTIC, sparse);
    OWNED(dae_jacobian) *b = jacobian_of(sys, DAE_JACOBIAN_DUAL, sparse);
    assert_non_null(u);
    assert_int_equal(a->plan != NULL, sys->problem->mechanical.sparse_partials != NULL);
    assert_int_equal(a->pair.pattern.nnz, b->pair.pattern.nnz);
    assert_memory_equal(a->pair.pattern.column, b->pair.pattern.column, ((size_t)n + 1) * sizeof(int));
    assert_memory_equal(a->pair.pattern.row, b->pair.pattern.row, (size_t)a->pair.pattern.nnz * sizeof(int));
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < n; i++)
            u[i] = sin(1 + 3.7 * i + 11 * turn);
        dae_linearise(a, t, u, F, F_t);
        dae_linearise(b, t, u, F_dual, F_t_dual);
        for (int i = 0; i < n; i++) {
            assert_close(F[i], F_dual[i], 64 * DBL_EPSILON * fmax(1, fabs(F_dual[i])));
            assert_close(F_t[i], F_t_dual[i], 64 * DBL_EPSILON * fmax(16, fabs(F_t_dual[i])));
        }
        for (int k = 0; k < a->pair.pattern.nnz; k++) {
            assert_close(a->pair.J[k], b->pair.J[k], 64 * DBL_EPSILON * fmax(400, fabs(b->pair.J[k])));
            assert_true(a->pair.M[k] == b->pair.M[k]);
        }
    }
    free(u);
}

TEST(test_all_terms)
{
    const dae_problem *all[] = {&beads, &blocks, &skates};
    const int sizes[] = {1, 2, 4, 30};
    int systems = 0;
    for (int i = 0; i < 3; i++)
        for (int f = 0; dae_formulation_at(f); f++)
            for (int k = 0; dae_formulation_applies(dae_formulation_at(f), all[i]) && k < 4; k++) {
                OWNED(dae_system) *sys = system_with(all[i], dae_formulation_at(f), sizes[k]);
                for (int sparse = 0; sparse < 2; sparse++)
                    compare(sys, sparse, 0.3);
                systems++;
            }
    assert_int_equal(systems, 4 * (5 + 5 + 3));
}

/* Methods come to the same end with both, KLU factoring what more than the largest dense Schur complement has. */
TEST(test_same_run)
{
    const char *const methods[] = {"ida", "rodas5p"};
    for (int m = 0; m < 4; m++) {
        double ends[2][5 * 20];
        for (int kind = 0; kind < 2; kind++) {
            OWNED(dae_system) *sys = system_with(m / 2 ? &blocks : &beads, dae_find_formulation("index2"), 20);
            dae_options o = tolerance(1e-7);
            o.linear = DAE_LINEAR_KLU;
            o.jacobian = kind ? DAE_JACOBIAN_ANALYTIC : DAE_JACOBIAN_DUAL;
            assert_int_equal(DAE_OK, dae_system_start(sys, ends[kind], NULL));
            assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, ends[kind], NULL, NULL));
            OWNED(dae_solver) *s = solver_of(sys, dae_find_method(methods[m % 2]), &o, 0, NULL);
            assert_int_equal(dae_solver_jacobian(s), o.jacobian);
            assert_int_equal(DAE_OK, dae_solver_start(s, 0, ends[kind]));
            if (dae_solver_advance(s, 0.2, ends[kind]))
                fail_msg("%s", dae_solver_report(s)->message);
        }
        assert_true(distance(ends[0], ends[1], 4 * 20) < 1e-6);
    }
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static dae_status create_status(int fault, dae_report *why)
{
    OWNED(dae_system) *sys = system_with(&beads, dae_find_formulation("index1"), 3);
    OWNED(dae_jacobian) *jac = NULL;
    faulty = fault;
    const dae_status status = dae_jacobian_create(&jac, sys, DAE_JACOBIAN_ANALYTIC, 1, why);
    faulty = RIGHT;
    return status;
}

TEST(test_places)
{
    dae_report why = {0};
    assert_int_equal(create_status(OUTSIDE, &why), DAE_BAD_MODEL);
    assert_non_null(strstr(why.message, "6 positions and 3 multipliers"));
    assert_int_equal(create_status(WANDERS, &why), DAE_BAD_MODEL);
    assert_non_null(strstr(why.message, "at other places"));
}

/* Entries that go elsewhere in a run are not taken for others. */
TEST(test_places_of_a_run)
{
    for (int fault = WANDERS_LATER; fault <= MORE_LATER; fault++) {
        double u[15];
        dae_options o = tolerance(1e-4);
        OWNED(dae_system) *sys = system_with(&beads, dae_find_formulation("index1"), 3);
        faulty = fault;
        o.jacobian = DAE_JACOBIAN_ANALYTIC;
        assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
        assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
        OWNED(dae_solver) *s = solver_of(sys, dae_find_method("rodas4"), &o, 0, u);
        assert_int_equal(DAE_BAD_MODEL, dae_solver_advance(s, 1, u));
        assert_non_null(strstr(dae_solver_report(s)->message, "at other places"));
        assert_true(dae_solver_time(s) < 0.2);
        faulty = RIGHT;
    }
}

/* Nor are they where they stay elsewhere, nor where they come back. */
TEST(test_places_stay_lost)
{
    for (int fault = WANDERS_LATER; fault <= MORE_LATER; fault++) {
        double u[15] = {1, 0, 2, 0, 3, 0}, F[15], F_t[15];
        OWNED(dae_system) *sys = system_with(&beads, dae_find_formulation("index1"), 3);
        faulty = fault;
        OWNED(dae_jacobian) *jac = jacobian_of(sys, DAE_JACOBIAN_ANALYTIC, 1);
        dae_linearise(jac, 0, u, F, F_t);
        assert_true(isfinite(jac->pair.J[0]));
        const double times[] = {0.3, 0.3, 0.4, 0, 0};
        for (int i = 0; i < 5; i++) {
            dae_linearise(jac, times[i], u, F, F_t);
            assert_true(isnan(jac->pair.J[0]));
        }
        faulty = RIGHT;
    }
}

static void no_blocks(const double *p, double t, const double *q, const double *v, const double *a,
                      const double *lambda, dae_partials *d)
{
}

TEST(test_stated_once)
{
    dae_problem twice = beads;
    dae_report why = {0};
    dae_system *sys;
    twice.mechanical.partials = no_blocks;
    assert_int_equal(DAE_BAD_ARGUMENT,
                     dae_system_create(&sys, &twice, dae_find_formulation("index1"), NULL, NULL, &why));
    assert_non_null(strstr(why.message, "twice"));
}

/* A wrong entry is found by the check of a model, thorough or quick, and by its name; the right ones are not. */
TEST(test_checked)
{
    dae_finding found[8];
    for (int quick = 0; quick < 2; quick++)
        for (faulty = RIGHT; faulty <= WRONG; faulty += WRONG) {
            int count = 0, blamed = 0, failed = 0;
            assert_int_equal(DAE_OK, dae_check_model(&beads, NULL, NULL, &(dae_check_options){.quick = quick}, found, 8,
                                                     &count, NULL));
            for (int i = 0; i < count && i < 8; i++) {
                failed += found[i].failed && strncmp(found[i].function, "partials", 8) == 0;
                blamed += found[i].failed && strcmp(found[i].function, "partials.acc_v") == 0 && found[i].row == 2;
            }
            assert_int_equal(failed, faulty == WRONG);
            assert_int_equal(blamed, faulty == WRONG);
        }
    faulty = RIGHT;
}

#else

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < 2 * dae_count(p[N]); i++)
        r[i] = (2 + i % 3) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < dae_count(p[N]); i++) {
        f[2 * i] = -t * t * q[2 * i] + q[2 * i + 1] * v[2 * i];
        if (i > 0)
            f[2 * i] += q[2 * i - 2];
        f[2 * i + 1] = -9 - sin(t) * v[2 * i + 1];
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const real s = 1 + t * t / 2;
    real x = {0}, y = {0};
    for (int i = 0; i < dae_count(p[N]); i++) {
        const real dx = q[2 * i] - x, dy = q[2 * i + 1] - y;
        g[i] = s * (dx * dx + dy * dy - 1 - t) / 2;
        x = q[2 * i], y = q[2 * i + 1];
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const int n = dae_count(p[N]);
    const real s = 1 + t * t / 2;
    real x = {0}, y = {0}, vx = {0}, vy = {0};
    for (int i = 0; i < n; i++) {
        const real dx = q[2 * i] - x, dy = q[2 * i + 1] - y, wx = v[2 * i] - vx, wy = v[2 * i + 1] - vy;
        r[i] = t * (dx * dx + dy * dy - 1 - t) / 2 + s * (dx * wx + dy * wy - 0.5);
        x = q[2 * i], y = q[2 * i + 1], vx = v[2 * i], vy = v[2 * i + 1];
        if (value(p[SKATES]) > 0)
            r[n + i] = vy - x * vx + t;
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    const real s = 1 + t * t / 2;
    real x = {0}, y = {0}, vx = {0}, vy = {0}, ax = {0}, ay = {0};
    for (int i = 0; i < n; i++) {
        const real dx = q[2 * i] - x, dy = q[2 * i + 1] - y, wx = v[2 * i] - vx, wy = v[2 * i + 1] - vy;
        const real ex = a[2 * i] - ax, ey = a[2 * i + 1] - ay;
        r[i] = (dx * dx + dy * dy - 1 - t) / 2 + 2 * t * (dx * wx + dy * wy - 0.5)
               + s * (dx * ex + dy * ey + wx * wx + wy * wy);
        x = q[2 * i], y = q[2 * i + 1], vx = v[2 * i], vy = v[2 * i + 1], ax = a[2 * i], ay = a[2 * i + 1];
        if (value(p[SKATES]) > 0)
            r[n + i] = ay - x * ax - vx * vx + 1;
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const int n = dae_count(p[N]);
    const real s = 1 + t * t / 2;
    real x = {0}, y = {0};
    for (int i = 0; i < n; i++) {
        const real fx = s * (q[2 * i] - x) * lambda[i], fy = s * (q[2 * i + 1] - y) * lambda[i];
        r[2 * i] = fx;
        r[2 * i + 1] = fy;
        if (i > 0) {
            r[2 * i - 2] -= fx;
            r[2 * i - 1] -= fy;
        }
        x = q[2 * i], y = q[2 * i + 1];
    }
    for (int i = 0; value(p[SKATES]) > 0 && i < n; i++) {
        r[2 * i] -= q[2 * i] * lambda[n + i];
        r[2 * i + 1] += lambda[n + i];
    }
}

#endif
