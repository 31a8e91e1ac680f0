/* radau_step.c - collocation at the Radau points, its equations by simplified Newton iteration
 *
 *     M z_i = h sum_j a_ij F(t + c_j h, u + z_j),     c_j zeros of P_s - P_{s-1} on [0, 1]
 *
 * With the (nearly) fixed matrix I x M - h A x J the iteration is linear, and as residuals are
 * computed in quad precision it goes on to quad precision whatever the matrix: that has J from
 * differences, and is factored in long double. P_s(x) is Legendre's polynomial on [-1, 1].
 *
 * Weights, x_j = 2 c_j - 1:   b_j = (1 + x_j) / (2 s^2 P_{s-1}(x_j)^2)
 * and, exact for degree s-1,  a_ij = c_i sum_m b_m l_j(c_i c_m).
 *
 * The polynomial p of degree s through (0, 0), (c_j, z_j) has the divided difference p[0, c] as
 * its leading coefficient, and (s!)^2/(2s)! p[0, c] as that of P_s: O(h^s), the error estimate.
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.5, IV.8; Abramowitz, Stegun
 * 25.4.31.
 */
#include "radau_step.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SCALAR long double
#define SUFFIX(name) name##_long
#define MAGNITUDE(x) fabsl(x)
#include "base/lu.h"

enum { MOST_NEWTON = 50 };
static const double NEAR = 1e-3;            /* a correction against the unknowns from which J is kept */
static const double LEAST_PART = 1e-4;      /* of a correction that is taken */
static const dae_quad LEAST = DAE_QUAD_C(0x1p-16269);  /* the smallest normal quad number over its rounding */

/* P_{s-1}(x), P_s(x) */
static void legendre(int s, dae_quad x, dae_quad *before, dae_quad *P)
{
    *before = 1;
    *P = x;
    for (int k = 1; k < s; k++) {
        const dae_quad next = ((2 * k + 1) * x * *P - k * *before) / (k + 1);
        *before = *P;
        *P = next;
    }
}

/* The zero of P_s - P_{s-1} near x < 1; (x^2-1) P_s' = s (x P_s - P_{s-1}), and for P_{s-1}' the
 * same by the recurrence: (x^2-1) P_{s-1}' = s (P_s - x P_{s-1}). */
static dae_quad radau_zero(int s, dae_quad x)
{
    for (int step = 0; step < 10; step++) {
        dae_quad below, P;
        legendre(s, x, &below, &P);
        const dae_quad slope = s * ((x * P - below) - (P - x * below)) / (x * x - 1);
        x -= (P - below) / slope;
    }
    return x;
}

/* l_j(x) = prod (x - c_m)/(c_j - c_m), m != j */
static dae_quad lagrange(const dae_quad_radau *tab, int j, dae_quad x)
{
    dae_quad l = 1;
    for (int m = 0; m < tab->s; m++)
        if (m != j)
            l *= (x - tab->c[m]) / (tab->c[j] - tab->c[m]);
    return l;
}

void dae_quad_radau_compute(dae_quad_radau *tab, int s)
{
    const double pi = 3.14159265358979323846;
    dae_quad central = 1;                               /* (s!)^2/(2s)! */
    tab->s = s;
    for (int k = 1; k <= s; k++)
        central *= (dae_quad)k / (s + k);
    for (int j = 0; j < s; j++) {
        dae_quad below, P;
        const dae_quad x = j < s - 1 ? radau_zero(s, cos((s - 1 - j + 0.25) * pi / s)) : 1;
        legendre(s, x, &below, &P);
        tab->c[j] = (1 + x) / 2;
        tab->b[j] = (1 + x) / (2 * s * s * below * below);
    }
    tab->weight_0[s] = 1;                               /* of the point 0 */
    for (int j = 0; j < s; j++) {
        tab->weight[j] = 1;
        for (int m = 0; m < s; m++)
            if (m != j)
                tab->weight[j] /= tab->c[j] - tab->c[m];
        tab->weight_0[j] = tab->weight[j] / tab->c[j];
        tab->weight_0[s] /= -tab->c[j];
    }
    for (int j = 0; j < s; j++) {
        tab->last[j] = central / tab->c[j];
        for (int m = 0; m < s; m++)
            if (m != j)
                tab->last[j] /= tab->c[j] - tab->c[m];
        for (int i = 0; i < s; i++) {
            tab->a[i][j] = 0;
            for (int m = 0; m < s; m++)
                tab->a[i][j] += tab->c[i] * tab->b[m] * lagrange(tab, j, tab->c[i] * tab->c[m]);
        }
    }
}

/* ---- linear equations --------------------------------------------------------------------- */

/* The factors of the rows stand behind A[n x n]. */
dae_status dae_long_factor(int n, long double *A, int *pivot)
{
    return lu_scale_rows_long(n, A, A + (size_t)n * (size_t)n) || !lu_factor_long(n, A, pivot, 0) ? DAE_SINGULAR
                                                                                                  : DAE_OK;
}

void dae_long_solve(int n, const long double *A, const int *pivot, long double *b)
{
    const long double *factor = A + (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++)
        b[i] *= factor[i];
    lu_solve_long(n, A, pivot, b);
}

/* ---- a stepper ---------------------------------------------------------------------------- */

static void apply_mass(const dae_quad_stepper *r, dae_quad t, const dae_quad *x, dae_quad *out)
{
    const dae_first_order *e = r->dae->equations;
    if (r->kernel.rounded) {
        for (int i = 0; i < r->n; i++) {
            out[i] = 0;
            for (int j = 0; j < r->n; j++)
                out[i] += r->M[j * r->n + i] * x[j];
        }
    } else if (e->mass.quad)
        e->mass.quad(r->dae->p, t, r->u, x, out);
    else
        memcpy(out, x, (size_t)r->n * sizeof *x);
}

int dae_quad_stepper_create(dae_quad_stepper *r, const dae_quad_dae *dae, int stages)
{
    memset(r, 0, sizeof *r);
    r->dae = dae;
    r->n = dae->equations->n;
    r->least = dae_quad_least_part;
    dae_quad_radau_compute(&r->tab, stages);
    const size_t n = (size_t)r->n, sn = (size_t)stages * n;
    r->memory = DAE_PARTS(r,
                          DAE_PART(dae_quad_stepper, z, sn), DAE_PART(dae_quad_stepper, z_old, sn),
                          DAE_PART(dae_quad_stepper, F, sn), DAE_PART(dae_quad_stepper, Mz, sn),
                          DAE_PART(dae_quad_stepper, M, n * n), DAE_PART(dae_quad_stepper, J, n * n),
                          DAE_PART(dae_quad_stepper, M_graded, n * n), DAE_PART(dae_quad_stepper, J_graded, n * n),
                          DAE_PART(dae_quad_stepper, u, n), DAE_PART(dae_quad_stepper, x, n),
                          DAE_PART(dae_quad_stepper, F0, n), DAE_PART(dae_quad_stepper, scale, n),
                          DAE_PART(dae_quad_stepper, level, n), DAE_PART(dae_quad_stepper, terms, n),
                          DAE_PART(dae_quad_stepper, reach, n), DAE_PART(dae_quad_stepper, shaken, n),
                          DAE_PART(dae_quad_stepper, step, 2 * sn), DAE_PART(dae_quad_stepper, matrix, sn * sn + sn),
                          DAE_PART(dae_quad_stepper, right, sn), DAE_PART(dae_quad_stepper, pivot, sn));
    const int seen = dae->equations->index < 2 || !dae->equations->mass.quad
                     || dae_quad_kernel_create(&r->kernel, r->n);
    return r->memory && seen;
}

void dae_quad_stepper_free(dae_quad_stepper *r)
{
    dae_quad_kernel_free(&r->kernel);
    free(r->memory);
    memset(r, 0, sizeof *r);
}

void dae_quad_stepper_start(dae_quad_stepper *r, dae_quad t, const dae_quad *u)
{
    r->t = t;
    r->h_old = 0;
    for (int i = 0; i < r->n; i++) {
        r->u[i] = u[i];
        r->scale[i] = dae_quad_fabs(u[i]);
    }
    memset(r->x, 0, (size_t)r->n * sizeof *r->x);
    r->kernel.rounded = 0;
    for (int j = 0; j < r->n; j++) {                    /* M is constant */
        r->x[j] = 1;
        apply_mass(r, t, r->x, r->M + j * r->n);
        r->x[j] = 0;
    }
    if (r->kernel.memory)
        dae_quad_kernel_find(&r->kernel, r->M);
    if (r->kernel.needed)
        dae_quad_kernel_both(&r->kernel, r->M, r->M_graded);
    for (int l = r->n - r->kernel.nulls; r->kernel.needed && l < r->n; l++)
        for (int i = 0; i < r->n; i++)
            r->M_graded[r->kernel.column[l] * r->n + i] = r->M_graded[i * r->n + r->kernel.row[l]] = 0;
}

/* Column j of r->J := (F(u + delta) - F(u))/delta, delta 2^-56 of a size; r->x = u. 0 where all that changes of F is
 * within some 2^10 roundings of F. */
static int differentiate(dae_quad_stepper *r, dae_quad t, int j, dae_quad size)
{
    const int n = r->n;
    const dae_quad u = r->x[j];
    int shows = 0;
    r->x[j] = u + 0x1p-56 * size;
    const dae_quad delta = r->x[j] - u;
    r->dae->equations->rhs.quad(r->dae->p, t, r->x, r->J + j * n);
    r->x[j] = u;
    for (int i = 0; i < n; i++) {
        const dae_quad by = r->J[j * n + i] - r->F0[i];
        shows |= dae_quad_fabs(by) > 0x1p-102 * dae_quad_fabs(r->F0[i]);
        r->J[j * n + i] = by / delta;
    }
    return shows;
}

/* r->J := dF/du at (t, u), r->F0 := F there; u is not r->x. An unknown that is zero, or but for rounding, has no size
 * of its own: where F does not show it a part of the largest one is taken. */
static void linearise(dae_quad_stepper *r, dae_quad t, const dae_quad *u)
{
    const int n = r->n;
    dae_quad largest = 0;
    r->dae->equations->rhs.quad(r->dae->p, t, u, r->F0);
    memcpy(r->x, u, (size_t)n * sizeof *r->x);
    for (int i = 0; i < n; i++)
        largest = dae_quad_fmax(largest, dae_quad_fabs(u[i]));
    const dae_quad least = largest > 0 ? 0x1p-40 * largest : 1;
    for (int j = 0; j < n; j++) {
        const dae_quad own = dae_quad_fmax(dae_quad_fabs(u[j]), r->scale[j]);
        const int shows = own > 0 && differentiate(r, t, j, own);
        if (!shows && own < least)
            differentiate(r, t, j, least);
    }
}

void dae_quad_stepper_linearise(dae_quad_stepper *r) { linearise(r, r->t, r->u); }

/* The columns of stage j of I x M - h A x J, row (i, k): equation k of stage i; or of L M R and L J R instead */
static void fill(dae_quad_stepper *r, dae_quad h, int j, const dae_quad *J)
{
    const int n = r->n, s = r->tab.s, sn = s * n;
    const dae_quad *M = r->kernel.needed ? r->M_graded : r->M;
    for (int i = 0; i < s; i++) {
        const long double ha = (long double)(h * r->tab.a[i][j]);
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++)
                r->matrix[(i * n + k) * sn + j * n + l] = (i == j ? (long double)M[l * n + k] : 0)
                                                          - ha * (long double)J[l * n + k];
    }
}

/* stages: J at each stage; NULL: r->J */
static dae_status factor(dae_quad_stepper *r, dae_quad h, const dae_quad *stages)
{
    const int n = r->n;
    for (int j = 0; j < r->tab.s; j++) {
        const dae_quad *J = stages ? stages + j * n * n : r->J;
        if (r->kernel.needed && (stages || j == 0))
            dae_quad_kernel_both(&r->kernel, J, r->J_graded);
        fill(r, h, j, r->kernel.needed ? r->J_graded : J);
    }
    return dae_long_factor(r->tab.s * n, r->matrix, r->pivot);
}

/* z := the polynomial of the step before, continued over this one: prod (x - c_m)/(c_j - c_m) is a
 * multiple of last_j prod (x - c_m), m = 0 (at 0), 1 ... s but j, and 1 at x = c_j = 1 for j = s */
static void predict(dae_quad_stepper *r, dae_quad h)
{
    const int n = r->n, s = r->tab.s;
    dae_quad unit = r->tab.last[s - 1];
    memset(r->z, 0, (size_t)(s * n) * sizeof *r->z);
    if (r->h_old == 0)
        return;
    for (int m = 0; m < s - 1; m++)
        unit *= 1 - r->tab.c[m];
    for (int i = 0; i < s; i++) {
        const dae_quad x = 1 + r->tab.c[i] * h / r->h_old;
        for (int j = 0; j < s; j++) {
            dae_quad l = r->tab.last[j] / unit * x;
            for (int m = 0; m < s; m++)
                if (m != j)
                    l *= x - r->tab.c[m];
            for (int k = 0; k < n; k++)
                r->z[i * n + k] += (l - (j == s - 1)) * r->z_old[j * n + k];
        }
    }
}

/* right, stage i := x, whose sums are in quad, in the rows of the factors */
static void put_right(dae_quad_stepper *r, int i)
{
    if (r->kernel.needed)
        dae_quad_kernel_rows(&r->kernel, r->x);
    for (int k = 0; k < r->n; k++)
        r->right[i * r->n + k] = (long double)r->x[k];
}

/* right := h (A x I) F - (I x M) z */
static void residual(dae_quad_stepper *r, dae_quad h)
{
    const int n = r->n, s = r->tab.s;
    for (int i = 0; i < s; i++) {
        const dae_quad t = r->t + r->tab.c[i] * h;
        for (int k = 0; k < n; k++)
            r->x[k] = r->u[k] + r->z[i * n + k];
        r->dae->equations->rhs.quad(r->dae->p, t, r->x, r->F + i * n);
        apply_mass(r, t, r->z + i * n, r->Mz + i * n);
    }
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++) {
            dae_quad sum = 0;
            for (int j = 0; j < s; j++)
                sum += r->tab.a[i][j] * r->F[j * n + k];
            r->x[k] = h * sum - r->Mz[i * n + k];
        }
        put_right(r, i);
    }
}

/* right := the solution of the system with these factors; in long double, as the factors are */
static void solve(dae_quad_stepper *r)
{
    const int n = r->n, nulls = r->kernel.needed ? r->kernel.nulls : 0;
    dae_long_solve(r->tab.s * n, r->matrix, r->pivot, r->right);
    for (int i = 0; nulls && i < r->tab.s; i++) {
        long double *x = r->right + i * n;
        for (int l = n - nulls; l < n; l++) {
            const int free_column = r->kernel.column[l];
            for (int j = 0; j < n; j++)
                x[j] += j == free_column ? 0 : (long double)r->kernel.R[j * n + free_column] * x[free_column];
        }
    }
}

/* (I x M - h A x J) x = h c x d, d_k = sum_l |J_kl u_l| of either sign: terms_k := the largest |x_k| of a stage */
static void look_at_terms(dae_quad_stepper *r, dae_quad h)
{
    const int n = r->n, s = r->tab.s;
    uint64_t random = 19750501;
    for (int k = 0; k < n; k++) {
        dae_quad d = 0;
        for (int l = 0; l < n; l++)
            d += dae_quad_fabs(r->J[l * n + k]) * dae_quad_fmax(dae_quad_fabs(r->u[l]), r->scale[l]);
        r->shaken[k] = dae_random_direction(&random) < 0 ? -h * d : h * d;
        r->terms[k] = 0;
    }
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < n; k++)
            r->x[k] = r->tab.c[i] * r->shaken[k];
        put_right(r, i);
    }
    solve(r);
    for (int i = 0; i < s * n; i++)
        if (isfinite(r->right[i]))
            r->terms[i % n] = dae_quad_fmax(r->terms[i % n], fabsl(r->right[i]));
}

/* level_k := the largest |u_k| of this step, no less than a quarter of the last one's, r->least of its terms, and
 * what has all digits: products underflow below. */
static void set_level(dae_quad_stepper *r)
{
    const int n = r->n;
    for (int k = 0; k < n; k++) {
        r->level[k] = dae_quad_fmax(dae_quad_fmax(r->scale[k] / 4, LEAST), dae_quad_fabs(r->u[k]));
        for (int i = 0; i < r->tab.s; i++)
            r->level[k] = dae_quad_fmax(r->level[k], dae_quad_fabs(r->u[k] + r->z[i * n + k]));
        r->level[k] = dae_quad_fmax(r->level[k], r->least * r->terms[k]);
    }
}

/* The largest of right against the level; infinite where there is a NaN */
static double size_of_right(const dae_quad_stepper *r)
{
    dae_quad size = 0;
    for (int i = 0; i < r->tab.s * r->n; i++) {
        const dae_quad x = r->right[i];
        if (x - x != 0)
            return HUGE_VAL;
        if (x != 0)
            size = dae_quad_fmax(size, dae_quad_fabs(x) / r->level[i % r->n]);
    }
    return (double)size;
}

/* right := the correction that the factors make of the residual; its size */
static double correction(dae_quad_stepper *r, dae_quad h)
{
    residual(r, h);
    solve(r);
    return size_of_right(r);
}

/* To 1e-32, or as far below 1e-15 as rounding lets corrections fall. They fall by turns fast and
 * slowly where the problem is stiff, so that two in a row are looked at. */
static dae_status iterate(dae_quad_stepper *r, dae_quad h)
{
    double before[2] = {HUGE_VAL, HUGE_VAL};
    for (int step = 0; step < 60; step++) {
        residual(r, h);
        solve(r);
        for (int i = 0; i < r->tab.s * r->n; i++)
            r->z[i] += r->right[i];
        set_level(r);
        const double size = size_of_right(r);
        if (!(size < HUGE_VAL))
            return DAE_NOT_FINITE;
        if (size <= 1e-32)
            return DAE_OK;
        if (step > 2 && size > before[step % 2] / 4)
            return size <= 1e-15 ? DAE_OK : DAE_NO_CONVERGENCE;
        before[step % 2] = size;
    }
    return DAE_NO_CONVERGENCE;
}

/* z := z_before + part step for the largest part = 1, 1/2, ... after which the same factors make a shorter correction,
 * by a quarter of that part; 0: none does. Deuflhard (2011), Newton Methods for Nonlinear Problems, 3.3: the natural
 * monotonicity test. */
static int go_along(dae_quad_stepper *r, dae_quad h, double size)
{
    const int all = r->tab.s * r->n;
    dae_quad *before = r->step + all;
    memcpy(before, r->z, (size_t)all * sizeof *before);
    for (int i = 0; i < all; i++)
        r->step[i] = r->right[i];
    for (double part = 1; part > LEAST_PART; part /= 2) {
        for (int i = 0; i < all; i++)
            r->z[i] = before[i] + part * r->step[i];
        if (correction(r, h) <= (1 - part / 4) * size)
            return 1;
    }
    memcpy(r->z, before, (size_t)all * sizeof *before);
    return 0;
}

/* J[s][n x n] at the stages */
static void linearise_stages(dae_quad_stepper *r, dae_quad h, dae_quad *J)
{
    const int n = r->n;
    dae_quad *const kept = r->J, *at = r->shaken;
    for (int i = 0; i < r->tab.s; i++) {
        for (int k = 0; k < n; k++)
            at[k] = r->u[k] + r->z[i * n + k];
        r->J = J + i * n * n;
        linearise(r, r->t + r->tab.c[i] * h, at);
    }
    r->J = kept;
}

/* From z = 0, Newton's iteration with J at the stages, until that with the same J goes on. J: as above */
static dae_status newton(dae_quad_stepper *r, dae_quad h, dae_quad *J)
{
    memset(r->z, 0, (size_t)(r->tab.s * r->n) * sizeof *r->z);
    for (int step = 0; step < MOST_NEWTON; step++) {
        set_level(r);
        linearise_stages(r, h, J);
        const dae_status status = factor(r, h, J);
        const double size = status ? HUGE_VAL : correction(r, h);
        if (size < NEAR)
            return iterate(r, h);
        if (!(size < HUGE_VAL) || !go_along(r, h, size))
            return status ? status : DAE_NO_CONVERGENCE;
    }
    return DAE_NO_CONVERGENCE;
}

static dae_status search(dae_quad_stepper *r, dae_quad h)
{
    dae_quad *J = calloc((size_t)(r->tab.s * r->n * r->n), sizeof *J);
    const dae_status status = J ? newton(r, h, J) : DAE_NO_MEMORY;
    free(J);
    return status;
}

void dae_quad_stepper_interpolate(dae_quad_stepper *r, dae_quad h)
{
    residual(r, h);                         /* F at the stages as they are */
    for (int k = 0; k < r->n; k++) {        /* by how much F_k may be off where u is off by its level */
        r->reach[k] = 0;
        for (int j = 0; j < r->n; j++)
            r->reach[k] += (dae_quad_fabs(r->J[j * r->n + k]) + dae_quad_fabs(r->M[j * r->n + k] / h))
                           * r->level[j];
    }
}

/* x[n] := sum_j w_j y_j over its sum, w_j = weight_j/(part - c_j) */
static void interpolate(const dae_quad_stepper *r, const dae_quad *weight, dae_quad part,
                        const dae_quad *y, dae_quad at_0, dae_quad *x)
{
    const int n = r->n;
    dae_quad sum = at_0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = 0; j < r->tab.s; j++) {
        const dae_quad w = weight[j] / (part - r->tab.c[j]);
        sum += w;
        for (int k = 0; k < n; k++)
            x[k] += w * y[j * n + k];
    }
    for (int k = 0; k < n; k++)
        x[k] /= sum;
}

/* The largest |F_k - p_k| over what it may be, exact reach_k + 1e3 |shaken_k - F_k|; shaken may be
 * NULL. Infinite where a difference is no number. */
static dae_quad apart(const dae_quad_stepper *r, const dae_quad *F, const dae_quad *p,
                      const dae_quad *shaken, double exact)
{
    dae_quad worst = 0;
    for (int k = 0; k < r->n; k++) {
        const dae_quad off = dae_quad_fabs(F[k] - p[k]);
        const dae_quad may = exact * r->reach[k]
                             + (shaken ? 1e3 * dae_quad_fabs(shaken[k] - F[k]) : 0);
        if (off - off != 0)
            return HUGE_VAL;
        if (off > 0)
            worst = dae_quad_fmax(worst, off / may);
    }
    return worst;
}

/* F changes by more than J says where u is off by little only if the first comparison fails. */
double dae_quad_stepper_between(dae_quad_stepper *r, dae_quad h, dae_quad part, double exact)
{
    const int n = r->n;
    const dae_first_order *e = r->dae->equations;
    const dae_quad t = r->t + part * h;
    dae_quad *F = r->Mz, *p = r->Mz + n;
    for (int j = 0; j < r->tab.s; j++)
        if (dae_quad_fabs(part - r->tab.c[j]) < 1e-9)
            return 0;
    interpolate(r, r->tab.weight, part, r->F, 0, p);
    interpolate(r, r->tab.weight_0, part, r->z, r->tab.weight_0[r->tab.s] / part, r->x);
    for (int k = 0; k < n; k++)
        r->x[k] += r->u[k];
    e->rhs.quad(r->dae->p, t, r->x, F);
    const dae_quad worst = apart(r, F, p, NULL, exact);
    if (worst <= 1)
        return (double)worst;
    for (int k = 0; k < n; k++)             /* as large as J has become by then */
        r->x[k] += 1e-3 * exact * r->level[k] * (k % 2 ? -1 : 1);
    e->rhs.quad(r->dae->p, t, r->x, r->shaken);
    return (double)apart(r, F, p, r->shaken, exact);
}

dae_status dae_quad_stepper_try(dae_quad_stepper *r, dae_quad h, double *error)
{
    dae_quad worst = 0;
    dae_status status = factor(r, h, NULL);
    if (status == DAE_OK) {
        look_at_terms(r, h);
        predict(r, h);
        status = iterate(r, h);
    }
    if (status != DAE_OK && r->searches)
        status = search(r, h);
    if (status != DAE_OK)
        return status;
    for (int k = 0; k < r->n; k++) {
        dae_quad sum = 0;
        for (int j = 0; j < r->tab.s; j++)
            sum += r->tab.last[j] * r->z[j * r->n + k];
        if (sum != 0)
            worst = dae_quad_fmax(worst, dae_quad_fabs(sum) / r->level[k]);
    }
    *error = (double)worst;
    return DAE_OK;
}

void dae_quad_stepper_accept(dae_quad_stepper *r, dae_quad h)
{
    dae_quad *z = r->z;
    for (int k = 0; k < r->n; k++) {
        r->u[k] += z[(r->tab.s - 1) * r->n + k];
        r->scale[k] = r->level[k];
    }
    r->z = r->z_old;
    r->z_old = z;
    r->h_old = h;
    r->t += h;
}

int dae_quad_stepper_mass_holds(dae_quad_stepper *r, dae_quad h)
{
    const int n = r->n, stages = r->dae->equations->mass.quad ? r->tab.s : 0;
    uint64_t random = 19750501;
    if (r->dae->holds)
        return r->dae->holds(r->dae->p, r->t, r->u);
    for (int j = 0; j < n; j++)
        r->x[j] = dae_random_direction(&random);
    for (int i = 0; i < stages; i++) {
        apply_mass(r, r->t + r->tab.c[i] * h, r->x, r->Mz);
        for (int k = 0; k < n; k++) {
            dae_quad sum = 0, size = 0;
            for (int j = 0; j < n; j++) {
                sum += r->M[j * n + k] * r->x[j];
                size += dae_quad_fabs(r->M[j * n + k] * r->x[j]);
            }
            if (dae_quad_fabs(r->Mz[k] - sum) > 1e-25 * size)
                return 0;
        }
    }
    return 1;
}
