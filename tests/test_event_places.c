/* test_event_places.c - functions that jump, stay at zero, or pass it nearly together; runs begun
 * again */
#ifndef DAE_PASS
enum { G, X0, Y0, VX0, VY0 };
#include <daelab/model.h>

#include "glide.h"

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
static double y_wall(const double *p, double t, const double *x, int k) { return x[1] - 1; }
static double x_wall(const double *p, double t, const double *x, int k) { return x[0] - 1; }
static double always(const double *p, double t, const double *x, int k) { return -1; }
static int pause(const double *p, double t, double *x, double *p_new, int k) { return 0; }
static int spoil(const double *p, double t, double *x, double *p_new, int k) { p_new[G] = NAN; return 0; }
static int gravity(const double *p, double t, double *x, double *p_new, int k) { p_new[G] += 1; return 0; }
static int up(const double *p, double t, double *x, double *p_new, int k) { x[1] += 1; return 0; }

/* ---- functions without a derivative -------------------------------------------------------- */

static void a_jump(void **state)
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
static void jumps(void **state)
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

static void zero_for_a_while(void **state)
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
static void nearly_at_once(void **state)
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
static void fast_functions(void **state)
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
static void behind_a_pole(void **state)
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
static void far_below_the_rest(void **state)
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
static void before_a_late_departure(void **state)
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

static void a_mode_that_leads_to_itself(void **state)
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
static void a_condition_passed_on_entry(void **state)
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

static void conditions_come_first(void **state)
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
static void parameters_come_back(void **state)
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
static void moved_by_consistency(void **state)
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
static void first_steps(void **state)
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
static void limits_begin_again(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump),
        cmocka_unit_test(jumps),
        cmocka_unit_test(zero_for_a_while),
        cmocka_unit_test(nearly_at_once),
        cmocka_unit_test(fast_functions),
        cmocka_unit_test(behind_a_pole),
        cmocka_unit_test(far_below_the_rest),
        cmocka_unit_test(before_a_late_departure),
        cmocka_unit_test(a_mode_that_leads_to_itself),
        cmocka_unit_test(a_condition_passed_on_entry),
        cmocka_unit_test(conditions_come_first),
        cmocka_unit_test(parameters_come_back),
        cmocka_unit_test(moved_by_consistency),
        cmocka_unit_test(first_steps),
        cmocka_unit_test(limits_begin_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
#include "glide.h"
#endif
