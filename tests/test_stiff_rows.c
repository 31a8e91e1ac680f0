/* test_stiff_rows.c - rows between steps of stiff first-order problems are as good as the steps
 *
 * Several rows in each step, with every implicit method that chooses its steps, against a run of
 * radau at a much smaller tolerance: their largest error is at most ten times the larger of rtol
 * and what the ends of the steps have. And rows of a first step that begins with a wrong z.
 */
#ifndef DAE_PASS
enum { L };
#include <daelab/model.h>

#include "small_models.h"
#include "support.h"

static void loop_start(const double *p, double *u) { u[0] = u[1] = u[2] = 1; }
static void joint_start(const double *p, double *u) { }

#define RATE .parameters = {{"L", 1, "1/s", "rate", DAE_POSITIVE}}
static const dae_problem bent = {                       /* u = 1/y^2, y = 1 + t */
    .name = "bent", .variables = "u y", .units = "- -", .start = {start_ones}, .t_end = 5, RATE,
    .first_order = {.n = 2, .rhs = DAE_MODEL(bent)}};
static const dae_problem loop = {                       /* u = y = z = cos t */
    .name = "loop", .variables = "u y z", .units = "- - -", .start = {loop_start}, .t_end = 5, RATE,
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(loop)}};
static const dae_problem joint = {
    .name = "joint", .variables = "i j v", .units = "A A V", .start = {joint_start}, .t_end = 1, RATE,
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(joint)}};

/* ---- samples -------------------------------------------------------------------------------- */

enum { ROWS = 4, MOST = 4000, MOST_STEPS = 4000 };     /* longer runs are left out */
static const double at[ROWS] = {0.03, 0.3, 0.6, 0.95};

typedef struct { double t, u[MOST_UNKNOWNS]; int row; } sample;
typedef struct {
    dae_solver *solver;
    int n, count, every;
    long steps;
    double t;
    sample *s;
} samples;

static void put(samples *x, double t, const double *u, int row)
{
    if (x->count == MOST) {                             /* every other one is enough */
        x->every *= 2;
        for (x->count = 0; 2 * (ROWS + 1) * (x->count / (ROWS + 1)) < MOST; x->count++)
            x->s[x->count] = x->s[2 * (ROWS + 1) * (x->count / (ROWS + 1)) + x->count % (ROWS + 1)];
    }
    sample *new = &x->s[x->count++];
    new->t = t;
    new->row = row;
    memcpy(new->u, u, sizeof *u * (size_t)x->n);
}

static int look(void *context, double t, const double *u)
{
    samples *x = context;
    double row[MOST_UNKNOWNS];
    if (x->steps++ % x->every == 0) {
        for (int k = 0; k < ROWS; k++) {
            const double b = x->t + at[k] * (t - x->t);
            assert_int_equal(DAE_OK, dae_solver_interpolate(x->solver, b, row));
            put(x, b, row, 1);
        }
        put(x, t, u, 0);
    }
    x->t = t;
    return 0;
}

typedef struct {
    dae_solver *solver;
    int n, next;
    const samples *x;
    double size[MOST_UNKNOWNS], off[2][MOST_UNKNOWNS];
} judge;

static int compare(void *context, double t, const double *u)
{
    judge *j = context;
    double v[MOST_UNKNOWNS];
    for (; j->next < j->x->count && j->x->s[j->next].t <= t; j->next++) {
        const sample *s = &j->x->s[j->next];
        assert_int_equal(DAE_OK, dae_solver_interpolate(j->solver, s->t, v));
        for (int i = 0; i < j->n; i++) {
            j->size[i] = fmax(j->size[i], fabs(v[i]));
            j->off[s->row][i] = fmax(j->off[s->row][i], fabs(v[i] - s->u[i]));
        }
    }
    return 0;
}

static dae_status run(dae_system *sys, const char *method, double rtol, double part, double t_end,
                      dae_observer *observer, void *context, dae_solver **solver)
{
    double u[MOST_UNKNOWNS];
    dae_options o = tolerance(rtol);
    const double t0 = dae_system_problem(sys)->t0;
    dae_report why = {0};
    o.atol = part * rtol;
    o.max_steps = MOST_STEPS;
    if (dae_solver_create(solver, sys, dae_find_method(method), &o, &why))
        return DAE_UNSUPPORTED;
    dae_solver_observe(*solver, observer, context);
    dae_status status = dae_system_start(sys, u, NULL);
    if (!status)
        status = dae_consistent_start(sys, t0, u, NULL, &why);
    if (!status)
        status = dae_solver_start(*solver, t0, u);
    if (!status)
        status = dae_solver_advance(*solver, t_end, u);
    dae_solver_free(*solver);
    return status;
}

static int compared;            /* runs */

static void stiff_rows(const dae_problem *p, const double *values, const char *method, double rtol,
                       double part)
{
    static sample all[MOST];
    OWNED(dae_system) *sys = NULL;
    samples x = {.s = all, .every = 1, .t = p->t0};
    const dae_formulation *native = dae_find_formulation("native");
    assert_int_equal(dae_system_create(&sys, p, native, values, NULL, NULL), DAE_OK);
    x.n = dae_system_size(sys);
    judge j = {.n = x.n, .x = &x};
    const dae_status status = run(sys, method, rtol, part, p->t_end, look, &x, &x.solver);
    double finest = 1e-12;
    while (!status && run(sys, "radau", finest, part, p->t_end, compare, &j, &j.solver)) {
        assert_true(finest < 0.5e-9);                   /* that was below rounding */
        finest *= 10;
        j = (judge){.n = x.n, .x = &x};
    }
    if (status)
        return;
    compared++;
    double worst[2] = {0};
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < x.n; i++)
            worst[r] = fmax(worst[r], j.off[r][i] / (j.size[i] + part));
    if (!(worst[1] <= 10 * fmax(worst[0], rtol)))
        fail_msg("%s, L = %g, %s, rtol %g: rows are off by %.2g, steps by %.2g", p->name,
                 values ? values[0] : 0, method, rtol, worst[1], worst[0]);
}

/* Methods for stiff problems, each at its tolerances. */
static void for_stiff_methods(double finest, void (*check)(const char *method, double rtol))
{
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const double least = strcmp(info.name, "cros") == 0 ? 1e-5 : finest;
        for (double rtol = 1e-4; info.adaptive && info.implicit && rtol > 0.9 * least; rtol *= 1e-2)
            check(info.name, rtol);
    }
}

static void check_models(const char *method, double rtol)
{
    static const dae_problem *const models[] = {&dae_slow, &bent, &dae_oscillator, &loop, &joint};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (double rate = 1e2; rate < (models[k] == &joint ? 2e4 : 2e6); rate *= 100)
            stiff_rows(models[k], &rate, method, rtol, models[k] == &joint ? 1 / rate : 1);
}

static void check_table(const char *method, double rtol)
{
    for (int k = 0; dae_problems[k]; k++) {
        const dae_problem *p = dae_problems[k];
        if (p->first_order.n && !p->modes)
            stiff_rows(p, NULL, method, rtol, 1e-3);
    }
}

TEST(test_models)
{
    compared = 0;
    for_stiff_methods(1e-8, check_models);
    assert_true(compared > 250);
}

TEST(test_table)
{
    compared = 0;
    for_stiff_methods(1e-6, check_table);
    assert_true(compared > 100);
}

/* ---- the first step -------------------------------------------------------------------------- */

static int look_once(void *context, double t, const double *u)
{
    dae_solver *solver = *(dae_solver **)context;
    double row[3];
    for (int k = 0; k < ROWS; k++) {
        const double b = at[k] * t;
        assert_int_equal(DAE_OK, dae_solver_interpolate(solver, b, row));
        assert_close(row[2], -exp(b) / (2 - b), 1e-4);
    }
    return 1;
}

/* z may begin with what does not belong to the solution. */
static void check_first_row(const char *method, double rtol)
{
    double u[MOST_UNKNOWNS];
    if (strcmp(method, "ida") == 0)                     /* which asks for a consistent start */
        return;
    OWNED(dae_system) *sys = system_at_start("linear_dae", "index1", 0, u);
    const dae_options o = tolerance(rtol);
    OWNED(dae_solver) *solver = NULL;
    const dae_status made = dae_solver_create(&solver, sys, dae_find_method(method), &o, NULL);
    if (made == DAE_UNSUPPORTED)
        return;
    assert_int_equal(made, DAE_OK);
    dae_solver_observe(solver, look_once, &solver);
    u[2] += 0.01;
    assert_int_equal(dae_solver_start(solver, 0, u), DAE_OK);
    const dae_status status = dae_solver_advance(solver, 0.5, u);
    if (status != DAE_STOPPED)
        fail_msg("%s, rtol %g: %s", method, rtol, dae_solver_report(solver)->message);
}

TEST(test_first_row)
{
    for_stiff_methods(1e-6, check_first_row);
}

#else
#include "plain_terms.h"

static void FN(bent)(const param *p, real t, const real *u, real *F)
{
    F[0] = p[L] * (1 - u[0] * u[0] * u[1] * u[1] * u[1] * u[1]) - 2 * u[0] / u[1];
    F[1] = 1;
}
static void FN(loop)(const param *p, real t, const real *u, real *F)
{
    F[0] = -p[L] * (u[0] - u[2]) - sin(t);
    F[1] = -sin(t) + u[2] - u[0];
    F[2] = u[2] * u[2] * u[2] + u[2] - u[1] * cos(t) * cos(t) - u[1];
}
static void FN(joint)(const param *p, real t, const real *u, real *F)
{
    F[0] = sin(3 * t) + sin(20 * t) / 2 - u[2] - u[0];
    F[1] = u[2] - p[L] * u[1];
    F[2] = u[0] - u[1];
}
#endif
