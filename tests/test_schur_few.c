/* test_schur_few.c - of few constraints S is kept in a band where that is less work, and in full where it is not:
 * a row of constraints that share positions with their neighbours only, and constraints on all positions. Either
 * way accelerations and multipliers solve M a + G^T lambda = f, d2g/dt2 = 0.
 */
#ifndef DAE_PASS
enum { WIDTH, POSITIONS = 9, CONSTRAINTS = 6 };
enum { BRANCHES, LENGTH };
#include <daelab/model.h>

#include "support.h"

#include "system/system.h"
#include "system/schur.h"

static const dae_problem bodies = {
    .name = "bodies", .title = "constraints of some width",
    .variables = "q0 q1 q2 q3 q4 q5 q6 q7 q8 v0 v1 v2 v3 v4 v5 v6 v7 v8 l0 l1 l2 l3 l4 l5",
    .units = "- - - - - - - - - - - - - - - - - - - - - - - -",
    .parameters = {{"width", 2, "-", "positions of each constraint", DAE_POSITIVE}},
    .mechanical = {.nq = POSITIONS, .nl = CONSTRAINTS, DAE_MECHANICAL_MODEL},
    .start = DAE_MODEL(start), .t_end = 1};

/* |M a + G^T lambda - f| and |d2g/dt2| are rounding. */
static void check_balance(dae_system *sys, const double *q, const double *v)
{
    const dae_mechanical *m = &bodies.mechanical;
    double a[POSITIONS], lambda[CONSTRAINTS], f[POSITIONS], Ma[POSITIONS], r[POSITIONS], c[CONSTRAINTS];
    assert_int_equal(DAE_OK, dae_system_accelerate(sys, 0, q, v, a, lambda));
    m->force.f(sys->p, 0, q, v, f);
    m->inertia.f(sys->p, 0, q, a, Ma);
    m->reaction.f(sys->p, 0, q, lambda, r);
    m->acceleration.f(sys->p, 0, q, v, a, c);
    for (int i = 0; i < POSITIONS; i++)
        assert_true(fabs(Ma[i] + r[i] - f[i]) <= 1e-12 * (fabs(Ma[i]) + fabs(r[i]) + fabs(f[i])));
    for (int k = 0; k < CONSTRAINTS; k++)
        assert_true(fabs(c[k]) <= 1e-11);
}

static void check_width(int width, int planned)
{
    const double p[] = {width};
    double u[2 * POSITIONS + CONSTRAINTS] = {0}, v[POSITIONS];
    OWNED(dae_system) *sys = system_of(&bodies, "index1", p, NULL);
    assert_int_equal(planned, sys->sparse_schur);
    bodies.start.f(p, u);
    for (int i = 0; i < POSITIONS; i++)
        v[i] = 0.1 * (i - 4);
    check_balance(sys, u, v);
    u[3] = 0.7;
    check_balance(sys, u, v);
}

TEST(test_widths)
{
    check_width(2, 1);
    check_width(POSITIONS, 0);
}

/* ---- the order of multipliers ----------------------------------------------------------------- */

/* The order of multipliers in S: of links in a row, and of branches from a
 * hub, numbered as chance will have it, the band is as narrow as the graph allows
 */

static const dae_mechanical linked = {.reaction = DAE_MODEL(link_reaction)};

static int band_of(int branches, int length)
{
    enum { MOST = 65 };
    const double p[] = {branches, length};
    const int links = branches * length;
    double q[MOST] = {0};
    dae_schur_plan plan;
    for (int i = 0; i <= links; i++)
        q[i] = 1 + 0.3 * i + 0.01 * i * i;
    assert_int_equal(DAE_OK, dae_schur_plan_create(&plan, &linked, p, links + 1, links, links, 0, q,
                                                   NULL));
    const int band = plan.band;
    for (int k = 0; k < links; k++)                     /* place is a permutation */
        for (int l = 0; l < k; l++)
            assert_int_not_equal(plan.place[k], plan.place[l]);
    dae_schur_plan_free(&plan);
    return band;
}

/* In a row each link has two neighbours; of two branches the hub is a link more in the row. With
 * four branches levels of breadth first hold four links each at most, and a link's neighbours lie
 * within the next level. */
TEST(test_bands)
{
    assert_int_equal(1, band_of(1, 60));
    assert_int_equal(1, band_of(2, 30));
    assert_true(band_of(4, 15) <= 7);
}

/* Link 0 pulls at body 3 as well, only where body 0 is where it starts. */
static const dae_mechanical meeting = {.reaction = DAE_MODEL(meet)};

/* G is asked at one point, and tried at the others, of which the start is one: an entry that is only there is found. */
TEST(test_entry_of_one_point)
{
    const double p[] = {1, 4}, q[] = {1, 2, 4, 7, 11};
    dae_schur_plan few, more;
    assert_int_equal(DAE_OK, dae_schur_plan_create(&few, &linked, p, 5, 4, 4, 0, q, NULL));
    assert_int_equal(DAE_OK, dae_schur_plan_create(&more, &meeting, p, 5, 4, 4, 0, q, NULL));
    assert_int_equal(8, few.pattern.nnz);
    assert_int_equal(9, more.pattern.nnz);
    dae_schur_plan_free(&few);
    dae_schur_plan_free(&more);
}

#else

/* g_k = sum_i c_ki (q_i^2 - 1)/2, of the positions i = k ... k + width - 1, in a ring */
static param FN(factor)(const param *p, int k, int i)
{
    const int behind = (i - k + POSITIONS) % POSITIONS;
    return value(p[WIDTH]) > behind ? 1 + ((7 * k + 3 * i * i) % 11) / (param)10 : (param)0;
}

static void FN(start)(const param *p, real *u)
{
    for (int i = 0; i < POSITIONS; i++)
        u[i] = (real){0} + 1;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < POSITIONS; i++)
        r[i] = (1 + i) * a[i];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < POSITIONS; i++)
        f[i] = (i - 3) * q[i] - v[i];
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        g[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            g[k] += FN(factor)(p, k, i) * (q[i] * q[i] - 1) / 2;
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        dg[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            dg[k] += FN(factor)(p, k, i) * q[i] * v[i];
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    for (int k = 0; k < CONSTRAINTS; k++) {
        ddg[k] = (real){0};
        for (int i = 0; i < POSITIONS; i++)
            ddg[k] += FN(factor)(p, k, i) * (q[i] * a[i] + v[i] * v[i]);
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    for (int i = 0; i < POSITIONS; i++) {
        r[i] = (real){0};
        for (int k = 0; k < CONSTRAINTS; k++)
            r[i] += FN(factor)(p, k, i) * q[i] * lambda[k];
    }
}

/* Link k joins a body to the one further in; body 0 is the hub. */
static int FN(link_of)(const param *p, int k)
{
    const int links = (int)(p[BRANCHES] * p[LENGTH]);
    return (int)((37L * k + 11) % links);               /* 37 has no factor with the counts below */
}

static int FN(inner_body)(const param *p, int link)
{
    return link % (int)p[LENGTH] ? link : 0;            /* link i has body i + 1 outside */
}

static void FN(link_reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const int links = (int)(p[BRANCHES] * p[LENGTH]);
    for (int i = 0; i <= links; i++)
        r[i] = 0 * q[i];
    for (int k = 0; k < links; k++) {
        const int link = FN(link_of)(p, k), inner = FN(inner_body)(p, link);
        r[link + 1] += (q[link + 1] - q[inner]) * lambda[k];
        r[inner] -= (q[link + 1] - q[inner]) * lambda[k];
    }
}

static void FN(meet)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    FN(link_reaction)(p, t, q, lambda, r);
    if (q[0] == 1)
        for (int k = 0; k < 4; k++)
            r[3] += FN(link_of)(p, k) == 0 ? lambda[k] : 0 * lambda[k];
}

#endif
