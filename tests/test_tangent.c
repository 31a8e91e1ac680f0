/* test_tangent.c - derivatives with respect to parameters against differences in quad precision
 *
 * (4 D(h/2) - D(h))/3 of central differences D, h = 2^-20 of a parameter, is off by 1e-24 and rounding.
 */
#include "blocks.h"
#include "support.h"

#include "daelab/sensitivity.h"
#include "system/quad_mechanics.h"
#include "system/system.h"

enum { MOST_ROWS = 128, ROWS_TOTAL = MOST_ROWS * MOST_PARAMETERS };

/* One system at a state near its start; everything of it in quad with the parameters of now. */
typedef struct {
    dae_system *sys;
    double t, u[MOST_ROWS], x[MOST_ROWS];
    int level;
} place;

typedef void evaluation(const place *at, dae_quad *out);

static void quad_masses(dae_system *s, dae_quad *inverse)
{
    const dae_mechanical *m = &s->problem->mechanical;
    dae_quad q[MOST_ROWS], one[MOST_ROWS], mass[MOST_ROWS];
    for (int i = 0; i < s->nq; i++) {
        q[i] = s->start[i];
        one[i] = mass[i] = inverse[i] = 1;
    }
    if (s->general_mass || s->compose->kind != DAE_FORM_MECHANICAL)
        return;
    m->inertia.quad(s->p_quad, s->problem->t0, q, one, mass);
    for (int i = 0; i < s->nq; i++)
        inverse[i] = 1 / mass[i];
}

static void to_quad(int n, const double *x, dae_quad *out)
{
    for (int i = 0; i < n; i++)
        out[i] = x[i];
}

static void quad_rhs(const place *at, dae_quad *out)
{
    dae_system *s = at->sys;
    dae_quad u[MOST_ROWS];
    quad_masses(s, s->a_quad + s->nq + 2 * s->nl);
    to_quad(s->n, at->u, u);
    s->compose->rhs_quad(s, at->t, u, out);
}

static void quad_mass(const place *at, dae_quad *out)
{
    const dae_system *s = at->sys;
    dae_quad x[MOST_ROWS], q[MOST_ROWS];
    to_quad(s->n, at->x, x);
    for (int i = 0; i < s->n; i++)
        out[i] = s->diagonal[i] * x[i];
    if (s->compose->kind == DAE_FORM_MECHANICAL && !s->general_mass) {
        to_quad(s->nq, s->start, q);
        s->problem->mechanical.inertia.quad(s->p_quad, s->problem->t0, q, x + s->nq, out + s->nq);
    }
    if (s->carried)                             /* P depends on no parameter in these problems */
        dae_state_mass_multiply_quad(s->carried, x, out);
    else if (!s->nq && s->problem->first_order.mass.f)
        s->problem->first_order.mass.quad(s->p_quad, s->problem->t0, x, x, out);
}

/* x := M(t, q)^-1 x by elimination */
static void divide_by_mass(const dae_system *s, dae_quad t, const dae_quad *q, dae_quad *x)
{
    dae_quad M[32][32], e[32];
    assert_true(s->nq <= 32);
    for (int j = 0; j < s->nq; j++) {
        memset(e, 0, sizeof e);
        e[j] = 1;
        s->problem->mechanical.inertia.quad(s->p_quad, t, q, e, M[j]);
    }
    for (int k = 0; k < s->nq; k++)
        for (int i = k + 1; i < s->nq; i++) {
            const dae_quad factor = M[k][i] / M[k][k];
            for (int j = k; j < s->nq; j++)
                M[j][i] -= factor * M[j][k];
            x[i] -= factor * x[k];
        }
    for (int i = s->nq - 1; i >= 0; i--) {
        for (int j = i + 1; j < s->nq; j++)
            x[i] -= M[j][i] * x[j];
        x[i] /= M[i][i];
    }
}

static void quad_mechanical_constraint(const place *at, dae_quad *out)
{
    const dae_system *s = at->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    dae_quad y[MOST_ROWS], u[MOST_ROWS], a[MOST_ROWS], r[MOST_ROWS], *v = y + s->nq, *lambda = v + s->nq;
    to_quad(s->n, at->u, u);
    if (s->compose->kind == DAE_FORM_MINIMAL)
        m->minimal.embed.quad(s->p_quad, at->t, u, u + m->minimal.n, y);
    else
        memcpy(y, u, (size_t)(2 * s->nq + s->nl) * sizeof *y);
    if (at->level == 0) {
        m->constraint.quad(s->p_quad, at->t, y, out);
    } else if (at->level == 1) {
        m->rate.quad(s->p_quad, at->t, y, v, out);
    } else if (s->compose->kind == DAE_FORM_MINIMAL) {
        memset(out, 0, (size_t)s->nl * sizeof *out);
    } else {
        m->force.quad(s->p_quad, at->t, y, v, a);
        m->reaction.quad(s->p_quad, at->t, y, lambda, r);
        for (int i = 0; i < s->nq; i++)
            a[i] -= r[i];
        divide_by_mass(s, at->t, y, a);
        m->acceleration.quad(s->p_quad, at->t, y, v, a, out);
    }
}

/* What M E w = F leaves. */
static void carried_constraint(const dae_system *s, double t, const dae_quad *u, dae_quad *F, dae_quad *out)
{
    dae_quad w[MOST_ROWS];
    assert_true(dae_state_mass_solve_quad(s->carried, s->p_quad, t, u, F, w));
    for (int i = 0, rows = 0; i < s->carried->n; i++) {
        int k = 0;
        while (k < s->carried->nx && s->carried->order[k] != i)
            k++;
        if (k == s->carried->nx)
            out[rows++] = F[i];
    }
}

/* z^T F with the z of the system. */
static void quad_constraint(const place *at, dae_quad *out)
{
    const dae_system *s = at->sys;
    const dae_first_order *f = &s->problem->first_order;
    dae_quad u[MOST_ROWS], F[MOST_ROWS];
    double z[MOST_ROWS];
    if (s->nq) {
        quad_mechanical_constraint(at, out);
        return;
    }
    to_quad(s->n, at->u, u);
    (at->level ? f->reduced : f->rhs).quad(s->p_quad, at->t, u, F);
    if (s->carried) {
        carried_constraint(s, at->t, u, F, out);
        return;
    }
    for (int k = 0; k < dae_system_algebraic_equations(s); k++) {
        dae_system_algebraic_weights(s, k, z);
        out[k] = 0;
        for (int i = 0; i < s->n; i++)
            out[k] += z[i] * F[i];
    }
}

static void quad_start(const place *at, dae_quad *out)
{
    const dae_system *s = at->sys;
    const dae_minimal *minimal = &s->problem->mechanical.minimal;
    const double t0 = s->problem->t0;
    dae_quad x[MOST_ROWS] = {0};
    memset(out, 0, (size_t)s->n * sizeof *out);
    s->problem->start.quad(s->p_quad, x);
    if (s->compose->kind != DAE_FORM_MINIMAL) {
        memcpy(out, x, (size_t)(s->nq ? 2 * s->nq + s->nl : s->n) * sizeof *out);
        return;
    }
    dae_quad_mechanics m;
    assert_true(dae_quad_mechanics_create(&m, s));
    dae_quad_set_mass(&m, t0, x);
    assert_int_equal(DAE_OK, dae_quad_project(&m, t0, x, x + s->nq));
    minimal->chart.quad(s->p_quad, t0, x, x + s->nq, out);
    dae_quad_mechanics_free(&m);
}

static void central(const place *at, evaluation *f, int k, dae_quad h, int rows, dae_quad *out)
{
    dae_quad plus[MOST_ROWS], minus[MOST_ROWS], *p = at->sys->p_quad + k;
    const dae_quad was = *p;
    *p = was + h;
    f(at, plus);
    *p = was - h;
    f(at, minus);
    *p = was;
    for (int i = 0; i < rows; i++)
        out[i] = (plus[i] - minus[i]) / (2 * h);
}

/* How far column k of found is off, beside its largest entry, or a thousandth of what the values
 * themselves say of it, |f|/|p|, where all are smaller: rounding may be all that is left of them. */
static double column_off(const place *at, evaluation *f, int k, int rows, double least, const double *found)
{
    dae_quad wide[MOST_ROWS], near[MOST_ROWS], value[MOST_ROWS];
    const double x = fabs(at->sys->p[k]), h = (x > 0 ? x : 1) * 0x1p-20;
    double off = 0, largest = least;
    if (dae_parameter_at(at->sys->problem, k)->range == DAE_COUNT) {
        for (int i = 0; i < rows; i++)
            off = fmax(off, fabs(found[i]));
        return off;
    }
    f(at, value);
    central(at, f, k, h, rows, wide);
    central(at, f, k, h / 2, rows, near);
    for (int i = 0; i < rows; i++) {
        const double is = (double)((4 * near[i] - wide[i]) / 3), by = fabs(found[i] - is);
        off = !(by <= off) ? by : off;
        largest = fmax(largest, fmax(fabs(is), 1e-3 * 0x1p-20 / h * fabs((double)value[i])));
    }
    return off <= 1e-20 ? 0 : off / largest;
}

/* Minimal coordinates are on the constraints: what is left are terms of the size of lengths over L. */
static void compare(const place *at, evaluation *f, int rows, const double *found, double tolerance,
                    const char *what)
{
    const dae_system *s = at->sys;
    const double least = f == quad_constraint && s->compose->kind == DAE_FORM_MINIMAL;
    for (int k = 0; k < dae_parameter_count(s->problem); k++) {
        const double off = column_off(at, f, k, rows, least, found + k * rows);
        if (!(off <= tolerance))
            fail_msg("%s %s: d(%s)/d%s is off by %.2g", s->problem->name, s->form->info.name, what,
                     dae_parameter_at(s->problem, k)->name, off);
    }
}

static double moved_by(unsigned *random)
{
    *random = *random * 1103515245u + 12345u;
    return (double)(*random >> 16 & 0xfff) / 0xfff - 0.5;
}

static void try_system(const dae_problem *problem, const dae_formulation *form, const double *p,
                       double tolerance)
{
    static double found[ROWS_TOTAL];
    unsigned random = 1;
    dae_report why;
    place at = {.t = problem->t0 + 0.03 * (problem->t_end - problem->t0)};
    assert_int_equal(DAE_OK, dae_system_create(&at.sys, problem, form, p, NULL, &why));
    OWNED(dae_system) *s = at.sys;
    assert_true(s->n <= MOST_ROWS && 2 * s->nq + s->nl <= MOST_ROWS);
    assert_true(dae_system_open_quad(s));
    assert_int_equal(DAE_OK, dae_system_start(s, at.u, &why));
    assert_int_equal(DAE_OK, dae_consistent_start(s, problem->t0, at.u, NULL, &why));
    assert_int_equal(DAE_OK, dae_system_start_parameters(s, found, &why));
    compare(&at, quad_start, s->n, found, tolerance, "start");
    for (int i = 0; i < s->n; i++) {
        at.u[i] += 0.0625 * moved_by(&random) * (fabs(at.u[i]) > 0 ? at.u[i] : problem->mechanical.nq > 0);
        at.x[i] = moved_by(&random);
    }
    assert_int_equal(DAE_OK, dae_system_rhs_parameters(s, at.t, at.u, found, &why));
    compare(&at, quad_rhs, s->n, found, tolerance, "F");
    assert_int_equal(DAE_OK, dae_system_mass_parameters(s, at.x, found, &why));
    compare(&at, quad_mass, s->n, found, tolerance, "M x");
    for (at.level = 0; at.level < 3; at.level++) {
        double g[MOST_ROWS];
        const int rows = dae_system_constraint(s, at.level, at.t, at.u, g);
        const dae_status status = dae_system_constraint_parameters(s, at.level, at.t, at.u, found, &why);
        if (rows)
            compare(&at, quad_constraint, rows, found, tolerance, "constraint");
        assert_true((status == DAE_OK) == (rows > 0) || dae_parameter_count(problem) == 0
                    || (!s->nq && status == DAE_OK));
    }
}

/* ---- by each parameter -------------------------------------------------------------------- */

static void every_formulation(const char *name, const double *p, double tolerance)
{
    const dae_problem *problem = p ? problem_named(name) : with_few_copies(problem_named(name));
    for (int f = 0; dae_formulation_at(f); f++)
        if (dae_formulation_applies(dae_formulation_at(f), problem))
            try_system(problem, dae_formulation_at(f), p, tolerance);
}

TEST(pendulum_chain_and_ladder)
{
    static const double three[] = {3, 1.1, 0.7, 9.81};
    static const double swinging[] = {1.3, 5, 9.81, 0.05, 1.2, 3, -4, 0.4, 0.3, 2};
    every_formulation("pendulum", NULL, 1e-12);
    every_formulation("pendulum", swinging, 1e-12);
    every_formulation("chain", three, 1e-12);
    every_formulation("ladder", NULL, 1e-12);
}

/* All problems and their modes. */
TEST(every_problem)
{
    for (int k = 0; dae_problems[k]; k++)
        every_formulation(dae_problems[k]->name, NULL, 1e-11);
}

/* ---- along a direction -------------------------------------------------------------------- */

/* F along (dt, du, dp) is J du + F_t dt + F_p dp. */
TEST(directions_add_up)
{
    static const char *const names[] = {"pendulum", "car_axis", "slider_crank", "transistor_amplifier"};
    for (int k = 0; k < 4; k++) {
        double u[MOST_ROWS], du[MOST_ROWS], dp[MOST_PARAMETERS], dF[MOST_ROWS], F_t[MOST_ROWS];
        static double J[MOST_ROWS * MOST_ROWS], F_p[ROWS_TOTAL];
        const char *form = problem_named(names[k])->mechanical.nq ? "baumgarte" : "native";
        OWNED(dae_system) *sys = system_at_start(names[k], form, 0, u);
        const int n = dae_system_size(sys), np = dae_parameter_count(problem_named(names[k]));
        unsigned random = 7;
        dae_report why;
        for (int i = 0; i < n; i++)
            du[i] = moved_by(&random);
        for (int i = 0; i < np; i++)
            dp[i] = dae_system_parameters(sys)[i] * moved_by(&random);
        const dae_tangent along = {.t = 0.3, .u = du, .p = dp};
        assert_int_equal(DAE_OK, dae_system_rhs_along(sys, 0.01, u, &along, dF, &why));
        assert_int_equal(DAE_OK, dae_system_rhs_parameters(sys, 0.01, u, F_p, &why));
        assert_int_equal(DAE_OK, dae_system_jacobian(sys, DAE_JACOBIAN_DUAL, 0.01, u, J, F_t, &why));
        for (int i = 0; i < n; i++) {
            double sum = 0.3 * F_t[i], size = fabs(sum);
            for (int j = 0; j < n; j++) {
                sum += J[j * n + i] * du[j];
                size += fabs(J[j * n + i] * du[j]);
            }
            for (int j = 0; j < np; j++) {
                sum += F_p[j * n + i] * dp[j];
                size += fabs(F_p[j * n + i] * dp[j]);
            }
            assert_close(dF[i], sum, 1e-13 * size);
        }
    }
}

/* Constraints along (dt, du), by differences in double; M (x + e dx). */
TEST(constraints_and_mass_along_states)
{
    static const char *const names[] = {"pendulum", "car_axis", "slider_crank", "ladder"};
    const double h = 0x1p-20;
    for (int k = 0; k < 4; k++) {
        double u[MOST_ROWS], du[MOST_ROWS], y[2][MOST_ROWS], g[2][MOST_ROWS], dg[MOST_ROWS], M[MOST_ROWS];
        OWNED(dae_system) *sys = system_at_start(names[k], "index2", 0, u);
        const int n = dae_system_size(sys);
        unsigned random = 5;
        dae_report why;
        for (int i = 0; i < n; i++) {
            du[i] = moved_by(&random);
            y[0][i] = u[i] + h * du[i];
            y[1][i] = u[i] - h * du[i];
        }
        const dae_tangent along = {.t = 0.7, .u = du};
        for (int level = 0; level < 3; level++) {
            assert_int_equal(DAE_OK, dae_system_constraint_along(sys, level, 0.01, u, &along, dg, &why));
            const int rows = dae_system_constraint(sys, level, 0.01 + 0.7 * h, y[0], g[0]);
            dae_system_constraint(sys, level, 0.01 - 0.7 * h, y[1], g[1]);
            for (int i = 0; i < rows; i++)
                assert_close(dg[i], (g[0][i] - g[1][i]) / (2 * h), 1e-7 * (1 + fabs(dg[i])));
        }
        assert_int_equal(DAE_OK, dae_system_mass_along(sys, u, &along, M, &why));
        dae_system_mass(sys, du, dg);
        for (int i = 0; i < n; i++)
            assert_close(M[i], dg[i], 1e-15 * fabs(dg[i]));
    }
}

/* What is missing is said. */
TEST(refused)
{
    dae_problem bare = *problem_named("pendulum");
    const dae_tangent none = {.t = 0};
    double u[5] = {0}, F[50];
    dae_report why;
    bare.mechanical.force.tangent = NULL;
    OWNED(dae_system) *sys = system_of(&bare, "index2", NULL, NULL);
    assert_int_equal(DAE_UNSUPPORTED, dae_system_rhs_along(sys, 0, u, &none, F, &why));
    assert_non_null(strstr(why.message, "need force as a function of dual parameters"));
    assert_int_equal(DAE_UNSUPPORTED, dae_system_start_parameters(sys, F, &why));
    bare.mechanical.force = problem_named("pendulum")->mechanical.force;
    bare.start.tangent = NULL;
    assert_int_equal(DAE_UNSUPPORTED, dae_system_start_parameters(sys, F, &why));
    assert_non_null(strstr(why.message, "need start as a function"));
    assert_int_equal(DAE_OK, dae_system_rhs_along(sys, 0, u, &none, F, &why));
    assert_int_equal(DAE_UNSUPPORTED, dae_system_constraint_along(sys, 3, 0, u, &none, F, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_rhs_along(NULL, 0, u, &none, F, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_rhs_along(sys, 0, NULL, &none, F, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_mass_along(sys, u, NULL, F, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_rhs_parameters(sys, 0, u, NULL, &why));
    assert_int_equal(DAE_BAD_ARGUMENT, dae_system_start_along(sys, NULL, F, &why));
}

/* From (3, -4), which is not on a circle of 5.5, the nearest start has theta = atan2(x0, -y0) and
 * omega = (x0 vy0 - y0 vx0)/(r0 L), r0 = |(x0, y0)|. */
TEST(moved_start_of_minimal_coordinates)
{
    enum { L = 1, X0 = 5, Y0, VX0, VY0 };
    const double x = 3, y = -4, vx = 0.3, vy = 0.2, r = 5, length = 5.5;
    const double omega = (x * vy - y * vx) / (r * length), p[] = {1, length, 9.81, 0.05, 1, x, y, vx, vy, 0};
    double d[10][2];
    dae_report why;
    OWNED(dae_system) *sys = system_of(problem_named("pendulum"), "ode", p, NULL);
    assert_int_equal(DAE_OK, dae_system_start_parameters(sys, d[0], &why));
    assert_close(d[L][0], 0, 1e-13);
    assert_close(d[L][1], -omega / length, 1e-13);
    assert_close(d[X0][0], -y / (r * r), 1e-13);
    assert_close(d[Y0][0], x / (r * r), 1e-13);
    assert_close(d[X0][1], vy / (r * length) - omega * x / (r * r), 1e-13);
    assert_close(d[Y0][1], -vx / (r * length) - omega * y / (r * r), 1e-13);
    assert_close(d[VX0][1], -y / (r * length), 1e-13);
    assert_close(d[VY0][1], x / (r * length), 1e-13);
}

/* ---- events ------------------------------------------------------------------------------- */

/* Event functions, measures, actions and starts of all problems and modes, along dp and dx. */
static void try_event(const dae_problem *problem, const dae_event *e, int parameters, int n)
{
    const double h = 0x1p-20;
    block_dual p = {.front = {NULL}};
    block_quad moved[2] = {{.front = {NULL}}, {.front = {NULL}}};
    dae_dual x[8], p_new[MOST_PARAMETERS];
    dae_quad y[2][8], q_new[2][MOST_PARAMETERS];
    unsigned random = 3;
    for (int i = 0; i < parameters; i++) {
        const double value = dae_parameter_default(problem, i), d = moved_by(&random);
        p.value[i] = p_new[i] = dae_dual_make(value, d);
        for (int k = 0; k < 2; k++)
            q_new[k][i] = moved[k].value[i] = value + (k ? -h : h) * (dae_quad)d;
    }
    for (int i = 0; i < n; i++) {
        const double value = 1 + moved_by(&random), d = moved_by(&random);
        x[i] = dae_dual_make(value, d);
        for (int k = 0; k < 2; k++)
            y[k][i] = value + (k ? -h : h) * (dae_quad)d;
    }
    const dae_dual g = e->value.tangent(p.value, 0.5, x, 0);
    const dae_quad after = e->value.quad(moved[0].value, 0.5, y[0], 0);
    const dae_quad slope = (after - e->value.quad(moved[1].value, 0.5, y[1], 0)) / (2 * h);
    assert_close(dae_dual_derivative(g), (double)slope, 1e-9 * (1 + fabs((double)slope)));
    if (!e->action.f)
        return;
    e->action.tangent(p.value, 0.5, x, p_new, 0);
    for (int k = 0; k < 2; k++)
        e->action.quad(moved[k].value, 0.5, y[k], q_new[k], 0);
    for (int i = 0; i < n; i++)
        assert_close(dae_dual_derivative(x[i]), (double)((y[0][i] - y[1][i]) / (2 * h)), 1e-9);
    for (int i = 0; i < parameters; i++)
        assert_close(dae_dual_derivative(p_new[i]), (double)((q_new[0][i] - q_new[1][i]) / (2 * h)), 1e-9);
}

TEST(events_in_every_pass)
{
    int events = 0;
    for (int k = 0; dae_problems[k]; k++) {
        const dae_problem *problem = dae_problems[k];
        for (int m = 0; m == 0 || (problem->modes && problem->modes[m - 1]); m++) {
            const dae_problem *mode = m ? problem->modes[m - 1] : problem;
            for (const dae_event *e = mode->events; e && e->name; e++, events++)
                try_event(problem, e, dae_parameter_count(problem),
                          2 * mode->mechanical.nq + mode->mechanical.nl);
        }
    }
    assert_true(events >= 10);
}
