/* cros.c - one-stage complex Rosenbrock, order 2 on ODEs, L2-stable
 *
 *     (M - a h J) k = F(t, u) + a h F_t(t, u),    a = (1 + i)/2
 *     u+ = u + h Re k
 *
 * Al'shin, Al'shina, Kalitkin, Koryagina (2006), Comput. Math. Math. Phys. 46(8), 1320-1340,
 * doi 10.1134/S0965542506080057. With k = x + iy, F and F_t real, the right-hand side is
 * F + (h/2) F_t + i (h/2) F_t.
 *
 * Where steps are chosen: u + h Re((1 + i) k) = u+ - h Im k is of order 1, as Re((1 + i) a) = 0 and not
 * 1/2; the difference e = h Im k = (h^2/2) u'' + ... is the estimate.
 *
 * A remainder that the step before left in an algebraic equation enters e at every h, as the step
 * that closes it; on u' = A u with z = A h likewise e = Im(z/(1 - a z)) u -> u for z -> -infinity.
 * So an estimate that would reject the step is filtered first,
 *
 *     e := Re (M - a h J)^-1 M e,
 *
 * which leaves (1 + O(h)) e in differential unknowns, in algebraic ones of index 1 what the error
 * of the others makes of them, -g_z^-1 g_y e, and tends to 0 for z -> -infinity. Where the index
 * is 2 or 3 the remainder stands in the velocities or positions, which M keeps: each application
 * moves it one level on, so that index 3 asks for three.
 *
 * Between the ends of a step the solution is that of hermite.c.
 */
#include "complex_stage.h"
#include "implicit.h"
#include "methods.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_jacobian *jac;
    dae_pencil *pencil;
    double *F, *F_t, *re, *im;  /* [n] each; one block */
    dae_hermite dense;
} cros;

static void cros_destroy(dae_solver *s)
{
    cros *c = s->stepper;
    if (!c)
        return;
    dae_pencil_free(c->pencil);
    dae_jacobian_free(c->jac);
    dae_hermite_free(&c->dense);
    free(c->F);
    free(c);
    s->stepper = NULL;
}

static dae_status cros_create(dae_solver *s)
{
    cros *c = calloc(1, sizeof *c);
    const size_t n = (size_t)s->n;
    s->stepper = c;
    if (c)
        c->F = calloc(4 * n, sizeof *c->F);
    if (!c || !c->F)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for cros with %d unknowns", s->n);
    c->F_t = c->F + n;
    c->re = c->F_t + n;
    c->im = c->re + n;
    dae_status status = dae_hermite_create(s, &c->dense);
    if (!status)
        status = dae_implicit_jacobian(s, &c->jac);
    return status ? status : dae_pencil_create(&c->pencil, c->jac, s->linear, &s->report);
}

static dae_status cros_start(dae_solver *s)
{
    dae_hermite_start(&((cros *)s->stepper)->dense);
    return DAE_OK;
}

/* re + i im := F + a h F_t */
static inline void right_side(int n, double h, const double *restrict F,
                              const double *restrict F_t, double *restrict re,
                              double *restrict im)
{
    for (int i = 0; i < n; i++) {
        im[i] = h / 2 * F_t[i];
        re[i] = F[i] + im[i];
    }
}

/* u_new := u + h k */
static inline void add_step(int n, double h, const double *restrict u, const double *restrict k,
                            double *restrict u_new)
{
    for (int i = 0; i < n; i++)
        u_new[i] = u[i] + h * k[i];
}

/* s->error := |e| with e := Re (M - a h J)^-1 M e, up to index times while the step would fail. */
static dae_status filter_error(dae_solver *s, double h)
{
    cros *c = s->stepper;
    const int n = s->n, most = s->sys->index > 1 ? s->sys->index : 1;
    double *e = c->im;
    for (int k = 0; k < most && s->error > 1; k++) {
        dae_system_mass(s->sys, e, c->re);
        memset(e, 0, (size_t)n * sizeof *e);
        s->count.solves++;
        if (dae_pencil_solve(c->pencil, c->re, e))
            return dae_implicit_singular(s, h, 0);
        memcpy(e, c->re, (size_t)n * sizeof *e);
        s->error = dae_error_norm(s, e, h);
    }
    return DAE_OK;
}

static dae_status cros_step(dae_solver *s, double h, double t_stop)
{
    cros *c = s->stepper;
    const int n = s->n;         /* 5: a body in the plane; the loops are written out by the compiler */
    int column;
    (void)t_stop;
    dae_linearise(c->jac, s->t, s->u, c->F, c->F_t);
    if (n == 5)
        right_side(5, h, c->F, c->F_t, c->re, c->im);
    else
        right_side(n, h, c->F, c->F_t, c->re, c->im);
    s->count.factorizations++;
    if (dae_pencil_factor(c->pencil, h / 2, h / 2, &column))
        return dae_implicit_singular(s, h, column);
    s->count.solves++;
    if (dae_pencil_solve(c->pencil, c->re, c->im))
        return dae_implicit_singular(s, h, 0);
    if (n == 5)
        add_step(5, h, s->u, c->re, s->u_new);
    else
        add_step(n, h, s->u, c->re, s->u_new);
    if (s->adaptive) {
        for (int i = 0; i < s->n; i++)
            c->im[i] *= h;
        s->error = dae_error_norm(s, c->im, h);
        if (s->error > 1)
            return filter_error(s, h);
    }
    return DAE_OK;
}

static dae_status cros_accepted(dae_solver *s)
{
    dae_hermite_accepted(s, &((cros *)s->stepper)->dense);
    return DAE_OK;
}

static dae_status cros_interpolate(dae_solver *s, double t, double *u)
{
    return dae_hermite_at(s, &((cros *)s->stepper)->dense, t, u);
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
        .stages = 1,
        .fixed = 1,
        .adaptive = 1,
        .implicit = 1,
        .order = {
            [0] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = DAE_UNDECLARED,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = DAE_UNDECLARED},
            [1] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 2,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = 2},
            [2] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 1,
                   [DAE_RECOVERED] = 2, [DAE_DIFFERENTIAL] = 2, [DAE_ALGEBRAIC] = 1},
            [3] = {[DAE_POSITION] = 2, [DAE_VELOCITY] = 1, [DAE_MULTIPLIER] = 0,
                   [DAE_RECOVERED] = 1, [DAE_DIFFERENTIAL] = DAE_UNDECLARED,
                   [DAE_ALGEBRAIC] = DAE_UNDECLARED},
        },
    },
    .error_order = 1,
    .create = cros_create,
    .start = cros_start,
    .step = cros_step,
    .accepted = cros_accepted,
    .interpolate = cros_interpolate,
    .destroy = cros_destroy,
};
