/* test_origin.c - where time and place begin to be counted does not matter
 *
 * Problems that time does not enter explicitly, begun 1024 intervals later, where steps are still
 * long beside the rounding of t; and every problem with all its positions, or all unknowns of a
 * first-order problem, counted from elsewhere: q + 16 times the largest of them, with tolerances
 * that are almost absolute. Each ends as it does at home, as far from the solution.
 */
#include "transformed_pairs.h"

enum { MOST_STEPS = 250 };
static const double NEAR_REFUSAL = 20;  /* tolerances at the end */
static const double RTOL = 1e-4, INTERVALS = 1024, AWAY = 16;
static const double ABSOLUTE = 0x1p-10; /* rtol/atol where positions are moved */
static const double LONG = 1e4;         /* steps, in units of the last place of t */

#define COUNTED "begins at rest: the time scale, the root of |q|/|q''|, is longer where q is counted from afar: rate.c"
#define FROM_0 "begins with q = 0, whose size is atol/rtol, 1024 times what it moves by: rate.c, dae_rate_begin"

static const exception exceptions[] = {
    {"string_pendulum", "index2", "ida", "multipliers are kept out of IDA's error test: ida.c, "
                                         "configure, IDASetSuppressAlg"},
    {"car_axis", "index3", "radau13", "1 to 400 tolerances at home, too, as the first step falls: "
                                      "radau_newton.c, judge, undoes half of all steps"},
    {"robertson", "native", "radau", "a run of 1e11 s is refused where u1, moved, rounds: noise.c, "
                                     "tell; at home it ends far off, y2 being below its atol"},
    {"robertson", "native", "auto", "the same"},
    {"robertson", "native", "radau5", "the same"},
    {"robertson", "native", "radau9", "the same"},
    {"van_der_pol", "native", "rodas5p", "the run at home ends in a spike, whose place is 4e4 tolerances off"},
    {"chain", "index3", "cros4", COUNTED},
    {"chain", "index3", "rodas5p", COUNTED},
    {"ladder", "index3", "rodas5p", COUNTED},
    {"slider_crank", "index3", "cros4", FROM_0},
    {"slider_crank", "index3", "rodas4", FROM_0},
    {"slider_crank", "index2", "rodas4", FROM_0},
    {"slider_crank", "ggl", "rodas4", FROM_0},
    {NULL, NULL, NULL, NULL}};

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

static double largest(const dae_system *sys, const double *u)
{
    double most = 0;
    for (int i = 0; i < dae_system_size(sys); i++)
        if (dae_system_class(sys, i) == DAE_POSITION || sys->nq == 0)
            most = fmax(most, fabs(u[i]));
    return most;
}

/* Later, or elsewhere: where that is to be seen at all. */
static int can_be_moved(dae_system *sys, const double *u0, const outcome *home, double later)
{
    return later == 0 || (is_autonomous(sys, u0) && home->shortest > LONG * later * DBL_EPSILON);
}

static void compare_moved(const dae_problem *base, const dae_formulation *form,
                          const dae_method *method, int time, int place)
{
    static unknowns x;
    static by_itself home;
    double u0[ROOM], moved[ROOM], back[ROOM];
    const double rtol = place ? ABSOLUTE * RTOL : RTOL;
    const double later = time ? INTERVALS * (base->t_end - base->t0) : 0;
    run_options how = {.rtol = rtol, .atol = RTOL, .t_end = base->t_end, .most_steps = MOST_STEPS};
    OWNED(dae_system) *sys = make_system(base, form);
    consistent(sys, u0);
    const int n = dae_system_size(sys);
    home.run = run(sys, method, &how, NULL, base->t0, u0);
    const int known = has_end(&home) && can_be_moved(sys, u0, &home.run, later)
                      && know_solution(&home, sys, method, &how, u0);
    view_begin(base, 1, 0);
    view.time_shift = later;
    view.part->shift = place ? AWAY * (largest(sys, u0) + 1) : 0;
    if (!known)
        return;
    tally.pairs++;
    dae_system_free(sys);
    sys = make_system(view_make(), form);
    view_unknowns(sys, &x);
    view_of(sys, &x, u0, moved);
    how.t_end = home.run.t + later;
    how.most_steps = 4 * MOST_STEPS;
    const outcome got = run(sys, method, &how, NULL, view.record.t0, moved);
    for (int i = 0; i < n; i++)
        back[i] = got.u[i] - x.shift[i];
    const double error = apart(n, back, home.exact.u, RTOL);
    if (as_near(&home, &got, error))
        return;
    if (got.status == DAE_ERROR_TEST && fmax(error, home.worst) > NEAR_REFUSAL)
        return;                                         /* it is refused beyond 100 tolerances on the way: other.c */
    const char *why = note_difference(exceptions, base, form, method);
    print_message("%s %s %s, %s: at home %.3g tolerances off in %ld steps, there %.3g in %ld; %s; "
                  "%s\n", base->name, form_name(form), method_name(method), time ? "time" : "place",
                  home.worst, home.run.count.steps, error, got.count.steps, why,
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

TEST(origin_of_time)
{
    compare_all(compare_times, "as at home");
}

TEST(origin_of_place)
{
    compare_all(compare_places, "as at home");
}
