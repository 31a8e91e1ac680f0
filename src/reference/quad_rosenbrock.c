/* quad_rosenbrock.c - steps of Rosenbrock-Wanner methods in quad precision (rosenbrock.c) */
#include "quad_pencil.h"

#include "methods/tableau.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    dae_quad_pencil *pencil;
    dae_quad *U;                /* [stages x n] */
    dae_quad *Y, *w;            /* [n] */
} stepper;

static dae_status create(dae_quad_run *r)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    const size_t n = (size_t)r->n, stages = (size_t)T->stages;
    stepper *s = r->stepper = calloc(1, sizeof *s);
    if (s)
        s->U = calloc((stages + 2) * n, sizeof *s->U);
    if (!s || !s->U)
        return DAE_NO_MEMORY;
    s->Y = s->U + stages * n;
    s->w = s->Y + n;
    return dae_quad_pencil_create(&s->pencil, r, 0);
}

static void destroy(dae_quad_run *r)
{
    stepper *s = r->stepper;
    if (s) {
        dae_quad_pencil_free(s->pencil);
        free(s->U);
    }
    free(s);
}

/* y += sum_j x_j U_j, j < count */
static void add(int n, int count, const double *x, const dae_quad *U, dae_quad *y)
{
    for (int j = 0; j < count; j++)
        for (int k = 0; x[j] != 0 && k < n; k++)
            y[k] += x[j] * U[j * n + k];
}

/* Y of stage i: stages behind the rows continue the one before */
static void set_argument(const dae_quad_run *r, int i)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    const stepper *s = r->stepper;
    static const double one = 1;
    if (i < T->rows) {
        memcpy(s->Y, r->u, (size_t)r->n * sizeof *s->Y);
        add(r->n, i, T->A[i], s->U, s->Y);
    } else {
        add(r->n, 1, &one, s->U + (i - 1) * r->n, s->Y);
    }
}

static void stage(dae_quad_run *r, int i, dae_quad h)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    stepper *s = r->stepper;
    const int n = r->n;
    dae_quad *U = s->U + i * n;
    memset(s->w, 0, (size_t)n * sizeof *s->w);
    add(n, i, T->C[i], s->U, s->w);
    dae_quad_run_mass(r, r->t, s->w, U);
    set_argument(r, i);
    dae_quad_run_rhs(r, r->t + T->c[i] * h, s->Y, s->w);
    for (int k = 0; k < n; k++)
        U[k] = T->gamma * (h * (s->w[k] + T->d[i] * h * s->pencil->F_t[k]) + U[k]);
    dae_quad_pencil_solve(s->pencil, U, NULL);
}

static dae_status step(dae_quad_run *r, dae_quad h)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    stepper *s = r->stepper;
    dae_quad_linearise(s->pencil, r->t, r->u);
    const dae_status status = dae_quad_pencil_factor(s->pencil, h * T->gamma, 0);
    if (status)
        return status;
    for (int i = 0; i < T->stages; i++)
        stage(r, i, h);
    if (T->combines)
        add(r->n, T->stages, T->m, s->U, r->u);
    for (int k = 0; !T->combines && k < r->n; k++)
        r->u[k] = s->Y[k] + s->U[(T->stages - 1) * r->n + k];
    return DAE_OK;
}

static int shake(const void *tableau, void *copy)
{
    enum { ALL = DAE_ROSENBROCK_STAGES };
    dae_rosenbrock_tableau *T = memcpy(copy, tableau, sizeof *T);
    return dae_quad_shake(&T->gamma, 1) + dae_quad_shake(T->A[0], ALL * ALL)
           + dae_quad_shake(T->C[0], ALL * ALL) + dae_quad_shake(T->c, ALL)
           + dae_quad_shake(T->d, ALL) + dae_quad_shake(T->m, ALL);
}

static dae_status derive(const dae_method *method, void *tableau, dae_report *report)
{
    return dae_rosenbrock_derive(method, tableau, report);
}

const dae_quad_family dae_quad_rosenbrock = {create, NULL, step, destroy, shake,
                                             sizeof(dae_rosenbrock_tableau), NULL};
const dae_quad_family dae_quad_rosenbrock_wanner = {create, NULL, step, destroy, shake,
                                                    sizeof(dae_rosenbrock_tableau), derive};
