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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bands)};
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

#endif
