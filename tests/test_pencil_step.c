/* test_pencil_step.c - one step in one kernel is that of factors and a solution, and is left to them where the
 * velocities are coupled, a body is light, or numbers leave the range whose squares are finite */
#include "pencils.h"

#include "linear/pencil.h"

enum { MOST = 7, TRIALS = 200 };
static const double A = 0.013, B = 0.011, H = 0.02;

/* A body in nq coordinates under one constraint, at random */
typedef struct {
    int nq, n;
    double M[MOST * MOST], J[MOST * MOST], size[MOST], F[MOST], F_t[MOST], u[MOST];
    dae_statistics count;
    dae_matrix_pair pair;
    dae_pencil *pencil;
} body;

static void make(body *x, int nq)
{
    memset(x, 0, sizeof *x);
    const int n = x->n = 2 * nq + 1;
    x->nq = nq;
    for (int j = 0; j < nq; j++) {
        x->M[j * n + j] = 1;
        x->M[(nq + j) * n + nq + j] = 1.5 + uniform();
        x->J[(nq + j) * n + j] = 1;
        x->J[j * n + nq + j] = 20 * uniform();
        x->J[(nq + j) * n + nq + j] = 3 * uniform();
        x->J[2 * nq * n + nq + j] = uniform();
        x->J[j * n + 2 * nq] = uniform();
        x->J[(nq + j) * n + 2 * nq] = uniform();
        x->F_t[nq + j] = uniform();
    }
    x->J[n * n - 1] = uniform();
    x->F_t[2 * nq] = uniform();
    for (int i = 0; i < n; i++) {
        x->F[i] = uniform();
        x->u[i] = uniform();
        x->size[i] = 1 + fabs(x->u[i]);
    }
    x->pair = (dae_matrix_pair){.M = x->M, .J = x->J, .size = x->size, .identities = nq, .count = &x->count};
    assert_int_equal(DAE_OK, dae_pattern_full(&x->pair.pattern, n));
    assert_int_equal(DAE_OK, dae_pencil_create(&x->pencil, &x->pair, DAE_LINEAR_DENSE, NULL));
}

static void discard(body *x)
{
    dae_pencil_free(x->pencil);
    dae_pattern_free(&x->pair.pattern);
}

static int step(const body *x, double *u_new)
{
    return dae_pencil_step(x->pencil, A, B, H, x->F, x->F_t, x->u, u_new);
}

/* The same from factors */
static void solve(const body *x, double *u_new)
{
    double re[MOST], im[MOST];
    for (int i = 0; i < x->n; i++) {
        re[i] = x->F[i] + A * x->F_t[i];
        im[i] = B * x->F_t[i];
    }
    assert_int_equal(DAE_OK, dae_pencil_factor(x->pencil, A, B).status);
    assert_int_equal(DAE_OK, dae_pencil_solve(x->pencil, re, im));
    for (int i = 0; i < x->n; i++)
        u_new[i] = x->u[i] + H * re[i];
}

TEST(test_same_step)
{
    int taken = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        body x;
        double u[MOST], right[MOST], largest = 1;
        make(&x, 2 + trial % 2);
        solve(&x, right);
        for (int i = 0; i < x.n; i++)
            largest = fmax(largest, fabs(right[i]));
        if (step(&x, u)) {
            taken++;
            for (int i = 0; i < x.n; i++)
                if (!(fabs(u[i] - right[i]) <= 1e-11 * largest))
                    fail_msg("trial %d: u%d = %.17g, not %.17g", trial, i, u[i], right[i]);
        }
        discard(&x);
    }
    assert_true(taken > TRIALS / 2);
}

typedef void change(body *x);

static void couple_by_force(body *x) { x->J[0 * x->n + x->nq + 1] = 1e-9; }
static void couple_by_friction(body *x) { x->J[(x->nq + 1) * x->n + x->nq] = 1e-9; }
static void make_light(body *x)
{
    for (int j = 0; j < x->nq; j++) {
        x->M[(x->nq + j) * x->n + x->nq + j] = 1e-6;
        x->J[j * x->n + x->nq + j] = x->J[(x->nq + j) * x->n + x->nq + j] = 0;
        x->J[2 * x->nq * x->n + x->nq + j] = 1;
    }
}

static void scale(body *x, double by)
{
    for (int j = 0; j < x->nq; j++) {
        x->M[(x->nq + j) * x->n + x->nq + j] *= by;
        x->J[j * x->n + x->nq + j] *= by;
        x->J[(x->nq + j) * x->n + x->nq + j] *= by;
    }
}

static void make_tiny(body *x) { scale(x, 1e-90); }
static void make_huge(body *x) { scale(x, 1e90); }
static void leave_unbound(body *x)
{
    for (int j = 0; j < x->nq; j++)
        x->J[2 * x->nq * x->n + x->nq + j] = 0;
    x->J[x->n * x->n - 1] = 0;
}
static void spoil(body *x) { x->J[2 * x->nq * x->n + x->nq] = NAN; }

TEST(test_left_to_factors)
{
    static change *const changes[] = {couple_by_force, couple_by_friction, make_light, make_tiny, make_huge,
                                      leave_unbound, spoil};
    for (int nq = 2; nq <= 3; nq++)
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            body x;
            double u[MOST];
            make(&x, nq);
            changes[k](&x);
            memcpy(u, x.u, sizeof u);
            if (step(&x, u))
                fail_msg("nq = %d: change %zu is not noticed", nq, k);
            assert_memory_equal(u, x.u, sizeof u);
            discard(&x);
        }
}
