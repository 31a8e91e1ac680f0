/* test_rows.c - what a state shows: rows between steps as good as steps, and multipliers that know
 * nothing of the last step's length
 *
 * Rows at times that no step ends at, and the ends of steps made to stop there, against the
 * reference, in every form of mechanics and with every method (test_stiff_rows.c: first-order problems).
 *
 * The tension after an interval of 1e-3 to 1e-15 behind a long one is that of the reference,
 * in every form and with every method that chooses its steps, and so are the velocities. With fixed
 * steps the raw multiplier of index 3 stays what the method makes of it.
 */
#include "support.h"

enum { NQ = 2, LAMBDA = 4 };

/* The pendulum at t = 1 + extra, after a stop at 1; u := the state. 0: not supported. */
static int after_a_stop(const char *form, const char *method, double extra, double *u)
{
    OWNED(dae_system) *sys = system_at_start("pendulum", form, 0, u);
    const dae_options options = tolerance(1e-6);
    OWNED(dae_solver) *solver = NULL;
    const dae_status created =
        dae_solver_create(&solver, sys, dae_find_method(method), &options, NULL);
    dae_status status = created;
    if (!created) {
        status = dae_solver_start(solver, 0, u);
        if (!status)
            status = dae_solver_advance(solver, 1, u);
        if (!status)
            status = dae_solver_advance(solver, 1 + extra, u);
        if (status)
            fail_msg("%s %s: %s", form, method, dae_solver_report(solver)->message);
    }
    assert_true(created == DAE_OK || created == DAE_UNSUPPORTED);
    return !created;
}

TEST(test_short_last_steps)
{
    static const char *const forms[] = {"index1", "index2", "index3", "baumgarte", "ggl"};
    static const double extras[] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (int m = 0; dae_method_at(m); m++) {
            const dae_method_info info = dae_method_describe(dae_method_at(m));
            const int coarse = info.order[1][DAE_VELOCITY] < 3 || strcmp(info.name, "cros4") == 0;
            double u[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
            if (!info.adaptive || coarse || !after_a_stop(forms[f], info.name, 0, u))
                continue;
            for (int k = 0; k < 5; k++) {
                after_a_stop(forms[f], info.name, extras[k], v);
                for (int i = 0; i <= LAMBDA; i++)
                    if (!(fabs(v[i] - u[i]) <= 20 * (extras[k] + 1e-7)))
                        fail_msg("%s %s: unknown %d is %.12g after 1, %.12g %g later", forms[f],
                                 info.name, i + 1, u[i], v[i], extras[k]);
            }
        }
}

/* The headline of this project: T of CROS in raw index 3, with fixed steps. */
TEST(test_raw_with_fixed_steps)
{
    double u[MOST_UNKNOWNS];
    dae_options options = dae_default_options();
    OWNED(dae_system) *sys = system_at_start("pendulum", "index3", 1, u);
    options.step = 1e-3;
    solve_to(sys, "cros", &options, 2, u);
    assert_close(u[LAMBDA], 7.540818604483046, 1e-8);
}

/* ---- rows ----------------------------------------------------------------------------------- */

enum { ROWS = 12, KINDS = 3 };

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    const double *t;
    double (*u)[MOST_UNKNOWNS];
    int count;
} sampler;

static int take_rows(void *context, double t, const double *u)
{
    sampler *s = context;
    for (; s->count < ROWS && s->t[s->count] <= t; s->count++)
        assert_int_equal(DAE_OK, dae_solver_interpolate(s->solver, s->t[s->count], s->u[s->count]));
    return 0;
}

static int kind_of(int nq, int i) { return i < nq ? 0 : i < 2 * nq ? 1 : 2; }

/* Largest errors of positions, velocities and multipliers, relative to the largest of the kind and atol/rtol */
static void errors_of(dae_system *sys, const dae_reference *r, const double *t,
                      double u[ROWS][MOST_UNKNOWNS], double part, double error[KINDS])
{
    double q[3 * MOST_UNKNOWNS], worst[KINDS] = {0}, size[KINDS] = {0};
    const int nq = r->nq, n = 2 * nq + r->nl;
    for (int k = 0; k < ROWS; k++) {
        assert_int_equal(DAE_OK, dae_system_split(sys, t[k], u[k], q, q + nq, q + 2 * nq));
        for (int i = 0; i < n; i++) {
            const int kind = kind_of(nq, i);
            const double x = (double)(kind == 0 ? r->q[k * nq + i] : kind == 1 ? r->v[k * nq + i - nq]
                                                                               : r->lambda[k * r->nl + i - 2 * nq]);
            size[kind] = fmax(size[kind], fabs(x));
            worst[kind] = fmax(worst[kind], fabs(q[i] - x));
        }
    }
    for (int c = 0; c < KINDS; c++)
        error[c] = worst[c] / (size[c] + part);
}

/* The errors of rows, and of stops, for which steps may be shorter; 0 where the method does not
 * solve the form. */
static int run_rows(dae_system *sys, const dae_method *method, const dae_options *o,
                    const double *start, const double *t, const dae_reference *ref,
                    double rows[KINDS], double stops[KINDS])
{
    static double at[2][ROWS][MOST_UNKNOWNS];
    double u[MOST_UNKNOWNS];
    sampler s = {.sys = sys, .t = t, .u = at[0]};
    if (dae_solver_create(&s.solver, sys, method, o, NULL))
        return 0;
    dae_solver_observe(s.solver, take_rows, &s);
    dae_status status = dae_solver_start(s.solver, dae_system_problem(sys)->t0, start);
    if (!status)
        status = dae_solver_advance(s.solver, t[ROWS], u);
    if (status) {                                       /* it says so: IDA in index 3 */
        dae_solver_free(s.solver);
        return 0;
    }
    dae_solver_observe(s.solver, NULL, NULL);
    assert_int_equal(DAE_OK, dae_solver_start(s.solver, dae_system_problem(sys)->t0, start));
    for (int k = 0; k < ROWS; k++)
        assert_int_equal(DAE_OK, dae_solver_advance(s.solver, t[k], at[1][k]));
    dae_solver_free(s.solver);
    errors_of(sys, ref, t, at[0], o->atol / o->rtol, rows);
    errors_of(sys, ref, t, at[1], o->atol / o->rtol, stops);
    return 1;
}

static const double PART = 1e-4;        /* atol/rtol */
typedef struct { const char *problem; double t_end, finest; } range;
static const range ranges[] = {
    {"pendulum", 1, 1e-8}, {"slider_crank", 0.01, 1e-5}, {"double_pendulum", 0.2, 1e-8}};

static int check_form(const range *r, const char *form, double rtol)
{
    static const char *const kinds[KINDS] = {"positions", "velocities", "multipliers"};
    double start[MOST_UNKNOWNS], t[ROWS + 1], rows[KINDS], stops[KINDS];
    OWNED(dae_system) *sys = system_at_start(r->problem, form, 0, start);
    dae_options o = tolerance(rtol);
    int runs = 0;
    o.atol = PART * rtol;
    for (int k = 0; k <= ROWS; k++)
        t[k] = dae_system_problem(sys)->t0 + r->t_end * (k + 0.37) / (ROWS + 0.37);
    OWNED(dae_reference) ref = reference_of(sys, start, t, ROWS);
    for (int m = 0; dae_method_at(m); m++) {
        const dae_method_info info = dae_method_describe(dae_method_at(m));
        const double order = info.order[1][DAE_VELOCITY];
        const int low = (order != DAE_UNDECLARED && order < 4) || strcmp(info.name, "cros4") == 0;
        if (!info.adaptive || low
            || !run_rows(sys, dae_method_at(m), &o, start, t, &ref, rows, stops))
            continue;
        for (int c = 0; c < KINDS; c++)
            if (!(rows[c] <= (info.stages ? 16 : 100) * fmax(stops[c], rtol)))
                fail_msg("%s %s %s, rtol %g: %s between steps are off by %.2g, at stops by %.2g",
                         r->problem, form, info.name, rtol, kinds[c], rows[c], stops[c]);
        runs++;
    }
    return runs;
}

TEST(test_rows)
{
    int runs = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int f = 0; dae_formulation_at(f); f++) {
            const char *form = dae_formulation_describe(dae_formulation_at(f)).name;
            if (!dae_formulation_applies(dae_formulation_at(f), problem_named(ranges[i].problem)))
                continue;
            for (double rtol = 1e-5; rtol > ranges[i].finest / 2; rtol *= 1e-3)
                runs += check_form(&ranges[i], form, rtol);
        }
    assert_true(runs > 200);
}
