/* test_company.c - what stands beside a problem, and has nothing to do with it, does not matter
 *
 * Two copies of each problem in one, the second in units 2^30 times as large, and a body at rest
 * 1e8 m away: each copy ends as it does alone, as far from the solution. Every problem in every
 * form by every method. How far that is is partly chance (the force of a stiff spring, IDA in index
 * 3): the worst at tolerances around stands for it.
 */
#include "transformed_pairs.h"

enum { MOST_STEPS = 250 };
static const double RTOL = 1e-4, FAR = 0x1p30;
static const double SAME_START = 1e-7;  /* the nearest is known to the root of rounding */

static const exception exceptions[] = {
    /* The force is k = 1e6 times the error of a length, and in the test (step.c, dae_error_norm):
     * once a step is rejected an oscillation has begun that all further steps resolve. */
    {"spring_tension", NULL, NULL, "a stiff oscillation, excited or not by chance"},
    {"spring_pendulum", NULL, "ida", "a stiff oscillation, for which runs are compared with radau and refused"},
    {"spring_pendulum", NULL, "cvode", "a stiff oscillation, for which runs are compared with radau and refused"},
    {"robertson", NULL, NULL, "y2 is below the absolute tolerance: the solution may explode"},
    {NULL, NULL, NULL, NULL}};

static void two_copies(const dae_problem *base, int idle)
{
    view_begin(base, 2, idle);
    part *far = &view.part[1];
    far->length = far->row = FAR;
    far->mass = 0x1p-20;
    for (int i = 0; i < MOST; i++) {
        far->unit[i] = FAR;
        far->equation[i] = FAR;
    }
}

/* u of copy k in the units of the base */
static void copy_of(const unknowns *x, int k, const double *u, double *out)
{
    for (int i = 0; i < x->n; i++)
        if (x->part[i] == k)
            out[x->of[i]] = u[i] / x->unit[i];
}

static void compare(const dae_problem *base, const dae_formulation *form, const dae_method *method)
{
    static unknowns x;
    static by_itself alone;
    double u0[ROOM], both[ROOM], copy[ROOM];
    run_options how = {.rtol = RTOL, .atol = RTOL, .t_end = base->t_end, .most_steps = MOST_STEPS};
    OWNED(dae_system) *sys = make_system(base, form);
    consistent(sys, u0);
    const int n = dae_system_size(sys);
    alone.run = run(sys, method, &how, NULL, base->t0, u0);
    const int known = has_end(&alone) && know_solution(&alone, sys, method, &how, u0);
    if (!known)
        return;
    tally.pairs++;
    two_copies(base, 1);
    dae_system_free(sys);
    sys = make_system(view_make(), form);
    view_unknowns(sys, &x);
    assert_int_equal(x.n, dae_system_size(sys));
    view_of(sys, &x, u0, both);
    how.t_end = alone.run.t;
    how.most_steps = 4 * MOST_STEPS;
    const outcome beside = run(sys, method, &how, x.unit, base->t0, both);
    double most = 0;
    for (int k = 0; k < 2 && !beside.made; k++) {
        copy_of(&x, k, beside.u, copy);
        const double error = apart(n, copy, alone.exact.u, RTOL);
        most = error <= most ? most : error;
    }
    if (as_near(&alone, &beside, most))
        return;
    const char *why = note_difference(exceptions, base, form, method);
    print_message("%s %s %s: alone %.3g tolerances off in %ld steps, beside %.3g in %ld; %s; %s\n",
                  base->name, form_name(form), method_name(method), alone.worst,
                  alone.run.count.steps, most, beside.count.steps, why, beside.report.message);
}

TEST(runs_beside)
{
    compare_all(compare, "as alone");
}

/* A start somewhat off is made consistent as it is alone. */
static void compare_starts(const dae_problem *base, const dae_formulation *form,
                           const dae_method *method)
{
    static unknowns x;
    double u[ROOM], both[ROOM], copy[ROOM];
    dae_report why = {0};
    if (method != dae_method_at(0))                     /* has no part in it */
        return;
    OWNED(dae_system) *sys = make_system(base, form);
    if (dae_system_start(sys, u, &why))
        fail_msg("%s", why.message);
    put_off(sys, u);
    two_copies(base, 1);
    OWNED(dae_system) *beside = make_system(view_make(), form);
    view_unknowns(beside, &x);
    view_of(beside, &x, u, both);
    const dae_status expected = dae_consistent_start(sys, base->t0, u, NULL, &why);
    const dae_status got = dae_consistent_start(beside, base->t0, both, NULL, &why);
    double most = 0;
    for (int k = 0; k < 2; k++) {
        copy_of(&x, k, both, copy);
        most = fmax(most, apart(dae_system_size(sys), copy, u, 1));
    }
    tally.pairs++;
    if (expected == got && most <= SAME_START)
        return;
    note_difference(NULL, base, form, method);
    print_message("%s %s: the start differs by %.3g, status %d and %d; %s\n", base->name,
                  form_name(form), most, expected, got, why.message);
}

TEST(starts_beside)
{
    compare_all(compare_starts, "as alone");
}
