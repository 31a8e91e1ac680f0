/* radau_dense.c - dense output of Radau IIA as good as its steps
 *
 * The collocation polynomial p of s stages misses u by O(h^(s+1)) inside the step, O(h^(2s)) at its
 * end. Where rows are asked for, collocation with 2 s - 1 stages is solved over the same step,
 * once, beginning at p: its polynomial P misses u by O(h^(2s)) everywhere. With the eigenvalues 1/g
 * of its matrix A^-1 = D and the Jacobian of the step, a simplified Newton step is
 *
 *     (M - g h J) dw = g T^-1 (h F(t_n + c_i h, u_n + z_i) - M (D z)_i),    z := z + T dw,
 *
 * the residual formed from z itself: T has a condition of 10^6, which only dw may feel. Then
 *
 *     u(x) = u_n + P(x) + x (u_(n+1) - u_n - P(1)).
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8.
 */
#include "radau.h"

#include <math.h>
#include <stdlib.h>

enum { FINE = RADAU_FINE, PAIRS = (RADAU_FINE - 1) / 2, ORDERS = RADAU_ORDERS, MOST = 12 };
static const double TINY = 0.01;        /* a part of a step over which p has no error */
static const double SMALL = 0.02;       /* error of P in tolerances */
static const double FALLING = 0.3;      /* a ratio of corrections above it is that of rounding where
                                           ... */
static const double FALLEN = 1e-3;      /* ... they have fallen below this part of the first */

typedef enum { UNTRIED, READY, LEFT_AT_P } dense_state;

typedef struct {
    radau_tableau tab;          /* s = 0: not computed yet */
    double D[FINE * FINE];      /* l_j'(c_i) at [j s + i] */
} fine_table;

struct radau_dense {
    dense_state state;
    int now;                    /* which of the tables is in use: for 3, 5 or 7 stages of p */
    fine_table tables[ORDERS];
    dae_pencil *real, *pair[PAIRS];
    double *z, *F;              /* [n x FINE] each */
};

void radau_dense_free(radau_dense *d)
{
    if (!d)
        return;
    dae_pencil_free(d->real);
    for (int k = 0; k < PAIRS; k++)
        dae_pencil_free(d->pair[k]);
    free(d->z);
    free(d);
}

void radau_dense_forget(radau_dense *d, int kept)
{
    if (d)
        d->state = kept ? UNTRIED : LEFT_AT_P;
}

/* At the first row that asks for it: storage. */
static dae_status create(dae_solver *s)
{
    radau *r = s->stepper;
    const int most = 2 * r->most - 1;
    radau_dense *d = calloc(1, sizeof *d);
    if (d)
        d->z = calloc(2 * (size_t)most * (size_t)s->n, sizeof *d->z);
    r->dense = d;
    dae_status status = d && d->z ? DAE_OK : DAE_NO_MEMORY;
    if (!status) {
        d->F = d->z + most * s->n;
        status = dae_pencil_create(&d->real, r->jac, s->linear, &s->report);
    }
    for (int k = 0; !status && k < most / 2; k++)
        status = dae_pencil_create(&d->pair[k], r->jac, s->linear, &s->report);
    if (!status)
        return DAE_OK;
    radau_dense_free(d);
    r->dense = NULL;
    return dae_fail(&s->report, status, "no memory for dense output of %d unknowns", s->n);
}

static const radau_tableau *table(const radau_dense *d) { return &d->tables[d->now].tab; }

/* 2 stages - 1 stages. l_j = lagrange_j tau prod_(m != j) (tau - c_m), and constants have no
 * slope. */
static void choose_table(radau_dense *d, int stages)
{
    d->now = (stages - 3) / 2;
    fine_table *f = &d->tables[d->now];
    const radau_tableau *tab = &f->tab;
    const int fine = 2 * stages - 1;
    if (tab->s == fine)
        return;
    radau_tableau_compute(&f->tab, fine);
    for (int i = 0; i < fine; i++) {
        double at_zero = 1, sum = 0;                    /* 1/l_0'(c_i) of the node at 0, ... */
        for (int m = 0; m < fine; m++)
            at_zero *= -tab->c[m];
        for (int j = 0; j < fine; j++)
            if (j != i) {
                const double slope = tab->lagrange[j] / tab->lagrange[i] / (tab->c[i] - tab->c[j]);
                f->D[j * fine + i] = slope;
                sum += slope;
            }
        f->D[i * fine + i] = -sum - 1 / (at_zero * tab->lagrange[i] * tab->c[i]);
    }
}

static int factor(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    radau_dense *d = r->dense;
    const radau_tableau *tab = table(d);
    int column, good = !dae_pencil_factor_real(d->real, h / tab->mu, &column);
    for (int k = 0; good && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], g = h / (a * a + b * b);
        good = !dae_pencil_factor(d->pair[k], g * a, -g * b, &column);
    }
    s->count.factorizations += 1 + tab->s / 2;
    return good;
}

/* x[n x s] := A x, a row for each stage */
static void transform(int s, int n, const double *A, double *x)
{
    double y[FINE];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < s; k++)
            y[k] = 0;
        for (int j = 0; j < s; j++)
            for (int k = 0; k < s; k++)
                y[k] += A[j * s + k] * x[j * n + i];
        for (int k = 0; k < s; k++)
            x[k * n + i] = y[k];
    }
}

/* F := h F(u_n + z) - M D z */
static void residual(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const radau_dense *d = r->dense;
    const double *c = table(d)->c, *D = d->tables[d->now].D;
    const int stages = table(d)->s, n = s->n;
    for (int k = 0; k < stages; k++) {
        double *F = d->F + k * n;
        for (int i = 0; i < n; i++)
            r->x[i] = s->u_new[i] + d->z[k * n + i];
        dae_system_rhs(s->sys, s->t_old + c[k] * h, r->x, F);
        for (int i = 0; i < n; i++)
            r->x[i] = 0;
        for (int j = 0; j < stages; j++)
            for (int i = 0; i < n; i++)
                r->x[i] += D[j * stages + k] * d->z[j * n + i];
        dae_system_mass(s->sys, r->x, r->Mx);
        for (int i = 0; i < n; i++)
            F[i] = h * F[i] - r->Mx[i];
    }
    s->count.rhs += stages;
}

/* F := the correction of z from the residual */
static int correction(dae_solver *s)
{
    const radau *r = s->stepper;
    const radau_dense *d = r->dense;
    const radau_tableau *tab = table(d);
    const int n = s->n;
    transform(tab->s, n, tab->T_inverse, d->F);
    for (int i = 0; i < n; i++)
        d->F[i] /= tab->mu;
    int good = !dae_pencil_solve_real(d->real, d->F);
    for (int k = 0; good && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], g = 1 / (a * a + b * b);
        double *re = d->F + (2 * k + 1) * n, *im = re + n;
        for (int i = 0; i < n; i++) {
            const double x = re[i], y = im[i];
            re[i] = g * (a * x + b * y);
            im[i] = g * (a * y - b * x);
        }
        good = !dae_pencil_solve(d->pair[k], re, im);
    }
    s->count.solves += 1 + tab->s / 2;
    transform(tab->s, n, tab->T, d->F);
    return good;
}

/* The largest norm of a stage's correction, in tolerances; with fixed steps any norm will do. */
static double size_of(const dae_solver *s, double h)
{
    const radau_dense *d = ((const radau *)s->stepper)->dense;
    double most = 0;
    for (int k = 0; k < table(d)->s; k++) {
        const double *dz = d->F + k * s->n;
        double size = 0;
        for (int i = 0; !s->adaptive && i < s->n; i++) {
            const double scale = fmax(fabs(s->u[i]), fabs(s->u_new[i]));
            size = scale > 0 ? fmax(size, fabs(dz[i]) / scale) : size;
        }
        size = s->adaptive ? dae_error_norm(s, dz, h) : size;
        most = size <= most ? most : size;              /* a NaN is kept */
    }
    return most;
}

/* From p to P, until what is left is small, with fixed steps until corrections no longer fall: at
 * rounding. 0 where the iteration does not lead there. */
static int iterate(dae_solver *s, double h)
{
    const radau_dense *d = ((const radau *)s->stepper)->dense;
    const int all = table(d)->s * s->n;
    double enough = 1, before = 0, theta = 0.1;
    for (int k = 0; k < MOST; k++) {
        residual(s, h);
        if (!correction(s))
            return 0;
        const double size = size_of(s, h);
        if (!isfinite(size))
            return 0;
        for (int i = 0; i < all; i++)
            d->z[i] += d->F[i];
        theta = k ? size / before : theta;
        if (k == 0 && !s->adaptive)
            enough = FALLEN * size;
        if (size == 0 || (s->adaptive && theta * size <= SMALL))
            return 1;
        if (k > 0 && theta > FALLING && size <= enough)
            return 1;
        if (k > 0 && theta > 1)
            return 0;
        before = size;
    }
    return before <= enough;
}

dae_status radau_refine(dae_solver *s)
{
    radau *r = s->stepper;
    if (r->kept_h == 0 || s->t_new != s->t || (r->dense && r->dense->state != UNTRIED))
        return DAE_OK;
    if (r->cut && r->kept_h < TINY * r->full_h)         /* a step with equations of its own */
        return DAE_OK;
    const dae_status status = r->dense ? DAE_OK : create(s);
    if (status)
        return status;
    radau_dense *d = r->dense;
    double l[RADAU_STAGES], a[RADAU_STAGES * FINE];
    choose_table(d, r->kept->s);
    const int stages = table(d)->s;
    for (int k = 0; k < stages; k++) {
        radau_basis(r->kept, table(d)->c[k], l);
        for (int j = 0; j < r->kept->s; j++)
            a[j * stages + k] = l[j];
    }
    radau_combine(stages, r->kept->s, s->n, a, r->z_kept, d->z);
    d->state = factor(s, r->kept_h) && iterate(s, r->kept_h) ? READY : LEFT_AT_P;
    return DAE_OK;
}

int radau_dense_at(const dae_solver *s, double x, double *u)
{
    const radau *r = s->stepper;
    const radau_dense *d = r->dense;
    double l[FINE];
    if (!d || d->state != READY || s->t_new != s->t)
        return 0;
    radau_basis(table(d), x, l);
    l[table(d)->s - 1] -= x;
    radau_combine(1, table(d)->s, s->n, l, d->z, u);
    for (int i = 0; i < s->n; i++)
        u[i] += (1 - x) * s->u_new[i] + x * s->u[i];
    return 1;
}
