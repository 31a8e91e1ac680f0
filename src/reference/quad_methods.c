/* quad_methods.c - the step of each family of methods in quad precision, as in src/methods
 *
 * Explicit Runge-Kutta (explicit_stepper.c), Rosenbrock-Wanner (rosenbrock.c), complex Rosenbrock (cros.c, cros4.c)
 * and its extrapolation (excros.c, excros_recover.c), Radau IIA.
 */
#include "quad_run.h"
#include "radau_step.h"

#include "methods/complex/cros_tableau.h"
#include "methods/complex/excros.h"
#include "methods/tableau.h"

#include <string.h>

/* ---- explicit Runge-Kutta ------------------------------------------------------------------- */

/* work: k_0, which is f at (t, u), k_1, ..., and y, with room for all unknowns */
static dae_quad *explicit_stage(const dae_quad_run *r, int i)
{
    return r->work + i * dae_system_explicit_size(r->sys);
}

/* k := f(t, y), and behind y its multipliers and accelerations, or w, where they are unknowns */
static dae_status evaluate(dae_quad_run *r, dae_quad t, dae_quad *y, dae_quad *k)
{
    const dae_system *sys = r->sys;
    const int nq = sys->nq;
    dae_status status = DAE_OK;
    if (sys->carried) {
        status = dae_quad_set_slopes(sys, t, y);
        memcpy(k, y + sys->carried->n, (size_t)sys->carried->nx * sizeof *k);
    } else if (sys->compose->kind == DAE_FORM_MECHANICAL) {
        memcpy(k, y + nq, (size_t)nq * sizeof *k);
        status = dae_quad_accelerate(&r->model.mechanics, t, y, y + nq, k + nq);
        dae_quad_run_complete(r, k + nq, y);
    } else {
        dae_quad_run_rhs(r, t, y, k);
    }
    return status;
}

static dae_status explicit_create(dae_quad_run *r)
{
    return dae_system_explicit_size(r->sys) ? DAE_OK : DAE_UNSUPPORTED;
}

static dae_status explicit_start(dae_quad_run *r) { return evaluate(r, r->t, r->u, r->work); }

/* y := u + h sum_j A_ij k_j */
static void combine(const dae_quad_run *r, int i, dae_quad h, dae_quad *y)
{
    const dae_tableau *T = r->tableau;
    const int ny = dae_system_explicit_size(r->sys);
    for (int m = 0; m < ny; m++) {
        dae_quad sum = 0;
        for (int j = 0; j < i; j++)
            sum += T->A[i][j] * r->work[j * ny + m];
        y[m] = r->u[m] + h * sum;
    }
}

static dae_status explicit_step(dae_quad_run *r, dae_quad h)
{
    const dae_tableau *T = r->tableau;
    dae_quad *y = explicit_stage(r, T->stages);
    dae_status status = DAE_OK;
    for (int i = 1; !status && i < T->stages; i++) {
        combine(r, i, h, y);
        status = evaluate(r, r->t + T->c[i] * h, y, explicit_stage(r, i));
    }
    combine(r, T->stages, h, y);
    memcpy(r->u, y, (size_t)dae_system_explicit_size(r->sys) * sizeof *y);
    if (!status && T->projects && r->sys->compose->kind == DAE_FORM_MECHANICAL)
        status = dae_quad_project(&r->model.mechanics, r->t + h, r->u, r->u + r->sys->nq);
    return status ? status : evaluate(r, r->t + h, r->u, r->work);
}

static int explicit_shake(const void *tableau, void *copy)
{
    dae_tableau *T = memcpy(copy, tableau, sizeof *T);
    return dae_quad_shake(T->A[0], DAE_RK_STAGES * DAE_RK_STAGES) + dae_quad_shake(T->c, DAE_RK_STAGES);
}

static dae_status explicit_derive(const dae_method *method, void *tableau, dae_report *report)
{
    return dae_tableau_derive(method, tableau, report);
}

/* ---- Rosenbrock-Wanner ---------------------------------------------------------------------- */

/* y += sum_j x_j U_j, j < count */
static void add(int n, int count, const double *x, const dae_quad *U, dae_quad *y)
{
    for (int j = 0; j < count; j++)
        for (int k = 0; x[j] != 0 && k < n; k++)
            y[k] += x[j] * U[j * n + k];
}

/* U_i behind those before, Y the argument of the latest: stages behind the rows of A continue the one before. */
static void rosenbrock_stage(dae_quad_run *r, int i, dae_quad h, dae_quad *Y, dae_quad *w)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    const int n = r->n;
    const size_t size = (size_t)n * sizeof *w;
    static const double one = 1;
    dae_quad *U = r->work + i * n;
    memset(w, 0, size);
    add(n, i, T->C[i], r->work, w);
    dae_quad_run_mass(r, r->t, w, U);
    if (i < T->rows) {
        memcpy(Y, r->u, size);
        add(n, i, T->A[i], r->work, Y);
    } else {
        add(n, 1, &one, U - n, Y);
    }
    dae_quad_run_rhs(r, r->t + T->c[i] * h, Y, w);
    for (int k = 0; k < n; k++)
        U[k] = T->gamma * (h * (w[k] + T->d[i] * h * r->pencil.F_t[k]) + U[k]);
    dae_quad_pencil_solve(r, U, NULL);
}

/* work: U_0, U_1, ..., Y and w */
static dae_status rosenbrock_step(dae_quad_run *r, dae_quad h)
{
    const dae_rosenbrock_tableau *T = r->tableau;
    dae_quad *Y = r->work + T->stages * r->n;
    dae_quad_linearise(r, r->t, r->u);
    const dae_status status = dae_quad_pencil_factor(r, h * T->gamma, 0);
    if (status)
        return status;
    for (int i = 0; i < T->stages; i++)
        rosenbrock_stage(r, i, h, Y, Y + r->n);
    if (T->combines)
        add(r->n, T->stages, T->m, r->work, r->u);
    for (int k = 0; !T->combines && k < r->n; k++)
        r->u[k] = Y[k] + Y[k - r->n];
    return DAE_OK;
}

static int rosenbrock_shake(const void *tableau, void *copy)
{
    enum { ALL = DAE_ROSENBROCK_STAGES };
    dae_rosenbrock_tableau *T = memcpy(copy, tableau, sizeof *T);
    return dae_quad_shake(&T->gamma, 1) + dae_quad_shake(T->A[0], ALL * ALL)
           + dae_quad_shake(T->C[0], ALL * ALL) + dae_quad_shake(T->c, ALL)
           + dae_quad_shake(T->d, ALL) + dae_quad_shake(T->m, ALL);
}

static dae_status rosenbrock_derive(const dae_method *method, void *tableau, dae_report *report)
{
    return dae_rosenbrock_derive(method, tableau, report);
}

/* ---- complex Rosenbrock --------------------------------------------------------------------- */

/* Solve (M - a h J) k = F + a h F_t with J and F_t of the pencil; k[2 n] = re, im. */
static dae_status complex_stage(dae_quad_run *r, dae_quad h, double _Complex a, const dae_quad *F, dae_quad *k)
{
    const dae_quad re = h * creal(a), im = h * cimag(a);
    const dae_status status = dae_quad_pencil_factor(r, re, im);
    for (int i = 0; i < r->n; i++) {
        k[i] = F[i] + re * r->pencil.F_t[i];
        k[r->n + i] = im * r->pencil.F_t[i];
    }
    if (!status)
        dae_quad_pencil_solve(r, k, k + r->n);
    return status;
}

/* w := u + h Re(a k) */
static void move(const dae_quad_run *r, dae_quad h, double _Complex a, const dae_quad *k, const dae_quad *u,
                 dae_quad *w)
{
    for (int i = 0; i < r->n; i++)
        w[i] = u[i] + h * (creal(a) * k[i] - cimag(a) * k[r->n + i]);
}

/* work: k1, k2, w and F. k2 is of F at the point moved by c21 and of J, F_t at the point moved by a21. */
static dae_status cros_step(dae_quad_run *r, dae_quad h)
{
    const dae_cros_tableau *T = r->tableau;
    dae_quad *k1 = r->work, *k2 = k1 + 2 * r->n, *w = k2 + 2 * r->n, *F = w + r->n;
    dae_quad_linearise(r, r->t, r->u);
    dae_status status = complex_stage(r, h, T->a1, r->pencil.F, k1);
    if (!status && T->stages > 1) {
        move(r, h, T->a21, k1, r->u, w);
        dae_quad_linearise(r, r->t + h * creal(T->a21), w);
        move(r, h, T->c21, k1, r->u, w);
        dae_quad_run_rhs(r, r->t + h * creal(T->c21), w, F);
        status = complex_stage(r, h, T->a2, F, k2);
    }
    if (status)
        return status;
    move(r, h, T->b1, k1, r->u, r->u);
    if (T->stages > 1)
        move(r, h, T->b2, k2, r->u, r->u);
    return DAE_OK;
}

static int cros_shake(const void *tableau, void *copy)
{
    dae_cros_tableau *T = memcpy(copy, tableau, sizeof *T);
    double _Complex *const all[] = {&T->a1, &T->a2, &T->a21, &T->c21, &T->b1, &T->b2};
    int count = 0;
    for (int i = 0; i < 6; i++)
        count += dae_quad_shake((double *)all[i], 2);
    return count;
}

/* ---- extrapolated --------------------------------------------------------------------------- */

enum { COLUMNS = DAE_EXCROS_FIXED };

typedef struct {
    dae_excros_plan plan;
    dae_quad weight[2][COLUMNS];            /* for p = 1, 2 */
} extrapolation;

static dae_status excros_create(dae_quad_run *r)
{
    extrapolation *e = r->own;
    e->plan = dae_excros_choose(r->sys);
    for (int p = 1; p <= 2; p++)
        dae_excros_weights_quad(p, e->plan.n0, COLUMNS, e->weight[p - 1]);
    return DAE_OK;
}

/* Of (q, v): lambda and accelerations of the acceleration level, mu = 0. */
static dae_status set_multipliers(dae_quad_run *r, dae_quad t, dae_quad *u)
{
    const int nq = r->sys->nq;
    const dae_status status = dae_quad_accelerate(&r->model.mechanics, t, u, u + nq, r->sys->a_quad);
    memset(u + 2 * nq, 0, (size_t)(r->n - 2 * nq) * sizeof *u);
    dae_quad_run_complete(r, r->sys->a_quad, u);
    return status;
}

static dae_status project(dae_quad_run *r, dae_quad t, dae_quad *u)
{
    const dae_status status = dae_quad_project(&r->model.mechanics, t, u, u + r->sys->nq);
    return status ? status : set_multipliers(r, t, u);
}

/* q onto g = 0 along G^T, whatever the masses. ones[nq] */
static dae_status return_to_constraint(dae_quad_run *r, dae_quad t, dae_quad *q, dae_quad *ones)
{
    dae_quad_mechanics *m = &r->model.mechanics;
    dae_quad *const inverse_mass = m->inverse_mass;
    const int general_mass = m->general_mass;
    for (int i = 0; i < r->sys->nq; i++)
        ones[i] = 1;
    m->inverse_mass = ones;
    m->general_mass = 0;
    const dae_status status = dae_quad_project_positions(m, t, q);
    m->inverse_mass = inverse_mass;
    m->general_mass = general_mass;
    return status;
}

static dae_status recover(dae_quad_run *r, dae_quad t, dae_quad *u, dae_quad *ones)
{
    const dae_system *sys = r->sys;
    dae_status status = DAE_OK;
    if (sys->compose->auxiliary) {
        status = return_to_constraint(r, t, u, ones);
        return status ? status : project(r, t, u);
    }
    if (sys->index > 1)
        status = dae_quad_project_velocities(&r->model.mechanics, t, u, u + sys->nq);
    return status ? status : set_multipliers(r, t, u);
}

/* change := that of u by n_j steps of CROS over H. k[2 n], y[n] */
static dae_status column(dae_quad_run *r, int j, dae_quad H, dae_quad *k, dae_quad *y, dae_quad *change)
{
    const extrapolation *e = r->own;
    const int n = r->n, steps = e->plan.n0 + j;
    const dae_quad h = H / steps;
    dae_status status = DAE_OK;
    memcpy(y, r->u, (size_t)n * sizeof *y);
    for (int m = 0; !status && m < steps; m++) {
        const dae_quad t = r->t + m * h;
        if (m > 0 && e->plan.recovers)
            status = recover(r, t, y, k);
        if (m > 0)
            dae_quad_linearise(r, t, y);
        if (!status)
            status = complex_stage(r, h, 0.5 + 0.5 * I, r->pencil.F, k);
        for (int i = 0; i < n; i++)
            y[i] += h * k[i];
    }
    for (int i = 0; i < n; i++)
        change[i] = y[i] - r->u[i];
    return status;
}

/* work: k, y, the changes of all columns, and F, F_t and J at the begin of the step */
static dae_status excros_step(dae_quad_run *r, dae_quad H)
{
    const extrapolation *e = r->own;
    const int n = r->n;
    const size_t size = (size_t)n * sizeof *r->u;
    dae_quad *k = r->work, *y = k + 2 * n, *change = y + n, *begin = change + COLUMNS * n;
    dae_status status = DAE_OK;
    dae_quad_linearise(r, r->t, r->u);
    memcpy(begin, r->pencil.F, (2 + (size_t)n) * size);
    for (int j = 0; !status && j < COLUMNS; j++) {
        memcpy(r->pencil.F, begin, (2 + (size_t)n) * size);
        status = column(r, j, H, k, y, change + j * n);
    }
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < n; i++) {
            k[p * n + i] = r->u[i];
            for (int j = 0; j < COLUMNS; j++)
                k[p * n + i] += e->weight[p][j] * change[j * n + i];
        }
    if (e->plan.raw)
        dae_system_take_kernel_quad(r->sys, k, k + n);
    memcpy(r->u, k + n, size);
    return status || !e->plan.recovers ? status : project(r, r->t + H, r->u);
}

/* ---- Radau IIA ------------------------------------------------------------------------------ */

/* The collocation polynomial of a step is unique, however its equations are solved; so the steps of radau_step.c, to
 * quad precision, are those of the method. */
typedef struct {
    dae_first_order equations;
    dae_quad_dae dae;
    dae_quad_stepper collocation;
} radau;

enum { MOST_EQUATIONS = 160 };          /* of the stages together: they are factored as they are */

/* radau_step.c hands its parameters through unseen: here these are the run. */
static void radau_rhs(const dae_quad *run, dae_quad t, const dae_quad *u, dae_quad *F)
{
    dae_quad_run_rhs((const dae_quad_run *)(const void *)run, t, u, F);
}

static void radau_mass(const dae_quad *run, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    (void)u;                            /* the M of a composed system is constant */
    dae_quad_run_mass((const dae_quad_run *)(const void *)run, t, x, out);
}

static dae_status radau_create(dae_quad_run *r)
{
    const int *stages = r->tableau;
    radau *s = r->own;
    if (stages[1] < DAE_RADAU_FEWEST || stages[1] > DAE_RADAU_MOST || stages[1] * r->n > MOST_EQUATIONS)
        return DAE_UNSUPPORTED;
    s->equations = (dae_first_order){.n = r->n, .rhs = {.quad = radau_rhs}, .mass = {.quad = radau_mass}};
    s->dae = (dae_quad_dae){.equations = &s->equations, .p = (const dae_quad *)(const void *)r,
                            .group = r->sys->classes};
    return dae_quad_stepper_create(&s->collocation, &s->dae, stages[1]) ? DAE_OK : DAE_NO_MEMORY;
}

static void radau_destroy(void *own) { dae_quad_stepper_free(&((radau *)own)->collocation); }

static dae_status radau_start(dae_quad_run *r)
{
    radau *s = r->own;
    s->collocation.least = 1e-3;            /* auxiliary multipliers are next to nothing */
    dae_quad_stepper_start(&s->collocation, r->t, r->u);
    return DAE_OK;
}

static dae_status radau_step(dae_quad_run *r, dae_quad h)
{
    dae_quad_stepper *collocation = &((radau *)r->own)->collocation;
    double error;
    dae_quad_stepper_linearise(collocation);
    const dae_status status = dae_quad_stepper_try(collocation, h, &error);
    if (status)
        return status;
    dae_quad_stepper_accept(collocation, h);
    memcpy(r->u, collocation->u, (size_t)r->n * sizeof *r->u);
    return DAE_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

#define EXPLICIT                                                                                  \
    .vectors = DAE_RK_STAGES, .create = explicit_create, .start = explicit_start, .step = explicit_step, \
    .shake = explicit_shake, .size = sizeof(dae_tableau)
#define ROSENBROCK                                                                                \
    .vectors = DAE_ROSENBROCK_STAGES + 2, .rows = 1, .step = rosenbrock_step, .shake = rosenbrock_shake, \
    .size = sizeof(dae_rosenbrock_tableau)

const dae_quad_family *const dae_quad_families[DAE_FAMILIES] = {
    [DAE_FAMILY_EXPLICIT] = &(const dae_quad_family){EXPLICIT},
    [DAE_FAMILY_BUTCHER] = &(const dae_quad_family){EXPLICIT, .derive = explicit_derive},
    [DAE_FAMILY_ROSENBROCK] = &(const dae_quad_family){ROSENBROCK},
    [DAE_FAMILY_ROSENBROCK_WANNER] = &(const dae_quad_family){ROSENBROCK, .derive = rosenbrock_derive},
    [DAE_FAMILY_CROS] = &(const dae_quad_family){.vectors = 6, .rows = 2, .step = cros_step, .shake = cros_shake,
                                                 .size = sizeof(dae_cros_tableau)},
    [DAE_FAMILY_EXCROS] = &(const dae_quad_family){.vectors = 5 + COLUMNS + DAE_QUAD_ROWS / 2, .rows = 2,
                                                   .own = sizeof(extrapolation), .create = excros_create,
                                                   .step = excros_step},
    [DAE_FAMILY_RADAU_IIA] = &(const dae_quad_family){.own = sizeof(radau), .create = radau_create,
                                                      .start = radau_start, .step = radau_step,
                                                      .destroy = radau_destroy},
};
