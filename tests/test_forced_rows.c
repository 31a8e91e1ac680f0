/* test_forced_rows.c - rows between steps where stiff and algebraic unknowns are forced faster than steps are long
 *
 * A step is accepted for its end. Inside it such unknowns go to and fro as often as what forces them: rows have to be
 * as good there. Solutions are known in closed form; rates and frequencies are drawn. A row is wrong where it is
 * off by more than 30 tolerances and both ends of its step by less than 20.
 */
#ifndef DAE_PASS
enum { W, L };
#include <daelab/model.h>
#include <daelab/rows.h>

#include "small_models.h"
#include "support.h"

#include "base/numbers.h"

#define RATES .parameters = {{"w", 1, "1/s", "frequency", DAE_POSITIVE}, {"L", 1, "1/s", "rate", DAE_POSITIVE}}
static void stiff_start(const double *p, double *u) { u[0] = 0, u[1] = 1, u[2] = 2; }
static void output_start(const double *p, double *u) { u[0] = 1, u[1] = 0, u[2] = 1; }

static const dae_problem stiff = {                      /* u = sin wt, y = exp(-t), v = u y + 2 */
    .name = "stiff", .variables = "u y v", .units = "- - -", .start = {stiff_start}, .t_end = 4, RATES,
    .first_order = {.n = 3, .rhs = DAE_MODEL(stiff)}};
static const dae_problem output = {                     /* y = exp(-t/10), z = y sin wt, x = 1/(1 + z^2) */
    .name = "output", .variables = "y z x", .units = "- - -", .start = {output_start}, .t_end = 4, RATES,
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(one), .rhs = DAE_MODEL(output)}};
static const dae_problem sight = {                      /* y = exp(-t/10), z = y sin wt */
    .name = "sight", .variables = "y z", .units = "- -", .start = {start_one}, .t_end = 4, RATES,
    .first_order = {.n = 2, .index = 1, .mass = DAE_MODEL(first_of_two), .rhs = DAE_MODEL(sight)}};

static void stiff_is(const double *p, double t, double *u)
{
    u[0] = sin(p[W] * t);
    u[1] = exp(-t);
    u[2] = 2 + u[0] * u[1];
}

static void output_is(const double *p, double t, double *u)
{
    u[0] = exp(-t / 10);
    u[1] = u[0] * sin(p[W] * t);
    u[2] = 1 / (1 + u[1] * u[1]);
}

static void bound_is(const double *p, double t, double *u)
{
    u[0] = 2 + sin(t);
    u[1] = 1 + cos(2 * t) / 2;
    u[2] = cos(p[W] * t);
}

typedef void solution(const double *p, double t, double *u);

/* ---- one run -------------------------------------------------------------------------------- */

enum { TIMES = 4, N = 3, ROWS = 60, MOST_STEPS = 10000 };
static const double FAR = 30, NEAR = 20;        /* tolerances */
static const double FAR_AWAY = 1e13;

typedef struct {
    const dae_problem *problem;
    solution *is;
    const char *method;
    double values[2], rtol;
    double end;                 /* to which the run is to go: it ends where its rows do */
    dae_solver *solver;
    double t, off;              /* the step before ended here, this many tolerances off */
    double at[ROWS];
    int next, shown, refused, doubtful;
} run;

/* In tolerances of unknowns of size 1 or more */
static double error_of(const run *r, double t, const double *u)
{
    double exact[N], worst = 0;
    r->is(r->values, t, exact);
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(u[i] - exact[i]) / (r->rtol * (1 + fabs(exact[i]))));
    return worst;
}

static int look(void *context, double t, const double *u)
{
    run *r = context;
    double row[N];
    const double off = error_of(r, t, u);
    for (; r->next < ROWS && r->at[r->next] <= t; r->next++) {
        const double at = r->at[r->next];
        if (dae_solver_interpolate(r->solver, at, row)) {
            assert_true(strlen(dae_solver_report(r->solver)->message) > 40);
            r->refused++;
            continue;
        }
        r->shown++;
        if (off > NEAR || r->off > NEAR)
            r->doubtful++;
        else if (!(error_of(r, at, row) <= FAR))
            fail_msg("%s, L = %g, w = %g, %s, rtol %g: the row at %.9g is off by %.3g tolerances, its step from "
                     "%.9g to %.9g by %.3g and %.3g", r->problem->name, r->values[L], r->values[W], r->method,
                     r->rtol, at, error_of(r, at, row), r->t, t, r->off, off);
    }
    r->t = t;
    r->off = off;
    return t >= r->problem->t_end;
}

static void follow(run *r, uint64_t *random)
{
    double u[N];
    OWNED(dae_system) *sys = NULL;
    dae_report why = {0};
    dae_options o = tolerance(r->rtol);
    o.max_steps = MOST_STEPS;
    for (int k = 0; k < ROWS; k++)
        r->at[k] = r->problem->t_end * (k + 0.5 + 0.49 * dae_random(random)) / ROWS;
    const dae_formulation *native = dae_find_formulation("native");
    assert_int_equal(DAE_OK, dae_system_create(&sys, r->problem, native, r->values, NULL, &why));
    if (dae_solver_create(&r->solver, sys, dae_find_method(r->method), &o, &why) == DAE_OK) {
        dae_solver_observe(r->solver, look, r);
        assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
        assert_int_equal(DAE_OK, dae_solver_start(r->solver, 0, u));
        (void)dae_solver_advance(r->solver, r->end, u);        /* it may take too many steps */
        dae_solver_free(r->solver);
    }
}

/* ---- the family ----------------------------------------------------------------------------- */

TEST(test_rows)
{
    static const struct { const dae_problem *problem; solution *is; } family[] = {
        {&stiff, stiff_is}, {&output, output_is}, {&dae_bound, bound_is}};
    uint64_t random = 1;
    int shown = 0, refused = 0, doubtful = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        for (int k = 0; k < TIMES && info.adaptive && info.implicit && info.dense_output; k++)
            for (int f = 0; f < 3; f++) {
                run r = {.problem = family[f].problem, .is = family[f].is, .method = info.name,
                         .end = k % 2 ? FAR_AWAY : family[f].problem->t_end};
                r.values[L] = pow(10, 4.5 + 3.5 * dae_random(&random));
                r.values[W] = pow(10, 1 + dae_random(&random));
                r.rtol = pow(10, -6.5 + 3.5 * dae_random(&random));
                follow(&r, &random);
                shown += r.shown;
                refused += r.refused;
                doubtful += r.doubtful;
            }
    }
    print_message("%d rows, of which %d in steps whose ends are off; %d refused\n", shown, doubtful, refused);
    assert_true(shown > 100 * refused);
}

/* More pieces of a step than steps are allowed: the row has no value, and the run ends with the sentence of why. */
TEST(test_refused)
{
    const double values[] = {1e5, 1}, times[] = {0, 1, 4};
    dae_options o = tolerance(1e-6);
    OWNED(dae_rows) *rows = NULL;
    o.max_steps = 100;
    OWNED(dae_hybrid) *h = started_hybrid(&sight, "native", values, dae_find_method("radau"), &o);
    assert_int_equal(DAE_MAX_STEPS, dae_hybrid_rows(h, 4, &(dae_row_places){.times = times, .count = 3}, &rows));
    assert_non_null(strstr(dae_hybrid_report(h)->message, "to show the solution inside the step"));
    assert_int_equal(3, rows->count);
    assert_true(isnan(rows->u[rows->width]));
    assert_close(rows->u[2 * rows->width], exp(-0.4), 1e-5);
}

/* ---- events on what is forced --------------------------------------------------------------- */

static const double LEVEL = 0.3;

static dae_status above(void *context, double t, const double *u, double *g, dae_report *report)
{
    g[0] = u[1] - LEVEL;
    return DAE_OK;
}

static int note(void *context, double t, const double *u, const int *fired)
{
    const double values[] = {20, 1};
    double exact[N];
    int *passages = context;
    output_is(values, t, exact);
    assert_close(u[1], LEVEL, 1e-4);
    assert_close(exact[1], LEVEL, 1e-4);
    passages[0] += fired[0] != 0;
    return 0;
}

/* z = exp(-t/10) sin 20t passes 0.3 twice in each of 12.7 periods. */
TEST(test_events)
{
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const double values[] = {20, 1};
        const dae_options o = tolerance(1e-6);
        int passages = 0;
        const dae_watch watch = {.count = 1, .direction = (const dae_direction[]){DAE_ANY}, .values = above,
                                 .happened = note, .context = &passages};
        double u[N];
        if (!info.adaptive || !info.implicit || !info.dense_output || strcmp(info.name, "dirk") == 0)
            continue;
        OWNED(dae_system) *sys = system_of(&sight, "native", values, NULL);
        OWNED(dae_solver) *solver = NULL;
        dae_status status = dae_solver_create(&solver, sys, dae_find_method(info.name), &o, NULL);
        if (!status) {
            assert_int_equal(DAE_OK, dae_solver_watch(solver, &watch));
            assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
            assert_int_equal(DAE_OK, dae_solver_start(solver, 0, u));
            if (dae_solver_advance(solver, 4, u))
                fail_msg("%s: %s", info.name, dae_solver_report(solver)->message);
            if (passages != 26)
                fail_msg("%s: %d passages, not 26", info.name, passages);
        }
    }
}

#else
#include "plain_terms.h"

static void FN(stiff)(const param *p, real t, const real *u, real *F)
{
    const real s = sin(p[W] * t), c = p[W] * cos(p[W] * t), e = exp(-t);
    F[0] = -p[L] * (u[0] - s) + c;
    F[1] = -u[1];
    F[2] = -p[L] * u[2] * (u[2] - 2 - u[0] * u[1]) + (c - s) * e;
}

static void FN(one)(const param *p, real t, const real *u, const real *x, real *out)
{
    out[0] = x[0];
    out[1] = out[2] = 0;
}

static void FN(output)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0] / 10;
    F[1] = u[1] - u[0] * sin(p[W] * t);
    F[2] = u[2] * (1 + u[1] * u[1]) - 1;
}

static void FN(sight)(const param *p, real t, const real *u, real *F)
{
    F[0] = -u[0] / 10;
    F[1] = u[1] - u[0] * sin(p[W] * t);
}
#endif
