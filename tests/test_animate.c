/* test_animate.c - what problems draw, films of runs, and daelab animate */
#include "support.h"

#include "cli.h"
#include "film.h"

#include <math.h>
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
    (void)state;
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
    (void)state;
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

/* The ladder's ends are on the wall and on the floor, the axis of the car is between its springs. */
static void test_contacts(void **state)
{
    static double x[MOST_UNKNOWNS];
    (void)state;
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
    assert_close(picture.body[1].y, 0.1 * sin(10 * 0.5), 1e-15);    /* the right wheel, r sin(w t) */
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
    (void)state;
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

static dae_status shoot(film *f, const dae_problem *problem, const char *method, double step,
                        int count)
{
    double p[DAE_MAX_PARAMETERS];
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = problem->parameters[i].value;
    const dae_formulation_options baumgarte = dae_default_formulation_options();
    film_run run = {problem, dae_find_formulation("index1"), p, &baumgarte,
                    dae_find_method(method), tolerance(1e-8), 0, problem->t_end};
    run.options.step = step;
    dae_start_change change;
    dae_report why = {0};
    return film_shoot(f, &run, count, NULL, &change, &why);
}

/* Frame k shows the state at k/20 of the interval: there, a run that ends at that time. */
static void test_frames(void **state)
{
    static const struct { const char *method; double step; } cases[] =
        {{"radau", 0}, {"ida", 0}, {"rk4", 0.0013}, {"excros", 0}};
    enum { COUNT = 21 };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        film f;
        assert_int_equal(shoot(&f, problem_named("pendulum"), cases[i].method, cases[i].step, COUNT),
                         DAE_OK);
        assert_int_equal(f.frames.count, COUNT);
        assert_string_equal(f.ended, "");
        const film_frame *frame = f.frames.data;
        for (int k = 0; k < COUNT; k += 4) {
            double u[MOST_UNKNOWNS];
            dae_system *sys = system_at_start("pendulum", "index1", 0, u);
            const dae_options options = tolerance(1e-10);
            const double t = 2.0 * k / (COUNT - 1);
            if (k)
                solve_to(sys, "radau", &options, t, u);
            const dae_disc *body = (const dae_disc *)f.bodies.data + frame[k].body;
            assert_close(frame[k].t, t, 1e-12);
            assert_int_equal(frame[k].bodies, 2);
            assert_close(body[1].x, u[0], 2e-6);
            assert_close(body[1].y, u[1], 2e-6);
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
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        film f;
        assert_int_equal(shoot(&f, problem_named("string_pendulum"), methods[i], 0, 37), DAE_OK);
        assert_int_equal(f.frames.count, 37);
        const film_frame *frame = f.frames.data;
        const dae_disc *body = (const dae_disc *)f.bodies.data + frame[36].body;
        assert_close(frame[36].t, nail, 1e-6);
        assert_close(frame[18].t, nail / 2, 1e-6);
        assert_close(hypot(body[1].x, body[1].y), 0, 1e-5);
        assert_non_null(strstr(f.ended, "nail"));
        film_free(&f);
    }
}

static void draw_nothing(const double *p, double t, const double *x, dae_picture *out)
{
    (void)p, (void)t, (void)x, (void)out;
}

static void draw_nan(const double *p, double t, const double *x, dae_picture *out)
{
    (void)p;
    out->wall[out->walls++] = (dae_segment){0, 0, 1, t > 1 ? NAN : x[1]};
}

static void draw_too_much(const double *p, double t, const double *x, dae_picture *out)
{
    (void)p, (void)t, (void)x;
    out->links = DAE_MAX_SHAPES + 1;
}

/* Drawings that are wrong, and one that is empty. */
static void test_odd_drawings(void **state)
{
    dae_problem odd = *problem_named("pendulum");
    film f;
    (void)state;
    odd.draw = draw_nan;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_NOT_FINITE);
    film_free(&f);
    odd.draw = draw_too_much;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_BAD_ARGUMENT);
    film_free(&f);
    odd.draw = draw_nothing;
    assert_int_equal(shoot(&f, &odd, "radau", 0, 5), DAE_OK);
    assert_int_equal(f.frames.count, 5);
    FILE *script = tmpfile();
    assert_non_null(script);
    film_script(&f, "it's empty", FILM_GIF, 2, script);
    film_script(&f, "it's empty", FILM_PHOTO, 2, script);
    assert_true(ftell(script) > 0);
    fclose(script);
    film_free(&f);
}

/* ---- the command ---- */

static unsigned char *content(const char *name, size_t *size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

/* Images of a GIF (GIF89a specification, sections 17 to 27), or -1; the delay of the last, in s/100. */
static int gif_images(const unsigned char *b, size_t size, int *delay)
{
    size_t at = 13;
    int images = 0;
    if (size < 14 || memcmp(b, "GIF89a", 6))
        return -1;
    if (b[10] & 0x80)
        at += (size_t)3 << ((b[10] & 7) + 1);
    while (at < size && b[at] != 0x3b) {
        if (b[at] == 0x21) {                            /* an extension */
            if (b[at + 1] == 0xf9)
                *delay = b[at + 4] + 256 * b[at + 5];
            at += 2;
        } else if (b[at] == 0x2c) {                     /* an image */
            images++;
            at += 10 + (b[at + 9] & 0x80 ? (size_t)3 << ((b[at + 9] & 7) + 1) : 0) + 1;
        } else {
            return -1;
        }
        while (at < size && b[at])
            at += b[at] + 1u;
        at++;
    }
    return at + 1 == size ? images : -1;
}

static int has(const char *program)
{
    char command[64];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", program);
    if (strcmp(program, "ffmpeg") == 0)
        snprintf(command, sizeof command, "%s -version >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void assert_gif(const char *name, int images, int delay)
{
    size_t size;
    int found = 0;
    assert_true(cli_exists(name));
    unsigned char *bytes = content(name, &size);
    assert_int_equal(gif_images(bytes, size, &found), images);
    assert_int_equal(found, delay);
    free(bytes);
}

static void test_gif(void **state)
{
    (void)state;
    if (!has("gnuplot"))
        skip();
    assert_int_equal(cli_run("", "animate pendulum --frames 60 --output a.gif"), 0);
    assert_gif("a.gif", 60, 3);                         /* 59 frames in 2 s: 3.4 hundredths each */
    assert_non_null(strstr(cli_said.out, "a.gif: 60 frames"));
    assert_int_equal(cli_run("", "animate string_pendulum --output b.gif --quiet"), 0);
    assert_gif("b.gif", 101, 2);
    assert_string_equal(cli_said.out, "");
    assert_int_equal(cli_run("", "animate friction_pendulum --frames 2 --fps 10 --output c.gif"), 0);
    assert_gif("c.gif", 2, 10);
}

static void test_png(void **state)
{
    size_t size;
    (void)state;
    if (!has("gnuplot"))
        skip();
    assert_int_equal(cli_run("", "animate double_pendulum --output a.png"), 0);
    unsigned char *b = content("a.png", &size);
    assert_memory_equal(b, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    const int width = 256 * b[18] + b[19], height = 256 * b[22] + b[23];
    assert_in_range(width, 400, 900);                   /* the motion is about 4 m by 2 m */
    assert_in_range(height, width / 2, width * 3 / 4);
    assert_memory_equal(b + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(b);
}

static void test_mp4(void **state)
{
    size_t size;
    (void)state;
    if (!has("gnuplot") || !has("ffmpeg")) {
        print_message("no ffmpeg here: .mp4 is not tested\n");
        skip();
    }
    assert_int_equal(cli_run("", "animate pendulum --frames 12 --output a.mp4"), 0);
    unsigned char *b = content("a.mp4", &size);
    assert_true(size > 1000);
    assert_memory_equal(b + 4, "ftyp", 4);
    free(b);
}

/* Nothing is left in the folder but what a test has made itself. */
static int films_left(void)
{
    char command[300];
    snprintf(command, sizeof command, "ls '%s' | grep -q 'film'", cli_folder);
    return system(command) == 0;
}

static void refused(const char *environment, const char *arguments, int status, const char *words)
{
    if (cli_run(environment, arguments) != status || !strstr(cli_said.err, words))
        fail_msg("%s: status %d, not %d: %s", arguments, cli_said.status, status, cli_said.err);
    if (films_left())
        fail_msg("%s leaves a file", arguments);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("", "animate robertson --output film.gif", 2, "these do: pendulum, ");
    refused("", "animate pendulum", 2, "--output FILE.gif");
    refused("", "animate pendulum --output film.avi", 2, "ends in .gif or .mp4");
    refused("", "animate pendulum --output film", 2, "ends in .gif or .mp4");
    refused("", "animate pendulum --frames 0 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --frames 1 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --frames 10001 --output film.gif", 2, "from 2 to 10000");
    refused("", "animate pendulum --fps 51 --output film.gif", 2, "at most 50");
    refused("", "animate pendulum --fps 0 --output film.gif", 2, "above 0");
    refused("", "animate pendulum --t-end -1 --output film.gif", 2, "after the start");
    refused("", "animate pendulum --output nowhere/film.gif", 3, "No such file");
    refused("", "animate pendulum --form index1,index2 --output film.gif", 2, "one formulation");
}

static void test_programs(void **state)
{
    char command[600];
    (void)state;
    refused("PATH=/nowhere", "animate pendulum --output film.gif", 3, "gnuplot is not installed");
    refused("PATH=/nowhere", "animate pendulum --output film.png", 3, "gnuplot is not installed");
    refused("PATH=/nowhere", "animate pendulum --output film.mp4", 3, "ffmpeg is not installed");
    /* an ffmpeg that begins and breaks off */
    snprintf(command, sizeof command, "mkdir '%s/bin' && cd '%s/bin' && printf '#!/bin/sh\\n"
             "test \"$1\" = -version || { for f; do :; done; echo half >\"$f\";"
             " echo no room >&2; exit 1; }\\n' >ffmpeg && chmod +x ffmpeg", cli_folder, cli_folder);
    assert_int_equal(system(command), 0);
    if (!has("gnuplot"))
        skip();
    refused("PATH=\"$PWD/bin:$PATH\"", "animate pendulum --frames 3 --output film.mp4", 3,
            "ffmpeg failed: no room");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_problem), cmocka_unit_test(test_rods),
        cmocka_unit_test(test_contacts),      cmocka_unit_test(test_chain),
        cmocka_unit_test(test_frames),        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_odd_drawings),    cmocka_unit_test(test_gif),
        cmocka_unit_test(test_png),           cmocka_unit_test(test_mp4),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests_name("animate", tests, cli_begin, cli_end);
}
