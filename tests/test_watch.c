/* test_watch.c - a solver that watches functions, without modes: x = sin t on the unit circle */
#ifndef DAE_PASS
enum { G, X0, Y0, VX0, VY0 };
#include <daelab/model.h>

#include "glide.h"

#include "events/watch.h"

static const double pi = 3.14159265358979324;

/* What the watching functions are to do, and what they saw. */
typedef struct {
    int stop_at, fail;                  /* stop at passage number; values fail beyond t = fail */
    int count;
    double t[64];
    int fired[64][2];
} watching;

/* x and v - 1/2 */
static dae_status two(void *context, double t, const double *u, double *g, dae_report *report)
{
    const watching *w = context;
    g[0] = u[0];
    g[1] = u[1] - 0.5;
    return w->fail && t > w->fail ? dae_fail(report, DAE_NOT_FINITE, "no value at t = %g", t)
                                  : DAE_OK;
}

static int note(void *context, double t, const double *u, const int *fired)
{
    watching *w = context;
    w->t[w->count] = t;
    memcpy(w->fired[w->count], fired, 2 * sizeof *fired);
    assert_close(fired[0] ? u[0] : u[1] - 0.5, 0, 1e-7);
    return ++w->count == w->stop_at;
}

static const dae_direction directions[] = {DAE_ANY, DAE_RISING};

static dae_solver *watching_solver(const char *method, dae_system **sys, watching *w)
{
    const dae_options options = tolerance(1e-9);
    const dae_watch watch = {.count = 2, .direction = directions, .values = two, .happened = note,
                             .context = w};
    *sys = system_of(&spring, "native", NULL, NULL);
    dae_solver *solver = solver_of(*sys, dae_find_method(method), &options, 0, NULL);
    assert_int_equal(dae_solver_watch(solver, &watch), DAE_OK);
    return solver;
}

/* To t = 12: x at pi, 2 pi, 3 pi; v rises through 1/2 at 5 pi/3 and 11 pi/3; in the order of
 * times. */
static const struct { double part; int which, sign; } passages[] = {
    {1, 0, -1}, {5.0 / 3, 1, 1}, {2, 0, 1}, {3, 0, -1}, {11.0 / 3, 1, 1},
};

TEST(in_order)
{
    static const char *const methods[] = {"cros4", "excros", "rk4", "dopri5", "dop853", "rodas4",
                                          "rodas5p", "radau5", "radau13", "auto", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        watching w = {.count = 0};
        OWNED(dae_system) *sys = NULL;
        OWNED(dae_solver) *solver = watching_solver(methods[m], &sys, &w);
        double u[2] = {0, 1};
        assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
        assert_int_equal(dae_solver_advance(solver, 12, u), DAE_OK);
        assert_int_equal(w.count, 5);
        for (int i = 0; i < 5; i++) {
            assert_close(w.t[i], passages[i].part * pi, strcmp(methods[m], "ida") ? 1e-7 : 1e-6);
            assert_int_equal(w.fired[i][passages[i].which], passages[i].sign);
            assert_int_equal(w.fired[i][1 - passages[i].which], 0);
        }
    }
}

TEST(stops_and_begins_again)
{
    watching w = {.stop_at = 1};
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_solver) *solver = watching_solver("dop853", &sys, &w);
    double u[2] = {0, 1};
    assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
    assert_int_equal(dae_solver_advance(solver, 12, u), DAE_EVENT);
    assert_close(dae_solver_time(solver), pi, 1e-8);
    assert_close(u[1], -1, 1e-7);
    assert_int_equal(dae_solver_advance(solver, 12, u), DAE_BAD_ARGUMENT);  /* start comes first */
    u[0] = 0;                                                               /* at zero: not again */
    assert_int_equal(dae_solver_start(solver, pi, u), DAE_OK);
    assert_int_equal(dae_solver_advance(solver, 12, u), DAE_OK);
    assert_int_equal(w.count, 5);
    assert_close(w.t[4], 11 * pi / 3, 1e-7);
    const dae_watch nothing = {.count = 0};
    assert_int_equal(dae_solver_watch(solver, &nothing), DAE_OK);
    assert_int_equal(dae_solver_start(solver, 0, (double[]){0, 1}), DAE_OK);
    assert_int_equal(dae_solver_advance(solver, 12, u), DAE_OK);
    assert_int_equal(w.count, 5);
}

TEST(functions_that_fail)
{
    EACH_METHOD(m) {
        watching w = {.fail = 4};
        OWNED(dae_system) *sys = NULL;
        OWNED(dae_solver) *solver = watching_solver(m, &sys, &w);
        double u[2] = {0, 1};
        assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
        if (strcmp(m, "euler") != 0) {                  /* order 1 takes a million steps to t = 4 */
            assert_int_equal(dae_solver_advance(solver, 12, u), DAE_NOT_FINITE);
            assert_non_null(strstr(dae_solver_report(solver)->message, "no value at t = "));
        }
        assert_int_equal(dae_solver_start(solver, 5, u), DAE_NOT_FINITE);
    }
}

/* Going on as daelab.h says, from the event itself: each one once, and the end. */
TEST(goes_on_from_each)
{
    EACH_METHOD(m) {
        if (strcmp(m, "euler") == 0)
            continue;
        watching w = {.stop_at = -1};
        OWNED(dae_system) *sys = NULL;
        OWNED(dae_solver) *solver = watching_solver(m, &sys, &w);
        double u[2] = {0, 1};
        dae_status status = dae_solver_start(solver, 0, u);
        for (w.stop_at = 1; !status && w.stop_at < 10; w.stop_at = w.count + 1) {
            status = dae_solver_advance(solver, 12, u);
            if (status != DAE_EVENT)
                break;
            status = dae_solver_start(solver, dae_solver_time(solver), u);
        }
        assert_int_equal(status, DAE_OK);
        assert_int_equal(w.count, 5);
        for (int i = 0; i < 5; i++)
            assert_close(w.t[i], passages[i].part * pi, strcmp(m, "heun") ? 1e-6 : 1e-5);
    }
}

/* Dense output behind an event is that of the step, which went on beyond it. */
TEST(rows_before_an_event)
{
    EACH_METHOD(m) {
        if (strcmp(m, "euler") == 0 || strcmp(m, "heun") == 0)
            continue;
        watching w = {.stop_at = 1};
        OWNED(dae_system) *sys = NULL;
        OWNED(dae_solver) *solver = watching_solver(m, &sys, &w);
        double u[2] = {0, 1};
        assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
        assert_int_equal(dae_solver_advance(solver, 12, u), DAE_EVENT);
        const double t = dae_solver_time(solver), step = 1e-3;
        int rows = 0;
        for (; !dae_solver_interpolate(solver, t - rows * step, u); rows++) {
            const double x = t - rows * step;
            if (!(fabs(u[0] - sin(x)) < 1e-6 && fabs(u[1] - cos(x)) < 1e-6))
                fail_msg("%s, %g before the event: off by %g, %g", m, rows * step, u[0] - sin(x),
                         u[1] - cos(x));
        }
        assert_true(rows > 0);
    }
}

/* x - c t with x' = c, at a late t: an error of t moves x along, and nothing is left of it but rounding. Of
 * x - c, which t does not move, the 16 units of t are all of the noise. */
static dae_status apart(void *context, double t, const double *u, double *g, dae_report *report)
{
    const double c = *(const double *)context;
    g[0] = u[0] - c * t;
    g[1] = u[0] - c;
    return DAE_OK;
}

TEST(noise_of_time)
{
    double speed = 3, u = 3000, size = 0, du = 3, work, g[4], noise[2];
    const dae_watch watch = {.count = 2, .values = apart, .context = &speed};
    const dae_watch_place at = {1000, &u, &size, &du};
    assert_int_equal(DAE_OK, dae_watch_noise(&watch, 1, at, 0, &work, g, noise, NULL));
    assert_close(noise[1], 2 * 3000 * 16 * DBL_EPSILON, 1e-12);
    assert_true(noise[0] < noise[1] / 4);
}

#else
#include "glide.h"
#endif
