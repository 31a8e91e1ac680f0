/* piece.c - collocation by Radau IIA over a step, or over a piece of one, for dense output
 *
 * With the eigenvalues 1/g of the matrix A^-1 = D of P and the Jacobian J a simplified Newton step is
 *
 *     (M - g h J) dw = g T^-1 (h F(t + c_i h, u + z_i) - M (D z)_i),    z := z + T dw.
 *
 * The residual is computed from z, not from w, as T has a condition number of 10^6.
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8.
 */
#include "piece.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = RADAU_FINE, MOST = 12, POINTS = 128 };
static const double SMALL = 0.02;       /* error of P in tolerances */
static const double FALLING = 0.3;      /* a ratio of corrections above it is that of rounding where
                                           ... */
static const double FALLEN = 1e-3;      /* ... they have fallen below this part of the first */
static const double ROUNDING = 4 * DBL_EPSILON; /* relative, of unknowns, ... */
static const double NEAR = 8;           /* ... of whose effect a defect may be this many times */

void dae_piece_free(dae_piece *p)
{
    dae_pencil_free(p->real);
    for (int k = 0; k < RADAU_PAIRS; k++)
        dae_pencil_free(p->pair[k]);
    free(p->z);
    free(p->left.residual);
}

/* ---- coefficients ------------------------------------------------------------------------- */

/* l_j'(x) of all j, x not 0 and no node: l_j = lagrange_j x prod_(m != j) (x - c_m) */
static void slopes_at(const radau_tableau *tab, double x, const double *l, double *slope)
{
    double sum = 1 / x;
    for (int m = 0; m < tab->s; m++)
        sum += 1 / (x - tab->c[m]);
    for (int j = 0; j < tab->s; j++)
        slope[j] = l[j] * (sum - 1 / (x - tab->c[j]));
}

/* l_j'(c_i): constants have no slope. */
static void slopes_at_nodes(piece_table *f)
{
    const radau_tableau *tab = f->tab;
    for (int i = 0; i < tab->s; i++) {
        double at_zero = 1, sum = 0;                    /* 1/l_0'(c_i) of the node at 0, ... */
        for (int m = 0; m < tab->s; m++)
            at_zero *= -tab->c[m];
        for (int j = 0; j < tab->s; j++)
            if (j != i) {
                const double slope = tab->lagrange[j] / tab->lagrange[i] / (tab->c[i] - tab->c[j]);
                f->D[j * tab->s + i] = slope;
                sum += slope;
            }
        f->D[i * tab->s + i] = -sum - 1 / (at_zero * tab->lagrange[i] * tab->c[i]);
    }
}

/* In each half of the step, where tau prod (tau - c_m) is largest, and with it the error of a smooth function. */
static void choose_places(piece_table *f)
{
    double most[PIECE_PLACES] = {0};
    for (int k = 1; k < POINTS; k++) {
        const double tau = (double)k / POINTS;
        const int half = 2 * k >= POINTS;
        double x = tau;
        for (int m = 0; m < f->tab->s; m++)
            x *= tau - f->tab->c[m];
        if (fabs(x) > most[half]) {
            most[half] = fabs(x);
            f->place[half] = tau;
        }
    }
    for (int k = 0; k < PIECE_PLACES; k++) {
        dae_radau_basis(f->tab, f->place[k], f->l[k]);
        slopes_at(f->tab, f->place[k], f->l[k], f->slope[k]);
    }
}

/* Where rows ask for it first, and where they ask for more stages. */
static dae_status make_room(dae_solver *s, dae_piece *p, dae_jacobian *jac, int stages)
{
    const size_t n = (size_t)s->n;
    double *z = malloc((2 * (size_t)stages + 3) * n * sizeof *z);
    dae_status status = z ? DAE_OK : DAE_NO_MEMORY;
    if (z) {
        free(p->z);
        p->z = z;
        p->F = z + (size_t)stages * n;
        p->x = p->F + (size_t)stages * n;
        p->Mx = p->x + n;
        p->off = p->Mx + n;
    }
    p->jac = jac;
    p->keeps_left = s->adaptive && s->sys->index > 1;
    if (!status && p->keeps_left && !p->left.residual) {
        p->left.residual = calloc(n + (size_t)s->sys->nl, sizeof *p->left.residual);
        p->left.rate = p->left.residual + n;
        status = p->left.residual ? DAE_OK : DAE_NO_MEMORY;
    }
    if (!status && !p->real)
        status = dae_pencil_create(&p->real, &jac->pair, s->options.linear, &s->report);
    for (int k = 0; !status && k < stages / 2; k++)
        if (!p->pair[k])
            status = dae_pencil_create(&p->pair[k], &jac->pair, s->options.linear, &s->report);
    if (status)
        return dae_fail(&s->report, status, "no memory for dense output of %d unknowns", s->n);
    p->room = stages;
    return DAE_OK;
}

dae_status dae_piece_choose(dae_solver *s, dae_piece *p, dae_jacobian *jac, int stages)
{
    piece_table *f = &p->tables[(stages - 3) / 2];
    const dae_status status = p->room >= stages ? DAE_OK : make_room(s, p, jac, stages);
    p->table = f;
    if (status || f->tab)
        return status;
    f->tab = dae_radau_tableau(stages);
    slopes_at_nodes(f);
    choose_places(f);
    return DAE_OK;
}

/* What u leaves of algebraic equations at t */
static void measure_left(dae_solver *s, piece_left *left, double t, const double *u)
{
    left->t = t;
    dae_system_rhs(s->sys, t, u, left->residual);
    s->count.rhs++;
    dae_system_keep_algebraic(s->sys, left->residual, s->work + s->n);
    if (s->sys->nq && s->sys->index == 3)
        dae_system_constraint(s->sys, 1, t, u, left->rate);
}

/* F[n] -= left(t) */
static void keep_left(const dae_solver *s, const piece_left *left, double t, double *F)
{
    const dae_system *sys = s->sys;
    for (int i = 0; i < s->n; i++)
        F[i] -= left->residual[i];
    for (int k = 0; sys->nq && sys->index == 3 && k < sys->nl; k++)
        F[2 * sys->nq + k] -= (t - left->t) * left->rate[k];
}

void dae_piece_place(dae_solver *s, dae_piece *p, double t, const double *u, double h)
{
    p->t = t;
    p->u = u;
    p->h = h;
    if (p->keeps_left)
        measure_left(s, &p->left, t, u);
}

/* ---- Newton's iteration ------------------------------------------------------------------- */

static int factor(dae_solver *s, dae_piece *p)
{
    const radau_tableau *tab = p->table->tab;
    const double h = p->h;
    if (p->factored == tab && p->factored_h == h)
        return 1;
    int good = !dae_pencil_factor_real(p->real, h / tab->mu).status;
    for (int k = 0; good && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], g = h / (a * a + b * b);
        good = !dae_pencil_factor(p->pair[k], g * a, -g * b).status;
    }
    s->count.factorizations += 1 + tab->s / 2;
    p->factored = good ? tab : NULL;
    p->factored_h = h;
    p->filter = p->real;
    p->filter_g = h / tab->mu;
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

/* F[n] := F(t + tau h, x), less left, at a time that is changed by so many times its rounding error */
static void evaluate(dae_solver *s, const dae_piece *p, double tau, double errors, const double *x, double *F)
{
    const double at = p->t + tau * p->h, t = at + errors * DBL_EPSILON * fabs(at);
    dae_system_rhs(s->sys, t, x, F);
    s->count.rhs++;
    if (p->keeps_left)
        keep_left(s, &p->left, t, F);
}

/* F := h F(u + z) - M D z */
static void residual(dae_solver *s, const dae_piece *p)
{
    const double *c = p->table->tab->c, *D = p->table->D;
    const int stages = p->table->tab->s, n = s->n;
    double slopes[FINE];
    for (int k = 0; k < stages; k++) {
        double *F = p->F + k * n;
        for (int i = 0; i < n; i++)
            p->x[i] = p->u[i] + p->z[k * n + i];
        evaluate(s, p, c[k], 0, p->x, F);
        for (int j = 0; j < stages; j++)
            slopes[j] = D[j * stages + k];
        dae_radau_combine(1, stages, n, slopes, p->z, p->x);
        dae_system_mass(s->sys, p->x, p->Mx);
        for (int i = 0; i < n; i++)
            F[i] = p->h * F[i] - p->Mx[i];
    }
}

/* F := the correction of z from the residual */
static int correction(dae_solver *s, const dae_piece *p)
{
    const radau_tableau *tab = p->table->tab;
    const int n = s->n;
    transform(tab->s, n, tab->T_inverse, p->F);
    for (int i = 0; i < n; i++)
        p->F[i] /= tab->mu;
    int good = !dae_pencil_solve_real(p->real, p->F);
    for (int k = 0; good && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], g = 1 / (a * a + b * b);
        double *re = p->F + (2 * k + 1) * n, *im = re + n;
        for (int i = 0; i < n; i++) {
            const double x = re[i], y = im[i];
            re[i] = g * (a * x + b * y);
            im[i] = g * (a * y - b * x);
        }
        good = !dae_pencil_solve(p->pair[k], re, im);
    }
    s->count.solves += 1 + tab->s / 2;
    transform(tab->s, n, tab->T, p->F);
    return good;
}

/* The unknowns from this one on are those of the acceleration level in rows (output.c), in index 3 after v has been
 * projected. */
static int last_shown(const dae_solver *s)
{
    return !driver(s)->output || !s->adaptive ? s->n : s->sys->index == 3 ? s->sys->nq : 2 * s->sys->nq;
}

/* The largest |d_i|, in tolerances at the state x[n], of an unknown that rows show; with fixed steps relative to the
 * unknown. Infinite where one is not finite. */
static double size_of(const dae_solver *s, const double *d, const double *x, int *worst)
{
    const int last = last_shown(s);
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        const double size = fmax(fmax(fabs(s->u[i]), fabs(s->u_old[i])), fabs(x[i]));
        const double one = s->adaptive ? s->options.rtol * dae_usual_size(s, i, size) + s->atol[i] : size;
        if (!isfinite(d[i]))
            return INFINITY;
        if (i >= last || dae_system_follows(s->sys, i) || !(fabs(d[i]) > most * one) || one == 0)
            continue;
        most = fabs(d[i]) / one;
        *worst = i;
    }
    return most;
}

/* The largest correction of a stage, in tolerances: in an unknown that rows show, and of all unknowns in the norm of
 * the error test. */
static double size_of_correction(const dae_solver *s, const dae_piece *p)
{
    double most = 0;
    int any;
    for (int k = 0; k < p->table->tab->s; k++) {
        const double *dz = p->F + k * s->n;
        const double size = size_of(s, dz, p->u, &any);
        most = fmax(most, s->adaptive ? fmax(size, dae_error_norm(s, dz, p->h)) : size);
    }
    return most;
}

/* ---- P, and what it leaves ---------------------------------------------------------------- */

/* The polynomial of degree s that is 1 at 0 and 0 at the nodes */
static double l_0(const radau_tableau *tab, double x)
{
    double l = 1;
    for (int m = 0; m < tab->s; m++)
        l *= 1 - x / tab->c[m];
    return l;
}

/* x[n] := the part of x that M does not see */
static void keep_kernel(const dae_system *sys, double *x, double *rest)
{
    if (!sys->right_null) {
        for (int i = 0; i < sys->n; i++)
            x[i] = dae_system_is_algebraic(sys, i) ? x[i] : 0;
        return;
    }
    memcpy(rest, x, (size_t)sys->n * sizeof *x);
    memset(x, 0, (size_t)sys->n * sizeof *x);
    for (int k = 0; k < sys->nulls; k++) {
        const double *z = sys->right_null + k * sys->n;
        double zx = 0, zz = 0;
        for (int i = 0; i < sys->n; i++) {
            zx += z[i] / sys->unit[i] * (rest[i] / sys->unit[i]);
            zz += z[i] / sys->unit[i] * (z[i] / sys->unit[i]);
        }
        for (int i = 0; i < sys->n; i++)
            x[i] += zx / zz * z[i];
    }
}

/* off := sum_j m_j(0) z_j with the Lagrange polynomials m_j of the nodes alone, of which M sees nothing */
static void set_off(const dae_solver *s, const dae_piece *p)
{
    const radau_tableau *tab = p->table->tab;
    double m[FINE];
    for (int j = 0; j < tab->s; j++) {
        m[j] = tab->lagrange[j] * tab->c[j];
        for (int k = 0; k < tab->s; k++)
            m[j] *= k == j ? 1 : -tab->c[k];
    }
    dae_radau_combine(1, tab->s, s->n, m, p->z, p->off);
    keep_kernel(s->sys, p->off, p->Mx);
}

static void add(const dae_solver *s, const dae_piece *p, double x, const double *l, double *u)
{
    const double part = p->open && x > 0 ? l_0(p->table->tab, x) : 0;
    dae_radau_combine(1, p->table->tab->s, s->n, l, p->z, u);
    for (int i = 0; i < s->n; i++)
        u[i] = p->u[i] + (part != 0 ? u[i] + part * p->off[i] : u[i]);
}

void dae_piece_at(const dae_solver *s, const dae_piece *p, double x, double *u)
{
    double l[FINE];
    dae_radau_basis(p->table->tab, x, l);
    add(s, p, x, l, u);
}

/* out[n] := (M - g J)^-1 g (F(t, x) - M y/h), x = u + P and y = h P' at place k, which are changed with t by so many
 * times their rounding errors. 0 where the solution fails. */
static int filtered(dae_solver *s, dae_piece *p, int k, double errors, double *out)
{
    const piece_table *f = p->table;
    const int n = s->n, stages = f->tab->s;
    double reach = 0;
    uint64_t random = 1;
    for (int j = 0; j < stages; j++)
        reach += fabs(f->slope[k][j]);
    add(s, p, f->place[k], f->l[k], p->x);
    for (int i = 0; errors > 0 && i < n; i++)
        p->x[i] += errors * ROUNDING * dae_random_direction(&random) * p->x[i];
    evaluate(s, p, f->place[k], errors, p->x, out);
    dae_radau_combine(1, stages, n, f->slope[k], p->z, p->x);
    for (int i = 0; errors > 0 && i < n; i++)
        p->x[i] += errors * ROUNDING * dae_random_direction(&random) * reach * p->u[i];
    dae_system_mass(s->sys, p->x, p->Mx);
    for (int i = 0; i < n; i++)
        out[i] = p->filter_g * (out[i] - p->Mx[i] / p->h);
    s->count.solves++;
    return !dae_pencil_solve_real(p->filter, out);
}

/* What rounding errors make of e[n] at place k, in tolerances; moved[n] is scratch. */
static double rounding_of(dae_solver *s, dae_piece *p, int k, double *e, double *moved)
{
    int worst;
    if (!filtered(s, p, k, 0, e) || !filtered(s, p, k, 1, moved))
        return 0;
    for (int i = 0; i < s->n; i++)
        moved[i] -= e[i];
    dae_piece_at(s, p, p->table->place[k], p->x);
    return size_of(s, moved, p->x, &worst);
}

static int iterate(dae_solver *s, dae_piece *p)
{
    const int all = p->table->tab->s * s->n;
    double enough = 0, before = 0, theta = 0.1;
    for (int k = 0; k < MOST; k++) {
        residual(s, p);
        if (!correction(s, p))
            return 0;
        const double size = size_of_correction(s, p);
        if (!isfinite(size))
            return 0;
        for (int i = 0; i < all; i++)
            p->z[i] += p->F[i];
        p->theta = theta = k ? size / before : theta;
        if (k == 0)
            enough = FALLEN * size;
        if (size == 0 || (s->adaptive && theta * size <= SMALL))
            return 1;
        if (s->adaptive && k > 1 && (theta > 1 || size * pow(theta, MOST - k) > 1))
            return size <= 1 || size <= NEAR * rounding_of(s, p, PIECE_PLACES - 1, p->F, p->F + s->n);
        if (!s->adaptive && k > 0 && (theta > 1 || (theta > FALLING && size <= enough)))
            return size <= enough;
        before = size;
    }
    return before <= (s->adaptive ? 1 : enough);
}

int dae_piece_solve(dae_solver *s, dae_piece *p)
{
    memset(p->off, 0, (size_t)s->n * sizeof *p->off);
    if (!factor(s, p) || !iterate(s, p))
        return 0;
    set_off(s, p);
    return 1;
}

double dae_piece_defect(dae_solver *s, dae_piece *p, double enough, int *worst)
{
    double most = 0, *e = p->F;
    for (int k = 0; k < PIECE_PLACES; k++) {
        int which = 0;
        if (!filtered(s, p, k, 0, e))
            return INFINITY;
        dae_piece_at(s, p, p->table->place[k], p->x);
        double size = size_of(s, e, p->x, &which);
        if (size > enough && isfinite(size))
            size = fmax(0, size - NEAR * rounding_of(s, p, k, e, e + s->n));
        if (size > most) {
            most = size;
            *worst = which;
        }
    }
    return most;
}

double dae_piece_look(dae_solver *s, dae_piece *p, dae_pencil *pencil, double g)
{
    int any;
    p->filter = pencil;
    p->filter_g = g;
    p->factored = NULL;                                 /* or they would not be those of the filter */
    set_off(s, p);
    if (!filtered(s, p, 0, 0, p->F))
        return INFINITY;
    dae_piece_at(s, p, p->table->place[0], p->x);
    return size_of(s, p->F, p->x, &any);
}
