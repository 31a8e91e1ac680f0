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

static void at_the_start(void **state)
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

static void at_the_end(void **state)
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

static void corner(void **state)
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
static void only_recorded(void **state)
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
static void relay(void **state)
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
static void brief_visits(void **state)
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

static void conditions_of_the_user(void **state)
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

static void fixed_steps(void **state)
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

static void observers(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_start),
        cmocka_unit_test(at_the_end),
        cmocka_unit_test(corner),
        cmocka_unit_test(only_recorded),
        cmocka_unit_test(relay),
        cmocka_unit_test(brief_visits),
        cmocka_unit_test(conditions_of_the_user),
        cmocka_unit_test(fixed_steps),
        cmocka_unit_test(observers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
#include "glide.h"
#endif
