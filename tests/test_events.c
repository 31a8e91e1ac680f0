/* test_events.c - when events happen, and what follows from them: jumps, modes, guards, parameters, failures
 *
 * Most are a row: a model, its events and its start, how it is run, and what has to come of it.
 */
#ifndef DAE_PASS
enum { G, X0, Y0, VX0, VY0 };
#include <daelab/model.h>

#include "glide.h"

#define VALUE(name, result) static double name(const double *p, double t, const double *x, int k) { return result; }
VALUE(position, x[0])
VALUE(height, x[1])
VALUE(x_wall, x[0] - 1)
VALUE(y_wall, x[1] - 1)
VALUE(over_floor, x[1] + 2)
VALUE(slow, fabs(x[3]) - 0.75)
VALUE(root, sqrt(1 - x[0]) + 1)
VALUE(always, -1)
VALUE(before_1, x[0] < 1 ? -1 : 1)
VALUE(sign, x[0] < 0 ? -1 : 1)
VALUE(beyond_1, fmax(x[0] - 1, 0))
VALUE(half, x[0] - 0.5)
VALUE(later, x[1] - sqrt(0.75) + 1e-9)
VALUE(sooner, x[1] - sqrt(0.75) - 1e-9)
VALUE(quick, sin(1000 * t + 0.1))
VALUE(poles, tan(t + 0.5))
VALUE(shallow, pow(t - 1, 4) - 1e-20)

/* The statement, and whether the run stops */
#define ACTION(name, statement, stops)                                                            \
    static int name(const double *p, double t, double *x, double *p_new, int k) { statement; return stops; }
ACTION(pause, , 0)
ACTION(turn_x, x[2] = -x[2], 0)
ACTION(turn_y, x[3] = -x[3], 0)
ACTION(halve_y, x[3] *= -0.5, 0)
ACTION(thousandth_y, x[3] *= -1e-3, 0)
ACTION(stop_y, x[3] = 0, 0)
ACTION(back, x[0] = 0.5, 0)
ACTION(forth, x[0] = 1.5, 0)
ACTION(up, x[1] += 1, 0)
ACTION(off_circle, x[0] += 1, 0)
ACTION(flip_gravity, p_new[G] = -p[G], 0)
ACTION(gravity, p_new[G] += 1, 0)
ACTION(spoil, p_new[G] = NAN, 0)
ACTION(stop_fast, , x[2] > 0.5)

static const double pi = 3.14159265358979324;

/* ---- rows ---------------------------------------------------------------------------------- */

enum { MOST_CASE_EVENTS = 4 };

typedef struct {
    const char *title;
    dae_event events[MOST_CASE_EVENTS];
    double start[4], g;         /* of glide, which is the model where there is none */
    const dae_problem *model;
    const char *form;
    const char *methods;        /* their names; all where there are none, but for those after a minus */
    double rtol, finest;        /* from rtol on, by hundredths, down to what is above the finest */
    double step;                /* fixed, of methods that take it */
    double t_end;
    dae_status ends;
    double then_to;             /* goes on to there, with no more events */
    int count;                  /* events: number i = 0, 1, ... at first + i every, by the names in turn */
    const char *names;          /* "*": whichever, but no two of the same name one behind the other */
    double first, every, tol;
    int alternates;             /* falling, rising, ...; of a measure that is zero */
    double x[2], off;           /* the first unknowns at the end, where off > 0 */
    int mode;                   /* at the end */
    const char *says;
} row;

static int has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ' || at[-1] == '-') && (at[length] == 0 || at[length] == ' '))
            return 1;
    return 0;
}

/* Word number i of these, counted in circles */
static void word_of(const char *words, int i, char *word)
{
    const char *at = words;
    for (; i > 0; i--) {
        const char *space = strchr(at, ' ');
        at = space ? space + 1 : words;
    }
    snprintf(word, 32, "%.*s", (int)strcspn(at, " "), at);
}

static void look_at_events(const row *r)
{
    char name[32];
    assert_int_equal(dae_hybrid_events(hybrid), r->count);
    for (int i = 0; i < r->count; i++) {
        const dae_event_record e = dae_hybrid_event(hybrid, i);
        if (*r->names == '*')
            assert_true(i == 0 || strcmp(e.name, dae_hybrid_event(hybrid, i - 1).name) != 0);
        else
            word_of(r->names, i, name);
        event_is(i, *r->names == '*' ? e.name : name, r->first + i * r->every, r->tol);
        if (r->alternates)
            assert_true(e.direction == (i % 2 ? 1 : -1) && fabs(e.measure) < 1e-12);
    }
    if (r->count)
        assert_int_equal(dae_hybrid_event(hybrid, r->count - 1).to, r->mode);
}

static void try_with(const row *r, const char *method, double rtol)
{
    dae_problem p = with(NULL, r->start[0], r->start[1], r->start[2], r->start[3]);
    dae_options options = tolerance(rtol);
    p.parameters[G].value = r->g;
    if (r->model)
        p = *r->model;
    p.events = r->events;
    options.step = r->step;
    begin(&p, r->form ? r->form : "native", method, &options);
    const dae_status status = hybrid_to(hybrid, r->t_end);
    if (status != r->ends)
        fail_msg("%s, %s, rtol %g: %s: %s", r->title, method, rtol, dae_status_name(status),
                 dae_hybrid_report(hybrid)->message);
    if (status == DAE_OK)
        assert_close(dae_hybrid_time(hybrid), r->t_end, 0);
    if (r->says)
        message_has(r->says);
    if (r->names || !r->says)
        look_at_events(r);
    if (r->then_to > 0) {
        assert_int_equal(dae_hybrid_advance(hybrid, r->then_to), DAE_OK);
        look_at_events(r);
    }
    for (int i = 0; i < 2 && r->off > 0; i++)
        assert_close(dae_hybrid_unknowns(hybrid)[i], r->x[i], r->off);
    assert_int_equal(dae_hybrid_mode(hybrid), r->mode);
    end();
}

static void try_row(const row *r)
{
    const char *words = r->methods ? r->methods : "-";
    EACH_METHOD(m)
        if (has_word(words, m) != (*words == '-') && (!(r->step > 0) || dae_method_describe(dae_find_method(m)).fixed))
            for (double rtol = r->rtol > 0 ? r->rtol : 1e-6; rtol > r->finest; rtol = r->finest > 0 ? rtol * 1e-2 : 0)
                try_with(r, m, rtol);
}

#define RISING(function, called, ...) {.name = called, .value = {function}, .direction = DAE_RISING, __VA_ARGS__}
#define FALLING(function, called, ...) {.name = called, .value = {function}, .direction = DAE_FALLING, __VA_ARGS__}
#define EITHER(function, called, ...) {.name = called, .value = {function}, .direction = DAE_ANY, __VA_ARGS__}
#define BY(function) .action = {function}
#define FLOOR FALLING(height, "floor", BY(turn_y))
#define WALLS RISING(x_wall, "right", BY(turn_x)), FALLING(position, "left", BY(turn_x))

TEST(where_a_run_begins_and_ends)
{
    const row rows[] = {
        {"thrown into the floor: at once", {FLOOR}, .start = {0, 0, 1, -1}, .t_end = 2, .count = 1, .names = "floor",
         .x = {2, 2}, .off = 1e-9},
        {"thrown up from it: not", {FLOOR}, .start = {0, 0, 1, 1}, .t_end = 2, .x = {2, 2}, .off = 1e-9},
        {"at the end, and not again", {FLOOR}, .start = {0, 1, 1, -1}, .t_end = 1, .then_to = 3, .count = 1,
         .names = "floor", .first = 1, .tol = 1e-14, .x = {3, 2}, .off = 1e-9},
        {"fixed steps", {FLOOR}, .start = {0, 1, 1, -1}, .step = 0.3, .t_end = 2.5, .count = 1, .names = "floor",
         .first = 1, .tol = 1e-13, .x = {2.5, 1.5}, .off = 1e-12}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        try_row(&rows[i]);
}

TEST(several_events)
{
    const row rows[] = {
        {"a corner", {RISING(x_wall, "right", BY(turn_x)), RISING(y_wall, "top", BY(turn_y))}, .start = {0, 0, 1, 1},
         .t_end = 1.5, .count = 2, .names = "right top", .first = 1, .tol = 1e-14, .x = {0.5, 0.5}, .off = 1e-9},
        {"an ulp apart", {RISING(x_wall, "right", BY(turn_x)), RISING(y_wall, "top", BY(turn_y))},
         .start = {0, 0x1p-53, 1, 1}, .t_end = 1.5, .count = 2, .names = "*", .first = 1, .tol = 1e-14, .x = {0.5, 0.5},
         .off = 1e-9},
        {"to and fro", {WALLS}, .start = {0.5, 0, 1, 0}, .t_end = 10, .count = 10, .names = "right left", .first = 0.5,
         .every = 1, .tol = 1e-12},
        {"only recorded: the steps are as they were", {EITHER(position, "zero", .measure = {position})},
         .model = &spring, .methods = "dop853 radau13 rodas5p excros", .rtol = 1e-12, .t_end = 30, .count = 9,
         .names = "zero", .first = pi, .every = pi, .tol = 1e-10, .alternates = 1, .x = {sin(30), cos(30)},
         .off = 1e-9},
        /* x = sin t is 1/2 where v = cos t is sqrt(3)/2, but for 1e-9: less than errors of dense output */
        {"nearly at once", {RISING(half, "x", BY(pause)), FALLING(later, "v", BY(pause))}, .model = &spring,
         .rtol = 1e-3, .finest = 2e-8, .t_end = 1, .count = 2, .names = "*", .tol = INFINITY},
        {"nearly at once", {RISING(half, "x", BY(pause)), FALLING(sooner, "v", BY(pause))}, .model = &spring,
         .rtol = 1e-3, .finest = 2e-8, .t_end = 1, .count = 2, .names = "*", .tol = INFINITY},
        {"far more often than the solution asks for steps", {RISING(quick, "wave", BY(pause))}, .start = {0, 0, 1, 1},
         .t_end = 3, .count = 477, .names = "wave", .first = (2 * pi - 0.1) / 1000, .every = 2 * pi / 1000,
         .tol = 1e-11}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        try_row(&rows[i]);
}

TEST(functions_of_other_kinds)
{
    const row rows[] = {
        {"a jump", {RISING(before_1, "jump", BY(pause))}, .start = {0, 0, 1, 1}, .t_end = 3, .count = 1,
         .names = "jump", .first = 1, .tol = 4e-13},    /* SUNDIALS: to 100 units of rounding of t and h */
        {"never near zero", {EITHER(sign, "jump", BY(pause))}, .model = &spring,
         .methods = "dop853 radau5 rodas5p cros4", .rtol = 1e-10, .t_end = 30, .count = 9, .names = "jump",
         .first = pi, .every = pi, .tol = 1e-8},
        {"zero for a while", {RISING(beyond_1, "leaves", BY(pause))}, .start = {0, 0, 1, 1}, .t_end = 3, .count = 1,
         .names = "leaves", .first = 1, .tol = 1e-12},
        /* tan passes at its poles, too, behind which nothing is lost; dop853 goes from each to the end in one step. */
        {"behind a pole", {EITHER(poles, "tan", BY(pause))}, .start = {0, 0, 1, 1}, .rtol = 1e-8, .t_end = 10,
         .count = 6, .names = "tan", .first = pi / 2 - 0.5, .every = pi / 2, .tol = 1e-11},
        /* Below zero by 1e-20 from 1 - 1e-5 to 1 + 1e-5; at the end of the step, 6561, rounding is 1e-10. */
        {"far below the rest", {EITHER(shallow, "shallow", BY(pause))}, .start = {0, 0, 1, 1}, .rtol = 1e-8,
         .t_end = 10, .count = 2, .names = "shallow", .first = 1 - 1e-5, .every = 2e-5, .tol = 1e-9},
        {"no value where the run goes", {FALLING(root, "root")}, .start = {0, 0, 1, 1}, .t_end = 5,
         .ends = DAE_NOT_FINITE, .says = "event root has no finite value"},
        {"no value where it begins", {FALLING(root, "root")}, .start = {2, 0, 1, 1}, .t_end = 5,
         .ends = DAE_NOT_FINITE, .says = "event root has no finite value"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        try_row(&rows[i]);
}

TEST(what_follows)
{
    const double flip = (sqrt(40) - sqrt(20)) / 10, rest_of = 1 - flip;     /* y = 1 at v = sqrt(20), then g = -10 */
    const dae_problem car_axis = *problem_named("car_axis"), pendulum = *problem_named("pendulum");
    const row rows[] = {
        {"a jump that stops", {FALLING(height, "floor", BY(halve_y)),
                               FALLING(slow, "slow", .title = "it is slow", .terminal = 1)}, .start = {0, 1, 0, -1},
         .t_end = 5, .ends = DAE_EVENT, .says = "slow: it is slow", .then_to = 2, .count = 2, .names = "floor slow",
         .first = 1, .tol = 1e-12, .x = {0, 0.5}, .off = 1e-9},
        {"a mode without exit", {RISING(x_wall, "hold", .mode = "rest")}, .start = {0, 0, 1, 1}, .t_end = 10,
         .count = 1, .names = "hold", .first = 1, .tol = 1e-9, .x = {1, 1}, .off = 1e-9, .mode = 1},
        {"a guard on entry", {FALLING(always, "beyond", .mode = "rest")}, .start = {0, 0, 1, 1}, .methods = "dopri5",
         .t_end = 1, .count = 1, .names = "beyond", .mode = 1},
        {"a mode that leads to itself", {RISING(y_wall, "again", .mode = "gliding")}, .start = {0, 0, 1, 1},
         .t_end = 3, .count = 1, .names = "again", .first = 1, .tol = 1e-13},
        {"its own reverse", {RISING(x_wall, "back", BY(back)), FALLING(x_wall, "forth", BY(forth))},
         .start = {0, 0, 1, 1}, .methods = "dopri5", .t_end = 5, .ends = DAE_MAX_EVENTS,
         .says = "without time going on"},
        {"parameters change", {EITHER(y_wall, "flip", BY(flip_gravity))}, .start = {0, 0, 0, sqrt(40)}, .g = 10,
         .methods = "-euler", .rtol = 1e-9, .t_end = 1, .count = 1, .names = "flip", .first = flip, .tol = 1e-7,
         .x = {0, 1 + sqrt(20) * rest_of + 5 * rest_of * rest_of}, .off = 1e-6},    /* euler takes a million steps */
        {"a parameter is spoilt", {EITHER(y_wall, "spoil", BY(spoil))}, .start = {0, 0, 1, 1}, .methods = "dopri5",
         .t_end = 2, .ends = DAE_BAD_ARGUMENT, .says = "parameter g"},
        {"an action that stops", {RISING(x_wall, "look", BY(stop_fast))}, .start = {0, 0, 1, 0}, .methods = "radau5",
         .t_end = 5, .ends = DAE_EVENT, .count = 1, .names = "look", .first = 1, .tol = 1e-12},
        {"the same below its speed", {RISING(x_wall, "look", BY(stop_fast))}, .start = {0, 0, 0.25, 0},
         .methods = "radau5", .t_end = 5, .count = 1, .names = "look", .first = 4, .tol = 1e-12},
        {"off the constraints", {FALLING(position, "bottom", BY(off_circle))}, .model = &pendulum, .form = "index1",
         .methods = "radau5", .t_end = 2, .ends = DAE_INCONSISTENT,
         .says = "after bottom the state violates the constraints"},
        /* Made consistent after an event, a state is moved a little before zero again: no second event. The left end
         * of car_axis is at x = 0 every half period of the road. */
        {"moved by consistency", {EITHER(position, "zero", BY(pause))}, .model = &car_axis, .form = "index3",
         .methods = "radau5 rodas4 ida", .rtol = 1e-4, .finest = 2e-8, .t_end = 1, .count = 3, .names = "zero",
         .first = pi / 10, .every = pi / 10, .tol = 1e-4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        try_row(&rows[i]);
}

/* A parabola whose top is a little below a ceiling, or above it: 2 sqrt(2 gap/g) long. IDA only above its tolerance. */
TEST(brief_visits)
{
    const double gaps[] = {1e-2, 1e-6, 1e-10, -1e-10, -1e-6};
    for (int k = 0; k < 10; k++) {
        const int ida = k > 4;
        const double gap = gaps[k % 5], half_of = gap > 0 ? sqrt(2 * gap / 10) : 0;
        const row visit = {"a brief visit", {RISING(y_wall, "up"), FALLING(y_wall, "down")},
                           .start = {0, 0, 0, sqrt(2 * 10 * (1 + gap))}, .g = 10,
                           .methods = ida ? "ida" : "dopri5 dop853 radau5 cros4", .rtol = ida ? 1e-10 : 1e-6,
                           .t_end = 1.5, .count = gap > 0 ? 2 : 0, .names = "up down",
                           .first = sqrt(2 * (1 + gap) / 10) - half_of, .every = 2 * half_of, .tol = ida ? 1e-6 : 1e-9};
        if (!ida || fabs(gap) >= 1e-6)
            try_row(&visit);
    }
}

/* Dropped from 5 m at g = 10: after 1 s on the floor, at (1 + e)/(1 - e) s at rest there. */
TEST(a_plastic_impact)
{
    static const dae_event events[2][2] = {{FALLING(height, "floor", BY(stop_y), .limit = "rest"), {0}},
                                           {FALLING(height, "floor", BY(thousandth_y), .limit = "rest"), {0}}};
    for (int k = 0; k < 2; k++) {
        dae_problem p = with(events[k], 0, 5, 1, 0);
        const double t = k ? 1.001 / 0.999 : 1;
        p.parameters[G].value = 10;
        EACH_METHOD(m) {
            if (strcmp(m, "euler") == 0)
                continue;                                   /* order 1 takes a million steps */
            if (run(&p, "native", m, 1e-8, 4))
                fail_msg("%s: %s", m, dae_hybrid_report(hybrid)->message);
            assert_int_equal(dae_hybrid_mode(hybrid), 1);
            const int last = dae_hybrid_events(hybrid) - 1;
            event_is(last, "floor", t, 1e-6);
            assert_int_equal(dae_hybrid_event(hybrid, last).accumulated, 1);
            assert_close(dae_hybrid_unknowns(hybrid)[0], t, 1e-6);
            assert_close(dae_hybrid_unknowns(hybrid)[1], 0, 1e-6);
            end();
        }
    }
}

/* At rest on the floor y = -2, where it falls so slowly that it is seen below only late in a step:
 * what happens between is not lost. */
TEST(before_a_late_departure)
{
    static const dae_event events[] = {FALLING(over_floor, "floor", BY(stop_y)),
                                       FALLING(over_floor, "beside", BY(pause)),
                                       RISING(x_wall, "wall", BY(pause)), {0}};
    static const char *const methods[] = {"dop853", "dopri5", "radau", "rodas5p", "cros4", "excros"};
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

/* ---- the rest of the interface ------------------------------------------------------------ */

static double height_over(void *context, double t, const double *x)
{
    return x[1] - *(const double *)context;
}

static const dae_event floor_event[] = {FLOOR, {0}};

TEST(conditions_of_the_user)
{
    const dae_problem p = with(floor_event, 0, 0, 1, 1);
    const dae_options options = tolerance(1e-6);
    double level = 0.75;
    begin(&p, "native", "dop853", &options);
    assert_int_equal(dae_hybrid_stop_where(hybrid, "level", height_over, &level, DAE_ANY), DAE_OK);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_EVENT);
    assert_close(dae_hybrid_time(hybrid), 0.75, 1e-14);
    message_has("stopped by event level");
    assert_int_equal(dae_hybrid_start_at(hybrid, 1, 0, (double[]){0, 0, 1, 1}), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_OK);           /* at rest */
    assert_int_equal(dae_hybrid_start_at(hybrid, 2, 0, (double[]){0, 0, 1, 1}), DAE_BAD_ARGUMENT);
    end();
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

/* A condition of the user holds in all modes: what an event that changes the mode takes across
 * it. */
TEST(a_condition_passed_on_entry)
{
    static const dae_event hold[] = {
        RISING(x_wall, "hold", BY(up), .mode = "rest"), {0}};
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
        {RISING(x_wall, "heavier", BY(gravity)), {0}}, {RISING(x_wall, "spoil", BY(spoil)), {0}}};
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

/* A first step of IDA after an event changes t, however small the tolerance. */
TEST(first_steps)
{
    static const dae_event zero[] = {EITHER(position, "zero", BY(pause)), {0}};
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
    static const dae_event events[] = {FALLING(always, "entry", .mode = "rest"), {0}};
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

TEST(too_many)
{
    static const dae_event ends[] = {WALLS, {0}};
    const dae_problem p = with(ends, 0.5, 0, 1, 0);
    dae_options options = tolerance(1e-6);
    options.max_events = 3;
    begin(&p, "native", "dopri5", &options);
    assert_int_equal(dae_hybrid_start(hybrid, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_advance(hybrid, 10), DAE_MAX_EVENTS);
    assert_int_equal(dae_hybrid_events(hybrid), 3);
    end();
}

static dae_status refused(const dae_problem *p)
{
    const dae_options options = tolerance(1e-6);
    return dae_hybrid_create(&hybrid, p, dae_find_formulation("native"), NULL, NULL,
                             dae_find_method("dopri5"), &options, &why);
}

TEST(bad_records)
{
    static const dae_event nowhere[] = {{.name = "lost", .value = {height}, .mode = "limbo"}, {0}};
    static const dae_event blind[] = {{.name = "blind"}, {0}};
    static const dae_problem short_state = {
        .name = "short", .first_order = {.n = 2, .rhs = DAE_MODEL(spring)}, .start = {spring_start}};
    static const dae_problem *const shorter[] = {&short_state, NULL};
    dae_problem p = with(nowhere, 0, 0, 1, 1);
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "unknown mode limbo"));
    p = with(blind, 0, 0, 1, 1);
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    p = with(floor_event, 0, 0, 1, 1);
    p.modes = shorter;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "state of 2"));
    static const dae_problem nameless = {.first_order = {.n = 4, .rhs = DAE_MODEL(rest)}};
    static const dae_problem *const others[] = {&nameless, NULL};
    p.modes = others;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "mode 2 has no name"));
    p.mode = NULL;
    assert_int_equal(refused(&p), DAE_BAD_ARGUMENT);
    assert_non_null(strstr(why.message, "first mode has no name"));
    assert_null(hybrid);
}

/* ---- one passage in several modes ------------------------------------------------------------- */

/* Events of several modes that are one passage: what happens in one mode has happened in the next
 *
 * A point moves freely; at t = 1, 3, ... where sin(pi t) falls through zero it is given 1 more, and goes from mode slow
 * to fast, or back; so it does at t = 1.5, without more, while sin(pi t) is below zero.
 */

#define CHANGE(to) {.name = "change", .value = DAE_MODEL(later), .direction = DAE_RISING, .mode = to, \
                    .passage = "change"}
#define TICK(to) {.name = "tick", .value = DAE_MODEL(wave), .direction = DAE_FALLING, .action = DAE_MODEL(push), \
                  .mode = to, .passage = "tick"}
static const dae_event slow_events[] = {TICK("fast"), {0}};
static const dae_event fast_events[] = {TICK("slow"), CHANGE("slow"), {0}};
static const dae_problem fast = {
    .name = "fast", .start = DAE_MODEL(start), .events = fast_events,
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};
static const dae_problem *const others[] = {&fast, NULL};
static const dae_problem pushed = {
    .name = "pushed", .start = DAE_MODEL(start), .t0 = 0, .t_end = 4.5, .events = slow_events, .mode = "slow",
    .modes = others, .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}};

TEST(test_passage)
{
    const dae_options options = tolerance(1e-9);
    OWNED(dae_hybrid) *run = started_hybrid(&pushed, "index1", NULL, dae_find_method("radau"), &options);
    if (dae_hybrid_advance(run, 4.5))
        fail_msg("%s", dae_hybrid_report(run)->message);
    const double times[] = {1, 1.5, 3}, speeds[] = {1, 1, 2};
    assert_int_equal(dae_hybrid_events(run), 3);
    for (int i = 0; i < 3; i++) {
        const dae_event_record e = dae_hybrid_event(run, i);
        assert_true(fabs(e.t - times[i]) < 1e-9);
        assert_true(fabs(e.after[1] - speeds[i]) < 1e-12);
        assert_int_equal(e.from, i % 2);
        assert_int_equal(e.to, 1 - i % 2);
    }
}

/* A passage is no guard: it does not happen where a run starts past zero. */
TEST(test_start)
{
    const dae_options options = tolerance(1e-9);
    const double x[] = {0, 0};
    OWNED(dae_hybrid) *run = hybrid_of(&pushed, "index1", NULL, dae_find_method("radau"), &options);
    assert_int_equal(dae_hybrid_start_at(run, 0, 1.25, x), DAE_OK);
    assert_int_equal(dae_hybrid_advance(run, 2.9), DAE_OK);
    assert_int_equal(dae_hybrid_events(run), 0);
}

#else
#include "glide.h"

static void FN(start)(const param *p, real *u)
{
    u[0] = 0;
}

static real FN(wave)(const param *p, real t, const real *x, int k) { return sin(PI * t); }
static real FN(later)(const param *p, real t, const real *x, int k) { return t - 1.5; }

static int FN(push)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] += 1;
    return 0;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = 0;
}

#endif
