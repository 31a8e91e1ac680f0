/* test_origin.c - where time and place begin to be counted does not matter
 *
 * Problems that time does not enter explicitly, begun 1024 intervals later, where steps are still long
 * beside the rounding of t; and every problem with all its positions, or all unknowns of a first-order
 * problem, counted from elsewhere: q + 16 times the largest of them, with tolerances that are almost
 * absolute. Each ends as it does at home, as far from the solution.
 */
#include "transformed_runs.h"

enum { MOST_STEPS = 250 };
static const double RTOL = 1e-4, EXACT = 1e-10, INTERVALS = 1024, AWAY = 16;
static const double ABSOLUTE = 0x1p-10; /* rtol/atol where positions are moved */
static const double LONG = 1e4;         /* steps, in units of the last place of t */

static const exception exceptions[] = {
    {"string_pendulum", "index2", "ida", "multipliers are kept out of IDA's error test: ida.c, "
                                         "configure, IDASetSuppressAlg"},
    {NULL, NULL, NULL, NULL}};

static int pairs, different, unexplained;

/* F_t = 0 at the start and at states about it, at several times */
static int is_autonomous(dae_system *sys, const double *u0)
{
    static double J[ROOM * ROOM], F_t[ROOM], u[ROOM];
    const dae_problem *problem = dae_system_problem(sys);
    const int n = dae_system_size(sys);
    dae_report why;
    for (int k = 0; k < 3; k++) {
        const double t = problem->t0 + k / 7.0 * (problem->t_end - problem->t0);
        for (int i = 0; i < n; i++)
            u[i] = u0[i] * (1 + 0.01 * k) + 0.001 * k;
        if (dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, t, u, J, F_t, &why))
            fail_msg("%s", why.message);
        for (int i = 0; i < n; i++)
            if (F_t[i] != 0)
                return 0;
    }
    return 1;
}

/* The largest difference in units of the tolerance. */
static double apart(int n, const double *u, const double *exact)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double x = fabs(u[i] - exact[i]) / (RTOL * (fabs(exact[i]) + 1));
        most = x <= most ? most : x;                    /* a NaN is kept */
    }
    return most;
}

static double largest(const dae_system *sys, const double *u)
{
    double most = 0;
    for (int i = 0; i < dae_system_size(sys); i++)
        if (dae_system_class(sys, i) == DAE_POSITION || sys->nq == 0)
            most = fmax(most, fabs(u[i]));
    return most;
}

/* The worst of runs at tolerances around. */
static double worst_at_home(dae_system *sys, const dae_method *method, const run_options *common,
                            const double *u0, const double *exact)
{
    static const double around[] = {0.5, 0.7, 0.85, 1, 1.2, 1.4, 2};
    run_options how = *common;
    double most = 0;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        how.atol = around[i] * common->atol;
        how.rtol = around[i] * common->rtol;
        const outcome got = run(sys, method, &how, NULL, dae_system_problem(sys)->t0, u0);
        if (!got.status)
            most = fmax(most, apart(dae_system_size(sys), got.u, exact));
    }
    return most;
}

static void compare_moved(const dae_problem *base, const dae_formulation *form,
                          const dae_method *method, int time, int place)
{
    static unknowns x;
    double u0[ROOM], moved[ROOM], back[ROOM];
    const double rtol = place ? ABSOLUTE * RTOL : RTOL;
    run_options how = {.rtol = rtol, .atol = RTOL, .t_end = base->t_end, .most_steps = MOST_STEPS};
    dae_system *sys = make_system(base, form, 1);
    consistent(sys, u0);
    const int n = dae_system_size(sys);
    const double later = INTERVALS * (base->t_end - base->t0), unit_of_t = later * DBL_EPSILON;
    const outcome home = run(sys, method, &how, NULL, base->t0, u0);
    how.t_end = home.t;
    how.most_steps = 100000;
    how.rtol = how.atol = EXACT;
    const int ends = !home.made && (!home.status || home.status == DAE_MAX_STEPS)
                     && (!time || (is_autonomous(sys, u0) && home.shortest > LONG * unit_of_t));
    const outcome exact = ends ? run(sys, dae_find_method("radau"), &how, NULL, base->t0, u0) : home;
    view_begin(base, 1, 0);
    view.time_shift = time ? later : 0;
    view.part->shift = place ? AWAY * (largest(sys, u0) + 1) : 0;
    dae_system *there = make_system(view_make(), form, 1);
    view_unknowns(there, &x);
    how.rtol = rtol;
    how.atol = RTOL;
    how.most_steps = 4 * MOST_STEPS;
    const int known = ends && !exact.status;
    const double least = known ? worst_at_home(sys, method, &how, u0, exact.u) : 0;
    view_of(there, &x, u0, moved);
    how.t_end += view.time_shift;
    const outcome got = known ? run(there, method, &how, NULL, view.record.t0, moved) : home;
    dae_system_free(there);
    dae_system_free(sys);
    if (!known)
        return;
    pairs++;
    for (int i = 0; i < n; i++)
        back[i] = got.u[i] - x.shift[i];
    const double error = apart(n, back, exact.u);
    if (!got.made && !got.status && error <= 10 * least + 10)
        return;
    const char *why = excuse(exceptions, base, form, method);
    different++;
    unexplained += !why;
    print_message("%s %s %s, %s: at home %.3g tolerances off in %ld steps, there %.3g in %ld; %s; %s\n",
                  base->name, form_name(form), method_name(method), time ? "time" : "place", least,
                  home.count.steps, error, got.count.steps, why ? why : "not explained",
                  got.report.message);
}

static void compare_times(const dae_problem *base, const dae_formulation *form,
                          const dae_method *method)
{
    compare_moved(base, form, method, 1, 0);
}

static void compare_places(const dae_problem *base, const dae_formulation *form,
                           const dae_method *method)
{
    compare_moved(base, form, method, 0, 1);
}

static void check_and_reset(void)
{
    const int wrong = unexplained, few = different <= pairs / 20;
    print_message("%d of %d as at home\n", pairs - different, pairs);
    pairs = different = unexplained = 0;
    assert_int_equal(0, wrong);
    assert_true(few);
}

static void origin_of_time(void **state)
{
    (void)state;
    visit_all(compare_times);
    check_and_reset();
}

static void origin_of_place(void **state)
{
    (void)state;
    visit_all(compare_places);
    check_and_reset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(origin_of_time),
                                       cmocka_unit_test(origin_of_place)};
    return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
