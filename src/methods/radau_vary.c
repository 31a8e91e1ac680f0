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
    double *z, *fixed;          /* [n s] the stages of the step less u; J_i du + F_p dp - sum_j a'_ij dM z_j/h */
    double *dz;                 /* [n s] */
    radau_pair *both;           /* [n s + n] of two directions: h dF, then dz; du */
    double *u;                  /* [n] */
} step;

/* Numbers that are kept of a direction */
static int rows_kept(const dae_variation *v) { return v->n * RADAU_STAGES; }

/* p->fixed -= dM of A^-1 z/h, of direction c */
static dae_status subtract_masses(const radau *r, dae_variation *v, const step *p, int c)
{
    const int n = v->n, s = r->tab->s;
    double a[RADAU_STAGES * RADAU_STAGES];
    dae_status status = DAE_OK;
    if (!(dae_vary_moves(v, c) & DAE_MOVES_MASS))
        return DAE_OK;
    dae_radau_inverse(r->tab, 0, a);
    dae_radau_combine(s, s, n, a, p->z, r->dw);
    for (int i = 0; !status && i < s; i++) {
        for (int k = 0; k < n; k++)
            p->u[k] = r->dw[i * n + k] / p->h;
        status = dae_vary_mass(v, c, p->u, v->x);
        for (int k = 0; k < n; k++)
            p->fixed[i * n + k] -= v->x[k];
    }
    return status;
}

/* p->fixed_i := dF at the stages along du and what direction c moves parameters by, less what M moves by */
static dae_status fix_slopes(const dae_solver *s, dae_variation *v, const step *p, int c)
{
    const radau *r = s->stepper;
    dae_tangent_set(v->sys, dae_dp(v, c));
    for (int i = 0; i < r->tab->s; i++) {
        for (int k = 0; k < v->n; k++)
            p->u[k] = s->u_old[k] + p->z[i * v->n + k];
        dae_tangent_rhs(v->sys, s->t_old + r->tab->c[i] * p->h, p->u, &(dae_tangent){.u = dae_du(v, c)},
                        p->fixed + i * v->n);
    }
    return subtract_masses(r, v, p, c);
}

double dae_radau_largest(const dae_solver *s, const double *unit, const double *x)
{
    const radau *r = s->stepper;
    double largest = 0;
    for (int i = 0; i < s->n; i++) {
        double most = 0;
        for (int k = 0; k < r->tab->s; k++)
            most = fmax(most, fabs(x[k * s->n + i]));
        largest = fmax(largest, most / unit[i]);
    }
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

/* r->F := p->fixed + J_i r->z_i */
static void slopes(const dae_solver *s, dae_variation *v, const step *p)
{
    const radau *r = s->stepper;
    const int n = v->n;
    for (int i = 0; i < r->tab->s; i++) {
        for (int k = 0; k < n; k++)
            p->u[k] = s->u_old[k] + p->z[i * n + k];
        dae_tangent_rhs_held(v->sys, s->t_old + r->tab->c[i] * p->h, p->u, r->z + i * n, r->F + i * n);
    }
    for (int k = 0; k < n * r->tab->s; k++)
        r->F[k] += p->fixed[k];
}

/* By iteration, in r->z, until a correction is rounding, or where steps are chosen far below the tolerance: p->dz */
static dae_status iterate(dae_solver *s, dae_variation *v, const step *p, int c)
{
    radau *r = s->stepper;
    const int rows = v->n * r->tab->s;
    const double enough = s->adaptive ? fmax(ROUNDING, FAR_BELOW * s->options.rtol) : ROUNDING;
    const double *unit = r->real.jac->pair.size;
    double before = INFINITY, standing = 0;             /* algebraic unknowns are as exact as du + dz is rounded */
    for (int i = 0; i < v->n; i++)
        standing = fmax(standing, fabs(dae_du(v, c)[i]) / unit[i]);
    predict(s, v, p, v->kept + c * rows_kept(v));
    dae_radau_begin_stages(s, p->h);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        slopes(s, v, p);
        if (!dae_radau_correction(s, p->h))
            break;
        for (int i = 0; i < rows; i++)
            r->w[i] += r->dw[i];
        dae_radau_end_stages(s);
        const double size = dae_radau_largest(s, unit, r->dw), whole = dae_radau_largest(s, unit, r->w);
        if (size <= ROUNDING * standing || size <= enough * whole || (size > FALLS * before && size <= NEAR * whole)) {
            memcpy(p->dz, r->z, (size_t)rows * sizeof *p->dz);
            return DAE_OK;
        }
        before = size;
    }
    return dae_fail(&v->report, DAE_NO_CONVERGENCE, "t = %.9g: the iteration for the derivative of the stages does not "
                    "converge", s->t);
}

/* The derivative of the estimate of radau.c with M - g J held, (M - g J)^-1 g (dF - M p_c'(0) - dM p'(0)) with p_c and
 * p of p->dz and p->z, in units of the tolerance of that */
static dae_status estimate(dae_solver *s, dae_variation *v, const step *p, int c)
{
    const radau *r = s->stepper;
    const int n = v->n;
    const double g = p->h / r->tab->mu, unit = r->with_all ? 1 : s->options.rtol / r->tolerance;
    double *error = v->error + c * n;
    dae_status status = dae_vary_rhs(v, c, s->t_old, s->u_old, dae_du(v, c), error);
    dae_radau_slope_at_begin(r, n, p->h, p->dz, p->u);
    dae_system_mass(s->sys, p->u, r->Mx);
    for (int i = 0; i < n; i++)
        error[i] -= r->Mx[i];
    if (!status && dae_vary_moves(v, c) & DAE_MOVES_MASS) {
        dae_radau_slope_at_begin(r, n, p->h, p->z, p->u);
        status = dae_vary_mass(v, c, p->u, r->Mx);
        for (int i = 0; i < n; i++)
            error[i] -= r->Mx[i];
    }
    for (int i = 0; i < n; i++)
        error[i] *= unit * g;
    if (!status)
        status = dae_pencil_solve_real(r->real.pencil, error);
    for (int i = s->sys->acceleration_at; i > 2 * s->sys->nq + s->sys->nl; i--)
        error[i - 1] = 0;
    v->has_error = 1;
    return status;
}

/* Direction c moves the begin by du and the stages by p->dz: du at the end, and its local error. */
static dae_status move(dae_solver *s, dae_variation *v, const step *p, int c)
{
    const radau *r = s->stepper;
    const int n = v->n, rows = n * r->tab->s;
    double *du = dae_du(v, c);
    const dae_status status = v->error && s->adaptive ? estimate(s, v, p, c) : DAE_OK;
    for (int k = 0; !status && k < n; k++)
        du[k] += p->dz[rows - n + k];
    memcpy(v->kept + c * rows_kept(v), p->dz, (size_t)rows * sizeof *p->dz);
    return status;
}

/* By iteration */
static dae_status vary_one(dae_solver *s, dae_variation *v, const step *p, int c)
{
    dae_status status = fix_slopes(s, v, p, c);
    if (!status)
        status = iterate(s, v, p, c);
    return status ? status : move(s, v, p, c);
}

/* p->both[][d] := h dF of direction c, or 0 and du[][d] := du where it moves no parameters: then that is h J_i du. */
static dae_status fix_one_of_two(const dae_solver *s, dae_variation *v, const step *p, int c, int d, radau_pair *du)
{
    const radau *r = s->stepper;
    const int moves = c < v->count && dae_vary_moves(v, c) & DAE_MOVES_PARAMETERS, held = c < v->count && !moves;
    const dae_status status = moves ? fix_slopes(s, v, p, c) : DAE_OK;
    for (int k = 0; k < v->n; k++)
        du[k][d] = held ? dae_du(v, c)[k] : 0;
    for (int k = 0; k < v->n * r->tab->s; k++)
        p->both[k][d] = moves ? p->h * p->fixed[k] : 0;
    return status;
}

/* By the factors of the whole system: directions c and, where there is one, c + 1 */
static dae_status vary_both(dae_solver *s, dae_variation *v, const step *p, int c)
{
    const radau *r = s->stepper;
    const int n = v->n, stages = r->tab->s;
    radau_pair *du = p->both + n * stages;
    dae_status status = fix_one_of_two(s, v, p, c, 0, du);
    if (!status)
        status = fix_one_of_two(s, v, p, c + 1, 1, du);
    for (int i = 0; !status && i < stages; i++)
        dae_radau_multiply(r, i, p->h, du, p->both + i * n);
    if (!status)
        dae_radau_full_solve(s, p->both);
    for (int d = 0; !status && d < 2 && c + d < v->count; d++) {
        for (int k = 0; k < n * stages; k++)
            p->dz[k] = p->both[k][d];
        status = move(s, v, p, c + d);
    }
    return status;
}

dae_status dae_radau_vary(dae_solver *s, dae_variation *v)
{
    radau *r = s->stepper;
    const int n = v->n, rows = n * r->tab->s;
    const long before = s->count.rhs;
    double *room = dae_variation_room(v, (size_t)(5 * rows + 3 * n));
    if (!room || !dae_variation_keep(v, (size_t)(v->count * rows_kept(v))))
        return DAE_NO_MEMORY;
    step p = {.h = s->t - s->t_old, .both = (radau_pair *)(void *)room};
    dae_status status = DAE_OK;
    p.z = room + 2 * rows + 2 * n;
    p.fixed = p.z + rows;
    p.dz = p.fixed + rows;
    p.u = p.dz + rows;
    memcpy(p.z, r->z, (size_t)rows * sizeof *r->z);
    for (int k = 0; k < rows; k++)
        r->at[k] = s->u_old[k % n] + p.z[k];
    const int whole = dae_radau_full_room(s) && dae_radau_full_factor(s, s->t_old, p.h);
    r->with_all = whole ? r->with_all : 0;
    for (int c = 0; !status && c < v->count; c += whole ? 2 : 1)
        status = whole ? vary_both(s, v, &p, c) : vary_one(s, v, &p, c);
    r->since_rhs += s->count.rhs - before;              /* what comes of the run does not depend on it */
    memcpy(r->z, p.z, (size_t)rows * sizeof *r->z);
    v->kept_t = status ? NAN : s->t;
    return status;
}
