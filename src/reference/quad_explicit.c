/* quad_explicit.c - steps of explicit Runge-Kutta methods in quad precision (explicit_stepper.c) */
#include "quad_run.h"

#include "methods/tableau.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int ny;
    dae_quad *k;                /* [stages x ny]; k_0 is f at (t, u) */
    dae_quad *y;                /* [ny] */
} stepper;

/* k := f(t, y); at the state itself its multipliers too, and the accelerations that are unknowns */
static dae_status evaluate(dae_quad_run *r, dae_quad t, const dae_quad *y, dae_quad *k,
                           dae_quad *state)
{
    const dae_system *sys = r->sys;
    const int nq = sys->nq;
    if (sys->carried) {
        sys->problem->first_order.rhs.quad(sys->p_quad, t, y, sys->a_quad);
        const int regular = dae_state_mass_solve_quad(sys->carried, sys->p_quad, t, y, sys->a_quad, k);
        if (state)
            memcpy(state + sys->carried->n, k, (size_t)sys->carried->nx * sizeof *k);
        return regular ? DAE_OK : DAE_SINGULAR;
    }
    if (sys->compose->kind != DAE_FORM_MECHANICAL) {
        dae_quad_run_rhs(r, t, y, k);
        return DAE_OK;
    }
    memcpy(k, y + nq, (size_t)nq * sizeof *k);
    const dae_status status = dae_quad_accelerate(&r->mechanics, t, y, y + nq, k + nq);
    if (state) {
        memcpy(state + 2 * nq, r->mechanics.lambda, (size_t)sys->nl * sizeof *k);
        for (int i = 0; sys->general_mass && i < nq; i++)
            state[sys->acceleration_at + i] = k[nq + i];
    }
    return status;
}

static dae_status create(dae_quad_run *r)
{
    const dae_tableau *T = r->tableau;
    const int ny = dae_system_explicit_size(r->sys);
    stepper *s = r->stepper = calloc(1, sizeof *s);
    if (ny == 0)
        return DAE_UNSUPPORTED;
    if (s)
        s->k = calloc((size_t)(T->stages + 1) * (size_t)ny, sizeof *s->k);
    if (!s || !s->k)
        return DAE_NO_MEMORY;
    s->ny = ny;
    s->y = s->k + T->stages * ny;
    return DAE_OK;
}

static void destroy(dae_quad_run *r)
{
    stepper *s = r->stepper;
    if (s)
        free(s->k);
    free(s);
}

static dae_status start(dae_quad_run *r)
{
    return evaluate(r, r->t, r->u, ((stepper *)r->stepper)->k, r->u);
}

/* y := u + h sum_j A_ij k_j */
static void combine(const dae_quad_run *r, int i, dae_quad h, dae_quad *y)
{
    const dae_tableau *T = r->tableau;
    const stepper *s = r->stepper;
    for (int m = 0; m < s->ny; m++) {
        dae_quad sum = 0;
        for (int j = 0; j < i; j++)
            sum += T->A[i][j] * s->k[j * s->ny + m];
        y[m] = r->u[m] + h * sum;
    }
}

static dae_status step(dae_quad_run *r, dae_quad h)
{
    const dae_tableau *T = r->tableau;
    stepper *s = r->stepper;
    dae_status status = DAE_OK;
    for (int i = 1; !status && i < T->stages; i++) {
        combine(r, i, h, s->y);
        status = evaluate(r, r->t + T->c[i] * h, s->y, s->k + i * s->ny, NULL);
    }
    combine(r, T->stages, h, s->y);
    memcpy(r->u, s->y, (size_t)s->ny * sizeof *r->u);
    if (!status && T->projects && r->sys->compose->kind == DAE_FORM_MECHANICAL)
        status = dae_quad_project(&r->mechanics, r->t + h, r->u, r->u + r->sys->nq);
    return status ? status : evaluate(r, r->t + h, r->u, s->k, r->u);
}

static int shake(const void *tableau, void *copy)
{
    dae_tableau *T = memcpy(copy, tableau, sizeof *T);
    return dae_quad_shake(T->A[0], DAE_RK_STAGES * DAE_RK_STAGES) + dae_quad_shake(T->c, DAE_RK_STAGES);
}

static dae_status derive(const dae_method *method, void *tableau, dae_report *report)
{
    return dae_tableau_derive(method, tableau, report);
}

const dae_quad_family dae_quad_explicit = {create, start, step, destroy, shake, sizeof(dae_tableau), NULL};
const dae_quad_family dae_quad_butcher = {create, start, step, destroy, shake, sizeof(dae_tableau), derive};
