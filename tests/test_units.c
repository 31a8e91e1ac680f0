/* test_units.c - the unit of time, length, mass and of each unknown does not matter
 *
 * Every problem in every form by every method, in its own units and in others that differ by powers
 * of two (the mass by one of four), tolerances with them: nothing is rounded otherwise, so the same
 * steps are taken and rejected, and states have the same bits but for the factor. Runs are cut off
 * after a number of steps, which is as good for this.
 */
#include "transformed.h"

#include <stdlib.h>

enum { MOST_STEPS = 250, FIXED_STEPS = 128, OF_THEM = 24 };
static const double RTOL = 1e-6, ATOL = 0x1p-20;

typedef enum { TIME = 1, LENGTH = 2, MASS = 4, ROW = 8, ALL = 15 } change;

/* The units of a part, those that do not change are 1; of each unknown and row its own. */
static void choose_units(part *w, int changes)
{
    view.time = changes & TIME ? 0x1p-9 : 1;
    w->length = changes & LENGTH ? 0x1p21 : 1;
    w->mass = changes & MASS ? 0x1p-14 : 1;
    w->row = changes & ROW ? 0x1p-17 : 1;
    w->angle = changes & LENGTH ? 0x1p-6 : 1;
    for (int i = 0; i < MOST; i++) {
        w->unit[i] = changes & LENGTH ? ldexp(1, (7 * i * i + 11 * i + 8) % 37 - 18) : 1;
        w->equation[i] = changes & ROW ? ldexp(1, (5 * i * i + 3 * i + 9) % 31 - 15) : 1;
        if (!w->base->first_order.mass.f)
            w->equation[i] = w->unit[i] / view.time;
    }
}

typedef struct {
    dae_status status, made;
    dae_statistics count;
    double t, u[4 * MOST];
    dae_report report;
} outcome;

static outcome run(dae_system *sys, const dae_method *method, int fixed, double time,
                   const double *unit, const double *u0)
{
    outcome out = {.status = DAE_OK};
    const dae_problem *problem = dae_system_problem(sys);
    double atols[4 * MOST], t_end = problem->t_end;
    const int n = dae_system_size(sys);
    dae_options options = dae_default_options();
    dae_solver *solver;
    for (int i = 0; i < n; i++) {
        atols[i] = ATOL * (unit ? unit[i] : 1);
        out.u[i] = u0[i] * (unit ? unit[i] : 1);
    }
    options.rtol = RTOL;
    options.atols = atols;
    options.max_steps = MOST_STEPS;
    if (fixed) {
        options.step = (problem->t_end - problem->t0) / FIXED_STEPS;
        t_end = problem->t0 + OF_THEM * options.step;
    }
    (void)time;
    out.made = dae_solver_create(&solver, sys, method, &options, &out.report);
    if (out.made)
        return out;
    out.status = dae_solver_start(solver, problem->t0, out.u);
    if (!out.status)
        out.status = dae_solver_advance(solver, t_end, out.u);
    out.count = dae_solver_statistics(solver);
    out.t = dae_solver_time(solver);
    out.report = *dae_solver_report(solver);
    dae_solver_free(solver);
    return out;
}

typedef struct { int pairs, same; } tally;

static int same_bits(const outcome *a, const outcome *b, const double *unit, int n)
{
    if (a->made != b->made || a->status != b->status || a->count.steps != b->count.steps
        || a->count.rejected != b->count.rejected || a->t * view.time != b->t)
        return 0;
    for (int i = 0; i < n; i++)
        if (memcmp(&(double){a->u[i] * unit[i]}, &b->u[i], sizeof *unit)
            && a->u[i] * unit[i] != b->u[i])
            return 0;
    return 1;
}

static dae_system *make_system(const dae_problem *problem, const dae_formulation *form, double time)
{
    dae_system *sys;
    dae_report why;
    dae_formulation_options options = dae_default_formulation_options();
    options.alpha /= time;
    options.beta /= time;
    if (dae_system_create(&sys, problem, form, NULL, &options, &why))
        fail_msg("%s: %s", problem->name, why.message);
    return sys;
}

/* The same run in units with these changes: the same? */
static int same_with(const dae_problem *base, const dae_formulation *form, const dae_method *method,
                     int fixed, int changes, const double *u0, const outcome *expected, outcome *got)
{
    static unknowns x;
    view_begin(base, 1, 0);
    choose_units(view.part, changes);
    dae_system *sys = make_system(view_make(), form, view.time);
    view_unknowns(sys, &x);
    assert_int_equal(x.n, dae_system_size(sys));
    *got = run(sys, method, fixed, view.time, x.unit, u0);
    dae_system_free(sys);
    return same_bits(expected, got, x.unit, x.n);
}

static void compare(const dae_problem *base, const dae_formulation *form, const dae_method *method,
                    int fixed, tally *all)
{
    static const struct { const char *name; int bits; } single[] = {
        {"time", TIME}, {"length", LENGTH}, {"mass", MASS}, {"rows", ROW}};
    double u0[4 * MOST];
    dae_report why;
    dae_system *sys = make_system(base, form, 1);
    if (dae_system_start(sys, u0, &why))
        fail_msg("%s", why.message);
    dae_consistent_start(sys, base->t0, u0, NULL, &why);
    const outcome expected = run(sys, method, fixed, 1, NULL, u0);
    dae_system_free(sys);
    if (expected.made == DAE_UNSUPPORTED || expected.made == DAE_BAD_ARGUMENT)
        return;
    outcome got;
    all->pairs++;
    if (same_with(base, form, method, fixed, ALL, u0, &expected, &got)) {
        all->same++;
        return;
    }
    printf("%-20s %-9s %-8s %-8s steps %ld %ld, rejected %ld %ld, t %.9g %.9g, status %d %d; alone:",
           base->name, dae_formulation_describe(form).name, dae_method_describe(method).name,
           fixed ? "fixed" : "adaptive", expected.count.steps, got.count.steps,
           expected.count.rejected, got.count.rejected, expected.t, got.t / 0x1p-9, expected.status,
           got.status);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (!same_with(base, form, method, fixed, single[i].bits, u0, &expected, &got))
            printf(" %s", single[i].name);
    if (!same_with(base, form, method, fixed, 0, u0, &expected, &got))
        printf(" nothing");
    printf("\n");
}

static void test_units(void **state)
{
    (void)state;
    tally all = {0, 0};
    const char *only = getenv("ONLY"), *by = getenv("BY"), *in = getenv("IN");
    for (int i = 0; dae_problems[i]; i++) {
        if (only && strcmp(only, dae_problems[i]->name))
            continue;
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_formulation *form = dae_formulation_at(f);
            if (!dae_formulation_applies(form, dae_problems[i])
                || (in && strcmp(in, dae_formulation_describe(form).name)))
                continue;
            for (int m = 0; dae_method_at(m); m++)
                for (int fixed = 0; fixed < 2; fixed++)
                    if (!by || strcmp(by, dae_method_describe(dae_method_at(m)).name) == 0)
                        compare(dae_problems[i], form, dae_method_at(m), fixed, &all);
        }
    }
    printf("%d of %d the same\n", all.same, all.pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_units)};
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
