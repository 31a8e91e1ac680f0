/* test_schur_order.c - the order of multipliers in S: of links in a row, and of branches from a
 * hub, numbered as chance will have it, the band is as narrow as the graph allows
 */
#ifndef DAE_PASS
enum { BRANCHES, LENGTH };
#include <daelab/model.h>

#include "support.h"

#include "system/schur.h"

static const dae_mechanical bodies = {.reaction = DAE_MODEL(reaction)};

static int band_of(int branches, int length)
{
    enum { MOST = 65 };
    const double p[] = {branches, length};
    const int links = branches * length;
    double q[MOST];
    dae_schur_plan plan;
    for (int i = 0; i <= links; i++)
        q[i] = 1 + 0.3 * i + 0.01 * i * i;
    assert_int_equal(DAE_OK, dae_schur_plan_create(&plan, &bodies, p, links + 1, links, links, 0, q,
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
static void test_bands(void **state)
{
    (void)state;
    assert_int_equal(1, band_of(1, 60));
    assert_int_equal(1, band_of(2, 30));
    assert_true(band_of(4, 15) <= 7);
}

/* Link 0 pulls at body 3 as well, only where body 0 is where it starts. */
static const dae_mechanical meeting = {.reaction = DAE_MODEL(meet)};

/* G is asked at one point, and tried at the others, of which the start is one: an entry that is only there is found. */
static void test_entry_of_one_point(void **state)
{
    (void)state;
    const double p[] = {1, 4}, q[] = {1, 2, 4, 7, 11};
    dae_schur_plan few, more;
    assert_int_equal(DAE_OK, dae_schur_plan_create(&few, &bodies, p, 5, 4, 4, 0, q, NULL));
    assert_int_equal(DAE_OK, dae_schur_plan_create(&more, &meeting, p, 5, 4, 4, 0, q, NULL));
    assert_int_equal(8, few.pattern.nnz);
    assert_int_equal(9, more.pattern.nnz);
    dae_schur_plan_free(&few);
    dae_schur_plan_free(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bands), cmocka_unit_test(test_entry_of_one_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

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

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
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
    FN(reaction)(p, t, q, lambda, r);
    if (q[0] == 1)
        for (int k = 0; k < 4; k++)
            r[3] += FN(link_of)(p, k) == 0 ? lambda[k] : 0 * lambda[k];
}

#endif
