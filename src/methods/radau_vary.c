/* radau_vary.c - the derivative of a step of Radau IIA
 *
 *     sum_j a'_ij M dz_j - h J_i dz_i = h (J_i du + F_p dp) - sum_j a'_ij dM z_j,   (a'_ij) = A^-1,   du+ = du + dz_s
 *
 * with J_i at the stages. Solved by the factors of the whole system (radau_full.c) where that is small, else by
 * Newton's iteration of the step, which is linear here, in place of its z, w and F. */
#include "radau.h"

#include "variation/variation.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 200 };
static const double ROUNDING = 64 * DBL_EPSILON;
static const double FALLS = 0.9, FAR_BELOW = 1e-3;
static const double NEAR = 1e-5;        /* corrections that no longer fall are rounding below this part of the whole */

typedef struct {
    double h;
    int whole;                  /* 1: there are factors of the whole system, and the J of its stages */
    double *z, *fixed;          /* [n s] the stages of the step less u; sum_j a'_ij dM z_j/h */
    double *u;                  /* [n] */
} step;

/* p->fixed of direction c: dM of A^-1 z/h */
static dae_status vary_masses(const radau *r, dae_variation *v, const step *p, int c)
{
    const int n = v->n, s = r->tab->s;
    double a[RADAU_STAGES * RADAU_STAGES];
    dae_status status = DAE_OK;
    if (!(dae_vary_moves(v, c) & DAE_MOVES_MASS)) {
        memset(p->fixed, 0, (size_t)(n * s) * sizeof *p->fixed);
        return DAE_OK;
    }
    dae_radau_inverse(r->tab, 0, a);
    dae_radau_combine(s, s, n, a, p->z, r->dw);
    for (int i = 0; !status && i < s; i++) {
        for (int k = 0; k < n; k++)
            p->u[k] = r->dw[i * n + k] / p->h;
        status = dae_vary_mass(v, c, p->u, p->fixed + i * n);
    }
    return status;
}

/* F[n s] := dF along du + dz, less what is fixed; dz may be NULL, for 0 */
static dae_status vary_stages(const dae_solver *s, dae_variation *v, const step *p, int c, const double *dz, double *F)
{
    const radau *r = s->stepper;
    const int n = v->n;
    const double *du = dae_du(v, c);
    const int held = p->whole && !dz && !(dae_vary_moves(v, c) & DAE_MOVES_PARAMETERS);
    dae_status status = DAE_OK;
    for (int i = 0; held && i < r->tab->s; i++)
        dae_radau_full_multiply(s, i, du, F + i * n);
    for (int i = 0; !held && !status && i < r->tab->s; i++) {
        for (int k = 0; k < n; k++) {
            p->u[k] = s->u_old[k] + p->z[i * n + k];
            v->x[k] = du[k] + (dz ? dz[i * n + k] : 0);
        }
        status = dae_vary_rhs(v, c, s->t_old + r->tab->c[i] * p->h, p->u, v->x, F + i * n);
    }
    for (int k = 0; k < n * r->tab->s; k++)
        F[k] -= p->fixed[k];
    return status;
}

/* By the factors of the whole system, which stand: dz[n s] */
static dae_status solve_whole(dae_solver *s, dae_variation *v, const step *p, int c, double *dz)
{
    const radau *r = s->stepper;
    const dae_status status = vary_stages(s, v, p, c, NULL, dz);
    for (int k = 0; k < v->n * r->tab->s; k++)
        dz[k] *= p->h;
    if (!status)
        dae_radau_full_solve(s, dz);
    return status;
}

/* The largest of x[n s], each in units of its unknown */
static double size_of(const dae_solver *s, const double *x)
{
    const radau *r = s->stepper;
    const double *unit = r->real.jac->pair.size;
    double largest = 0;
    for (int k = 0; k < r->tab->s; k++)
        for (int i = 0; i < s->n; i++)
            largest = fmax(largest, fabs(x[k * s->n + i]) / unit[i]);
    return largest;
}

/* r->z := what the polynomial of the last step predicts, whose dz are kept[n s]; or 0 */
static void predict(dae_solver *s, const dae_variation *v, const step *p, double *kept)
{
    radau *r = s->stepper;
    memset(r->z, 0, (size_t)(v->n * r->tab->s) * sizeof *r->z);
    if (v->kept_t != s->t_old || r->kept_h == 0 || r->far_h > 0)
        return;
    double *const own = r->z_kept;
    r->z_kept = kept;
    dae_radau_predict(s, p->h, r->z);
    r->z_kept = own;
}

/* By iteration, in r->z, until a correction is rounding, or where steps are chosen far below the tolerance */
static dae_status iterate(dae_solver *s, dae_variation *v, const step *p, int c)
{
    radau *r = s->stepper;
    const int rows = v->n * r->tab->s;
    const double enough = s->adaptive ? fmax(ROUNDING, FAR_BELOW * s->options.rtol) : ROUNDING;
    double before = INFINITY;
    predict(s, v, p, v->kept + c * v->n * RADAU_STAGES);
    dae_radau_begin_stages(s, p->h);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        const dae_status status = vary_stages(s, v, p, c, r->z, r->F);
        if (status)
            return status;
        if (!dae_radau_correction(s, p->h))
            break;
        for (int i = 0; i < rows; i++)
            r->w[i] += r->dw[i];
        dae_radau_end_stages(s);
        const double size = size_of(s, r->dw), whole = size_of(s, r->w);
        double standing = 0;                            /* algebraic unknowns are as exact as du + dz is rounded */
        for (int i = 0; i < v->n; i++)
            standing = fmax(standing, fabs(dae_du(v, c)[i]) / r->real.jac->pair.size[i]);
        if (size <= ROUNDING * standing)
            return DAE_OK;
        if (size <= enough * whole || (size > FALLS * before && size <= NEAR * whole))
            return DAE_OK;
        before = size;
    }
    return dae_fail(&v->report, DAE_NO_CONVERGENCE, "t = %.9g: the iteration for the derivative of the stages does not "
                    "converge", s->t);
}

/* The derivative of the estimate of radau.c with M - g J held, in units of the tolerance of that */
static dae_status estimate(dae_solver *s, dae_variation *v, const step *p, int c, const double *dz)
{
    const radau *r = s->stepper;
    const int n = v->n;
    const double g = p->h / r->tab->mu, unit = r->with_all ? 1 : s->options.rtol / r->tolerance;
    double *error = v->error + c * n;
    dae_status status = dae_vary_rhs(v, c, s->t_old, s->u_old, dae_du(v, c), error);
    for (int i = 0; i < n; i++) {
        p->u[i] = 0;
        for (int j = 0; j < r->tab->s; j++)
            p->u[i] += r->tab->slope[j] * dz[j * n + i] / p->h;
    }
    dae_system_mass(s->sys, p->u, r->Mx);
    for (int i = 0; i < n; i++)
        error[i] = unit * g * (error[i] - r->Mx[i]);
    if (!status)
        status = dae_pencil_solve_real(r->real.pencil, error);
    for (int i = s->sys->acceleration_at; i > 2 * s->sys->nq + s->sys->nl; i--)
        error[i - 1] = 0;
    v->has_error = 1;
    return status;
}

dae_status dae_radau_vary(dae_solver *s, dae_variation *v)
{
    radau *r = s->stepper;
    const int n = v->n, rows = n * r->tab->s;
    double *room = dae_variation_room(v, (size_t)(3 * rows + n));
    if (!room)
        return DAE_NO_MEMORY;
    step p = {.h = s->t - s->t_old, .z = room, .fixed = room + rows, .u = room + 3 * rows};
    double *dz = room + 2 * rows;
    dae_status status = DAE_OK;
    memcpy(p.z, r->z, (size_t)rows * sizeof *r->z);
    if (!dae_variation_keep(v, (size_t)(v->count * n * RADAU_STAGES)))
        return DAE_NO_MEMORY;
    for (int k = 0; k < rows; k++)
        r->at[k] = s->u_old[k % n] + p.z[k];
    p.whole = dae_radau_full_room(s) && dae_radau_full_factor(s, s->t_old, p.h);
    r->with_all = p.whole ? r->with_all : 0;
    for (int c = 0; !status && c < v->count; c++) {
        double *du = dae_du(v, c);
        status = vary_masses(r, v, &p, c);
        if (!status)
            status = p.whole ? solve_whole(s, v, &p, c, dz) : iterate(s, v, &p, c);
        const double *last = (p.whole ? dz : r->z) + rows - n;
        if (!status && v->error && s->adaptive)
            status = estimate(s, v, &p, c, last - (rows - n));
        for (int k = 0; !status && k < n; k++)
            du[k] += last[k];
        memcpy(v->kept + c * n * RADAU_STAGES, last - (rows - n), (size_t)rows * sizeof *last);
    }
    memcpy(r->z, p.z, (size_t)rows * sizeof *r->z);
    v->kept_t = status ? NAN : s->t;
    return status;
}
