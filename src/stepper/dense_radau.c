/* dense_radau.c - dense output by collocation over the last step, as accurate as the step
 *
 * The dense output of a one-step method is of lower order than the step, and inaccurate in stiff unknowns: a
 * slope F(t, u) at an end has L times the error of u. Where dense output is required, the collocation
 * equations of Radau IIA with s stages are therefore solved over the same step, once, with the dense output
 * of the method as the initial guess. The error of the collocation polynomial P is O(h^(s+1)) inside the
 * step. At the nodes stiff and algebraic unknowns satisfy F; their error at the begin of the step enters
 * with the factor l_0(x), |l_0| <= 1. (For Radau methods of s stages P has 2 s - 1 stages, and the error is
 * O(h^(2s)).) With the eigenvalues 1/g of the matrix A^-1 = D of P and the Jacobian of the step, a
 * simplified Newton step is
 *
 *     (M - g h J) dw = g T^-1 (h F(t_n + c_i h, u_n + z_i) - M (D z)_i),    z := z + T dw,
 *
 * The residual is computed from z, not from w, as T has a condition number of 10^6. Then
 *
 *     u(x) = u_n + P(x) + x (u_(n+1) - u_n - P(1)).
 *
 * With error control, stages are added while the highest power in P exceeds the tolerance and decreases. This
 * is needed as a step may be accepted for its end although stiff unknowns vary faster inside of it.
 * In the first step algebraic unknowns are interpolated at the nodes only, as their initial values need not
 * satisfy the algebraic equations.
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8.
 */
#include "dense_radau.h"

#include "radau_tableau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = RADAU_FINE, PAIRS = (RADAU_FINE - 1) / 2, TABLES = (RADAU_FINE - 1) / 2,
       MOST = 12, POINTS = 128 };
static const double SMALL = 0.02;       /* error of P in tolerances */
static const double FALLING = 0.3;      /* a ratio of corrections above it is that of rounding where
                                           ... */
static const double FALLEN = 1e-3;      /* ... they have fallen below this part of the first */

typedef enum { UNTRIED, READY, NOT_FOUND } outcome;

typedef struct {
    const radau_tableau *tab;   /* NULL: not in use yet */
    double D[FINE * FINE];      /* l_j'(c_i) at [j s + i] */
    double reach;               /* max |tau (tau - c_1) .. (tau - c_(s-1))| on [0, 1] */
} fine_table;

struct dae_dense_radau {
    outcome state;
    int room, now;              /* for so many stages; which of the tables is in use */
    fine_table tables[TABLES];
    dae_pencil *real, *pair[PAIRS];
    double *z, *F, *kept;       /* [n x room] each; z heads the block of all */
    double *x, *Mx;             /* [n] */
};

void dae_dense_radau_free(dae_dense_radau *d)
{
    if (!d)
        return;
    dae_pencil_free(d->real);
    for (int k = 0; k < PAIRS; k++)
        dae_pencil_free(d->pair[k]);
    free(d->z);
    free(d);
}

void dae_dense_radau_forget(dae_dense_radau *d)
{
    if (d)
        d->state = UNTRIED;
}

/* Where rows ask for it first, and where they ask for more stages: storage, which keeps z. */
static dae_status make_room(dae_solver *s, dae_dense_radau **place, dae_jacobian *jac, int stages)
{
    const size_t n = (size_t)s->n, size = (3 * (size_t)stages + 2) * n;
    dae_dense_radau *d = *place = *place ? *place : calloc(1, sizeof *d);
    double *z = d ? realloc(d->z, size * sizeof *z) : NULL;
    dae_status status = z ? DAE_OK : DAE_NO_MEMORY;
    if (z) {
        d->z = z;
        d->F = z + (size_t)stages * n;
        d->kept = d->F + (size_t)stages * n;
        d->x = d->kept + (size_t)stages * n;
        d->Mx = d->x + n;
        if (!d->real)
            status = dae_pencil_create(&d->real, &jac->pair, s->options.linear, &s->report);
    }
    for (int k = 0; !status && k < stages / 2; k++)
        if (!d->pair[k])
            status = dae_pencil_create(&d->pair[k], &jac->pair, s->options.linear, &s->report);
    if (status)
        return dae_fail(&s->report, status, "no memory for dense output of %d unknowns", s->n);
    d->room = stages;
    return DAE_OK;
}

static const radau_tableau *table(const dae_dense_radau *d) { return d->tables[d->now].tab; }

/* l_j = lagrange_j tau prod_(m != j) (tau - c_m), and constants have no slope. */
static void choose_table(dae_dense_radau *d, int fine)
{
    d->now = (fine - 3) / 2;
    fine_table *f = &d->tables[d->now];
    const radau_tableau *tab = dae_radau_tableau(fine);
    if (f->tab)
        return;
    f->tab = tab;
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
    for (int k = 1; k <= POINTS; k++) {
        double x = (double)k / POINTS;
        for (int m = 0; m + 1 < fine; m++)
            x *= (double)k / POINTS - tab->c[m];
        f->reach = fmax(f->reach, fabs(x));
    }
}

static int factor(dae_solver *s, const dae_dense_radau *d, double h)
{
    const radau_tableau *tab = table(d);
    int good = !dae_pencil_factor_real(d->real, h / tab->mu).status;
    for (int k = 0; good && k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], g = h / (a * a + b * b);
        good = !dae_pencil_factor(d->pair[k], g * a, -g * b).status;
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

/* y[n] := sum_j l_j z_j */
static void combine(int s, int n, const double *l, const double *z, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int j = 0; j < s; j++)
        for (int i = 0; i < n; i++)
            y[i] += l[j] * z[j * n + i];
}

/* F := h F(u_n + z) - M D z */
static void residual(dae_solver *s, const dae_dense_radau *d, double h)
{
    const double *c = table(d)->c, *D = d->tables[d->now].D;
    const int stages = table(d)->s, n = s->n;
    double slopes[FINE];
    for (int k = 0; k < stages; k++) {
        double *F = d->F + k * n;
        for (int i = 0; i < n; i++)
            d->x[i] = s->u_old[i] + d->z[k * n + i];
        dae_system_rhs(s->sys, s->t_old + c[k] * h, d->x, F);
        for (int j = 0; j < stages; j++)
            slopes[j] = D[j * stages + k];
        combine(stages, n, slopes, d->z, d->x);
        dae_system_mass(s->sys, d->x, d->Mx);
        for (int i = 0; i < n; i++)
            F[i] = h * F[i] - d->Mx[i];
    }
    s->count.rhs += stages;
}

/* F := the correction of z from the residual */
static int correction(dae_solver *s, const dae_dense_radau *d)
{
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
static double size_of(const dae_solver *s, const dae_dense_radau *d, double h)
{
    double most = 0;
    for (int k = 0; k < table(d)->s; k++) {
        const double *dz = d->F + k * s->n;
        double size = 0;
        for (int i = 0; !s->adaptive && i < s->n; i++) {
            const double scale = fmax(fabs(s->u[i]), fabs(s->u_old[i]));
            size = scale > 0 ? fmax(size, fabs(dz[i]) / scale) : size;
        }
        size = s->adaptive ? dae_error_norm(s, dz, h) : size;
        most = size <= most ? most : size;              /* a NaN is kept */
    }
    return most;
}

/* From z on to P, until what is left is small, with fixed steps until corrections no longer fall:
 * at rounding. 0 where the iteration does not lead there. */
static int iterate(dae_solver *s, const dae_dense_radau *d, double h)
{
    const int all = table(d)->s * s->n;
    double enough = 1, before = 0, theta = 0.1;
    for (int k = 0; k < MOST; k++) {
        residual(s, d, h);
        if (!correction(s, d))
            return 0;
        const double size = size_of(s, d, h);
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

dae_status dae_dense_radau_choose(dae_solver *s, dae_dense_radau **d, dae_jacobian *jac, int stages)
{
    const int known = *d && (*d)->room >= stages;
    const dae_status status = known ? DAE_OK : make_room(s, d, jac, stages);
    if (!status)
        choose_table(*d, stages);
    return status;
}

double *dae_dense_radau_stages(const dae_dense_radau *d, const double **nodes)
{
    *nodes = table(d)->c;
    return d->z;
}

/* In tolerances, what the highest power of tau adds to P where it adds most: what the next one
 * would is less, where the step resolves the solution. */
static double highest_power(const dae_solver *s, const dae_dense_radau *d, double h)
{
    const fine_table *f = &d->tables[d->now];
    const int n = s->n;
    combine(f->tab->s, n, f->tab->lagrange, d->z, d->x);
    for (int i = 0; i < n; i++)
        d->x[i] *= f->reach;
    return dae_error_norm(s, d->x, h);
}

/* z of two stages more, from P on, whose z are kept */
static dae_status add_stages(dae_solver *s, dae_dense_radau *d, dae_jacobian *jac)
{
    const int n = s->n, few = table(d)->s, now = d->now;
    const dae_status status = dae_dense_radau_choose(s, &d, jac, few + 2);
    double l[FINE];
    if (status)
        return status;
    memcpy(d->kept, d->z, (size_t)(few * n) * sizeof *d->z);
    for (int k = 0; k < few + 2; k++) {
        dae_radau_basis(d->tables[now].tab, table(d)->c[k], l);
        combine(few, n, l, d->kept, d->z + k * n);
    }
    return DAE_OK;
}

static void run(dae_solver *s, dae_dense_radau *d, double h)
{
    d->state = factor(s, d, h) && iterate(s, d, h) ? READY : NOT_FOUND;
}

/* More stages, as long as the highest power asks for them and they make it fall. What errors of the
 * ends leave in multipliers does not fall. */
dae_status dae_dense_radau_solve(dae_solver *s, dae_dense_radau *d, dae_jacobian *jac, double h)
{
    run(s, d, h);
    if (!s->adaptive || d->state != READY)
        return DAE_OK;
    for (double before = highest_power(s, d, h); before > 1 && table(d)->s < FINE;) {
        const int now = d->now, few = table(d)->s;
        const dae_status status = add_stages(s, d, jac);
        if (status)
            return status;
        run(s, d, h);
        const double power = d->state == READY ? highest_power(s, d, h) : INFINITY;
        if (!(power < before / 2)) {
            d->now = now;
            d->state = READY;
            memcpy(d->z, d->kept, (size_t)(few * s->n) * sizeof *d->z);
            break;
        }
        before = power;
    }
    return DAE_OK;
}

int dae_dense_radau_is_due(const dae_solver *s, const dae_dense_radau *d)
{
    return s->t_new == s->t && s->t > s->t_old && (!d || d->state == UNTRIED);
}

dae_status dae_dense_radau_find(dae_solver *s, dae_dense_radau **place, dae_jacobian *jac, int stages,
                         dae_dense_radau_guess *guess)
{
    const double h = s->t - s->t_old, *nodes;
    if (!dae_dense_radau_is_due(s, *place) || driver(s)->output || driver(s)->was_cut)
        return DAE_OK;
    dae_status status = dae_dense_radau_choose(s, place, jac, stages);
    if (status)
        return status;
    double *z = dae_dense_radau_stages(*place, &nodes);
    (*place)->state = NOT_FOUND;
    for (int k = 0; !status && k < stages; k++, z += s->n) {
        if (guess) {
            guess(s, nodes[k], z);
            continue;
        }
        status = s->method->interpolate(s, s->t_old + nodes[k] * h, z);
        for (int i = 0; i < s->n; i++)
            z[i] -= s->u_old[i];
    }
    return status ? status : dae_dense_radau_solve(s, *place, jac, h);
}

/* u_i - u_n less x (u_(n+1) - u_n - P(1)), from the nodes alone */
static double from_nodes(const dae_dense_radau *d, int n, int i, double x)
{
    const radau_tableau *tab = table(d);
    double sum = 0;
    for (int j = 0; j < tab->s; j++) {
        double l = tab->lagrange[j] * tab->c[j];
        for (int m = 0; m < tab->s; m++)
            l *= m == j ? 1 : x - tab->c[m];
        sum += l * d->z[j * n + i];
    }
    return sum;
}

int dae_dense_radau_at(const dae_solver *s, const dae_dense_radau *d, double x, double *u)
{
    double l[FINE];
    const int n = s->n;
    if (!d || d->state != READY || s->t_new != s->t)
        return 0;
    const int last = table(d)->s - 1, first_step = s->t_old == s->t_begin && x > 0;
    const double *end = d->z + last * n;
    dae_radau_basis(table(d), x, l);
    combine(last + 1, n, l, d->z, u);
    for (int i = 0; i < n; i++) {
        const double change =
            first_step && dae_system_is_algebraic(s->sys, i) ? from_nodes(d, n, i, x) : u[i];
        u[i] = s->u_old[i] + change + x * (s->u[i] - s->u_old[i] - end[i]);
    }
    return 1;
}
