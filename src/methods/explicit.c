/* explicit.c - explicit Runge-Kutta with the multipliers eliminated at every stage
 *
 *     Y_i = y + h sum_j A_ij k_j,    k_i = f(t + c_i h, Y_i),    y+ = y + h sum_i b_i k_i
 *
 * where y = (q, v) and each f solves M a + G^T lambda = f, d2g/dt2 = 0 for (a, lambda), or y are
 * minimal coordinates. Nothing holds y on g = 0: the constraint drifts, which is what these classic
 * methods are here to show.
 */
#include "methods.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4 };

typedef struct {
    int stages;
    double A[STAGES][STAGES], b[STAGES], c[STAGES];
} tableau;

typedef struct {
    double *k, *y;              /* [stages x ny], [n] */
} explicit_rk;

static dae_status explicit_supports(const dae_method *method, const dae_system *sys,
                                    dae_report *report)
{
    if (dae_system_explicit_size(sys) > 0)
        return DAE_OK;
    return dae_fail(report, DAE_UNSUPPORTED, "%s is explicit: it solves y' = f(t, y), which form "
                    "%s of %s is not; choose form ode or index1", method->info.name,
                    sys->form->info.name, sys->problem->name);
}

static void explicit_destroy(dae_solver *s)
{
    explicit_rk *e = s->stepper;
    if (!e)
        return;
    free(e->k);
    free(e);
    s->stepper = NULL;
}

static dae_status explicit_create(dae_solver *s)
{
    explicit_rk *e = calloc(1, sizeof *e);
    s->stepper = e;
    if (e)
        e->k = calloc((STAGES + 1) * (size_t)s->n, sizeof *e->k);
    if (!e || !e->k)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %s", s->method->info.name);
    e->y = e->k + STAGES * s->n;
    return DAE_OK;
}

static dae_status evaluate(dae_solver *s, double t, const double *y, double *k, double *z)
{
    s->count.rhs++;
    if (dae_system_explicit_rhs(s->sys, t, y, k, z))
        return dae_fail(&s->report, DAE_SINGULAR, "t = %.9g: G M^-1 G^T is singular: a constraint "
                        "is redundant, or its gradient vanishes", t);
    return DAE_OK;
}

/* The multipliers of u belong to its (t, q, v): the last rows of u are solved for once more. */
static dae_status explicit_step(dae_solver *s, double h, double t_stop)
{
    const tableau *T = s->method->tableau;
    explicit_rk *e = s->stepper;
    const int ny = dae_system_explicit_size(s->sys);
    (void)t_stop;
    for (int i = 0; i < T->stages; i++) {
        memcpy(e->y, s->u, (size_t)ny * sizeof *e->y);
        for (int j = 0; j < i; j++)
            for (int m = 0; m < ny; m++)
                e->y[m] += h * T->A[i][j] * e->k[j * ny + m];
        dae_status status = evaluate(s, s->t + T->c[i] * h, e->y, e->k + i * ny, s->u_new + ny);
        if (!status)
            status = dae_solver_check_finite(s, e->k + i * ny, "y'", s->t + T->c[i] * h);
        if (status)
            return status;
    }
    memcpy(s->u_new, s->u, (size_t)ny * sizeof *s->u_new);
    for (int i = 0; i < T->stages; i++)
        for (int m = 0; m < ny; m++)
            s->u_new[m] += h * T->b[i] * e->k[i * ny + m];
    return ny < s->n ? evaluate(s, s->t_new, s->u_new, e->k, s->u_new + ny) : DAE_OK;
}

#define ORDERS(p)                                                                                 \
    {[0] = {[DAE_POSITION] = p, [DAE_VELOCITY] = p, [DAE_MULTIPLIER] = DAE_UNDECLARED,            \
            [DAE_RECOVERED] = p, [DAE_DIFFERENTIAL] = p, [DAE_ALGEBRAIC] = DAE_UNDECLARED},       \
     [1] = {[DAE_POSITION] = p, [DAE_VELOCITY] = p, [DAE_MULTIPLIER] = p, [DAE_RECOVERED] = p,    \
            [DAE_DIFFERENTIAL] = p, [DAE_ALGEBRAIC] = p}}

#define EXPLICIT                                                                                  \
    .supports = explicit_supports, .create = explicit_create, .step = explicit_step,              \
    .destroy = explicit_destroy

const dae_method dae_euler = {
    .info = {.name = "euler", .title = "explicit Euler, order 1, fixed step", .stages = 1, .fixed = 1,
             .citation = "Euler (1768), Institutionum calculi integralis I",
             .order = ORDERS(1)},
    .tableau = &(const tableau){.stages = 1, .b = {1}},
    EXPLICIT,
};

const dae_method dae_heun = {
    .info = {.name = "heun", .title = "Heun's method, order 2, fixed step", .stages = 2, .fixed = 1,
             .citation = "Heun (1900), Z. Math. Phys. 45, 23-38",
             .order = ORDERS(2)},
    .tableau = &(const tableau){.stages = 2, .A = {{0}, {1}}, .b = {0.5, 0.5}, .c = {0, 1}},
    EXPLICIT,
};

const dae_method dae_rk4 = {
    .info = {.name = "rk4", .title = "classic Runge-Kutta, order 4, fixed step", .stages = 4, .fixed = 1,
             .citation = "Kutta (1901), Z. Math. Phys. 46, 435-453",
             .order = ORDERS(4)},
    .tableau = &(const tableau){.stages = 4, .A = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}},
                                .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6}, .c = {0, 0.5, 0.5, 1}},
    EXPLICIT,
};
