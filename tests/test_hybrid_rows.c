/* test_hybrid_rows - a run as rows: at times, at steps, inside them, through events; and a problem of callbacks */
#include "support.h"

#include <daelab/binding.h>
#include <daelab/problem.h>
#include <daelab/rows.h>

extern const dae_problem dae_pendulum, dae_bouncing_ball;

static dae_hybrid *begin(const dae_problem *problem, const char *form, const char *method, double step)
{
    dae_options options = tolerance(1e-9);
    options.step = step;
    return started_hybrid(problem, form, NULL, dae_find_method(method), &options);
}

/* Rows at the ends of fixed steps are those that an advance to each of them ends with. */
TEST(test_steps)
{
    OWNED(dae_hybrid) *h = begin(&dae_pendulum, "index2", "rodas4", 0.125);
    OWNED(dae_hybrid) *other = begin(&dae_pendulum, "index2", "rodas4", 0.125);
    OWNED(dae_rows) *rows = NULL;
    assert_int_equal(dae_hybrid_rows(h, 2, &(dae_row_places){0}, &rows), DAE_OK);
    assert_int_equal(rows->count, 17);
    assert_int_equal(rows->width, 5);
    for (long k = 0; k < rows->count; k++) {
        const dae_status status = k ? dae_hybrid_advance(other, 0.125 * (double)k) : DAE_OK;
        assert_int_equal(status, DAE_OK);
        assert_true(rows->t[k] == 0.125 * (double)k);
        assert_int_equal(rows->kind[k], k ? DAE_ROW_STEP : DAE_ROW_AFTER);
        assert_memory_equal(rows->u + k * rows->width, dae_hybrid_unknowns(other), 5 * sizeof *rows->u);
    }
}

/* The height of a ball that falls from 1 m, until its second impact; half of the speed is left after each. */
static double height(double t)
{
    const double g = 9.81, first = sqrt(2 / g), after = t - first;
    return t < first ? 1 - g * t * t / 2 : g * first / 2 * after - g * after * after / 2;
}

TEST(test_times)
{
    OWNED(dae_hybrid) *h = begin(&dae_bouncing_ball, "index1", "radau", 0);
    const double first = sqrt(2 / 9.81), times[] = {0, 0, 0.2, 0.45, 0.4516, 0.6, 0.9};
    OWNED(dae_rows) *rows = NULL;
    assert_int_equal(dae_hybrid_rows(h, 0.9, &(dae_row_places){.times = times, .count = 7}, &rows), DAE_OK);
    assert_int_equal(rows->count, 7);
    for (long k = 0; k < rows->count; k++) {
        assert_true(rows->t[k] == times[k]);
        assert_close(rows->u[k * rows->width], height(times[k]), 1e-8);
    }
    dae_rows_free(rows);
    assert_int_equal(dae_hybrid_start(h, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_rows(h, 0.9, &(dae_row_places){.inside = 3}, &rows), DAE_OK);
    int inside = 0, after = 0;
    for (long k = 0; k < rows->count; k++) {
        inside += rows->kind[k] == DAE_ROW_INSIDE;
        after += rows->kind[k] == DAE_ROW_AFTER && rows->t[k] > 0;
        assert_close(rows->u[k * rows->width], height(rows->t[k]), 1e-8);
        if (rows->kind[k] == DAE_ROW_AFTER && rows->t[k] > 0) {
            assert_close(rows->t[k], first, 1e-9);
            assert_true(rows->t[k - 1] == rows->t[k]);
            assert_close(rows->u[k * rows->width + 1], -0.5 * rows->u[(k - 1) * rows->width + 1], 1e-12);
        }
    }
    assert_int_equal(after, 1);
    double at = 0;
    for (long k = 1; k < rows->count; k++)
        at = rows->kind[k] == DAE_ROW_AFTER ? rows->t[k] : at;
    assert_true(inside > 0 && inside % 3 == 0);
    dae_rows_free(rows);
    const double there[] = {0.1, at, at, 0.5};          /* at the time of the event the state after it */
    assert_int_equal(dae_hybrid_start(h, 0, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_rows(h, 0.9, &(dae_row_places){.times = there, .count = 4}, &rows), DAE_OK);
    assert_int_equal(rows->count, 4);
    for (int k = 1; k < 3; k++) {
        assert_int_equal(rows->kind[k], DAE_ROW_AFTER);
        assert_close(rows->u[k * rows->width + 1], 0.5 * 9.81 * first, 1e-8);
    }
    assert_true(rows->u[1] < 0);
}

OWNED_BY_POINTER(dae_hybrid_sensitivity)

static dae_hybrid_sensitivity *differentiate(dae_hybrid *h, const dae_problem *problem, const char *parameter)
{
    dae_hybrid_sensitivity *s = NULL;
    dae_report why;
    const int along = dae_parameter_index(problem, parameter), x = 0;
    const dae_directions directions = {.parameters = &along, .parameter_count = 1, .unknowns = &x, .unknown_count = 1};
    if (dae_hybrid_sensitivity_create(&s, h, &directions, &why))
        fail_msg("%s", why.message);
    assert_int_equal(dae_hybrid_start(h, 0, NULL), DAE_OK);
    return s;
}

/* Derivatives of rows are those of an advance to each of the times, of recovered multipliers, too. */
TEST(test_derivatives)
{
    OWNED(dae_hybrid) *h = begin(&dae_pendulum, "index2", "radau", 0);
    OWNED(dae_hybrid) *other = begin(&dae_pendulum, "index2", "radau", 0);
    OWNED(dae_hybrid_sensitivity) *s = differentiate(h, &dae_pendulum, "L");
    OWNED(dae_hybrid_sensitivity) *t = differentiate(other, &dae_pendulum, "L");
    const double times[] = {0, 0.3, 1};
    double du[2 * 5], dlambda[2];
    OWNED(dae_rows) *rows = NULL;
    const dae_row_places where = {.times = times, .count = 3, .recovered = 1, .sensitivity = s};
    assert_int_equal(dae_hybrid_rows(h, 1, &where, &rows), DAE_OK);
    assert_int_equal(rows->count, 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(dae_hybrid_advance(other, times[k]), DAE_OK);
        assert_int_equal(dae_hybrid_sensitivity_at(t, du, dlambda, NULL), DAE_OK);
        for (int c = 0; c < 2; c++) {
            const double *row = rows->du + (2 * k + c) * rows->width;
            assert_memory_equal(row, du + 5 * c, 5 * sizeof *du);
            assert_true(row[5] == dlambda[c] && row[5] != 0);
        }
    }
}

/* What a start sets is moved by no parameter; y follows, as the start is moved onto the rope. */
TEST(test_start_of_numbers)
{
    OWNED(dae_hybrid) *h = begin(&dae_pendulum, "index2", "radau", 0);
    OWNED(dae_hybrid_sensitivity) *s = differentiate(h, &dae_pendulum, "x0");
    const int x = 0;
    const double value = 3, wrong = NAN;
    double du[2 * 5];
    assert_int_equal(dae_hybrid_sensitivity_at(s, du, NULL, NULL), DAE_OK);
    assert_true(du[0] > 0.1 && du[1] != 0);
    assert_int_equal(dae_hybrid_start_with(h, 0, &x, &value, 1, NULL), DAE_OK);
    assert_int_equal(dae_hybrid_sensitivity_at(s, du, NULL, NULL), DAE_OK);
    assert_true(du[0] == 0 && du[1] == 0 && du[5] > 0.1);
    assert_int_equal(dae_hybrid_start_with(h, 0, &x, &wrong, 1, NULL), DAE_BAD_ARGUMENT);
}

/* y = h - g t^2/2, and 3/2 sqrt(2 g h) t - 2 h - g t^2/2 behind the impact, at whose time there is no derivative. */
TEST(test_derivatives_through_events)
{
    OWNED(dae_hybrid) *h = begin(&dae_bouncing_ball, "index1", "radau", 0);
    OWNED(dae_hybrid_sensitivity) *s = differentiate(h, &dae_bouncing_ball, "g");
    OWNED(dae_rows) *rows = NULL;
    const dae_row_places inside = {.inside = 3, .sensitivity = s}, where = {.sensitivity = s};
    assert_int_equal(dae_hybrid_rows(h, 0.8, &inside, &rows), DAE_UNSUPPORTED);
    assert_int_equal(dae_hybrid_rows(h, 0.8, &where, &rows), DAE_OK);
    assert_int_equal(dae_hybrid_events(h), 1);
    int before = 0, behind = 0;
    for (long k = 0; k < rows->count; k++) {
        const double t = rows->t[k], impact = dae_hybrid_event(h, 0).t, dy = rows->du[k * 2 * rows->width];
        if (t == impact)
            assert_true(isnan(dy));
        else
            assert_close(dy, (t < impact ? 0 : 0.75 * impact * t) - t * t / 2, 1e-8);
        before += t < impact;
        behind += t > impact;
    }
    assert_true(before > 0 && behind > 0);
}

TEST(test_refusals)
{
    OWNED(dae_hybrid) *h = begin(&dae_pendulum, "index1", "radau", 0);
    const double back[] = {0, 1, 0.5}, late[] = {0, 3}, none[] = {NAN};
    const int stop = 1;
    OWNED(dae_rows) *rows = NULL;
    const dae_row_places wrong[] = {{.times = back, .count = 3}, {.times = late, .count = 2},
                                    {.times = none, .count = 1}, {.inside = -1}, {.inside = DAE_MOST_INSIDE + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(dae_hybrid_rows(h, 2, &wrong[i], &rows), DAE_BAD_ARGUMENT);
        assert_null(rows);
        assert_true(strlen(dae_hybrid_report(h)->message) > 0);
    }
    assert_int_equal(dae_hybrid_rows(h, 2, NULL, &rows), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_hybrid_rows(NULL, 2, &(dae_row_places){0}, &rows), DAE_BAD_ARGUMENT);
    assert_int_equal(dae_hybrid_rows(h, 2, &(dae_row_places){.stop = &stop}, &rows), DAE_STOPPED);
    assert_int_equal(rows->count, 2);
    dae_rows_free(NULL);
}

/* ---- a problem of callbacks: u' = -k u, of the index 0 */

typedef struct { int dual, fails; } decay;

static int decays(void *context, int called, int dual, const double *p, const void *t, const void *x, const void *y,
                  const void *z, void *out)
{
    decay *d = context;
    d->dual += dual;
    double *answer = out;
    const double *u = x;
    if (called == DAE_CALL_START)
        answer[0] = 1;
    else
        for (int i = 0; i <= dual; i++)
            answer[i] = -p[0] * u[i];
    return d->fails;
}

TEST(test_callbacks)
{
    decay context = {0};
    const dae_parameter parameters[] = {{.name = "k", .value = 2, .range = DAE_POSITIVE}, {0}};
    const dae_callbacks c = {.name = "decay", .n = 1, .parameters = parameters, .t_end = 1, .call = decays,
                             .context = &context};
    dae_problem *problem;
    dae_report why = {0};
    assert_int_equal(dae_callback_problem(&problem, &c, &why), DAE_OK);
    for (int fails = 0; fails < 2; fails++) {
        OWNED(dae_hybrid) *h = NULL;
        dae_options options = tolerance(1e-9);
        dae_formulation_options form = dae_default_formulation_options(problem);
        form.user_data = &c;
        context.fails = 0;
        assert_int_equal(dae_hybrid_create(&h, problem, dae_find_formulation("native"), NULL, &form,
                                           dae_find_method("radau"), &options, &why), DAE_OK);
        assert_int_equal(dae_hybrid_start(h, 0, NULL), DAE_OK);
        context.fails = fails;
        assert_int_equal(dae_hybrid_advance(h, 1), fails ? DAE_NOT_FINITE : DAE_OK);
        if (!fails)
            assert_close(dae_hybrid_unknowns(h)[0], exp(-2), 1e-8);
    }
    assert_true(context.dual > 0);
    dae_callback_problem_free(problem);
    dae_callbacks wrong = c;
    wrong.nq = 1;                       /* of both kinds */
    assert_int_equal(dae_callback_problem(&problem, &wrong, &why), DAE_BAD_ARGUMENT);
    assert_null(problem);
    wrong = c;
    wrong.nonholonomic = 1;             /* of no constraints */
    assert_int_equal(dae_callback_problem(&problem, &wrong, &why), DAE_BAD_ARGUMENT);
    assert_string_equal(why.message, "decay: 1 constraints are nonholonomic, of nl = 0");
    wrong = (dae_callbacks){.name = "nothing", .n = 1};
    assert_int_equal(dae_callback_problem(&problem, &wrong, &why), DAE_BAD_ARGUMENT);
}

TEST(test_sizes)
{
    assert_string_equal(dae_version(), DAELAB_VERSION);
    assert_true(dae_size_of("dae_rows") == sizeof(dae_rows));
    assert_true(dae_size_of("dae_problem") == sizeof(dae_problem));
    assert_true(dae_size_of("dae_row") == 0);
}

static int count_calls(void *context, dae_hybrid *hybrid)
{
    int *calls = context;
    return hybrid ? ++*calls == 5 : 1;
}

/* Behind the unknowns the tension of the acceleration level, T = m (v^2 / L + g cos theta), in index 3 and in minimal
 * coordinates; an observer is heard before each row, and ends the run. */
TEST(test_recovered)
{
    static const char *const forms[] = {"index3", "ode"};
    for (int f = 0; f < 2; f++) {
        OWNED(dae_hybrid) *h = begin(&dae_pendulum, forms[f], "cros", 0.01);
        const int n = dae_hybrid_size(h, 0), most = dae_hybrid_most_unknowns(h);
        double x[5];
        int calls = 0;
        dae_rows *rows;
        assert_int_equal(dae_hybrid_rows(h, 0.5, &(dae_row_places){.recovered = 1}, &rows), DAE_OK);
        assert_int_equal(rows->width, n + 1 > most ? n + 1 : most);
        for (long k = 0; k < rows->count; k++) {
            const double *row = rows->u + k * rows->width;
            assert_int_equal(dae_hybrid_state(h, rows->t[k], row, x), DAE_OK);
            assert_memory_equal(&x[4], &row[n], sizeof *x);
        }
        dae_rows_free(rows);
        assert_int_equal(dae_hybrid_rows(h, 1, &(dae_row_places){.observer = count_calls, .context = &calls}, &rows),
                         DAE_STOPPED);
        assert_int_equal(calls, 5);
        dae_rows_free(rows);
    }
}

/* Inside a step the recovered tension is that of the acceleration level, also where the method has evaluated it. */
TEST(test_recovered_inside)
{
    static const char *const methods[] = {"dop853", "dopri5", "radau", "rodas4"};
    for (int m = 0; m < 4; m++) {
        OWNED(dae_hybrid) *h = begin(&dae_pendulum, "index1", methods[m], 0);
        OWNED(dae_rows) *rows = NULL;
        double a[2], lambda;
        int same = 0;
        assert_int_equal(dae_hybrid_rows(h, 2, &(dae_row_places){.inside = 3, .recovered = 1}, &rows), DAE_OK);
        for (long k = 1; k < rows->count; k++) {
            const double *u = rows->u + k * rows->width;
            assert_int_equal(dae_system_accelerate(dae_hybrid_system(h), rows->t[k], u, u + 2, a, &lambda), DAE_OK);
            assert_memory_equal(&lambda, u + 5, sizeof lambda);
            same += u[4] == u[5];
        }
        assert_true(m < 2 ? same == rows->count - 1 : same < rows->count / 2);
    }
}

TEST(test_unknowns)
{
    OWNED(dae_hybrid) *h = begin(&dae_pendulum, "ode", "radau", 0);
    dae_system *sys = dae_hybrid_mode_system(h, 0);
    const char *all = "theta\trad\tposition\nomega\trad/s\tvelocity\nT_recovered\tN\trecovered\n";
    char text[96] = "?";
    assert_null(dae_hybrid_mode_system(h, 1));
    assert_null(dae_hybrid_mode_system(NULL, 0));
    assert_int_equal(dae_system_unknowns(sys, NULL, 0), strlen(all));
    assert_int_equal(dae_system_unknowns(sys, text, sizeof text), strlen(all));
    assert_string_equal(text, all);
    assert_int_equal(dae_system_unknowns(sys, text, 16), strlen(all));
    assert_int_equal(strlen(text), strlen("theta\trad\t"));
    assert_int_equal(dae_system_unknowns(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
}
