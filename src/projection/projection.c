/* projection.c - projection of each step onto constraints and invariants
 *
 * The correction d is of the order of the local error, O(h^(p+1)), and does not reduce the order of a
 * one-step method (Shampine (1986), Comput. Math. Appl. 12B, 1287-1296). The other data of the method
 * (multipliers, F at u_new as the first stage of the next step) belong to the state before the projection.
 * Their error is O(d), which gives O(h d) in the next step, less than a local error. So they are not changed.
 *
 * In index 3 the velocities of Rosenbrock methods have errors O(h) along M^-1 G^T in every step, which cancel
 * in the next one. If velocities are projected they do not cancel, and the order of q is 1.
 *
 * If the norm of d exceeds 1, the step is rejected.
 */
#include "projection.h"

#include "manifold.h"
#include "project.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES_AGAIN = 3 };

struct dae_projection {
    dae_manifold *manifold;
    double *by;                 /* [n] the correction of the present step, after it that of the last one */
    int begun;                  /* 1: the state before the step satisfies the constraints */
    int again;                  /* how many times a step from t_again was rejected */
    double t_again;
};

dae_status dae_projection_create(dae_solver *s)
{
    if (!s->options.project)
        return DAE_OK;
    dae_projection *c = driver(s)->projection = DAE_RECORD(dae_projection, DAE_PART(dae_projection, by, s->n));
    return c ? dae_manifold_create(&c->manifold, s->sys, s->options.project,
                                            s->options.rtol, s->atol, &s->report)
                      : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for projections");
}

void dae_projection_free(dae_projection *c)
{
    if (!c)
        return;
    dae_manifold_free(c->manifold);
    free(c);
}

/* Project u_new; by := its correction */
static dae_status move_new(dae_solver *s)
{
    dae_projection *c = driver(s)->projection;
    memcpy(c->by, s->u_new, (size_t)s->n * sizeof *c->by);
    const dae_status status = dae_manifold_move(c->manifold, s->t_new, s->u_new);
    for (int i = 0; i < s->n; i++)
        c->by[i] = s->u_new[i] - c->by[i];
    return status ? status : dae_vector_finite(s->n, c->by) ? DAE_OK : DAE_NOT_FINITE;
}

/* If the initial values violate the constraints, the correction of the first step is not limited. */
dae_status dae_projection_start(dae_solver *s)
{
    dae_projection *c = driver(s)->projection;
    if (!c)
        return DAE_OK;
    const dae_status status = dae_manifold_start(c->manifold, s->t, s->u, &s->report);
    if (status)
        return status;
    memcpy(s->u_new, s->u, (size_t)s->n * sizeof *s->u);
    c->begun = s->adaptive && !move_new(s) && dae_error_norm(s, c->by, INFINITY) <= 1;
    c->again = 0;
    memset(c->by, 0, (size_t)s->n * sizeof *c->by);
    return DAE_OK;
}

static dae_status not_moved(dae_solver *s, dae_status status)
{
    const int invariants = s->options.project & DAE_PROJECT_INVARIANT;
    return dae_fail(&s->report, status, "t = %.9g: the projection on the %s %s", s->t_new,
                    invariants ? "invariants" : "constraints",
                    status == DAE_SINGULAR ? "is singular: their gradients vanish or depend on "
                                             "each other"
                    : status == DAE_NOT_FINITE ? "meets values that are not finite"
                                               : "does not converge");
}

dae_status dae_projection_step(dae_solver *s)
{
    dae_projection *c = driver(s)->projection;
    const int exact = s->sys->exact;
    const dae_status status = move_new(s);
    if (status)
        return not_moved(s, status);
    if (s->sys->exact != exact)                         /* u satisfies g as rounded in double only */
        c->begun = 0;
    if (!s->adaptive || !c->begun)
        return DAE_OK;
    const double size = dae_error_norm(s, c->by, s->t_new - s->t);
    if (!(size <= 1)) {
        s->error = size;
        s->h_next = 0;
        s->count.too_far++;
    }
    return DAE_OK;
}

void dae_projection_kept(dae_solver *s)
{
    dae_projection *c = driver(s)->projection;
    const double size = dae_largest(s->n, c->by);
    c->begun = 1;
    if (size > 0) {
        s->count.projections++;
        s->count.correction = fmax(s->count.correction, size);
        if (s->method->moved)
            s->method->moved(s, c->by);
    }
}

dae_status dae_projection_again(dae_solver *s, dae_status failure)
{
    dae_projection *c = driver(s)->projection;
    c->again = c->again && c->t_again == s->t ? c->again + 1 : 1;
    c->t_again = s->t;
    s->count.steps--;
    s->count.rejected++;
    if (c->again > MOST_TIMES_AGAIN && failure)
        return failure;
    if (c->again > MOST_TIMES_AGAIN)
        return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.9g: %s has begun again here %d times, "
                        "and the projection still moves its first step by %g times the tolerance",
                        s->t, s->method->info.name, c->again - 1, s->error);
    return s->method->start ? s->method->start(s) : DAE_OK;
}

void dae_projection_blend(const dae_solver *s, double factor, double *u)
{
    if (driver(s)->projection)
        for (int i = 0; i < s->n; i++)
            u[i] += factor * driver(s)->projection->by[i];
}

/* A run that starts at the end of another one has initial values with its errors in g and dg/dt. The first step may be
 * very short. In index 3 it removes these residuals by velocities g/h and multipliers g/h^2, which also disturbs the
 * velocities along the constraints. */
void dae_settle_start(dae_solver *s)
{
    dae_system *sys = s->sys;
    const int nq = sys->nq, moving = 2 * nq;
    double *moved = s->u_new, *by = s->work;
    if (!driver(s)->corrects_output || sys->index < 2 || !sys->nl)
        return;
    memcpy(moved, s->u, (size_t)s->n * sizeof *moved);
    memset(by, 0, (size_t)s->n * sizeof *by);
    if (dae_project(sys, s->t, moved, moved + nq))
        return;
    for (int i = 0; i < moving; i++)
        by[i] = moved[i] - s->u[i];
    if (dae_error_norm(s, by, INFINITY) <= 1)
        memcpy(s->u, moved, (size_t)moving * sizeof *moved);
    dae_project_reset(sys);
}
