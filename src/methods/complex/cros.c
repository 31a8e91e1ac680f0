/* cros.c - one-stage complex Rosenbrock, order 2 on ODEs, L2-stable
 *
 *     (M - a h J) k = F(t, u) + a h F_t(t, u),    a = (1 + i)/2
 *     u+ = u + h Re k
 *
 * Al'shin, Al'shina, Kalitkin, Koryagina (2006), Comput. Math. Math. Phys. 46(8), 1320-1340,
 * doi 10.1134/S0965542506080057. With k = x + iy, F and F_t real, the right-hand side is
 * F + (h/2) F_t + i (h/2) F_t.
 *
 * Where steps are chosen: u + h Re((1 + i) k) = u+ - h Im k is of order 1, as Re((1 + i) a) = 0 and
 * not 1/2; the difference h Im k = (h^2/2) u'' + ... estimates the error of unknowns that are not
 * stiff. Of others it tells nothing: on u' = A u with z = A h it is Im(z/(1 - a z)) u -> u for z ->
 * -infinity, what the step before left in u and this one takes away, likewise in algebraic
 * equations. The error of those is what F shows at the end. With P = Re (M - a h J)^-1 the estimate
 * is
 *
 *     e = P (h F(t + h, u+) - M (u+ - u)) = P M h Im k + d,
 *     d = P h (F(t + h, u+) - M (Re k + Im k)).
 *
 * P M is 1 + O(h) where u is not stiff, and takes away u of z -> -infinity and remainders of index
 * 1. Where F is linear in u and t, d = 0: F+ = M (Re k + Im k), whatever u is, since Re + Im of a k
 * is Re k. So d sees, and nothing of older remainders is in it, how far F is bent within the step:
 * on u' = -L (u - f(t)) + f' for L h -> infinity, or 0 = u - f(t), d = -(h^2/2) f'' = u+ - f(t +
 * h), the error, also where f has a corner within the step. Where the index is 2 or 3 a remainder
 * stands in the velocities or positions, which M keeps. Each further P M moves it one level on, so
 * that index 3 asks for three: where e would reject the step, P M h Im k is filtered so often.
 *
 */
#include "complex_stage.h"
#include "cros_tableau.h"

#include <math.h>
#include <string.h>

const dae_cros_tableau dae_cros_coefficients = {.stages = 1, .a1 = 0.5 + 0.5 * I, .b1 = 1};

/* Two at a time, in the two loops below: few unknowns spend more on counting than on adding. */
enum { PAIR = 2 };

/* re + i im := F + (x + iy) F_t */
static inline void right_side(int n, double x, double y, const double *restrict F,
                              const double *restrict F_t, double *restrict re,
                              double *restrict im)
{
    int i = 0;
    for (; i + 1 < n; i += PAIR)
        for (int k = i; k < i + PAIR; k++) {
            im[k] = y * F_t[k];
            re[k] = F[k] + x * F_t[k];
        }
    if (i < n) {
        im[i] = y * F_t[i];
        re[i] = F[i] + x * F_t[i];
    }
}

/* u_new := u + h k */
static inline void add_step(int n, double h, const double *restrict u, const double *restrict k,
                            double *restrict u_new)
{
    int i = 0;
    for (; i + 1 < n; i += PAIR)
        for (int j = i; j < i + PAIR; j++)
            u_new[j] = u[j] + h * k[j];
    if (i < n)
        u_new[i] = u[i] + h * k[i];
}

/* re := P re */
static dae_status filter(dae_solver *s, double h)
{
    dae_cros_stepper *c = s->stepper;
    memset(c->im, 0, (size_t)s->n * sizeof *c->im);
    return dae_implicit_solve(s, c->stage.pencil, h, c->re, c->im);
}

/* re = P M x + d with x = h Im k in e: s->error of e + d, e := P M e as often as it takes; before
 * := x */
static dae_status filter_remainders(dae_solver *s, double h, double *before)
{
    dae_cros_stepper *c = s->stepper;
    const int n = s->n, most = s->sys->index > 1 ? s->sys->index : 1;
    dae_status status = DAE_OK;
    memcpy(before, c->e, (size_t)n * sizeof *before);
    memcpy(c->d, c->re, (size_t)n * sizeof *c->d);
    for (int k = 0; !status && k < most && s->error > 1; k++) {
        dae_system_mass(s->sys, c->e, c->re);
        status = filter(s, h);
        memcpy(c->e, c->re, (size_t)n * sizeof *c->e);
        for (int i = 0; i < n; i++) {
            c->d[i] -= k == 0 ? c->e[i] : 0;
            c->re[i] += c->d[i];
        }
        if (!status && k > 0)
            s->error = dae_error_norm(s, c->re, h);
    }
    return status;
}

/* out := F(t, u + x) - F(t, u) - J x; at[n] is scratch */
static void bend(dae_solver *s, const double *x, double *at, double *out)
{
    const dae_cros_stepper *c = s->stepper;
    const dae_matrix_pair *pair = &c->stage.jac->pair;
    const dae_pattern *p = &pair->pattern;
    for (int i = 0; i < s->n; i++)
        at[i] = s->u[i] + x[i];
    dae_system_rhs(s->sys, s->t, at, out);
    s->count.rhs++;
    for (int i = 0; i < s->n; i++)
        out[i] -= c->F[i];
    for (int j = 0; j < s->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            out[p->row[k]] -= pair->J[k] * x[j];
}

/* The part of the estimate that no smaller step would take away is left out. */
static dae_status leave_out_remainders(dae_solver *s, double h)
{
    dae_cros_stepper *c = s->stepper;
    const int n = s->n;
    double *x = c->F_t;
    dae_status status = filter_remainders(s, h, x);
    if (status || s->error <= 1)
        return status;
    for (int i = 0; i < n; i++) {
        x[i] = c->e[i] - x[i];
        c->d[i] += c->e[i];
    }
    bend(s, x, c->im, c->re);
    if (!dae_vector_finite(n, c->re))
        return DAE_OK;
    for (int i = 0; i < n; i++)
        c->re[i] *= h;
    status = filter(s, h);
    for (int i = 0; i < n; i++)
        c->d[i] -= c->re[i];
    s->error = fmin(s->error, dae_error_norm(s, c->d, h));
    return status;
}

/* s->error := |e| with h Re k = u_new - u */
static dae_status estimate(dae_solver *s, double h)
{
    dae_cros_stepper *c = s->stepper;
    dae_status status = dae_cros_see_end(s, c);
    if (status)
        return status;
    dae_system_mass(s->sys, c->re, c->d);
    for (int i = 0; i < s->n; i++) {
        c->e[i] = h * c->im[i];
        c->re[i] = h * (c->F_end[i] - c->d[i]);
    }
    status = filter(s, h);
    if (!status)
        s->error = dae_error_norm(s, c->re, h);
    if (!status && s->error > 1)
        status = leave_out_remainders(s, h);
    if (!status)
        status = dae_look_inside(s, c->stage.pencil, h, 1, c->F, c->F_end, c->re, c->im);
    return status ? status : dae_pass_jump(s, c->stage.pencil, h, 1, c->F, c->re, c->im);
}

static dae_status cros_step(dae_solver *s, double h, double t_stop)
{
    const dae_cros_tableau *T = s->method->tableau;
    dae_cros_stepper *c = s->stepper;
    const int n = s->n;
    const double x = h * creal(T->a1), y = h * cimag(T->a1);
    (void)t_stop;
    dae_linearise(c->stage.jac, s->t, s->u, c->F, c->F_t);
    if (!s->adaptive && dae_pencil_step(c->stage.pencil, x, y, h, c->F, c->F_t, s->u, s->u_new)) {
        s->count.factorizations++;
        s->count.solves++;
        return DAE_OK;
    }
    right_side(n, x, y, c->F, c->F_t, c->re, c->im);
    dae_status status = dae_implicit_factor(s, c->stage.pencil, h, x, y);
    if (!status)
        status = dae_implicit_solve(s, c->stage.pencil, h, c->re, c->im);
    if (status)
        return status;
    add_step(n, h, s->u, c->re, s->u_new);
    return s->adaptive ? estimate(s, h) : DAE_OK;
}

/* Raw orders of the global error in (q, v, lambda) fall with the index. The multiplier solved again
 * from the acceleration level has the order of the (q, v) that it is computed from: 2, and 1 in
 * index 3, where the O(h) error of v lies along M^-1 G^T. On a circle that direction does not enter
 * v' g_qq v, so the pendulum shows 2 there. */
const dae_method dae_cros = {
    .info = {
        .name = "cros",
        .title = "one-stage complex Rosenbrock, order 2, L2-stable",
        .citation = "Al'shin, Al'shina, Kalitkin, Koryagina (2006), "
                    "Comput. Math. Math. Phys. 46(8), 1320-1340",
        .roles = DAE_FOR_SCALING,
        .stages = 1,
        .fixed = 1,
        .adaptive = 1,
        .implicit = 1,
        .order = {
            [0] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2},
            [1] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 2,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = 2},
            [2] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 1,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = 1},
            [3] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 1, [DAE_MULTIPLIER] = DAE_ORDER_ZERO,
                   [DAE_RECOVERED] = 1},
        },
    },
    .tableau = &dae_cros_coefficients,
    .family = DAE_FAMILY_CROS,
    .error_order = 1,
    .keeps_open = 1,
    .step = cros_step,
    DAE_CROS_FUNCTIONS,
};
