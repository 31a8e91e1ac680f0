/* test_units.c - the unit of time, length, mass and of each unknown does not matter
 *
 * Every problem in every form by every method, in its own units and in others that differ by powers
 * of two (the mass by one of four), tolerances with them: nothing is rounded otherwise, so the same
 * steps are taken and rejected, and states have the same bits but for the factor. Runs are cut off
 * after a number of steps, which is as good for this.
 */
#include "transformed_pairs.h"

enum { MOST_STEPS = 250, FIXED_STEPS = 128, OF_THEM = 24 };
static const double RTOL = 1e-6, ATOL = 0x1p-20;

static const exception of_all[] = {
    /* Solutions that explode end where a double overflows. */
    {"van_der_pol", NULL, "euler", "overflows"},
    {NULL, NULL, NULL, NULL}};

/* The nearest start of a first-order problem is that of the plain distance: there are no
 * tolerances. */
static const exception of_starts[] = {
    {"linear_dae", NULL, NULL, "consistent_first_order.c, choose_weights, W = 1"},
    {"transistor_amplifier", NULL, NULL, "consistent_first_order.c, choose_weights, W = 1"},
    {"varactor", NULL, NULL, "consistent_first_order.c, choose_weights, W = 1"},
    {NULL, NULL, NULL, NULL}};

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

/* The run of the view with these changes from u0 of the base: the same? */
static int same_with(const dae_problem *base, const dae_formulation *form, const dae_method *method,
                     const run_options *how, int changes, const double *u0,
                     const outcome *expected, outcome *got)
{
    static unknowns x;
    double begin[ROOM];
    run_options scaled = *how;
    view_begin(base, 1, 0);
    choose_units(view.part, changes);
    OWNED(dae_system) *sys = make_system(view_make(), form);
    view_unknowns(sys, &x);
    assert_int_equal(x.n, dae_system_size(sys));
    view_of(sys, &x, u0, begin);
    scaled.step *= view.time;
    scaled.max_step *= view.time;
    scaled.first_step *= view.time;
    scaled.t_end *= view.time;
    *got = run(sys, method, &scaled, x.unit, view.record.t0, begin);
    return same_bits(expected, got, x.unit, x.n);
}

/* Which change alone makes the difference? */
static void explain(const dae_problem *base, const dae_formulation *form, const dae_method *method,
                    const run_options *how, const double *u0, const outcome *expected)
{
    static const struct { const char *name; int bits; } single[] = {
        {"time", TIME}, {"length", LENGTH}, {"mass", MASS}, {"rows", ROW}, {"nothing", 0}};
    static outcome got;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (!same_with(base, form, method, how, single[i].bits, u0, expected, &got))
            print_message(" %s", single[i].name);
    print_message("\n");
}

static void compare_with(const dae_problem *base, const dae_formulation *form,
                         const dae_method *method, run_options how, const char *what)
{
    static outcome expected, got;
    double u0[ROOM];
    OWNED(dae_system) *sys = make_system(base, form);
    consistent(sys, u0);
    how.rtol = RTOL;
    how.atol = ATOL;
    how.most_steps = MOST_STEPS;
    how.t_end = how.step > 0 ? base->t0 + OF_THEM * how.step : base->t_end;
    expected = run(sys, method, &how, NULL, base->t0, u0);
    if (expected.made == DAE_UNSUPPORTED || expected.made == DAE_BAD_ARGUMENT)
        return;
    tally.pairs++;
    if (same_with(base, form, method, &how, ALL, u0, &expected, &got))
        return;
    const char *why = note_difference(of_all, base, form, method);
    print_message("%s %s %s %s: %ld steps and %ld, %ld rejected and %ld, to %.9g and %.9g, %s; %s; "
                  "alone:", base->name, form_name(form), method_name(method), what,
                  expected.count.steps, got.count.steps, expected.count.rejected,
                  got.count.rejected, expected.t, got.t / view.time,
                  why, got.report.message);
    explain(base, form, method, &how, u0, &expected);
}

static void compare(const dae_problem *base, const dae_formulation *form, const dae_method *method)
{
    const double step = (base->t_end - base->t0) / FIXED_STEPS;
    compare_with(base, form, method, (run_options){0}, "with chosen steps");
    compare_with(base, form, method, (run_options){.step = step}, "with fixed steps");
}

TEST(units)
{
    compare_all(compare, "are the same");
}

/* Sparse matrices, with chosen steps. */
static void compare_sparse(const dae_problem *base, const dae_formulation *form,
                              const dae_method *method)
{
    if (!dae_method_describe(method).implicit)
        return;
    compare_with(base, form, method, (run_options){.linear = DAE_LINEAR_KLU}, "sparse");
}

TEST(units_of_sparse_matrices)
{
    compare_all(compare_sparse, "are the same");
}

/* Jacobians by differences. */
static void compare_differences(const dae_problem *base, const dae_formulation *form,
                                const dae_method *method)
{
    if (dae_method_describe(method).implicit)
        compare_with(base, form, method, (run_options){.jacobian = DAE_JACOBIAN_FD},
                     "by differences");
}

TEST(units_of_differences)
{
    compare_all(compare_differences, "are the same");
}

static void compare_projected(const dae_problem *base, const dae_formulation *form,
                              const dae_method *method)
{
    const unsigned constraints = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY;
    if (base->mechanical.nl)
        compare_with(base, form, method, (run_options){.project = constraints}, "projected");
    if (base->invariants.n)
        compare_with(base, form, method, (run_options){.project = DAE_PROJECT_INVARIANT},
                     "on invariants");
}

TEST(units_of_projections)
{
    compare_all(compare_projected, "are the same");
}

/* A largest and a first step. */
static void compare_bounded(const dae_problem *base, const dae_formulation *form, const dae_method *method)
{
    const double span = base->t_end - base->t0;
    if (dae_method_describe(method).adaptive)
        compare_with(base, form, method,
                     (run_options){.max_step = span / 100, .first_step = ldexp(span, -34)}, "bounded");
}

TEST(units_of_bounded_steps)
{
    compare_all(compare_bounded, "are the same");
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* A start somewhat off, made consistent in both units: the same? */
static void compare_starts(const dae_problem *base, const dae_formulation *form,
                           const dae_method *method)
{
    static unknowns x;
    double u[ROOM], v[ROOM];
    dae_report why = {0};
    if (method != dae_method_at(0))                     /* has no part in it */
        return;
    OWNED(dae_system) *sys = make_system(base, form);
    if (dae_system_start(sys, u, &why))
        fail_msg("%s", why.message);
    put_off(sys, u);
    view_begin(base, 1, 0);
    choose_units(view.part, ALL);
    OWNED(dae_system) *scaled = make_system(view_make(), form);
    view_unknowns(scaled, &x);
    view_of(scaled, &x, u, v);
    const dae_status expected = dae_consistent_start(sys, base->t0, u, NULL, &why);
    const dae_status got = dae_consistent_start(scaled, view.record.t0, v, NULL, &why);
    double most = 0;
    for (int i = 0; i < x.n; i++)
        most = fmax(most, fabs(u[i] - v[i] / x.unit[i]) / (fabs(u[i]) + 1));
    tally.pairs++;
    if (expected == got && most == 0)
        return;
    const char *excused = note_difference(of_starts, base, form, method);
    print_message("%s %s: the start differs by %.3g, status %d and %d; %s; %s\n", base->name,
                  form_name(form), most, expected, got, excused, why.message);
}

TEST(units_of_starts)
{
    compare_all(compare_starts, "are the same");
}
