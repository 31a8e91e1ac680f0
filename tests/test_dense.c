/* test_dense.c - every method of the table has dense output that joins its steps: from the first step on, with fixed
 * and chosen steps, in every formulation that it solves; and what it is good for between them
 *
 * At both ends the states come back. Inside, the error in what has a derivative stays below twice that of the states
 * themselves, plus what dense output of order 3, the lowest there is, leaves: cubic Hermite max |u^(4)| h^4/384
 * (Hairer, Norsett, Wanner (1993), II.6), others with like constants; with chosen steps plus some tolerances.
 */
#ifndef DAE_PASS
enum { C, W };
#include <daelab/model.h>

#include "support.h"

#include "run/order.h"
#include "methods/complex/excros.h"
#include "system/system.h"

enum { INSIDE = 4, MOST_STEPS = 700, FEW_STEPS = 25, LEVELS = 3 };
static const double parts[INSIDE] = {1e-3, 0.3, 0.7, 0.999};

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    const char *method, *form, *problem;
    int n, whole;                                       /* whole: all unknowns are continuous */
    int steps, most;                                    /* looked at, and how many at most */
    double begin, start[MOST_UNKNOWNS], u_begin[MOST_UNKNOWNS];
    double t[MOST_STEPS * (INSIDE + 1)], u[MOST_STEPS * (INSIDE + 1)][MOST_UNKNOWNS];   /* inside a step, and its end */
} record;

/* x = u but for rounding; where multipliers are not part of the state, they may be others. */
static void same(const record *r, const double *x, const double *u, double t, double rounding)
{
    for (int i = 0; i < r->n; i++)
        if ((r->whole || !dae_system_is_algebraic(r->sys, i)) && !(fabs(x[i] - u[i]) <= rounding * (1 + fabs(u[i]))))
            fail_msg("%s %s %s, step %d: unknown %d at t = %g is %.17g and not %.17g", r->problem,
                     r->form, r->method, r->steps + 1, i + 1, t, x[i], u[i]);
}

static void nothing_at(record *r, double t)
{
    double x[MOST_UNKNOWNS];
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(r->solver, t, x));
    assert_non_null(strstr(dae_solver_report(r->solver)->message, "outside the last step"));
}

static int look(void *context, double t, const double *u)
{
    record *r = context;
    const double h = t - r->begin;
    const size_t size = sizeof *u * (size_t)r->n;
    double x[MOST_UNKNOWNS];
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, r->begin, x));
    same(r, x, r->u_begin, r->begin, 1e-12);
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, t, x));
    assert_memory_equal(x, u, size);
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, t - 1e-13 * h, x));
    same(r, x, u, t, 1e-11);
    nothing_at(r, t + h);
    nothing_at(r, r->begin - h);
    for (int k = 0; k <= INSIDE && r->steps < r->most; k++) {
        const int row = r->steps * (INSIDE + 1) + k;
        r->t[row] = k < INSIDE ? r->begin + parts[k] * h : t;
        assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, r->t[row], r->u[row]));
    }
    r->steps += r->steps < r->most;
    r->begin = t;
    memcpy(r->u_begin, u, size);
    return 0;
}

/* A run to t_end, whose first steps are recorded; 0 where the method does not solve this form. */
static int run(record *r, const dae_method *method, const char *problem, const char *form, const dae_options *o,
               int most, double t_end)
{
    double u[MOST_UNKNOWNS];
    memset(r, 0, offsetof(record, t));
    r->problem = problem;
    r->form = form;
    r->method = dae_method_describe(method).name;
    r->most = most;
    r->sys = system_at_start(problem, form, 0, r->start);
    r->n = dae_system_size(r->sys);
    r->whole = strcmp(r->method, "excros") == 0;
    memcpy(r->u_begin, r->start, sizeof r->start);
    const dae_status status = dae_solver_create(&r->solver, r->sys, method, o, NULL);
    assert_true(status == DAE_OK || status == DAE_UNSUPPORTED);
    if (status)
        return 0;
    dae_solver_observe(r->solver, look, r);
    assert_int_equal(DAE_OK, dae_solver_start(r->solver, 0, r->start));
    assert_int_equal(DAE_OK, dae_solver_interpolate(r->solver, 0, u));          /* before the first step */
    assert_memory_equal(u, r->start, sizeof *u * (size_t)r->n);
    assert_int_equal(DAE_BAD_ARGUMENT, dae_solver_interpolate(r->solver, 0.1, u));
    assert_int_equal(DAE_OK, dae_solver_advance(r->solver, t_end, u));
    dae_solver_free(r->solver);
    return 1;
}

/* ---- errors --------------------------------------------------------------------------------- */

/* Largest errors inside the steps, and at their ends: of what has a derivative, and of algebraic unknowns. */
typedef struct { double inside[2], ends[2]; } errors;

/* The errors of row k; with `leading` the first so many unknowns are those with a derivative. */
static void add_error(const record *r, const dae_reference *ref, int k, int leading, double error[2])
{
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS];
    const int mechanical = !dae_system_split(r->sys, r->t[k], r->u[k], q, v, lambda);
    for (int i = 0; i < ref->nq; i++) {
        const int last = leading ? i >= leading : !mechanical && dae_system_is_algebraic(r->sys, i);
        double *worst = &error[last];
        *worst = fmax(*worst, fabs((mechanical ? q : r->u[k])[i] - (double)ref->q[k * ref->nq + i]));
        if (mechanical)
            *worst = fmax(*worst, fabs(v[i] - (double)ref->v[k * ref->nq + i]));
    }
    for (int i = 0; i < ref->nl; i++)
        error[1] = fmax(error[1], fabs(lambda[i] - (double)ref->lambda[k * ref->nl + i]));
}

/* The reference is kept for runs with the same times. */
static errors compare(const record *r, int leading)
{
    static dae_reference ref;
    static double t[MOST_STEPS * (INSIDE + 1)];
    static const char *problem;
    const int rows = r->steps * (INSIDE + 1);
    const size_t size = sizeof *t * (size_t)rows;
    errors e = {{0}, {0}};
    if (problem != r->problem || memcmp(t, r->t, size) != 0) {
        dae_reference_free(&ref);
        memset(t, 0, sizeof t);
        ref = reference_of(r->sys, r->start, r->t, rows);
        memcpy(t, r->t, size);
        problem = r->problem;
    }
    for (int k = 0; k < rows; k++)
        add_error(r, &ref, k, leading, k % (INSIDE + 1) < INSIDE ? e.inside : e.ends);
    return e;
}

typedef struct { const char *problem, *form; int index; } place;
static const place places[] = {
    {"pendulum", "index1", 1}, {"pendulum", "ode", 0}, {"pendulum", "index2", 2}, {"pendulum", "ggl", 2},
    {"pendulum", "baumgarte", 1}, {"linear_dae", "index1", 1}, {"linear_dae", "native", 2},
    {"pendulum", "index3", 3},
};
enum { PLACES = sizeof places / sizeof *places, ACCURATE = 2 };
static const int ordered[] = {0, 1, 3, 6};              /* of the places: with and without multipliers, by the index */
enum { ORDERED = sizeof ordered / sizeof *ordered };

/* 0 where the method does not solve the form. Of order 1 and 2 it is too coarse for the bound of the first places. */
static int check(const place *where, const dae_method *method, dae_options o)
{
    static record r;
    const double order = dae_method_describe(method).order[1][DAE_VELOCITY];
    const int ran = run(&r, method, where->problem, where->form, &o, FEW_STEPS, 1);
    if (ran) {
        const errors e = compare(&r, 0);
        const int accurate = o.step == 0 && where < places + ACCURATE && order != 1 && order != 2;
        if (!(e.inside[0] <= 2 * e.ends[0] + (o.step > 0 ? 10 * pow(o.step, 4) : 30 * o.rtol))
            || (accurate && e.inside[0] > 3000 * o.rtol))
            fail_msg("%s %s %s: error %g inside the steps, %g at their ends", r.problem, r.form,
                     r.method, e.inside[0], e.ends[0]);
    }
    dae_system_free(r.sys);
    return ran;
}

TEST(test_fixed)
{
    int runs = 0;
    dae_options o = dae_default_options();
    o.step = 0.04;
    for (int i = 0; i < PLACES; i++)
        for (int m = 0; dae_method_at(m); m++)
            if (dae_method_describe(dae_method_at(m)).fixed)
                runs += check(&places[i], dae_method_at(m), o);
    assert_true(runs > 80);
}

TEST(test_chosen)
{
    int runs = 0;
    for (int i = 0; i < PLACES; i++)
        for (int m = 0; dae_method_at(m); m++) {
            assert_true(dae_method_describe(dae_method_at(m)).dense_output);
            for (double rtol = 1e-6; rtol > 5e-10; rtol /= i < ACCURATE ? 1000 : 1e6)
                if (dae_method_describe(dae_method_at(m)).adaptive)
                    runs += check(&places[i], dae_method_at(m), tolerance(rtol));
        }
    assert_true(runs > 80);
}

/* ---- order with fixed steps ----------------------------------------------------------------- */

/* Errors inside steps follow these orders in an ODE or in index 1, where those at the ends do: of what has a
 * derivative, and of algebraic unknowns. Others are only known to be of order 3 at most. */
static const struct { const char *method; double order[2]; } dense[] = {
    {"rk4", {4, NAN}},  {"dopri5", {5, NAN}}, {"dop853", {8, NAN}}, {"rodas4", {4, 3}}, {"rodas5p", {5, 4}},
    {"cros4", {3, 3}},  {"radau5", {5, 5}},   {"radau9", {9, 9}},   {"radau13", {13, 13}}, {"excros", {99, 99}},
};

/* The orders to be seen: those of the steps, as far as dense output is known to have them. */
static void wanted_orders(const dae_method *method, const place *where, double wanted[2])
{
    double declared[DAE_CLASSES], known[2] = {3, NAN};
    const char *name = dae_method_describe(method).name;
    const int first_order = strcmp(where->problem, "linear_dae") == 0, whole = strcmp(name, "excros") == 0;
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        declared[c] = dae_method_order(method, dae_find_formulation(where->form), where->index, c);
    for (size_t k = 0; k < sizeof dense / sizeof *dense; k++)
        if (strcmp(dense[k].method, name) == 0 && (whole || where->index < 2)) {
            known[0] = dense[k].order[0];
            known[1] = whole || first_order ? dense[k].order[1] : NAN;
        }
    const double lambda = declared[where->index ? DAE_MULTIPLIER : DAE_RECOVERED];
    wanted[0] = first_order ? declared[DAE_DIFFERENTIAL] : fmin(declared[DAE_POSITION], declared[DAE_VELOCITY]);
    wanted[0] = fmin(wanted[0], known[0]);
    wanted[1] = isnan(known[1]) ? NAN : fmin(first_order ? declared[DAE_ALGEBRAIC] : lambda, known[1]);
}

enum { MOST_METHODS = 96 };
typedef struct { int solved; double wanted[2]; errors e[LEVELS]; } ladder;

/* Steps are longer where the order is high: errors are to be above rounding. */
static double step_of(int high, int level) { return ldexp(high ? 0.4 : 0.125, -level); }

static void climb(const place *where, int high, int m, int level, ladder *l)
{
    static record r;
    const double far = strcmp(where->problem, "pendulum") ? 1 : 1.6;        /* linear_dae has a pole at t = 2 */
    dae_options o = dae_default_options();
    wanted_orders(dae_method_at(m), where, l->wanted);
    l->solved = dae_method_describe(dae_method_at(m)).fixed && (l->wanted[0] > 6) == high;
    if (!l->solved)
        return;
    o.step = step_of(high, level);
    l->solved = run(&r, dae_method_at(m), where->problem, where->form, &o, MOST_STEPS, high ? far : 0.5);
    if (l->solved)
        l->e[level] = compare(&r, 0);
    dae_system_free(r.sys);
}

static void check_order(const place *where, int high, int m, const ladder *l)
{
    double h[LEVELS], y[LEVELS];
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < LEVELS; k++) {
            h[k] = log(step_of(high, k));
            y[k] = log(l->e[k].inside[c] + DBL_MIN);
        }
        const errors *finest = &l->e[LEVELS - 1];
        const double order = least_squares_slope(h, y, LEVELS);
        const int worse = finest->inside[c] > 1.1 * finest->ends[c];    /* than the ends of the finest steps */
        if (finest->inside[c] > 1e-12 && worse && order < l->wanted[c] - 0.35)
            fail_msg("%s %s %s: order %.2f inside the steps (%s), expected %g", where->problem, where->form,
                     dae_method_describe(dae_method_at(m)).name, order, c ? "algebraic" : "differential",
                     l->wanted[c]);
    }
}

/* All methods with the same steps have one reference. */
TEST(test_order_inside)
{
    static ladder l[MOST_METHODS];
    int pairs = 0;
    for (int i = 0; i < 2 * ORDERED; i++) {
        const place *where = &places[ordered[i / 2]];
        for (int k = 0; k < LEVELS; k++)
            for (int m = 0; dae_method_at(m) && m < MOST_METHODS; m++)
                climb(where, i % 2, m, k, &l[m]);
        for (int m = 0; dae_method_at(m); m++)
            if (l[m].solved) {
                check_order(where, i % 2, m, &l[m]);
                pairs++;
            }
    }
    assert_true(pairs >= 20);
}

/* ---- extrapolated CROS ---------------------------------------------------------------------- */

/* What the weights make of the data x^a n^-r: x^a for r = 0, a <= k, and nothing for r >= 2. */
static void check_weights(int at_nodes, int k, double *scratch, double *w)
{
    double x[DAE_EXCROS_POINTS], h[DAE_EXCROS_POINTS];
    const int points = dae_excros_dense_points(at_nodes, k, x, h);
    dae_excros_dense_weights(at_nodes, k, scratch, w);
    for (int r = 0; r < k; r++)
        for (int a = 1; r != 1 && r + a <= k && !(at_nodes && r); a++)
            for (double at = 0.1; at < 1; at += 0.2) {
                double value = r == 0 ? at : 0, size = 0;
                for (int p = 0; p < points; p++) {
                    const double datum = pow(x[p], a) * (r ? pow(h[p], r) : 1) - !r * x[p];
                    double weight = 0;
                    for (int i = 0; i < k - 1; i++)
                        weight += at * (1 - at) * cos(i * acos(2 * at - 1)) * w[i * points + p];
                    value += weight * datum;
                    size += fabs(weight);
                }
                assert_close(value, r ? 0 : pow(at, a), 1e-14 * (1 + size));
                assert_true(size < (at_nodes ? 3 : 1000));
            }
}

TEST(test_excros_dense_weights)
{
    double *scratch = calloc(DAE_EXCROS_SCRATCH, sizeof *scratch);
    double *w = calloc(DAE_EXCROS_COLUMNS * DAE_EXCROS_POINTS, sizeof *w);
    assert_true(scratch && w);
    for (int at_nodes = 0; at_nodes <= 1; at_nodes++)
        for (int k = 2; k <= DAE_EXCROS_COLUMNS; k++)
            check_weights(at_nodes, k, scratch, w);
    free(scratch);
    free(w);
}

/* The error inside the steps follows the tolerance, though only that of the ends is estimated: on
 * the pendulum's ode ends are off by 0.2 to 1.2 tolerances at any, rows by 0.2 at 1e-3 and 6.5 at
 * 1e-11, where more columns bridge the same few steps. */
TEST(test_excros_tolerances)
{
    static record r;
    for (int i = 0; i < ORDERED; i++) {
        const place *where = &places[ordered[i]];
        double x[5], y[5];
        for (int digits = 3; digits <= 11; digits += 2) {
            const dae_options o = tolerance(pow(10, -digits));
            const double t_end = strcmp(where->problem, "pendulum") ? 1 : 2;
            assert_true(run(&r, dae_find_method("excros"), where->problem, where->form, &o, MOST_STEPS, t_end));
            const double error = compare(&r, 0).inside[0];
            dae_system_free(r.sys);
            x[digits / 2 - 1] = log(o.rtol);
            y[digits / 2 - 1] = log(error);
            if (!(error < 60 * o.rtol))
                fail_msg("%s %s, rtol %g: error %g inside the steps", where->problem, where->form, o.rtol, error);
        }
        assert_true(least_squares_slope(x, y, 5) > 0.8);
    }
}

/* On a spring of 10^6 N/m, in t <= 0.1: the positions are as good as the tolerance; where the force
 * T = 8 N is an unknown, k times what they miss, it stays near that in large steps. */
TEST(test_excros_stiff)
{
    static record r;
    dae_options o = tolerance(1e-6);
    const dae_method *method = dae_find_method("excros");
    assert_true(run(&r, method, "spring_pendulum", "native", &o, MOST_STEPS, 0.1));
    assert_close(compare(&r, 2).inside[0], 0, 1e-6);
    dae_system_free(r.sys);
    o.error_test = DAE_TEST_DIFFERENTIAL;
    assert_true(run(&r, method, "spring_tension", "native", &o, MOST_STEPS, 0.1));
    assert_true(r.steps > 0 && r.t[INSIDE] - r.t[0] > 1e-4);
    for (int i = 0; i < r.steps * (INSIDE + 1); i++)
        assert_close(r.u[i][4], r.start[4], 1);
    dae_system_free(r.sys);
}

/* ---- many stops ------------------------------------------------------------------------------- */

/* Many stops do not worsen what a run finds: a mass on a ring whose radius breathes
 *
 * In index 2 and 3 a stop that lies close behind a step makes that step longer. With thousands of them, none is made
 * longer than its own error allows. With D = 1 + c cos wt and x^2 + y^2 = 1/D the angle is t + c sin(wt)/w.
 */

static void ring_start(const double *p, double *u)
{
    u[0] = sqrt(1 / (1 + p[C]));
    u[1] = u[2] = 0;
    u[3] = u[0] * (1 + p[C]);
}

static const dae_problem ring = {
    .name = "ring", .variables = "x y vx vy l", .units = "m m m/s m/s N", .start = {ring_start}, .t_end = 10,
    .parameters = {{"c", 0.3, "-", "depth", DAE_ANY_VALUE}, {"w", 5, "1/s", "frequency", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};

/* The largest error of x and y at ten times, in tolerances; INFINITY where the run fails. */
static double error_of_stops(dae_system *sys, const char *method, double rtol, int stops)
{
    double u[MOST_UNKNOWNS], worst = 0;
    const dae_options o = tolerance(rtol);
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
    dae_solver *solver = solver_of(sys, dae_find_method(method), &o, 0, NULL);
    dae_status status = dae_solver_start(solver, 0, u);
    for (int k = 1; !status && k <= stops; k++) {
        const double t = 10.0 * k / stops, angle = t + 0.3 * sin(5 * t) / 5, r = 1 / sqrt(1 + 0.3 * cos(5 * t));
        status = dae_solver_advance(solver, t, u);
        if (k % (stops / 10) == 0)
            worst = fmax(worst, fmax(fabs(u[0] - r * cos(angle)), fabs(u[1] - r * sin(angle))) / rtol);
    }
    dae_solver_free(solver);
    return status ? INFINITY : worst;
}

/* Of those methods that end with some digits when they stop ten times */
static int check_stops(dae_system *sys, const dae_method *method, double rtol, double most)
{
    const dae_method_info info = dae_method_describe(method);
    const double few = info.adaptive && info.implicit && method_solves(sys, method)
                           ? error_of_stops(sys, info.name, rtol, 10) : INFINITY;
    if (!(few * rtol <= 0.05))
        return 0;
    for (int stops = 300; stops <= 3000; stops *= 10) {
        const double many = error_of_stops(sys, info.name, rtol, stops);
        if (!(many <= most * fmax(few, dae_system_index(sys) > 2 ? 15 : 3)))     /* few may be near by chance */
            fail_msg("index %d, %s: %d stops are off by %.3g tolerances, ten by %.3g", dae_system_index(sys), info.name,
                     stops, many, few);
    }
    return 1;
}

TEST(test_stops)
{
    static const struct { const char *form; double most; int methods; } forms[] = {{"index2", 3, 9}, {"index3", 8, 8}};
    double u[MOST_UNKNOWNS];
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int methods = 0;
        dae_system *sys = system_of(&ring, forms[f].form, NULL, u);
        for (int m = 0; dae_method_at(m); m++)
            methods += check_stops(sys, dae_method_at(m), 1e-5, forms[f].most);
        assert_true(methods >= forms[f].methods);
        dae_system_free(sys);
    }
}

#else

static real FN(depth)(const param *p, real t) { return 1 + p[C] * cos(p[W] * t); }

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0], r[1] = a[1]; }

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = f[1] = (real){0}; }

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1 / FN(depth)(p, t)) / 2;
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const real D = FN(depth)(p, t), s = p[C] * p[W] * sin(p[W] * t);
    r[0] = q[0] * v[0] + q[1] * v[1] - s / (D * D) / 2;
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const real D = FN(depth)(p, t), s = p[C] * p[W] * sin(p[W] * t), c = p[C] * p[W] * p[W] * cos(p[W] * t);
    r[0] = v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1] - (c / (D * D) + 2 * s * s / (D * D * D)) / 2;
}

static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = q[0] * n[0];
    r[1] = q[1] * n[0];
}

#endif
