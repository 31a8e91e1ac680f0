/* test_radau_definition.c - the coefficients of Radau IIA are those of the definition, to the last bit */
#include "support.h"

#include "radau_definition.h"

static void check_numbers(const char *name, int s, int count, const double *is, const double *should_be)
{
    for (int i = 0; i < count; i++)
        if (is[i] != should_be[i])
            fail_msg("%d stages, %s[%d] is %.17g, and should be %.17g", s, name, i, is[i], should_be[i]);
}

static void test_numbers(void **state)
{
    (void)state;
    for (int s = 3; s <= RADAU_FINE; s += 2) {
        const radau_tableau *is = dae_radau_tableau(s);
        radau_tableau made;
        radau_from_definition(&made, s);
        assert_int_equal(s, is->s);
        check_numbers("mu", s, 1, &is->mu, &made.mu);
        check_numbers("c", s, s, is->c, made.c);
        check_numbers("lagrange", s, s, is->lagrange, made.lagrange);
        check_numbers("slope", s, s, is->slope, made.slope);
        check_numbers("last", s, s, is->last, made.last);
        check_numbers("last_but_one", s, s, is->last_but_one, made.last_but_one);
        check_numbers("alpha", s, s / 2, is->alpha, made.alpha);
        check_numbers("beta", s, s / 2, is->beta, made.beta);
        check_numbers("T", s, s * s, is->T, made.T);
        check_numbers("T_inverse", s, s * s, is->T_inverse, made.T_inverse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
