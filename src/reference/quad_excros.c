/* quad_excros.c - fixed steps of extrapolated CROS in quad precision (excros.c, excros_recover.c) */
#include "quad_cros.h"

#include "methods/complex/excros.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_FIXED };

typedef struct {
    dae_excros_plan plan;
    dae_quad_pencil *pencil;
    dae_quad weight[2][COLUMNS];            /* for p = 1, 2 */
    dae_quad *change;           /* [COLUMNS x n] */
    dae_quad *F0, *F0_t, *J0;   /* [n], [n], [n x n] at the begin of the step */
    dae_quad *y, *re, *im;      /* [n] */
    dae_quad *ones;             /* [nq] */
} stepper;

static dae_status create(dae_quad_run *r)
{
    const size_t n = (size_t)r->n, nq = (size_t)r->sys->nq;
    stepper *s = r->stepper = calloc(1, sizeof *s);
    if (s)
        s->change = calloc((COLUMNS + 5 + n) * n + nq + 1, sizeof *s->change);
    if (!s || !s->change)
        return DAE_NO_MEMORY;
    s->F0 = s->change + COLUMNS * n;
    s->F0_t = s->F0 + n;
    s->J0 = s->F0_t + n;
    s->y = s->J0 + n * n;
    s->re = s->y + n;
    s->im = s->re + n;
    s->ones = s->im + n;
    for (size_t i = 0; i < nq; i++)
        s->ones[i] = 1;
    s->plan = dae_excros_choose(r->sys);
    for (int p = 1; p <= 2; p++)
        dae_excros_weights_quad(p, s->plan.n0, COLUMNS, s->weight[p - 1]);
    return dae_quad_pencil_create(&s->pencil, r, 1);
}

static void destroy(dae_quad_run *r)
{
    stepper *s = r->stepper;
    if (s) {
        dae_quad_pencil_free(s->pencil);
        free(s->change);
    }
    free(s);
}

/* ---- what mechanical systems ask of a state ------------------------------------------------- */

/* Of (q, v): lambda and accelerations of the acceleration level, mu = 0. */
static dae_status set_multipliers(dae_quad_run *r, dae_quad t, dae_quad *u)
{
    const dae_system *sys = r->sys;
    const int nq = sys->nq, nl = sys->nl;
    const dae_status status = dae_quad_accelerate(&r->mechanics, t, u, u + nq, sys->a_quad);
    for (int i = 2 * nq + nl; i < r->n; i++)
        u[i] = 0;
    memcpy(u + 2 * nq, r->mechanics.lambda, (size_t)nl * sizeof *u);
    for (int i = 0; sys->general_mass && i < nq; i++)
        u[sys->acceleration_at + i] = sys->a_quad[i];
    return status;
}

static dae_status project(dae_quad_run *r, dae_quad t, dae_quad *u)
{
    const dae_status status = dae_quad_project(&r->mechanics, t, u, u + r->sys->nq);
    return status ? status : set_multipliers(r, t, u);
}

/* q onto g = 0 along G^T, whatever the masses. */
static dae_status return_to_constraint(dae_quad_run *r, dae_quad t, dae_quad *q)
{
    dae_quad_mechanics *m = &r->mechanics;
    dae_quad *const inverse_mass = m->inverse_mass;
    const int general_mass = m->general_mass;
    m->inverse_mass = ((stepper *)r->stepper)->ones;
    m->general_mass = 0;
    const dae_status status = dae_quad_project_positions(m, t, q);
    m->inverse_mass = inverse_mass;
    m->general_mass = general_mass;
    return status;
}

static dae_status recover(dae_quad_run *r, dae_quad t, dae_quad *u)
{
    const dae_system *sys = r->sys;
    dae_status status = DAE_OK;
    if (sys->compose->auxiliary) {
        status = return_to_constraint(r, t, u);
        return status ? status : project(r, t, u);
    }
    if (sys->index > 1)
        status = dae_quad_project_velocities(&r->mechanics, t, u, u + sys->nq);
    return status ? status : set_multipliers(r, t, u);
}

/* ---- a step --------------------------------------------------------------------------------- */

/* F, F_t and J of the begin of the step are put aside, and taken back. */
static void copy_begin(stepper *s, int back)
{
    const dae_quad_pencil *p = s->pencil;
    const size_t n = (size_t)p->n;
    dae_quad *const here[3] = {p->F, p->F_t, p->J}, *const aside[3] = {s->F0, s->F0_t, s->J0};
    for (int k = 0; k < 3; k++)
        memcpy(back ? here[k] : aside[k], back ? aside[k] : here[k],
               (k < 2 ? n : n * n) * sizeof *s->F0);
}

/* The change of u by n_j steps of CROS over H. */
static dae_status column(dae_quad_run *r, int j, dae_quad H)
{
    stepper *s = r->stepper;
    const int n = r->n, steps = s->plan.n0 + j;
    const dae_quad h = H / steps;
    dae_status status = DAE_OK;
    memcpy(s->y, r->u, (size_t)n * sizeof *s->y);
    copy_begin(s, 1);
    for (int m = 0; !status && m < steps; m++) {
        const dae_quad t = r->t + m * h;
        if (m > 0 && s->plan.recovers)
            status = recover(r, t, s->y);
        if (m > 0)
            dae_quad_linearise(s->pencil, t, s->y);
        if (!status)
            status = dae_quad_stage(s->pencil, h, 0.5, 0.5, s->pencil->F, s->re, s->im);
        for (int i = 0; i < n; i++)
            s->y[i] += h * s->re[i];
    }
    for (int i = 0; i < n; i++)
        s->change[j * n + i] = s->y[i] - r->u[i];
    return status;
}

static dae_status step(dae_quad_run *r, dae_quad H)
{
    stepper *s = r->stepper;
    dae_status status = DAE_OK;
    dae_quad_linearise(s->pencil, r->t, r->u);
    copy_begin(s, 0);
    for (int j = 0; !status && j < COLUMNS; j++)
        status = column(r, j, H);
    for (int i = 0; i < r->n; i++) {
        s->re[i] = s->im[i] = r->u[i];
        for (int j = 0; j < COLUMNS; j++) {
            s->re[i] += s->weight[0][j] * s->change[j * r->n + i];
            s->im[i] += s->weight[1][j] * s->change[j * r->n + i];
        }
    }
    if (s->plan.raw)
        dae_system_take_kernel_quad(r->sys, s->re, s->im);
    memcpy(r->u, s->im, (size_t)r->n * sizeof *r->u);
    return status || !s->plan.recovers ? status : project(r, r->t + H, r->u);
}

const dae_quad_family dae_quad_excros = {create, NULL, step, destroy, NULL, 0};
