/* test_film.c - what problems draw, and films of runs */
#include "support.h"

#include "deliver/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_picture picture;

/* ---- what problems draw ---- */

/* The state of a problem at t, by radau. */
static dae_hybrid *run_to(const dae_problem *problem, const double *p, double t)
{
    dae_report why = {0};
    dae_hybrid *run;
    const dae_options options = tolerance(1e-8);
    const char *form = problem->mechanical.nq ? "index1" : "native";
    if (dae_hybrid_create(&run, problem, dae_find_formulation(form), p, NULL,
                          dae_find_method("radau"), &options, &why)
        || dae_hybrid_start(run, 0, NULL))
        fail_msg("%s: %s", problem->name, why.message);
    const dae_status status = t > problem->t0 ? dae_hybrid_advance(run, t) : DAE_OK;
    assert_true(status == DAE_OK || status == DAE_EVENT || status == DAE_ACCUMULATION);
    return run;
}

/* Draw the state of a run; it is also written into x. */
static void draw(dae_hybrid *run, double *x)
{
    const dae_problem *mode = dae_hybrid_problem(run, dae_hybrid_mode(run));
    const double t = dae_hybrid_time(run);
    assert_int_equal(dae_hybrid_state(run, t, dae_hybrid_unknowns(run), x), DAE_OK);
    memset(&picture, 0, sizeof picture);
    (mode->draw ? mode->draw : dae_hybrid_problem(run, 0)->draw)(dae_hybrid_parameters(run), t, x,
                                                                 &picture);
}

static int in_range(int count) { return count >= 0 && count <= DAE_MAX_SHAPES; }

static double length(dae_segment s) { return hypot(s.x1 - s.x0, s.y1 - s.y0); }

/* Some body with a trail, and finite shapes, at the start and in the middle of the interval. */
static void test_every_problem(void **state)
{
    static double x[MOST_UNKNOWNS];
    int drawn = 0;
    for (int i = 0; dae_problems[i]; i++) {
        const dae_problem *problem = dae_problems[i];
        for (int half = 0; problem->draw && half < 2; half++) {
            dae_hybrid *run =
                run_to(problem, NULL, problem->t0 + half * (problem->t_end - problem->t0) / 2);
            double sum = 0, largest = 0;
            draw(run, x);
            assert_true(in_range(picture.bodies) && in_range(picture.links)
                        && in_range(picture.walls));
            for (int k = 0; k < picture.bodies; k++) {
                sum += picture.body[k].x + picture.body[k].y;
                assert_true(picture.body[k].radius >= 0);
                largest = fmax(largest, picture.body[k].radius);
            }
            for (int k = 0; k < picture.links; k++)
                sum += length(picture.link[k]);
            for (int k = 0; k < picture.walls; k++)
                sum += length(picture.wall[k]);
            assert_true(isfinite(sum) && largest > 0);
            dae_hybrid_free(run);
            drawn++;
        }
    }
    assert_true(drawn >= 2 * 9);
}

/* Rods have their lengths, begin where they should, and end in bodies: those are the state. */
static void test_rods(void **state)
{
    static const struct {
        const char *problem, *rod[2];
        int from_origin, cartesian;         /* of the first rod; x holds the ends */
    } cases[] = {
        {"pendulum", {"L", NULL}, 1, 1},       {"double_pendulum", {"l1", "l2"}, 1, 1},
        {"slider_crank", {"l1", "l2"}, 1, 0},  {"ladder", {"l", NULL}, 0, 0},
        {"friction_pendulum", {"L", NULL}, 1, 0},
    };
    static double x[MOST_UNKNOWNS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dae_problem *problem = problem_named(cases[i].problem);
        dae_hybrid *run = run_to(problem, NULL, 0.4 * problem->t_end);
        draw(run, x);
        for (int k = 0; k < 2 && cases[i].rod[k]; k++) {
            const dae_segment rod = picture.link[k];
            const double *p = dae_hybrid_parameters(run);
            assert_close(length(rod), p[dae_parameter_index(problem, cases[i].rod[k])], 1e-6);
            assert_close(rod.x0, k ? picture.link[0].x1 : cases[i].from_origin ? 0 : rod.x0, 0);
            assert_close(rod.y0, k ? picture.link[0].y1 : cases[i].from_origin ? 0 : rod.y0, 0);
            for (int c = 0; cases[i].cartesian && c < 2; c++)
                assert_close(c ? rod.y1 : rod.x1, x[2 * k + c], 0);
        }
        if (cases[i].from_origin) {
            const dae_segment last = picture.link[picture.links - 1];
            const dae_disc end = picture.body[picture.bodies - 1];
            assert_close(end.x, last.x1, 1e-15);
            assert_close(end.y, last.y1, 1e-15);
        }
        dae_hybrid_free(run);
    }
}

/* The ladder's ends are on the wall and on the floor, the car's axis is between its springs. */
static void test_contacts(void **state)
{
    static double x[MOST_UNKNOWNS];
    dae_hybrid *run = run_to(problem_named("ladder"), NULL, 0.3);
    draw(run, x);
    assert_close(picture.link[0].x0, 0, 1e-6);
    assert_close(picture.link[0].y1, 0, 1e-6);
    dae_hybrid_free(run);
    run = run_to(problem_named("car_axis"), NULL, 0.5);
    draw(run, x);
    const dae_segment axis = picture.link[picture.links - 1];
    assert_close(length(axis), 1, 1e-6);
    assert_close(axis.x0, x[0], 0);
    assert_close(axis.y1, x[3], 0);
    assert_close(picture.body[1].y, 0.1 * sin(10 * 0.5), 1e-15);    /* of the right wheel */
    dae_hybrid_free(run);
    run = run_to(problem_named("spring_pendulum"), NULL, 1);
    draw(run, x);
    assert_close(picture.link[0].x0, 0, 0);
    assert_close(picture.link[picture.links - 1].x1, x[0], 1e-15);
    assert_close(picture.link[picture.links - 1].y1, x[1], 1e-15);
    dae_hybrid_free(run);
}

/* Chains of any length fit, and end with the last mass. */
static void test_chain(void **state)
{
    static const int lengths[] = {1, 2, 255, 256, 257, 510, 511, 1000, 99999};
    enum { MOST = 99999 };
    const dae_problem *chain = problem_named("chain");
    double *x = calloc(4 * MOST, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int n = lengths[i];
        const double p[] = {n, 1, 1, 9.81};
        for (int k = 0; k < n; k++)
            x[2 * k + 1] = -1.0 - k;                    /* hangs straight */
        memset(&picture, 0, sizeof picture);
        chain->draw(p, 0, x, &picture);
        assert_true(in_range(picture.bodies) && in_range(picture.links));
        assert_true(n >= DAE_MAX_SHAPES || picture.links == n);
        double total = 0;
        for (int k = 0; k < picture.links; k++)
            total += length(picture.link[k]);
        assert_close(total, n, 1e-9);
        assert_close(picture.body[picture.bodies - 1].y, -n, 0);
        assert_true(picture.body[picture.bodies - 1].radius > 0);
    }
    free(x);
}

/* ---- films ---- */

static run_setting setting_of(const dae_problem *problem, double step)
{
    run_setting setting = run_default_setting(problem);
    setting.rtol = 1e-8;
    setting.step = step > 0 ? step : NAN;
    return setting;
}

static dae_status shoot_to(film *f, const run_setting *setting, const char *method, double t_end, int count)
{
    dae_report why = {0};
    return film_shoot(f, setting, dae_find_formulation("index1"), dae_find_method(method), t_end, count, &why);
}

static dae_status shoot(film *f, const dae_problem *problem, const char *method, double step, int count)
{
    const run_setting setting = setting_of(problem, step);
    return shoot_to(f, &setting, method, problem->t_end, count);
}

/* The time of a frame, and a coordinate of a body in it. */
static double time_of(const film *f, int frame)
{
    return json_real_value(json_array_get(json_array_get(f->frames, (size_t)frame), 0));
}

static double of_body(const film *f, int frame, int body, int k)
{
    const json_t *bodies = json_array_get(json_array_get(f->frames, (size_t)frame), 1);
    assert_in_range(body, 0, json_array_size(bodies) - 1);
    return json_real_value(json_array_get(json_array_get(bodies, (size_t)body), (size_t)k));
}

/* Frame k shows the state at k/20 of the interval: there, a run that ends at that time. */
static void test_frames(void **state)
{
    static const struct { const char *method; double step; } cases[] =
        {{"radau", 0}, {"ida", 0}, {"rk4", 0.0013}, {"excros", 0}};
    enum { COUNT = 21 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        film f;
        assert_int_equal(shoot(&f, problem_named("pendulum"), cases[i].method, cases[i].step,
                               COUNT), DAE_OK);
        assert_int_equal(json_array_size(f.frames), COUNT);
        assert_string_equal(f.ended, "");
        assert_int_equal(json_array_size(f.units), 2);
        assert_string_equal(json_string_value(json_array_get(f.units, 0)), "m");
        for (int k = 0; k < COUNT; k += 4) {
            double u[MOST_UNKNOWNS];
            dae_system *sys = system_at_start("pendulum", "index1", 0, u);
            const dae_options options = tolerance(1e-10);
            const double t = 2.0 * k / (COUNT - 1);
            if (k)
                solve_to(sys, "radau", &options, t, u);
            assert_close(time_of(&f, k), t, 1e-12);
            assert_close(of_body(&f, k, 1, 0), u[0], 2e-6);
            assert_close(of_body(&f, k, 1, 1), u[1], 2e-6);
            dae_system_free(sys);
        }
        film_free(&f);
    }
}

/* An event ends the run: as many frames as asked for, up to there. The bob meets the nail in the
 * origin at the time of the swing, an elliptic integral, and of the flight. */
static void test_ended(void **state)
{
    static const char *const methods[] = {"radau", "ida", "dop853"};
    const double nail = 1.12183197981094;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        film f;
        assert_int_equal(shoot(&f, problem_named("string_pendulum"), methods[i], 0, 37), DAE_OK);
        assert_int_equal(json_array_size(f.frames), 37);
        assert_close(time_of(&f, 36), nail, 1e-6);
        assert_close(time_of(&f, 18), nail / 2, 1e-6);
        assert_close(hypot(of_body(&f, 36, 1, 0), of_body(&f, 36, 1, 1)), 0, 1e-5);
        assert_non_null(strstr(f.ended, "nail"));
        film_free(&f);
    }
}

/* Between the last of infinitely many hits and their limit there is no state: frames in that gap of
 * box, here 0.4 s long, show the limit. (It is taken when it is known to the tolerance, which
 * accumulation = 0.1 alone would not ask for.) */
static void test_gap(void **state)
{
    film f;
    run_setting setting = setting_of(problem_named("box"), 0);
    setting.accumulation = 0.1;
    assert_int_equal(shoot_to(&f, &setting, "radau", 19, 400), DAE_OK);
    int rests = 0;
    assert_int_equal(json_array_size(f.frames), 400);
    for (int k = 0; k < 400; k++)
        rests += time_of(&f, k) < 18.17 && time_of(&f, k) > 17.79 && fabs(of_body(&f, k, 0, 1) + 2) < 1e-9;
    assert_true(rests > 5);
    film_free(&f);
}

static void draw_nothing(const double *p, double t, const double *x, dae_picture *out)
{
}

static void draw_nan(const double *p, double t, const double *x, dae_picture *out)
{
    out->wall[out->walls++] = (dae_segment){0, 0, 1, t > 1 ? NAN : x[1]};
}

static void draw_too_much(const double *p, double t, const double *x, dae_picture *out)
{
    out->links = DAE_MAX_SHAPES + 1;
}

/* Drawings that are wrong, and one that is empty. */
static void test_odd_drawings(void **state)
{
    dae_problem odd = *problem_named("pendulum");
    film f;
    odd.draw = draw_nan;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_NOT_FINITE);
    film_free(&f);
    odd.draw = draw_too_much;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_BAD_ARGUMENT);
    film_free(&f);
    odd.draw = draw_nothing;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_OK);
    assert_int_equal(json_array_size(f.frames), 5);
    film_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_problem), cmocka_unit_test(test_rods),
        cmocka_unit_test(test_contacts),      cmocka_unit_test(test_chain),
        cmocka_unit_test(test_frames),        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_odd_drawings),
    };
    return cmocka_run_group_tests_name("film", tests, NULL, NULL);
}
