/* test_numbered_events.c - an entry of a record that stands for many events, told their number
 *
 * 36 lamps: u_k' = (1 - u_k)/(c R_k), R_k = 1 + k/10, and one that has reached L goes out, u_k := 0. It does so
 * at the times m T_k, T_k = -c R_k log(1 - L), some of which are those of other lamps, too.
 *
 * N balls fall from 1 + j/10 between a floor and a ceiling, and what is hit turns the velocity: the floor at
 * (2 m - 1) sqrt(2 (1 + j/10)/g).
 */
#ifndef DAE_PASS
enum { LEVEL, UNIT };
enum { GRAVITY, BALLS };
enum { LAMPS = 36 };
#include <daelab/model.h>

#include "support.h"

static const dae_event goes_out[] = {
    {.name = "lamp", .title = "lamp goes out", .count = LAMPS, .value = DAE_MODEL(below), .direction = DAE_RISING,
     .action = DAE_MODEL(put_out), .measure = DAE_MODEL(resistance), .measures = "resistance"}, {0}};

static const dae_problem lamps = {
    .name = "lamps", .parameters = {{"level", 0.9, "-", "where a lamp goes out", DAE_POSITIVE},
                                   {"c", 1, "s", "unit of time", DAE_POSITIVE}},
    .first_order = {.n = LAMPS, .rhs = DAE_MODEL(charge)}, .start = DAE_MODEL(dark), .t_end = 12,
    .events = goes_out};

static const dae_event hits[] = {
    {.name = "wall", .per_copy = 1, .count = 2, .value = DAE_MODEL(gap), .direction = DAE_FALLING,
     .action = DAE_MODEL(turn)},
    {.name = "high", .per_copy = 1, .value = DAE_MODEL(speed), .direction = DAE_FALLING}, {0}};

static const dae_problem balls = {
    .name = "balls", .variables = "y v", .units = "m m/s",
    .parameters = {{"g", 10, "m/s^2", "gravity", DAE_POSITIVE}, {"N", 3, "-", "how many", DAE_COUNT}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(drop), .t_end = 2, .events = hits};

/* ---- runs --------------------------------------------------------------------------------- */

static dae_hybrid *create(const dae_problem *problem, const char *form, const dae_method *method, const double *p)
{
    dae_hybrid *run = NULL;
    dae_report why = {0};
    dae_options options = tolerance(1e-8);
    if (!dae_method_describe(method).adaptive) {
        options.step = 1e-3;
        options.max_steps = 100000;
    }
    const dae_status status = dae_hybrid_create(&run, problem, dae_find_formulation(form), p, NULL, method,
                                                &options, &why);
    if (status && status != DAE_UNSUPPORTED)
        fail_msg("%s: %s", dae_method_describe(method).name, why.message);
    return run;
}

/* To the end; 0 where the method does not locate events. */
static int advance(dae_hybrid *run, double t_end, const char *method)
{
    dae_status status = run ? dae_hybrid_start(run, 0, NULL) : DAE_UNSUPPORTED;
    if (!status)
        status = dae_hybrid_advance(run, t_end);
    if (status && status != DAE_UNSUPPORTED)
        fail_msg("%s: %s", method, dae_hybrid_report(run)->message);
    return !status;
}

/* Each lamp has gone out at m T_k and only there, and says so with its own name, title and measure. */
static void look_at_lamps(dae_hybrid *run, const char *method, double off, double unit)
{
    int seen[LAMPS] = {0};
    char name[32], title[32];
    for (int i = 0; i < dae_hybrid_events(run); i++) {
        const dae_event_record r = dae_hybrid_event(run, i);
        assert_in_range(r.number, 0, LAMPS - 1);
        const double period = -unit * (1 + r.number / 10.0) * log(1 - lamps.parameters[LEVEL].value);
        snprintf(name, sizeof name, "lamp[%d]", r.number);
        snprintf(title, sizeof title, "lamp goes out[%d]", r.number);
        assert_string_equal(r.name, name);
        assert_string_equal(r.title, title);
        if (!(fabs(r.t - ++seen[r.number] * period) <= off * unit))
            fail_msg("%s: %s at t = %.12g, not %.12g", method, name, r.t, seen[r.number] * period);
        assert_close(r.measure, 1 + r.number / 10.0, 1e-12);
        assert_close(r.before[r.number], 0.9, 1e-6);
        assert_close(r.after[r.number], 0, 0);
    }
    for (int k = 0; k < LAMPS; k++)
        assert_int_equal(seen[k], (int)(lamps.t_end / (-(1 + k / 10.0) * log(0.1))));
}

TEST(lamps_by_every_method)
{
    int methods = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const char *name = dae_method_describe(dae_method_at(m)).name;
        OWNED(dae_hybrid) *run = create(&lamps, "native", dae_method_at(m), NULL);
        if (advance(run, lamps.t_end, name)) {
            const int high = dae_method_describe(dae_method_at(m)).order[0][DAE_DIFFERENTIAL] > 2;
            look_at_lamps(run, name, high ? 1e-5 : 5e-3, 1);
            methods++;
        }
    }
    assert_true(methods >= 5);
}

static const char *const several[] = {"radau5", "dop853", "ida", "auto"};

/* In one piece or in fifty, the same events. */
TEST(in_pieces)
{
    for (int m = 0; m < 4; m++) {
        OWNED(dae_hybrid) *run = create(&lamps, "native", dae_find_method(several[m]), NULL);
        assert_int_equal(dae_hybrid_start(run, 0, NULL), DAE_OK);
        for (int i = 1; i <= 50; i++)
            assert_int_equal(dae_hybrid_advance(run, lamps.t_end * i / 50), DAE_OK);
        look_at_lamps(run, several[m], 1e-5, 1);
    }
}

/* In other units of time. */
TEST(in_other_units)
{
    static const double units[] = {1e-9, 86400};
    for (int m = 0; m < 4; m++)
        for (int i = 0; i < 2; i++) {
            const double p[] = {0.9, units[i]};
            dae_problem problem = lamps;
            problem.t_end *= units[i];
            OWNED(dae_hybrid) *run = create(&problem, "native", dae_find_method(several[m]), p);
            assert_true(advance(run, problem.t_end, several[m]));
            look_at_lamps(run, several[m], 1e-5, units[i]);
        }
}

/* Of the same time, in the order of their numbers. */
TEST(order_of_numbers)
{
    const double period = -log(0.1);
    OWNED(dae_hybrid) *run = create(&lamps, "native", dae_find_method("dop853"), NULL);
    assert_true(advance(run, 2.5 * period, "dop853"));
    for (int i = 1; i < dae_hybrid_events(run); i++) {
        const dae_event_record a = dae_hybrid_event(run, i - 1), b = dae_hybrid_event(run, i);
        assert_true(a.t < b.t || (a.t == b.t && a.number < b.number));
    }
}

/* Parameters that another run is given hold for the names and numbers of this one. */
TEST(balls_of_each_copy)
{
    for (int copies = 1; copies <= 4; copies++) {
        const double p[] = {10, copies};
        int floors[4] = {0}, tops = 0, others = 0;
        OWNED(dae_hybrid) *run = create(&balls, "index1", dae_find_method("dop853"), p);
        assert_true(advance(run, balls.t_end, "dop853"));
        for (int i = 0; i < dae_hybrid_events(run); i++) {
            const dae_event_record r = dae_hybrid_event(run, i);
            const int top = strncmp(r.name, "high[", 5) == 0, ball = top ? r.number : r.number / 2;
            assert_in_range(ball, 0, copies - 1);
            tops += top;
            others += !top && r.number % 2;
            if (top || r.number % 2)
                continue;
            const double fall = sqrt(2 * (1 + ball / 10.0) / 10);
            assert_close(r.t, (2 * ++floors[ball] - 1) * fall, 1e-6);
            assert_true(r.after[copies + ball] == -r.before[copies + ball]);
        }
        assert_int_equal(others, 0);                            /* no ball comes to the ceiling */
        for (int j = 0; j < copies; j++) {
            assert_int_equal(floors[j], 2);
            tops -= 1 + (int)(balls.t_end / (2 * sqrt(2 * (1 + j / 10.0) / 10)));       /* the start is one */
        }
        assert_int_equal(tops, 0);
    }
}

TEST(said_of_records)
{
    const double many[] = {10, 600000};
    dae_hybrid *run;
    dae_report why = {0};
    dae_event wrong[] = {goes_out[0], {0}};
    dae_problem bad = lamps;
    bad.events = wrong;
    assert_int_equal(dae_problem_describe(&lamps).events, LAMPS);
    assert_int_equal(dae_problem_describe(&balls).events, 3);
    for (int k = 0; k < 2; k++) {
        wrong[0].count = k ? DAE_MOST_EVENTS + 1 : -1;
        assert_int_equal(dae_hybrid_create(&run, &bad, dae_find_formulation("native"), NULL, NULL,
                                           dae_find_method("ida"), NULL, &why), DAE_BAD_ARGUMENT);
        assert_non_null(strstr(why.message, k ? "count 1000001" : "count -1"));
    }
    assert_int_equal(dae_hybrid_create(&run, &balls, dae_find_formulation("index1"), many, NULL,
                                       dae_find_method("ida"), NULL, &why), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "1800000 events of 600000 copies"));
}

/* ---- checks ------------------------------------------------------------------------------- */

static dae_finding failure_of(const dae_event *events, int quick)
{
    dae_problem problem = lamps;
    problem.events = events;
    return first_failure(&problem, quick);
}

static dae_quad below_but_17(const dae_quad *p, dae_quad t, const dae_quad *x, int k)
{
    return below_quad(p, t, x, k) + (k == 17 ? p[LEVEL] / 8 : 0);
}

static dae_dual rising_but_35(const double *p, dae_dual t, const dae_dual *x, int k)
{
    return k == 35 ? 2 * below_dual(p, t, x, k) : below_dual(p, t, x, k);
}

static int put_out_but_22(const dae_dual *p, dae_dual t, dae_dual *x, dae_dual *p_new, int k)
{
    if (k != 22)
        return put_out_tangent(p, t, x, p_new, k);
    p_new[LEVEL] = 2 * p[LEVEL];
    return put_out_tangent(p, t, x, p_new, k);
}

static int put_out_and_more(const double *p, double t, double *x, double *p_new, int k)
{
    if (k == 8)
        p_new[UNIT + 1] = k;
    return put_out_double(p, t, x, p_new, k);
}

/* A slip in one pass of one event of many is found, with its number. */
TEST(slips_of_one_number)
{
    dae_event wrong[] = {goes_out[0], {0}};
    const struct { dae_event_function value; dae_action action; const char *function, *number; } slips[] = {
        {.value = {below_double, below_dual, below_but_17, below_tangent}, .function = "events.lamp",
         .number = "of number 17:"},
        {.value = {below_double, rising_but_35, below_quad, below_tangent}, .function = "events.lamp",
         .number = "of number 35:"},
        {.action = {put_out_double, put_out_dual, put_out_quad, put_out_but_22},
         .function = "events.lamp.action", .number = "of number 22:"},
        {.action = {put_out_and_more, put_out_dual, put_out_quad, put_out_tangent},
         .function = "events.lamp.action", .number = "more numbers than it has rows"}};
    for (int quick = 0; quick <= 1; quick++) {
        assert_int_equal(failure_of(goes_out, quick).failed, 0);
        for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
            wrong[0] = goes_out[0];
            if (slips[i].value.f)
                wrong[0].value = slips[i].value;
            if (slips[i].action.f)
                wrong[0].action = slips[i].action;
            const dae_finding found = failure_of(wrong, quick);
            if (quick && i == 3)
                continue;                       /* what lies behind a result is not looked at in a moment */
            assert_int_equal(found.failed, 1);
            assert_string_equal(found.function, slips[i].function);
            if (!strstr(found.sentence, slips[i].number))
                fail_msg("%s", found.sentence);
        }
    }
}

#else
static void FN(dark)(const param *p, real *u) { u[0] = (real){0}; }
static real FN(resistance)(const param *p, real t, const real *x, int k) { return (real){0} + 1 + k / (real)10; }

static void FN(charge)(const param *p, real t, const real *u, real *F)
{
    for (int k = 0; k < LAMPS; k++)
        F[k] = (1 - u[k]) / (p[UNIT] * FN(resistance)(p, t, u, k));
}

static real FN(below)(const param *p, real t, const real *x, int k) { return x[k] - p[LEVEL]; }

static int FN(put_out)(const param *p, real t, real *x, real *p_new, int k)
{
    x[k] = (real){0};
    return 0;
}

static void FN(drop)(const param *p, real *u)
{
    for (int j = 0; j < dae_count(p[BALLS]); j++)
        u[j] = 1 + j / (real)10;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int j = 0; j < dae_count(p[BALLS]); j++)
        r[j] = a[j];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int j = 0; j < dae_count(p[BALLS]); j++)
        f[j] = -p[GRAVITY];
}

/* k = 2 j: the floor under ball j, 2 j + 1: the ceiling above it. */
static real FN(gap)(const param *p, real t, const real *x, int k) { return k % 2 ? 2 - x[k / 2] : x[k / 2]; }
static real FN(speed)(const param *p, real t, const real *x, int k) { return x[dae_count(p[BALLS]) + k]; }

static int FN(turn)(const param *p, real t, real *x, real *p_new, int k)
{
    real *v = x + dae_count(p[BALLS]) + k / 2;
    *v = -*v;
    return 0;
}
#endif
