/* test_division.c - an interval in one piece or in many: the same solution, multipliers too, at no more
 * than 1.5 times the steps and 1.5 for each piece, and ten
 *
 * In 100 equal pieces, in pieces of a 50th and of 1e-9 of the interval in turn, and begun again at each
 * of 10. Within 100 tolerances where a method has order 3 or more for all it determines; lower orders
 * are as far from the solution themselves, as is IDA in index 2 and 3. Its steps, too, are its own.
 */
#include "support.h"

#include <math.h>
#include <string.h>

enum { PIECES = 100, RESTARTS = 10 };
typedef enum { EQUAL, UNEQUAL, AGAIN } division;

/* The end of piece k of the whole, k = 1 .. pieces. */
static double end_of(division how, int k, int pieces)
{
    const double even = (double)k / pieces;
    return how == UNEQUAL && k % 2 && k < pieces ? (double)(k - 1) / pieces + 1e-9 : even;
}

static dae_status run(dae_solver *s, division how, int pieces, double t0, double span,
                      const double *start, double *u)
{
    dae_status status = dae_solver_start(s, t0, start);
    for (int k = 1; !status && k <= pieces; k++) {
        status = dae_solver_advance(s, t0 + span * end_of(how, k, pieces), u);
        if (!status && how == AGAIN && k < pieces)
            status = dae_solver_start(s, dae_solver_time(s), u);
    }
    return status;
}

/* The largest difference of an unknown, in tolerances of the largest of its class; without the mu of
 * ggl, which vanish. */
static double apart(const dae_system *sys, const double *u, const double *v, const dae_options *o)
{
    double worst = 0;
    for (int i = 0; i < dae_system_size(sys); i++) {
        double size = 0;
        if (dae_system_class(sys, i) == DAE_AUXILIARY)
            continue;
        for (int j = 0; j < dae_system_size(sys); j++)
            if (dae_system_class(sys, j) == dae_system_class(sys, i))
                size = fmax(size, fabs(u[j]));
        worst = fmax(worst, fabs(u[i] - v[i]) / (o->rtol * size + o->atol));
    }
    return worst;
}

typedef struct { const char *problem; double span; } range;
static const range ranges[] = {
    {"pendulum", 1}, {"slider_crank", 0.01}, {"double_pendulum", 0.2}, {"linear_dae", 0.5},
    {"robertson", 4}, {"kepler", 2},
};

static int is_coarse(const dae_method *method, const char *form, const dae_system *sys)
{
    const dae_method_info info = dae_method_describe(method);
    const double *order =
        dae_method_orders(method, dae_find_formulation(form), dae_system_index(sys));
    for (int i = 0; info.stages && strcmp(info.name, "auto") && i < dae_system_size(sys); i++) {
        const dae_class c = dae_system_class(sys, i);
        if (c != DAE_MULTIPLIER && c != DAE_ALGEBRAIC && c != DAE_AUXILIARY && !(order[c] >= 3))
            return 1;
    }
    return !info.stages;
}

static int check(const range *r, const char *form, const dae_method *method)
{
    static const char *const names[] = {"100 pieces", "unequal pieces", "pieces begun again"};
    const dae_method_info info = dae_method_describe(method);
    double start[MOST_UNKNOWNS], whole[MOST_UNKNOWNS], u[MOST_UNKNOWNS];
    dae_system *sys = system_at_start(r->problem, form, 0, start);
    const double t0 = dae_system_problem(sys)->t0;
    const int coarse = is_coarse(method, form, sys);
    const dae_options o = tolerance(1e-6);
    dae_solver *s;
    int runs = 0;
    const dae_status created = dae_solver_create(&s, sys, method, &o, NULL);
    const dae_status alone = created ? created : run(s, EQUAL, 1, t0, r->span, start, whole);
    const long steps = created ? 0 : dae_solver_statistics(s).steps;
    for (division how = EQUAL; !alone && how <= AGAIN; how++, runs++) {
        const int pieces = how == AGAIN ? RESTARTS : PIECES;
        if (run(s, how, pieces, t0, r->span, start, u))
            fail_msg("%s %s %s: %s: %s", r->problem, form, info.name, names[how],
                     dae_solver_report(s)->message);
        const long taken = dae_solver_statistics(s).steps;
        const double d = apart(sys, whole, u, &o);
        if (!(d <= (coarse ? 1e4 : 100)))
            fail_msg("%s %s %s: %s differ by %.3g tolerances", r->problem, form, info.name,
                     names[how], d);
        if (!coarse && how != AGAIN && 2 * taken > 3 * (steps + pieces) + 20)
            fail_msg("%s %s %s: %s take %ld steps, the whole %ld", r->problem, form, info.name,
                     names[how], taken, steps);
    }
    if (!created)
        dae_solver_free(s);
    dae_system_free(sys);
    return runs;
}

static void test_division(void **state)
{
    (void)state;
    int runs = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int f = 0; dae_formulation_at(f); f++)
            for (int m = 0; dae_method_at(m); m++)
                if (dae_method_describe(dae_method_at(m)).adaptive
                    && dae_formulation_applies(dae_formulation_at(f),
                                               problem_named(ranges[i].problem)))
                    runs += check(&ranges[i], dae_formulation_describe(dae_formulation_at(f)).name,
                                  dae_method_at(m));
    assert_true(runs > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_division)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
