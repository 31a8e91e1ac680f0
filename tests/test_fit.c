/* test_fit.c - daelab fit: values and standard errors beside what is known, what cannot be identified, bounds, files
 * that are wrong */
#ifndef DAE_PASS
enum { P0, P1, P2 };
#include <daelab/model.h>

#include "cli_json.h"
#include "cli_says.h"
#include "refusals.h"

#include "host/fnv.h"
#include "report/report.h"

#include <daelab/problem.h>

/* v' = -(k/m) x: of positions alone only k/m can be known. */
static const dae_problem spring = {
    .name = "spring", .variables = "x v", .units = "m m/s",
    .parameters = {{"m", 2, "kg", "mass", DAE_POSITIVE}, {"k", 8, "N/m", "stiffness", DAE_POSITIVE},
                   {"a", 1, "m", "start", DAE_ANY_VALUE}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(oscillate)}, .start = DAE_MODEL(pull), .t_end = 3};

/* u = c + a t, a line, of which all is known */
static const dae_problem line = {
    .name = "line", .variables = "u", .units = "m", .parameters = {{"a", 1, "m/s", "slope", DAE_ANY_VALUE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(rise)}, .start = DAE_MODEL(zero), .t_end = 2};

/* u' = -k u, k > 0 */
static const dae_problem decay = {
    .name = "decay", .variables = "u", .units = "-", .parameters = {{"k", 1, "1/s", "rate", DAE_POSITIVE}},
    .first_order = {.n = 1, .rhs = DAE_MODEL(fall)}, .start = DAE_MODEL(one), .t_end = 4};

enum { MOST_COLUMNS = 2, TIMES = 41 };

/* ---- data ---- */

/* Normal numbers of one seed: splitmix64, and the polar form of Box and Muller (Marsaglia). */
typedef struct { uint64_t state; } noise;

static double uniform(noise *n)
{
    uint64_t z = n->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double normal(noise *n)
{
    for (;;) {
        const double a = 2 * uniform(n) - 1, b = 2 * uniform(n) - 1, s = a * a + b * b;
        if (s > 0 && s < 1)
            return a * sqrt(-2 * log(s) / s);
    }
}

static const char *in_test_folder(const char *name, char path[300])
{
    snprintf(path, 300, "%s/%s", cli_folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    char path[300];
    FILE *file = fopen(in_test_folder(name, path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(0, fclose(file));
}

/* Values of the first unknowns at TIMES equal times up to t_end, by a run at 1e-11. */
static void clean(const dae_problem *problem, const double *parameters, double t_end, double *t,
                  double x[TIMES][MOST_COLUMNS])
{
    const dae_formulation *form = dae_find_formulation(problem->mechanical.nq ? "index1" : "native");
    const dae_options options = tolerance(1e-11);
    OWNED(dae_hybrid) *run = NULL;
    OWNED(dae_rows) *rows = NULL;
    dae_report why = {0};
    for (int k = 0; k < TIMES; k++)
        t[k] = k * t_end / (TIMES - 1);
    if (dae_hybrid_create(&run, problem, form, parameters, NULL, dae_find_method("radau"), &options, &why)
        || dae_hybrid_start(run, 0, NULL)
        || dae_hybrid_rows(run, t_end, &(dae_row_places){.times = t, .count = TIMES}, &rows))
        fail_msg("%s %s", why.message, dae_hybrid_report(run)->message);
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < MOST_COLUMNS; i++)
            x[k][i] = i < rows->width ? rows->u[k * rows->width + i] : 0;
}

/* t and columns of these names, "x,y", with noise of this deviation */
static void write_data(const char *name, const char *names, int columns, const double *t,
                       double x[TIMES][MOST_COLUMNS], double deviation, noise *n)
{
    char path[300];
    FILE *file = fopen(in_test_folder(name, path), "w");
    assert_non_null(file);
    fprintf(file, "t,%s\n", names);
    for (int k = 0; k < TIMES; k++) {
        fprintf(file, "%.17g", t[k]);
        for (int i = 0; i < columns; i++)
            fprintf(file, ",%.17g", x[k][i] + deviation * normal(n));
        fputc('\n', file);
    }
    assert_int_equal(0, fclose(file));
}

/* ---- fits in this process ---- */

static void free_fit(fit_result *r) { fit_result_free(r); }
#define FITTED __attribute__((cleanup(free_fit))) fit_result

static study_specification specify(const dae_problem *problem, const char *path)
{
    study_specification s = study_default_specification(problem);
    s.data.file[s.data.files++] = path;
    return s;
}

static void add_number(study_specification *s, const char *name, double begin, double *parameters)
{
    fit_number number = {.parameter = -1, .low = -HUGE_VAL, .high = HUGE_VAL};
    snprintf(number.name, sizeof number.name, "%s", name);
    if (strncmp(name, "start:", 6) != 0) {
        number.parameter = dae_parameter_index(s->run.problem, name);
        parameters[number.parameter] = begin;
    }
    s->fit[s->fits++] = number;
    s->run.parameters = parameters;
}

static void fit(fit_result *r, study_specification *s, dae_status expected)
{
    dae_report why = {0};
    if (fit_fill_in(s, &why) || study_prepare(s, &why) || fit_study(r, s, &why))
        fail_msg("%s", why.message);
    if (r->status != expected)
        fail_msg("%s: %s", dae_status_name(r->status), r->message);
}

static double *defaults(const dae_problem *problem, double *p)
{
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_default(problem, i);
    return p;
}

/* ---- values and errors ---- */

/* Two standard errors hold the truth in 95 of 100: with given deviations, and with estimated ones. */
TEST(test_errors_are_right)
{
    enum { RUNS = 100, MIN = 90, MAX = 99 };
    static const double truth[] = {5, 9.81};
    const dae_problem *pendulum = problem_named("pendulum");
    double t[TIMES], x[TIMES][MOST_COLUMNS], p[MOST_PARAMETERS];
    char path[300];
    clean(pendulum, NULL, 2, t, x);
    for (int given = 0; given < 2; given++) {
        int held[2] = {0, 0};
        for (int i = 0; i < RUNS; i++) {
            noise n = {(uint64_t)(1000 * given + i)};
            write_data("noisy.csv", "x,y", 2, t, x, 0.01, &n);
            study_specification s = specify(pendulum, in_test_folder("noisy.csv", path));
            FITTED r;
            s.data.deviations = 2 * given;
            s.data.deviation[0] = (fit_deviation){"x", 0.01};
            s.data.deviation[1] = (fit_deviation){"y", 0.01};
            add_number(&s, "L", 4.7, defaults(pendulum, p));
            add_number(&s, "g0", 9, p);
            fit(&r, &s, DAE_OK);
            for (int k = 0; k < 2; k++)
                held[k] += fabs(r.x[k] - truth[k]) < 2 * fit_error(&r, k);
            assert_int_equal(r.freedom, 2 * TIMES - 2);
            assert_true(r.chi2 > 0.5 * r.freedom && r.chi2 < 1.6 * r.freedom);
        }
        for (int k = 0; k < 2; k++)
            if (held[k] < MIN || held[k] > MAX)
                fail_msg("given %d, number %d: %d of %d hold the truth", given, k, held[k], RUNS);
    }
}

/* A line through points: values, errors and covariance of textbooks. Some cells are empty. */
TEST(test_line)
{
    static const double t[] = {0, 0.25, 0.5, 1, 1.5, 2}, u[] = {0.3, 0.52, 0.88, 1.31, 1.83, 2.22};
    double p[MOST_PARAMETERS], n = 0, st = 0, su = 0, stt = 0, stu = 0, rest = 0;
    char path[300];
    write_text("line.csv", "t,u\n0,0.3\n0.25,0.52\n0.5,0.88\n0.7,\n1,1.31\n1.5,1.83\n\n2,2.22\n");
    for (int k = 0; k < 6; k++) {
        n++;
        st += t[k];
        su += u[k];
        stt += t[k] * t[k];
        stu += t[k] * u[k];
    }
    const double d = n * stt - st * st, a = (n * stu - st * su) / d, c = (stt * su - st * stu) / d;
    for (int k = 0; k < 6; k++)
        rest += (u[k] - c - a * t[k]) * (u[k] - c - a * t[k]);
    const double square = rest / (n - 2);
    study_specification s = specify(&line, in_test_folder("line.csv", path));
    FITTED r;
    s.run.rtol = 1e-9;
    add_number(&s, "a", 5, defaults(&line, p));
    add_number(&s, "start:u", 0, p);
    fit(&r, &s, DAE_OK);
    assert_int_equal(r.data.count, 6);
    assert_true(fabs(r.x[0] - a) < 1e-7 && fabs(r.x[1] - c) < 1e-7);
    assert_true(fabs(fit_error(&r, 0) / sqrt(square * n / d) - 1) < 2e-3);
    assert_true(fabs(fit_error(&r, 1) / sqrt(square * stt / d) - 1) < 2e-3);
    assert_true(fabs(r.found.covariance[1] / (-square * st / d) - 1) < 4e-3);
    assert_true(fabs(r.chi2 / 4 - 1) < 4e-3);
}

/* Several files are one set of data, whatever their order. */
TEST(test_several_files)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    char one[300], two[300], both[300];
    const dae_problem *pendulum = problem_named("pendulum");
    noise n = {7}, again = {7};
    clean(pendulum, NULL, 2, t, x);
    for (int k = 0; k < TIMES; k++) {
        x[k][0] += 0.01 * normal(&n);
        x[k][1] += 0.01 * normal(&n);
    }
    write_data("both.csv", "x,y", 2, t, x, 0, &again);
    write_data("one.csv", "x", 1, t, x, 0, &again);
    for (int k = 0; k < TIMES; k++)
        x[k][0] = x[k][1];
    write_data("two.csv", "y", 1, t, x, 0, &again);
    study_specification whole = specify(pendulum, in_test_folder("both.csv", both)), parts;
    add_number(&whole, "L", 4.7, defaults(pendulum, p));
    parts = whole;
    parts.data.file[0] = in_test_folder("two.csv", two);
    parts.data.file[parts.data.files++] = in_test_folder("one.csv", one);
    FITTED a;
    FITTED b;
    fit(&a, &whole, DAE_OK);
    fit(&b, &parts, DAE_OK);
    assert_int_equal(a.data.count, b.data.count);
    assert_true(fabs(a.x[0] / b.x[0] - 1) < 1e-9 && fabs(fit_error(&a, 0) / fit_error(&b, 0) - 1) < 1e-4);
}

/* ---- what the data do not determine ---- */

TEST(test_not_determined)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    char path[300], words[FIT_DIRECTION];
    noise n = {3};
    clean(&spring, NULL, 3, t, x);
    write_data("spring.csv", "x", 1, t, x, 0.01, &n);
    for (double unit = 1e-3; unit < 1e4; unit *= 1e3) {         /* the same in other units of mass */
        study_specification s = specify(&spring, in_test_folder("spring.csv", path));
        FITTED r;
        add_number(&s, "k", 10 * unit, defaults(&spring, p));
        add_number(&s, "m", 2 * unit, p);
        add_number(&s, "a", 0.8, p);
        fit(&r, &s, DAE_SINGULAR);
        assert_int_equal(r.found.rank, 2);
        assert_int_equal(r.freedom, TIMES - 2);
        assert_true(isnan(fit_error(&r, 0)) && isnan(fit_error(&r, 1)));
        assert_true(fit_error(&r, 2) > 1e-3 && fit_error(&r, 2) < 5e-3 && fabs(r.x[2] - 1) < 3 * fit_error(&r, 2));
        assert_true(fabs(r.x[0] / r.x[1] - 4) < 0.05);
        says(fit_direction_words(&r, 2, words), " + ");
        assert_true(fabs(r.found.direction[6] - r.found.direction[7]) < 0.2 && fabs(r.found.direction[8]) < 1e-6);
    }
}

/* Of values where it changes nothing, a number stays where it began, and the others are found. */
TEST(test_without_effect)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    char path[300], words[FIT_DIRECTION];
    const dae_problem *pendulum = problem_named("pendulum");
    noise n = {4};
    clean(pendulum, NULL, 2, t, x);
    write_data("mass.csv", "x,y", 2, t, x, 0.01, &n);
    study_specification s = specify(pendulum, in_test_folder("mass.csv", path));
    FITTED r;
    add_number(&s, "m", 3, defaults(pendulum, p));
    add_number(&s, "L", 4, p);
    add_number(&s, "T0", 0, p);
    fit(&r, &s, DAE_SINGULAR);
    assert_true(r.x[0] == 3 && r.x[2] == 0 && fabs(r.x[1] - 5) < 0.01);
    assert_int_equal(r.found.rank, 1);
    assert_true(fit_error(&r, 1) > 0 && isnan(fit_error(&r, 0)) && isnan(fit_error(&r, 2)));
    for (int d = 1; d < 3; d++)
        assert_true(strcmp(fit_direction_words(&r, d, words), "1.00 m") == 0 || strcmp(words, "1.00 T0") == 0);
}

/* ---- bounds ---- */

TEST(test_bounds)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    char path[300];
    const dae_problem *pendulum = problem_named("pendulum");
    noise n = {5};
    clean(pendulum, NULL, 2, t, x);
    write_data("bounded.csv", "x,y", 2, t, x, 0.01, &n);
    study_specification bounded = specify(pendulum, in_test_folder("bounded.csv", path));
    bounded.data.deviations = 2;
    bounded.data.deviation[0] = (fit_deviation){"x", 0.01};
    bounded.data.deviation[1] = (fit_deviation){"y", 0.01};
    study_specification held = bounded, wide = bounded, free = bounded;
    FITTED a;
    FITTED b;
    FITTED c;
    FITTED d;
    add_number(&bounded, "L", 4, defaults(pendulum, p));        /* it ends at the bound, */
    add_number(&bounded, "g0", 9, p);
    bounded.fit[0].high = 4.9;
    fit(&a, &bounded, DAE_OK);
    assert_true(a.x[0] == 4.9 && a.side[0] == 1 && a.side[1] == 0 && isnan(fit_error(&a, 0)));
    add_number(&held, "g0", 9, defaults(pendulum, p));          /* and the other is as with L = 4.9; */
    p[dae_parameter_index(pendulum, "L")] = 4.9;
    fit(&b, &held, DAE_OK);
    assert_true(fabs(a.x[1] - b.x[0]) < 1e-5 && fabs(fit_error(&a, 1) / fit_error(&b, 0) - 1) < 1e-5);
    assert_int_equal(a.freedom, b.freedom);
    FITTED outside;                                             /* also beyond the bound, and in several rounds */
    p[dae_parameter_index(pendulum, "L")] = 5.3;
    bounded.data.deviations = 0;
    fit(&outside, &bounded, DAE_OK);
    assert_true(outside.rounds > 2 && outside.x[0] == 4.9 && outside.side[0] == 1 && isnan(fit_error(&outside, 0)));
    add_number(&wide, "L", 8, defaults(pendulum, p));           /* from a bound on, into the box */
    add_number(&wide, "g0", 20, p);
    wide.fit[0].low = 4.5;
    wide.fit[0].high = 5.5;
    wide.fit[1].high = 20;
    fit(&c, &wide, DAE_OK);
    add_number(&free, "L", 4, defaults(pendulum, p));
    add_number(&free, "g0", 9, p);
    fit(&d, &free, DAE_OK);
    assert_true(c.side[0] == 0 && c.side[1] == 0);
    assert_true(fabs(c.x[0] / d.x[0] - 1) < 1e-6 && fabs(c.x[1] / d.x[1] - 1) < 1e-6);
    assert_true(fabs(fit_error(&c, 0) / fit_error(&d, 0) - 1) < 1e-4);
}

/* The first step goes beyond the bound; from there the least is inside. */
TEST(test_bound_on_the_way)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    const double truth[] = {0.1};
    char path[300];
    noise n = {6};
    clean(&decay, truth, 4, t, x);
    write_data("way.csv", "u", 1, t, x, 0.001, &n);
    study_specification s = specify(&decay, in_test_folder("way.csv", path));
    FITTED r;
    add_number(&s, "k", 4, defaults(&decay, p));
    s.fit[0].low = 0.05;
    s.data.deviations = 1;
    s.data.deviation[0] = (fit_deviation){"u", 0.001};
    fit(&r, &s, DAE_OK);
    assert_true(r.side[0] == 0 && r.failed == 0 && fabs(r.x[0] - 0.1) < 4 * fit_error(&r, 0));
}

/* ---- trials that cannot be run ---- */

TEST(test_bad_trials)
{
    double p[MOST_PARAMETERS], t[TIMES], x[TIMES][MOST_COLUMNS];
    const double truth[] = {0.1};
    char path[300];
    noise n = {6};
    clean(&decay, truth, 4, t, x);
    write_data("decay.csv", "u", 1, t, x, 0.001, &n);
    study_specification s = specify(&decay, in_test_folder("decay.csv", path));
    FITTED r;
    add_number(&s, "k", 4, defaults(&decay, p));                /* the first step leads below 0 */
    fit(&r, &s, DAE_OK);
    assert_true(r.failed > 0 && fabs(r.x[0] - 0.1) < 4 * fit_error(&r, 0));
    says(r.why_failed, "k = -");
}

TEST(test_no_begin)
{
    double p[MOST_PARAMETERS];
    char path[300];
    write_text("begin.csv", "t,u\n0,1\n1,0.9\n2,0.8\n");
    study_specification s = specify(&decay, in_test_folder("begin.csv", path));
    fit_result r = {.begun = 0};
    dae_report why = {0};
    add_number(&s, "k", -1, defaults(&decay, p));
    const dae_status status = fit_fill_in(&s, &why) || study_prepare(&s, &why) ? why.status : fit_study(&r, &s, &why);
    assert_true(status < 0);
    says(why.message, "k = -1");
    fit_result_free(&r);
}

/* ---- the command ---- */

/* A bounce: restitution and gravity; the same answer as table, CSV, folder, from the file of the study. */
TEST(test_event)
{
    double t[TIMES], x[TIMES][MOST_COLUMNS], p[MOST_PARAMETERS];
    const dae_problem *ball = problem_named("bouncing_ball");
    noise n = {8};
    defaults(ball, p)[dae_parameter_index(ball, "e")] = 0.6;
    clean(ball, p, 0.87, t, x);
    write_data("ball.csv", "y", 1, t, x, 0.005, &n);
    const char *command = "fit bouncing_ball --data ball.csv --fit e,start:y --bounds start:y=0.5: --format json -q";
    json_t *tree = parsed(0, command);
    const double e = number_in(tree, "fit", "fitted=e", "value"), error = number_in(tree, "fit", "fitted=e", "error");
    assert_true(error > 1e-4 && error < 5e-3 && fabs(e - 0.6) < 3 * error);
    assert_true(fabs(number_in(tree, "fit", "fitted=start:y", "value") - 1) < 0.01);
    assert_int_equal(TIMES, count_rows(tree, "residuals", "deviation_is=estimated"));
    assert_int_equal(FIT_CURVE, count_rows(tree, "curve", "unknown=y"));
    assert_int_equal(3, count_rows(tree, "correlations", ""));
    json_decref(tree);
    runs("", "fit bouncing_ball --data ball.csv --fit e,start:y --bounds start:y=0.5: --output fit/ --output fit.csv "
             "--save fit.yaml -q");
    in_folder("grep -q '^1,fit,fit,bouncing_ball,index1,radau,' fit.csv && test -s fit/residuals.csv");
    tree = parsed(0, "study fit/study.yaml --format json -q");
    assert_true(number_in(tree, "fit", "fitted=e", "value") == e);
    json_decref(tree);
    tree = parsed(0, "study fit.yaml --format json -q");
    assert_true(number_in(tree, "fit", "fitted=e", "value") == e);
    json_decref(tree);
}

/* What speaks against the numbers is said: residuals that are not random, given deviations that are wrong. */
TEST(test_remarks)
{
    double t[TIMES], x[TIMES][MOST_COLUMNS];
    const dae_problem *pendulum = problem_named("pendulum");
    noise n = {9};
    clean(pendulum, NULL, 2, t, x);
    write_data("far.csv", "x,y", 2, t, x, 0.01, &n);
    cli_run("", "fit pendulum --data far.csv --fit g0 --param L=5.3");
    says(cli_said.out, "the residuals of y are not random");
    cli_run("", "fit pendulum --data far.csv --fit L,g0 --sd x=0.002,y=0.002");
    says(cli_said.out, "times the deviations that were given");
    assert_null(strstr(cli_said.out, "not random"));
    assert_int_equal(NUMERICAL, cli_run("", "fit pendulum --data far.csv --fit L,m"));
    says(cli_said.out, "the data do not determine 1.00 m (relative changes)");
    says(cli_said.err, "the data do not determine all numbers");
    assert_int_equal(NUMERICAL, cli_run("", "fit pendulum --data far.csv --fit m"));   /* its derivatives are noise */
    says(cli_said.out, "the data do not determine 1.00 m (relative changes)");
    runs("", "fit pendulum --data far.csv --fit L,g0 --bounds L=4:4.9 --format md");
    says(cli_said.out, "L ends at its upper bound");
    assert_int_equal(NUMERICAL, cli_run("", "fit pendulum --data far.csv --fit L --limit-steps 1"));
    says(cli_said.err, "no run from where the fit begins: ");
}

TEST(test_wrong_files)
{
    static const struct { const char *text, *says; } wrong[] = {
        {"", "w.csv: it is empty"},
        {"t,x\n", "w.csv: there are no data"},
        {"t,x\n0,3\n", "there are 1 data, and for what is fitted 2 at least are needed"},
        {"t,x\n0,3\n0,3.01\n", "all data are of t = 0, where the run begins"},
        {"x,y\n0,3\n", "w.csv, line 1: the header has no column t"},
        {"t;x\n0;3\n", "w.csv, line 1: 't;x' is one column: commas separate cells"},
        {"t,xx\n0,3\n", "w.csv, line 1: 'xx' is no unknown of this formulation: did you mean x?; --use names"},
        {"t,quiet\n0,3\n", "it has x, y, vx, vy, T, T_recovered; --use names"},
        {"t,x,x\n0,3,3\n", "w.csv, line 1: 'x' stands twice in the header"},
        {"t,t,x\n0,0,3\n", "w.csv, line 1: 't' stands twice in the header"},
        {"t\n0\n", "w.csv, line 1: no column holds data"},
        {"t,x,y_sd\n0,3,1\n", "w.csv, line 1, column y_sd: has deviations of a column that is not there"},
        {"t,x\n0,3\n0.5,2.9a\n", "w.csv, line 3, column x: '2.9a' is no finite number"},
        {"t,x\n0,3\n0.5,nan\n", "w.csv, line 3, column x: 'nan' is no finite number"},
        {"t,x\n0,3\n0.5,1e999\n", "w.csv, line 3, column x: '1e999' is no finite number"},
        {"t,x\n0,3\n\n0.5\n", "w.csv, line 4: 1 cells, and the header has 2"},
        {"t,x\n0,3\n0.5,2,9\n", "w.csv, line 3: 3 cells, and the header has 2"},
        {"t,x\n0,3\n,2.9\n", "w.csv, line 3, column t: a row needs its time"},
        {"t,x\n0.6,3\n0.5,2.9\n", "w.csv, line 3, column t: '0.5' is earlier than the row before"},
        {"t,x\n-1,3\n0.5,2.9\n", "w.csv, line 2, column t: '-1' lies before the run begins"},
        {"t,x,x_sd\n0,3,1\n0.5,2,\n", "w.csv, line 3, column x_sd: a value has no deviation"},
        {"t,x,x_sd\n0,3,1\n0.5,2,0\n", "w.csv, line 3, column x_sd: '0' is no standard deviation"},
        {"t,x\n0,\"3\n0.5,2\n", "w.csv, line 2: a quote (\") is not closed"},
        {"t,x\n0,\"3\"4\n0.5,2\n", "w.csv, line 2: a quote (\") is not closed, or text follows it"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_text("w.csv", wrong[i].text);
        refused("", "fit pendulum --data w.csv --fit L -q", USAGE, wrong[i].says);
    }
    refused("", "fit pendulum --data nowhere.csv --fit L -q", SYSTEM, "nowhere.csv: No such file or directory");
}

/* Marks of byte order, ends of lines, quotes and blanks of other programs; and a column that is left out. */
TEST(test_other_programs)
{
    write_text("other.csv", "\xef\xbb\xbf\"t\", \"x\" ,note\r\n0,\"3\",\"a, \"\"b\"\"\"\r\n\r\n 0.5 ,2.4,\r\n"
               "1,,end\r\n1,0.65,\r\n");
    json_t *tree = parsed(0, "fit pendulum --data other.csv --use x --fit L --format json -q");
    assert_int_equal(3, count_rows(tree, "residuals", ""));
    assert_true(number_in(tree, "residuals", "line=4", "datum") == 2.4);
    assert_true(number_in(tree, "residuals", "line=6", "t") == 1);
    json_decref(tree);
}

TEST(test_wrong_options)
{
    static const struct { const char *options, *says; } wrong[] = {
        {"--fit L", "fit to which data? --data FILE.csv"},
        {"--data o.csv", "fit what? --fit names parameters and starts"},
        {"--data o.csv --fit Q", "there is no parameter 'Q'"},
        {"--data o.csv --fit x", "this is an unknown of pendulum, no parameter: start:x"},
        {"--data o.csv --fit start:T", "there is no unknown with a start of its own 'T'"},
        {"--data o.csv --fit L,L", "--fit: L is given twice"},
        {"--data o.csv --fit L --bounds g0=1:2", "--bounds g0=1:2: g0 is not fitted"},
        {"--data o.csv --fit L --bounds L=2:1", "the lower bound is not below the upper one"},
        {"--data o.csv --fit L --bounds L=2", "NAME=LOW:HIGH is needed"},
        {"--data o.csv --fit L --sd y=1", "a standard deviation is given of y, of which there are no data"},
        {"--data o.csv --fit L --sd x=0", "a finite number above 0 is needed"},
        {"--data o.csv --fit L --sd x=1,x=2", "--sd: x is given twice"},
        {"--data o.csv --fit L --use x,q", "q is to be used: the problem has no unknown of this name"},
        {"--data o.csv --fit L --method ida", "it does not differentiate its steps"},
        {"--data o.csv --fit start:x --form ode", "ode has no unknown x whose start could be fitted"},
        {"--data o.csv --fit L --t-end 3", "fit has no option --t-end"},
    };
    char arguments[256];
    write_text("o.csv", "t,x\n0,3\n0.5,2.4\n1,0.65\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(arguments, sizeof arguments, "fit pendulum -q %s", wrong[i].options);
        refused("", arguments, USAGE, wrong[i].says);
    }
    refused("", "fit chain --data o.csv --fit N", USAGE, "--fit N: it counts copies");
    write_text("o.csv", "t,x,x_sd\n0,3,1\n0.5,2.4,1\n");
    refused("", "fit pendulum -q --data o.csv --fit L --sd x=1", USAGE, "x_sd: has deviations, and --sd gives one");
}

int main(void) { return run_all(cli_begin_undrawn, cli_end); }

#else

static void FN(pull)(const param *p, real *u) { u[0] = p[P2]; }

static void FN(oscillate)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -(p[P1] / p[P0]) * u[0];
}

static void FN(zero)(const param *p, real *u) { u[0] = (real){0}; }

static void FN(rise)(const param *p, real t, const real *u, real *F) { F[0] = (real){0} + p[P0]; }

static void FN(one)(const param *p, real *u) { u[0] = (real){1}; }

static void FN(fall)(const param *p, real t, const real *u, real *F) { F[0] = -p[P0] * u[0]; }

#endif
