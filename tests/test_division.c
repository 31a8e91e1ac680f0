/* test_division.c - an interval in one piece or in many: the same solution, multipliers too, at no
 * more than 1.5 times the steps and one for each piece, 1.5 with IDA in first-order index 2
 *
 * In 100 equal pieces, in pieces of a 50th and of 1e-9 of the interval in turn, and begun again at
 * each of 10. An end in pieces is as far from a reference as that of the whole but for a factor 3,
 * or within 30 tolerances, 150 in index 3; ten runs make twice that, as each begins on the
 * constraints, and ten times that with IDA, which begins with order 1. The two pendulums are
 * written as M u' = F of index 2 and 3.
 */
#ifndef DAE_PASS
#include "support.h"

static int level;
static double force_at(double t) { return 0 * t; }

#include <daelab/model.h>

#include "written.h"

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

/* The largest difference of an unknown, in tolerances of the largest of its class; without the mu
 * of ggl, which vanish. */
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
    {"pendulum", 1}, {"slider_crank", 0.01}, {"double_pendulum", 0.2}, {"linear_dae", 0.4},
    {"robertson", 4}, {"kepler", 2}, {"car_axis", 0.1}, {"chain", 0.05}, {"spring_pendulum", 0.1},
    {"spherical_pendulum", 0.3}, {"string_pendulum", 0.2}, {"hires", 5}, {"akzo_nobel", 5},
    {"transistor_amplifier", 0.004}, {"van_der_pol", 0.5}, {"oregonator", 5}, {"predator_prey", 1},
    {"ladder", 0.01}, {"skate", 0.3}, {"rolling_disc", 0.3},
    {"varactor", 1e-6},
};

extern const dae_problem dae_coin;              /* unusual/coin.c */

typedef struct {
    const char *name, *form;
    dae_system *sys;
    double t0, span;
    double start[MOST_UNKNOWNS], reference[MOST_UNKNOWNS];
} task;

static void refer(task *k)
{
    OWNED(dae_solver) *s = NULL;
    const dae_options o = tolerance(1e-10);
    memcpy(k->reference, k->start, sizeof k->start);
    if (dae_solver_create(&s, k->sys, dae_find_method("radau"), &o, NULL)
        || run(s, EQUAL, 1, k->t0, k->span, k->start, k->reference))
        fail_msg("%s %s: no reference", k->name, k->form);
}

static int check(const task *k, const dae_method *method)
{
    static const char *const names[] = {"100 pieces", "unequal pieces", "pieces begun again"};
    const dae_method_info info = dae_method_describe(method);
    double u[MOST_UNKNOWNS];
    const dae_options o = tolerance(1e-6);
    OWNED(dae_solver) *s = NULL;
    int runs = 0;
    if (dae_solver_create(&s, k->sys, method, &o, NULL))
        return 0;
    const dae_status alone = run(s, EQUAL, 1, k->t0, k->span, k->start, u);
    const long steps = dae_solver_statistics(s).steps;
    const double whole = apart(k->sys, k->reference, u, &o);
    for (division how = EQUAL; !alone && how <= AGAIN; how++, runs++) {
        const int pieces = how == AGAIN ? RESTARTS : PIECES;
        if (run(s, how, pieces, k->t0, k->span, k->start, u))
            fail_msg("%s %s %s: %s: %s", k->name, k->form, info.name, names[how],
                     dae_solver_report(s)->message);
        const long taken = dae_solver_statistics(s).steps;
        const double d = apart(k->sys, k->reference, u, &o);
        const int index3 = dae_system_index(k->sys) == 3;
        const double runs_on = how != AGAIN ? 1 : strcmp(info.name, "ida") == 0 ? RESTARTS : 2;
        if (!(d <= runs_on * (3 * whole + (index3 ? 150 : 30))))
            fail_msg("%s %s %s: %s are off by %.3g tolerances, the whole by %.3g", k->name, k->form,
                     info.name, names[how], d, whole);
        /* IDA's polynomial has no digit of z in first-order index 2: each piece ends a step, and the next is short. */
        const int stops = strcmp(info.name, "ida") == 0 && strcmp(k->form, "native") == 0
                          && dae_system_index(k->sys) == 2;
        if (how != AGAIN && 2 * taken > 3 * steps + (stops ? 3 : 2) * pieces + 20)
            fail_msg("%s %s %s: %s take %ld steps, the whole %ld", k->name, k->form, info.name,
                     names[how], taken, steps);
    }
    return runs;
}

static int check_all(task *k)
{
    int runs = 0;
    refer(k);
    for (int m = 0; dae_method_at(m); m++)
        if (dae_method_describe(dae_method_at(m)).adaptive)
            runs += check(k, dae_method_at(m));
    dae_system_free(k->sys);
    return runs;
}

TEST(test_problems)
{
    int runs = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_problem *problem = problem_named(ranges[i].problem);
            task k = {.name = problem->name, .t0 = problem->t0, .span = ranges[i].span,
                      .form = dae_formulation_describe(dae_formulation_at(f)).name};
            if (!dae_formulation_applies(dae_formulation_at(f), problem))
                continue;
            k.sys = system_at_start(k.name, k.form, 0, k.start);
            runs += check_all(&k);
        }
    assert_true(runs > 1000);
}

/* Constraints of positions and of velocities in one. */
TEST(test_coin)
{
    int runs = 0;
    for (int f = 0; dae_formulation_at(f); f++) {
        task k = {.name = "coin", .span = 0.2, .form = dae_formulation_describe(dae_formulation_at(f)).name};
        if (!dae_formulation_applies(dae_formulation_at(f), &dae_coin))
            continue;
        assert_int_equal(dae_system_create(&k.sys, &dae_coin, dae_formulation_at(f), NULL, NULL, NULL), DAE_OK);
        assert_int_equal(dae_system_start(k.sys, k.start, NULL), DAE_OK);
        k.start[10] = 0.5;                              /* it tilts, too: the motion is not steady */
        assert_int_equal(dae_consistent_start(k.sys, 0, k.start, NULL, NULL), DAE_OK);
        runs += check_all(&k);
    }
    assert_true(runs > 50);
}

TEST(test_written)
{
    for (int index = 2; index <= 3; index++) {
        const dae_problem problem = written(index);
        task k = {.name = index == 2 ? "index 2" : "index 3", .form = "native", .span = 1};
        written_start(NULL, k.start);
        k.sys = system_of(&problem, "native", NULL, NULL);
        assert_true(check_all(&k) > 20);
    }
}

static void rest_start(const double *p, double *u)
{
    memset(u, 0, 5 * sizeof *u);
    u[0] = 1;
}

/* worst[3] := how far q, v and T are from those of reference[5 x stops] at so many stops */
static void watch_stops(dae_solver *s, int stops, const double *reference, double *worst)
{
    double u[MOST_UNKNOWNS];
    rest_start(NULL, u);
    memset(worst, 0, 3 * sizeof *worst);
    assert_int_equal(dae_solver_start(s, 0, u), DAE_OK);
    for (int k = 0; k < stops; k++) {
        if (dae_solver_advance(s, 2 * (k + 1.0) / stops, u))
            fail_msg("%s", dae_solver_report(s)->message);
        for (int i = 0; i < 5; i++)
            worst[i / 2] = fmax(worst[i / 2], fabs(u[i] - reference[5 * k + i]));
    }
}

static void refer_stops(int stops, double *reference)
{
    dae_problem problem = written(1);
    const dae_options o = tolerance(1e-11);
    problem.start.f = rest_start;
    OWNED(dae_system) *sys = system_of(&problem, "native", NULL, NULL);
    OWNED(dae_solver) *s = solver_of(sys, dae_find_method("radau"), &o, 0, NULL);
    rest_start(NULL, reference);
    assert_int_equal(dae_solver_start(s, 0, reference), DAE_OK);
    for (int k = 0; k < stops; k++)
        assert_int_equal(dae_solver_advance(s, 2 * (k + 1.0) / stops, reference + 5 * k), DAE_OK);
}

/* Many stops on the way of a pendulum from rest, whose velocities rise as t and t^3, turn and pass
 * 0: the ends of smooth steps of h, h/2, h/4 are no errors, and a step whose iteration was too slow
 * is none. */
TEST(test_stops)
{
    static const int stops[] = {40, 80, 200};
    static const char *const methods[] = {"radau5", "radau9", "radau13", "radau"};
    static double reference[5 * 200];
    for (size_t n = 0; n < sizeof stops / sizeof *stops; n++) {
        refer_stops(stops[n], reference);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const dae_problem problem = written(3);
            const dae_options o = tolerance(1e-6);
            double worst[3];
            OWNED(dae_system) *sys = system_of(&problem, "native", NULL, NULL);
            OWNED(dae_solver) *s = solver_of(sys, dae_find_method(methods[m]), &o, 0, NULL);
            watch_stops(s, stops[n], reference, worst);
            if (!(worst[0] <= 1e-5 && worst[1] <= 2e-3 && worst[2] <= 0.3))
                fail_msg("%s, %d stops: (x, y) off by %.2g, (vx, vy) by %.2g, T by %.2g",
                         methods[m], stops[n], worst[0], worst[1], worst[2]);
        }
    }
}

#else
#include "written.h"
#endif
