/* test_events.c - where events happen: the start, the end, corners, brief visits, the user's own */
#ifndef DAE_PASS
enum { G, X0, Y0, VX0, VY0 };
#include <daelab/model.h>

#include "glide.h"

static double x_wall(const double *p, double t, const double *x, int k) { return x[0] - 1; }
static double y_wall(const double *p, double t, const double *x, int k) { return x[1] - 1; }
static double height(const double *p, double t, const double *x, int k) { return x[1]; }
static double position(const double *p, double t, const double *x, int k) { return x[0]; }
static int turn_x(const double *p, double t, double *x, double *p_new, int k) { x[2] = -x[2]; return 0; }
static int turn_y(const double *p, double t, double *x, double *p_new, int k) { x[3] = -x[3]; return 0; }

/* ---- where a run begins and ends ---------------------------------------------------------- */

static const dae_event floor_event[] = {
    {.name = "floor", .value = {height}, .direction = DAE_FALLING, .action = {turn_y}}, {0}};

TEST(at_the_start)
{
    const dae_problem down = with(floor_event, 0, 0, 1, -1), up = with(floor_event, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&down, "native", m, 1e-6, 2), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);     /* thrown into the floor: at once */
        event_is(0, "floor", 0, 0);
        assert_close(dae_hybrid_unknowns(hybrid)[1], 2, 1e-9);
        end();
        assert_int_equal(run(&up, "native", m, 1e-6, 2), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 0);     /* thrown up from it: not */
        end();
    }
}

TEST(at_the_end)
{
    const dae_problem p = with(floor_event, 0, 1, 1, -1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 1), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);
        event_is(0, "floor", 1, 1e-14);
        assert_int_equal(dae_hybrid_advance(hybrid, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);     /* and not again */
        assert_close(dae_hybrid_unknowns(hybrid)[1], 2, 1e-9);
        end();
    }
}

/* ---- several events ----------------------------------------------------------------------- */

TEST(corner)
{
    static const dae_event walls[] = {
        {.name = "right", .value = {x_wall}, .direction = DAE_RISING, .action = {turn_x}},
        {.name = "top", .value = {y_wall}, .direction = DAE_RISING, .action = {turn_y}}, {0}};
    for (int apart = 0; apart < 2; apart++) {               /* at once, and an ulp apart */
        const dae_problem p = with(walls, 0, apart ? 0x1p-53 : 0, 1, 1);
        EACH_METHOD(m) {
            assert_int_equal(run(&p, "native", m, 1e-6, 1.5), DAE_OK);
            assert_int_equal(dae_hybrid_events(hybrid), 2);
            const char *first = dae_hybrid_event(hybrid, 0).name;
            event_is(0, apart ? first : "right", 1, 1e-14);
            event_is(1, apart && *first == 't' ? "right" : "top", 1, 1e-14);
            assert_close(dae_hybrid_unknowns(hybrid)[0], 0.5, 1e-9);
            assert_close(dae_hybrid_unknowns(hybrid)[1], 0.5, 1e-9);
            end();
        }
    }
}

/* Events that do nothing leave the steps as they are; x = sin t passes zero at k pi. */
TEST(only_recorded)
{
    static const dae_event zero[] = {
        {.name = "zero", .value = {position}, .direction = DAE_ANY, .measure = {position}}, {0}};
    dae_problem watched = spring;
    watched.events = zero;
    static const char *const methods[] = {"dop853", "radau13", "rodas5p", "excros"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        assert_int_equal(run(&spring, "native", methods[k], 1e-12, 30), DAE_OK);
        const double x = dae_hybrid_unknowns(hybrid)[0];
        end();
        assert_int_equal(run(&watched, "native", methods[k], 1e-12, 30), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 9);
        assert_close(dae_hybrid_unknowns(hybrid)[0], x, 1e-10);
        for (int i = 0; i < 9; i++) {
            event_is(i, "zero", (i + 1) * 3.14159265358979324, 1e-10);
            assert_int_equal(dae_hybrid_event(hybrid, i).direction, i % 2 ? 1 : -1);
            assert_close(dae_hybrid_event(hybrid, i).measure, 0, 1e-12);
        }
        end();
    }
}

/* x goes to and fro between 0 and 1. */
TEST(relay)
{
    static const dae_event ends[] = {
        {.name = "right", .value = {x_wall}, .direction = DAE_RISING, .action = {turn_x}},
        {.name = "left", .value = {position}, .direction = DAE_FALLING, .action = {turn_x}}, {0}};
    const dae_problem p = with(ends, 0.5, 0, 1, 0);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 10), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 10);
        for (int i = 0; i < 10; i++)
            event_is(i, i % 2 ? "left" : "right", 0.5 + i, 1e-12);
        end();
    }
}

/* A parabola whose top is a little below a ceiling, or above it: 2 sqrt(2 gap/g) long. */
TEST(brief_visits)
{
    static const dae_event ceiling[] = {
        {.name = "up", .value = {y_wall}, .direction = DAE_RISING},
        {.name = "down", .value = {y_wall}, .direction = DAE_FALLING}, {0}};
    const double gaps[] = {1e-2, 1e-6, 1e-10, -1e-10, -1e-6};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        dae_problem p = with(ceiling, 0, 0, 0, sqrt(2 * 10 * (1 + gaps[k])));
        p.parameters[G].value = 10;
        static const char *const methods[] = {"dopri5", "dop853", "radau5", "cros4", "ida"};
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
            const int exact = strcmp(methods[j], "ida") != 0;
            if (!exact && fabs(gaps[k]) < 1e-6)
                continue;                                   /* below its tolerance */
            assert_int_equal(run(&p, "native", methods[j], exact ? 1e-6 : 1e-10, 1.5), DAE_OK);
            assert_int_equal(dae_hybrid_events(hybrid), gaps[k] > 0 ? 2 : 0);
            if (gaps[k] > 0) {
                const double top = sqrt(2 * (1 + gaps[k]) / 10), half = sqrt(2 * gaps[k] / 10);
                event_is(0, "up", top - half, exact ? 1e-9 : 1e-6);
                event_is(1, "down", top + half, exact ? 1e-9 : 1e-6);
            }
            end();
        }
    }
}

/* ---- the rest of the interface ------------------------------------------------------------ */

static double distance_to(void *context, double t, const double *x)
{
    return x[1] - *(const double *)context;
}

TEST(conditions_of_the_user)
{
    const dae_problem p = with(floor_event, 0, 0, 1, 1);
    const dae_options options = tolerance(1e-6);
    double level = 0.75;
    begin(&p, "native", "dop853", &options);
    assert_int_equal(dae_hybrid_stop_where(hybrid, "level", distance_to, &level, DAE_ANY), DAE_OK);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_EVENT);
    assert_close(dae_hybrid_time(hybrid), 0.75, 1e-14);
    message_has("stopped by event level");
    assert_int_equal(dae_hybrid_start_at(hybrid, 1, 0, (double[]){0, 0, 1, 1}), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_OK);           /* at rest */
    assert_int_equal(dae_hybrid_start_at(hybrid, 2, 0, (double[]){0, 0, 1, 1}), DAE_BAD_ARGUMENT);
    end();
}

TEST(fixed_steps)
{
    const dae_problem p = with(floor_event, 0, 1, 1, -1);
    dae_options options = dae_default_options();
    options.step = 0.3;
    EACH_METHOD(m) {
        if (!dae_method_describe(dae_find_method(m)).fixed)
            continue;
        begin(&p, "native", m, &options);
        assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_advance(hybrid, 2.5), DAE_OK);
        event_is(0, "floor", 1, 1e-13);
        assert_close(dae_hybrid_unknowns(hybrid)[1], 1.5, 1e-12);
        end();
    }
}

typedef struct { double t[64], y[64]; int count, wrong; } path;

static int look(void *context, dae_hybrid *h)
{
    path *seen = context;
    const double t = dae_hybrid_time(h), *u = dae_hybrid_unknowns(h);
    if (seen->count && t > seen->t[seen->count - 1] && seen->count < 64) {
        const double half = (t + seen->t[seen->count - 1]) / 2;         /* inside the step */
        double v[4];
        seen->wrong |= dae_solver_interpolate(dae_hybrid_solver(h), half, v) != DAE_OK
                       || fabs(fabs(half - 1) - v[1]) > 1e-9;
    }
    if (seen->count < 64) {
        seen->t[seen->count] = t;
        seen->y[seen->count++] = u[3];
    }
    return 0;
}

TEST(observers)
{
    const dae_problem p = with(floor_event, 0, 1, 1, -1);
    EACH_METHOD(m) {
        const dae_options options = tolerance(1e-6);
        path seen = {.count = 0};
        begin(&p, "native", m, &options);
        dae_hybrid_observe(hybrid, look, &seen);
        assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_advance(hybrid, 2), DAE_OK);
        int both = 0;
        for (int i = 1; i < seen.count; i++)
            both += seen.t[i] == seen.t[i - 1] && seen.y[i - 1] < 0 && seen.y[i] > 0;
        assert_int_equal(both, 1);                                      /* before and after */
        assert_int_equal(seen.wrong, 0);
        end();
    }
}

/* ---- functions that jump, stay at zero, or pass it nearly together ---------------------------- */

/* Functions that jump, stay at zero, or pass it nearly together; runs begun
 * again */

static double before_1(const double *p, double t, const double *x, int k) { return x[0] < 1 ? -1 : 1; }
static double sign(const double *p, double t, const double *x, int k) { return x[0] < 0 ? -1 : 1; }
static double beyond_1(const double *p, double t, const double *x, int k) { return fmax(x[0] - 1, 0); }
static double half(const double *p, double t, const double *x, int k) { return x[0] - 0.5; }
static double later(const double *p, double t, const double *x, int k) { return x[1] - sqrt(0.75) + 1e-9; }
static double sooner(const double *p, double t, const double *x, int k)
{
    return x[1] - sqrt(0.75) - 1e-9;
}
static double fast(const double *p, double t, const double *x, int k) { return sin(1000 * t + 0.1); }
static double poles(const double *p, double t, const double *x, int k) { return tan(t + 0.5); }
static double shallow(const double *p, double t, const double *x, int k) { return pow(t - 1, 4) - 1e-20; }
static double always(const double *p, double t, const double *x, int k) { return -1; }
static int pause(const double *p, double t, double *x, double *p_new, int k) { return 0; }
static int spoil(const double *p, double t, double *x, double *p_new, int k) { p_new[G] = NAN; return 0; }
static int gravity(const double *p, double t, double *x, double *p_new, int k) { p_new[G] += 1; return 0; }
static int up(const double *p, double t, double *x, double *p_new, int k) { x[1] += 1; return 0; }

/* ---- functions without a derivative -------------------------------------------------------- */

TEST(a_jump)
{
    static const dae_event jump[] = {
        {.name = "jump", .value = {before_1}, .direction = DAE_RISING, .action = {pause}}, {0}};
    const dae_problem p = with(jump, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);
        event_is(0, "jump", 1, 4e-13);              /* SUNDIALS: to 100 units of rounding of t and h */
        end();
    }
}

/* sign(sin t), which is never near zero. */
TEST(jumps)
{
    static const dae_event jump[] = {
        {.name = "jump", .value = {sign}, .direction = DAE_ANY, .action = {pause}}, {0}};
    dae_problem p = spring;
    p.events = jump;
    static const char *const methods[] = {"dop853", "radau5", "rodas5p", "cros4"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const dae_options options = tolerance(1e-10);
        const double from_1[] = {sin(1), cos(1)};
        begin(&p, "native", methods[k], &options);
        assert_int_equal(dae_hybrid_start_at(hybrid, 0, 1, from_1), DAE_OK);
        assert_int_equal(dae_hybrid_advance(hybrid, 30), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 9);
        for (int i = 0; i < 9; i++)
            event_is(i, "jump", (i + 1) * 3.14159265358979324, 1e-8);
        end();
    }
}

TEST(zero_for_a_while)
{
    static const dae_event leaves[] = {
        {.name = "leaves", .value = {beyond_1}, .direction = DAE_RISING, .action = {pause}}, {0}};
    const dae_problem p = with(leaves, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);
        event_is(0, "leaves", 1, 1e-12);
        end();
    }
}

/* ---- many, or nearly at once --------------------------------------------------------------- */

/* x = sin t is 1/2 where v = cos t is sqrt(3)/2, but for 1e-9: less than errors of dense output. */
TEST(nearly_at_once)
{
    static const dae_event events[2][3] = {
        {{.name = "x", .value = {half}, .direction = DAE_RISING, .action = {pause}},
         {.name = "v", .value = {later}, .direction = DAE_FALLING, .action = {pause}}, {0}},
        {{.name = "x", .value = {half}, .direction = DAE_RISING, .action = {pause}},
         {.name = "v", .value = {sooner}, .direction = DAE_FALLING, .action = {pause}}, {0}}};
    for (int k = 0; k < 2; k++) {
        dae_problem p = spring;
        p.events = events[k];
        EACH_METHOD(m)
            for (double rtol = 1e-3; rtol > 1e-8; rtol *= 1e-2) {
                assert_int_equal(run(&p, "native", m, rtol, 1), DAE_OK);
                assert_int_equal(dae_hybrid_events(hybrid), 2);
                assert_string_not_equal(dae_hybrid_event(hybrid, 0).name,
                                        dae_hybrid_event(hybrid, 1).name);
                end();
            }
    }
}

/* Far more often than the solution asks for steps; after each the run begins again. */
TEST(fast_functions)
{
    static const dae_event wave[] = {
        {.name = "wave", .value = {fast}, .direction = DAE_RISING, .action = {pause}}, {0}};
    const dae_problem p = with(wave, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 477);
        for (int i = 0; i < 477; i++)
            event_is(i, "wave", (2 * 3.14159265358979324 * (i + 1) - 0.1) / 1000, 1e-11);
        end();
    }
}

/* tan passes at its poles, too, behind which nothing is lost; dop853 goes from each to the end in one step. */
TEST(behind_a_pole)
{
    static const dae_event any[] = {
        {.name = "tan", .value = {poles}, .direction = DAE_ANY, .action = {pause}}, {0}};
    const dae_problem p = with(any, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-8, 10), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 6);
        for (int i = 0; i < 6; i++)
            event_is(i, "tan", (i + 1) * 3.14159265358979324 / 2 - 0.5, 1e-11);
        end();
    }
}

/* Below zero by 1e-20 from 1 - 1e-5 to 1 + 1e-5; at the end of the step, 6561, rounding is 1e-10. */
TEST(far_below_the_rest)
{
    static const dae_event any[] = {
        {.name = "shallow", .value = {shallow}, .direction = DAE_ANY, .action = {pause}}, {0}};
    const dae_problem p = with(any, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-8, 10), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 2);
        event_is(0, "shallow", 1 - 1e-5, 1e-9);
        event_is(1, "shallow", 1 + 1e-5, 1e-9);
        end();
    }
}

static double over_floor(const double *p, double t, const double *x, int k) { return x[1] + 2; }
static int stop_y(const double *p, double t, double *x, double *p_new, int k) { x[3] = 0; return 0; }

/* At rest on the floor y = -2, where it falls so slowly that it is seen below only late in a step:
 * what happens between is not lost. */
TEST(before_a_late_departure)
{
    static const dae_event events[] = {
        {.name = "floor", .value = {over_floor}, .direction = DAE_FALLING, .action = {stop_y}},
        {.name = "beside", .value = {over_floor}, .direction = DAE_FALLING, .action = {pause}},
        {.name = "wall", .value = {x_wall}, .direction = DAE_RISING, .action = {pause}}, {0}};
    static const char *const methods[] = {"dop853", "dopri5", "radau", "rodas5p", "cros4",
                                          "excros"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double start = 0.01; start < 0.9; start += 0.07) {
            dae_problem p = with(events, start, -1.999, 1, -1);
            p.parameters[G].value = 1e-13;
            assert_int_equal(run(&p, "native", methods[k], 1e-6, 3), DAE_OK);
            int walls = 0;
            for (int i = 0; i < dae_hybrid_events(hybrid); i++)
                walls += strcmp(dae_hybrid_event(hybrid, i).name, "wall") == 0;
            if (walls != 1)
                fail_msg("%s from %g: %d walls", methods[k], start, walls);
            end();
        }
}

/* ---- modes and conditions ------------------------------------------------------------------ */

TEST(a_mode_that_leads_to_itself)
{
    static const dae_event again[] = {
        {.name = "again", .value = {y_wall}, .direction = DAE_RISING, .mode = "gliding"}, {0}};
    const dae_problem p = with(again, 0, 0, 1, 1);
    EACH_METHOD(m) {
        assert_int_equal(run(&p, "native", m, 1e-6, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);
        event_is(0, "again", 1, 1e-13);
        end();
    }
}

static double height_over(void *context, double t, const double *x)
{
    return x[1] - *(const double *)context;
}

/* A condition of the user holds in all modes: what an event that changes the mode takes across
 * it. */
TEST(a_condition_passed_on_entry)
{
    static const dae_event hold[] = {
        {.name = "hold", .value = {x_wall}, .direction = DAE_RISING, .action = {up},
         .mode = "rest"}, {0}};
    const dae_problem p = with(hold, 0, 0, 1, 1);
    const dae_direction directions[] = {DAE_RISING, DAE_ANY};
    const dae_options options = tolerance(1e-6);
    double level = 1.5;
    for (int k = 0; k < 2; k++) {
        begin(&p, "native", "dopri5", &options);
        assert_int_equal(dae_hybrid_stop_where(hybrid, "level", height_over, &level, directions[k]),
                         DAE_OK);
        assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_advance(hybrid, 3), DAE_EVENT);
        assert_int_equal(dae_hybrid_events(hybrid), 2);
        event_is(1, "level", 1, 1e-13);
        assert_int_equal(dae_hybrid_advance(hybrid, 3), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 2);
        end();
    }
}

/* ---- begun again --------------------------------------------------------------------------- */

TEST(conditions_come_first)
{
    const dae_problem p = with(NULL, 0, 0, 1, 1);
    const dae_options options = tolerance(1e-6);
    double level = 0.75, higher = 1;
    begin(&p, "native", "dopri5", &options);
    assert_int_equal(dae_hybrid_stop_where(hybrid, "level", height_over, &level, DAE_ANY), DAE_OK);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_stop_where(hybrid, "higher", height_over, &higher, DAE_ANY),
                     DAE_BAD_ARGUMENT);
    message_has("comes before");
    assert_int_equal(dae_hybrid_advance(hybrid, 2), DAE_EVENT);
    assert_int_equal(dae_hybrid_advance(hybrid, 2), DAE_OK);
    assert_int_equal(dae_hybrid_events(hybrid), 1);
    end();
}

/* Parameters that a run has changed, or spoilt, are those of the creation at the next start. */
TEST(parameters_come_back)
{
    static const dae_event events[2][2] = {
        {{.name = "heavier", .value = {x_wall}, .direction = DAE_RISING, .action = {gravity}}, {0}},
        {{.name = "spoil", .value = {x_wall}, .direction = DAE_RISING, .action = {spoil}}, {0}}};
    for (int k = 0; k < 2; k++) {
        const dae_problem p = with(events[k], 0, 0, 1, 1);
        const dae_status ends = k ? DAE_BAD_ARGUMENT : DAE_OK;
        EACH_METHOD(m) {
            double first[4];
            assert_int_equal(run(&p, "native", m, 1e-4, 2), ends);
            memcpy(first, dae_hybrid_unknowns(hybrid), sizeof first);
            assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
            assert_close(dae_hybrid_parameters(hybrid)[G], 0, 0);
            assert_int_equal(dae_hybrid_advance(hybrid, 2), ends);
            assert_int_equal(dae_hybrid_events(hybrid), 1);
            assert_memory_equal(dae_hybrid_unknowns(hybrid), first, sizeof first);
            end();
        }
    }
}

static double first(const double *p, double t, const double *x, int k) { return x[0]; }

/* Made consistent after an event, a state is moved a little before zero again: no second event. The
 * left end of car_axis is at x = 0 every half period of the road, pi/10. */
TEST(moved_by_consistency)
{
    static const dae_event zero[] = {
        {.name = "zero", .value = {first}, .direction = DAE_ANY, .action = {pause}}, {0}};
    static const char *const methods[] = {"radau5", "rodas4", "ida"};
    dae_problem p = *problem_named("car_axis");
    p.events = zero;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double rtol = 1e-4; rtol > 1e-8; rtol *= 1e-3) {
            assert_int_equal(run(&p, "index3", methods[k], rtol, 1), DAE_OK);
            assert_int_equal(dae_hybrid_events(hybrid), 3);
            for (int i = 0; i < 3; i++)
                event_is(i, "zero", (i + 1) * 3.14159265358979324 / 10, 1e-4);
            end();
        }
}

/* A first step of IDA after an event changes t, however small the tolerance. */
TEST(first_steps)
{
    static const dae_event zero[] = {
        {.name = "zero", .value = {first}, .direction = DAE_ANY, .action = {pause}}, {0}};
    const dae_options options = {.rtol = 1e-10, .atol = 1e-13, .max_steps = 200000,
                                 .max_events = 10};
    dae_problem p = *problem_named("pendulum");
    p.events = zero;
    begin(&p, "index3", "ida", &options);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 3), DAE_OK);
    assert_int_equal(dae_hybrid_events(hybrid), 1);
    end();
}

/* Events of an earlier call, or run, do not count in this one. */
TEST(limits_begin_again)
{
    static const dae_event events[] = {
        {.name = "entry", .value = {always}, .direction = DAE_FALLING, .mode = "rest"}, {0}};
    const dae_problem p = with(events, 0, 0, 1, 1);
    dae_options options = tolerance(1e-6);
    options.max_events = 1;
    begin(&p, "native", "dopri5", &options);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
        assert_int_equal(dae_hybrid_events(hybrid), 1);
    }
    end();
}

#else
#include "glide.h"

#endif
