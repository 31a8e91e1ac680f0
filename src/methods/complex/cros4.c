/* cros4.c - two-stage complex Rosenbrock, order 4 on ODEs, L2-stable
 *
 *     (M - a1 h J1) k1 = F(t, u) + a1 h F_t1
 *     (M - a2 h J2) k2 = F(t + h Re c21, u + h Re(c21 k1)) + a2 h F_t2
 *     u+ = u + h Re(b1 k1 + b2 k2)
 *
 * J1, F_t1 at (t, u); J2, F_t2 at (t + h Re a21, u + h Re(a21 k1)). These are the stages of the
 * autonomous method with t as one more unknown, t' = 1: the last row of each stage says that the
 * component of k1 and k2 in t is 1, so that a21 k1 and c21 k1 move t by Re a21 h and Re c21 h, and
 * the column of F_t goes to the right-hand side as a h F_t.
 *
 * Shirkov (1992); Al'shin, Al'shina, Limonov (2009), Comput. Math. Math. Phys. 49(2), 261-278.
 *
 * The error estimate is h Re(e1 k1 + e2 k2), the difference to an embedded solution of order 2. Of
 * the four real numbers in e1, e2, two conditions keep order 2 and one keeps R^(infinity) = 0, so
 * that stiff and algebraic unknowns are not overestimated; the fourth scales it to h^3 u'''/240 on
 * u' = A u, with which errors come out near the tolerance in index 1. (An embedded order of 3 needs
 * one more stage, and with R^(infinity) = 0 it is blind on u' = A u: its polynomial c z^4 over the
 * denominator of degree 4 leaves only c = 0.)
 *
 * It sees F no later than at t + h Re a21. What happens behind, as a ramp that begins, shows at the
 * end:
 *
 *     d = Re (M - a2 h J2)^-1 h (F(t + h, u+) - M Re(s1 k1 + s2 k2))/Re(1/a2),
 *
 * the error u+ - f(t + h) of 0 = u - f(t) and of stiff unknowns, and O(h^4) of others. With these
 * s1 and s2, F+ = M Re(s1 k1 + s2 k2) where F is linear in u and t, whatever u is: three conditions
 * for u' + h u'' + (h^2/2) u''', and one that keeps out 1/h times what the step before left in u.
 * So d is free of older remainders, as in cros.c.
 */
#include "complex_stage.h"
#include "cros_tableau.h"
#include "slow_error.h"

#include <math.h>

const dae_cros_tableau dae_cros4_coefficients = {
    .stages = 2,
    .a1 = 0.1 + 0.11055415967851332 * I,        /* 1/10 + i sqrt(11)/30 */
    .a2 = 0.2 + 0.1 * I,
    .a21 = 0.5617645150714754 - 1.148223341045841 * I,
    .c21 = 0.2554708972958462 - 0.2026195833570109 * I,
    .b1 = 0.1941430241155180 - 0.2246898944678803 * I,
    .b2 = 0.8058569758844820 - 0.8870089521907592 * I,
    .e1 = 0.022625677766245758 + 0.037033659383238676 * I,
    .e2 = -0.022625677766245758 - 0.12136995070428300 * I,
    .s1 = -0.44940999915639881 + 1.1867310048252828 * I,
    .s2 = 1.4494099991563991 - 5.1597497605320010 * I,
};

/* w := u + h Re(a k) */
static void move(int n, double h, double _Complex a, const double *restrict u,
                 const double *restrict re, const double *restrict im, double *restrict w)
{
    const double x = h * creal(a), y = h * cimag(a);
    for (int i = 0; i < n; i++)
        w[i] = u[i] + x * re[i] - y * im[i];
}

/* k2 of F at the point moved by c21 and of J, F_t at the point moved by a21. */
static dae_status second_stage(dae_solver *s, dae_cros_stepper *c, double h)
{
    const dae_cros_tableau *T = s->method->tableau;
    move(s->n, h, T->a21, s->u, c->re, c->im, c->w);
    dae_linearise(c->stage.jac, s->t + h * creal(T->a21), c->w, c->F_end, c->F_t);
    move(s->n, h, T->c21, s->u, c->re, c->im, c->w);
    dae_system_rhs(s->sys, s->t + h * creal(T->c21), c->w, c->F_end);
    s->count.rhs++;
    return dae_stage_solve(s, &c->stage, h, creal(T->a2), cimag(T->a2), c->F_end, c->F_t,
                           c->k2_re, c->k2_im);
}

/* out := Re(x1 k1 + x2 k2) */
static void combine(int n, double _Complex x1, double _Complex x2, const dae_cros_stepper *c,
                    double *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = creal(x1) * c->re[i] - cimag(x1) * c->im[i]
                 + creal(x2) * c->k2_re[i] - cimag(x2) * c->k2_im[i];
}

/* s->error := the larger of |h Re(e1 k1 + e2 k2)| and |d|, which may have opposite signs */
static dae_status estimate(dae_solver *s, dae_cros_stepper *c, double h)
{
    const dae_cros_tableau *T = s->method->tableau;
    const int n = s->n;
    const double unit = 1 / creal(1 / T->a2);
    double *e = c->F_t, *d = c->re, *im = c->im;
    dae_status status = dae_cros_see_end(s, c);
    if (status)
        return status;
    combine(n, h * T->e1, h * T->e2, c, e);
    combine(n, T->s1, T->s2, c, c->w);
    dae_system_mass(s->sys, c->w, d);
    for (int i = 0; i < n; i++) {
        d[i] = unit * h * (c->F_end[i] - d[i]);
        im[i] = 0;
    }
    status = dae_implicit_solve(s, c->stage.pencil, h, d, im);
    if (status)
        return status;
    s->error = fmax(dae_slow_error(s, &c->stage, h, e, c->w, im), dae_slow_error(s, &c->stage, h, d, c->w, im));
    status = dae_look_inside(s, c->stage.pencil, h, unit, c->F, c->F_end, d, im);
    return status ? status : dae_pass_jump(s, c->stage.pencil, h, unit, c->F, d, im);
}

static dae_status cros4_step(dae_solver *s, double h, double t_stop)
{
    const dae_cros_tableau *T = s->method->tableau;
    dae_cros_stepper *c = s->stepper;
    const int n = s->n;
    (void)t_stop;
    dae_linearise(c->stage.jac, s->t, s->u, c->F, c->F_t);
    dae_status status = dae_stage_solve(s, &c->stage, h, creal(T->a1), cimag(T->a1), c->F, c->F_t,
                                        c->re, c->im);
    if (!status)
        status = second_stage(s, c, h);
    if (status)
        return status;
    move(n, h, T->b1, s->u, c->re, c->im, c->w);
    move(n, h, T->b2, c->w, c->k2_re, c->k2_im, s->u_new);
    return s->adaptive ? estimate(s, c, h) : DAE_OK;
}

/* The order conditions beyond those of ODEs that index 1 asks for at order 4 are not met, those of
 * index 2 at order 3 neither: the raw orders fall with the index. */
const dae_method dae_cros4 = {
    .info = {
        .name = "cros4",
        .title = "two-stage complex Rosenbrock, order 4 on ODEs, L2-stable",
        .citation = "Al'shin, Al'shina, Limonov (2009), "
                    "Comput. Math. Math. Phys. 49(2), 261-278",
        .stages = 2,
        .fixed = 1,
        .adaptive = 1,
        .implicit = 1,
        .order = {
            [0] = {[DAE_POSITION] = 4, [DAE_VELOCITY] = 4,
                   [DAE_RECOVERED] = 4, [DAE_DIFFERENTIAL] = 4},
            [1] = {[DAE_POSITION] = 3, [DAE_VELOCITY] = 3, [DAE_MULTIPLIER] = 3,
                   [DAE_RECOVERED] = 3, [DAE_DIFFERENTIAL] = 3, [DAE_ALGEBRAIC] = 3},
            [2] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 1,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = 1},
            [3] = {[DAE_POSITION] = 1, [DAE_VELOCITY] = 1, [DAE_MULTIPLIER] = DAE_ORDER_ZERO,
                   [DAE_RECOVERED] = 1},
        },
    },
    .tableau = &dae_cros4_coefficients,
    .family = DAE_FAMILY_CROS,
    .error_order = 2,
    .keeps_open = 1,
    .step = cros4_step,
    DAE_CROS_FUNCTIONS,
};
