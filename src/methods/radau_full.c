/* radau_full.c - Newton's iteration with the Jacobian of every stage
 *
 *     sum_j a'_ij M dz_j - h J_i dz_i = h F_i - sum_j a'_ij M z_j,  (a'_ij) = A^-1,  J_i = F_u(t_n + c_i h, u_n + z_i)
 *
 * one system of s n equations; in mechanics of those of (v, lambda) alone, as dq = A (b_q + h dv) by the rows of
 * q, with the blocks a'_ij M - h J_i - h^2 A_ij J_iq. The simplified iteration has the J of the begin for all of them.
 * Where something oscillates with the frequency k^(1/2) in a direction that turns with the angular velocity w, it
 * converges for h^4 k w^2 < 1 only: a force k e in the turned direction is taken for one that moves the unknowns
 * across it by h^2 k e h w, and that is h w times as much along it. Steps then are as short as k^(-1/4), and what
 * each of them leaves adds up. This iteration has no such limit (Lubich (1993), Computing 51, 307-339, treats such
 * springs). */
#include "radau.h"

#include "jacobian/jacobian.h"
#include "stepper/oscillation.h"
#include "system/system.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EQUATIONS = 140,            /* of a system of s n: its factors cost (s n)^3/3 products */
       FEWEST = 8, MOST = 512,          /* steps that use it once it is begun; twice as many the next time */
       HINDERED = 6,                    /* failures of Newton's iteration in more than every third step, for a time */
       OF_FOUR = 4,                     /* that is with so many unknowns, and longer with more */
       HOPELESS = 6,                    /* tries of a step */
       FAILURE = 3,                     /* added to hindered by each; a step takes 1 away */
       NOT_AGAIN = -200 };              /* hindered where nothing oscillates */
static const double FASTEST = 1e-6;     /* part of a step in which an oscillation is looked for */

struct radau_full {
    dae_oscillation *oscillation;
    int room;                           /* for so many equations */
    double *matrix, *size, *row, *z, *F;        /* [room x room], then [room] each */
    double *slope;                      /* [room] A^-1 z, stage by stage */
    radau_pair *both, *b, *g;           /* [room] two right-hand sides; of the reduced system, A b_q */
    const radau_tableau *of;            /* whose A and A^-1 these are, by rows */
    double A[RADAU_STAGES * RADAU_STAGES], inverse[RADAU_STAGES * RADAU_STAGES];
    double h;                           /* of the last matrix */
    int *pivot;
};

void dae_radau_full_free(radau_full *f)
{
    if (!f)
        return;
    dae_oscillation_free(f->oscillation);
    free(f->matrix);
    free(f);
}

int dae_radau_full_room(dae_solver *s)
{
    radau *r = s->stepper;
    const int m = s->n * r->tab->s;
    if (m > MOST_EQUATIONS)
        return 0;
    if (!r->full)
        r->full = calloc(1, sizeof *r->full);
    if (!r->full || !dae_radau_jacobian(s))
        return 0;
    radau_full *f = r->full;
    if (f->room >= m)
        return 1;
    free(f->matrix);
    f->matrix = NULL;
    f->room = DAE_PARTS(f,
                        DAE_PART(radau_full, matrix, (size_t)m * (size_t)m), DAE_PART(radau_full, size, m),
                        DAE_PART(radau_full, row, m), DAE_PART(radau_full, z, m), DAE_PART(radau_full, F, m),
                        DAE_PART(radau_full, slope, m), DAE_PART(radau_full, both, m),
                        DAE_PART(radau_full, b, m), DAE_PART(radau_full, g, m),
                        DAE_PART(radau_full, pivot, m))
                  ? m : 0;
    return f->room > 0;
}

/* Does something oscillate faster than the step? Where nothing does, that is not asked again for some time. */
static int oscillates_fast(dae_solver *s, double h)
{
    radau *r = s->stepper;
    radau_full *f = r->full;
    if (r->all_next > FEWEST)                           /* it did a while ago */
        return 1;
    if (!f->oscillation && dae_oscillation_create(&f->oscillation, s)) {
        dae_oscillation_free(f->oscillation);
        f->oscillation = NULL;
    }
    const int found = f->oscillation
                      && dae_oscillation_look(f->oscillation, s->t, s->u, FASTEST * h, h, INFINITY);
    if (!found)
        r->hindered = NOT_AGAIN;
    return found;
}

/* The n columns of J make a step with this iteration cost n times the F of a failure without it: those come first. */
static int is_hindered(const dae_solver *s)
{
    const radau *r = s->stepper;
    return OF_FOUR * r->hindered >= HINDERED * (s->n > OF_FOUR ? s->n : OF_FOUR);
}

/* Here time and F since_ something begin. */
static void mark(dae_solver *s)
{
    radau *r = s->stepper;
    r->since_t = s->t;
    r->since_rhs = s->count.rhs;
}

static double pace(const dae_solver *s)
{
    const radau *r = s->stepper;
    return (s->t - r->since_t) / (double)(s->count.rhs > r->since_rhs ? s->count.rhs - r->since_rhs : 1);
}

int dae_radau_full_wanted(dae_solver *s, double h)
{
    radau *r = s->stepper;
    if (!s->adaptive || s->sys->index > 1 || r->with_all || !is_hindered(s) || !dae_radau_full_room(s)
        || !oscillates_fast(s, h))
        return 0;
    if (r->all_next == FEWEST)
        r->pace = pace(s);
    mark(s);
    r->all_left = r->all_next;
    r->all_next = r->all_next < MOST ? 2 * r->all_next : r->all_next;
    return 1;
}

void dae_radau_full_start(radau *r)
{
    r->with_all = r->all_left = r->hindered = 0;
    r->all_next = FEWEST;
}

static void give_up(radau *r)
{
    dae_radau_full_start(r);
    r->hindered = NOT_AGAIN;
}

/* Where this iteration fails again and again, too, the simplified one is as good. */
void dae_radau_full_failed(dae_solver *s)
{
    radau *r = s->stepper;
    if (r->hindered <= 0)
        mark(s);
    r->hindered += is_hindered(s) ? 0 : FAILURE;
    if (r->with_all && r->undone >= HOPELESS)
        give_up(r);
}

/* Steps with this iteration that come less far by as many F as those before are no gain. */
void dae_radau_full_count(dae_solver *s)
{
    radau *r = s->stepper;
    if (r->with_all) {
        if (--r->all_left == 0 && pace(s) < r->pace)
            give_up(r);
        return;
    }
    r->hindered -= r->hindered > 0;
    if (r->hindered <= 0)
        r->all_next = FEWEST;
}

/* Entry i, j of T diag(x, ((y, -z), (z, y)), ...) T^-1 with (x, y + i z) = (mu, alpha + i beta) or their inverses */
static double entry_of(const radau_tableau *tab, int inverse, int i, int j)
{
    const int s = tab->s;
    const double *T = tab->T, *R = tab->T_inverse;
    double sum = T[i] * (inverse ? tab->mu : 1 / tab->mu) * R[j * s];
    for (int k = 0; k < s / 2; k++) {
        const int re = 2 * k + 1, im = re + 1;
        const double x = R[j * s + re], y = R[j * s + im];
        const double square = tab->alpha[k] * tab->alpha[k] + tab->beta[k] * tab->beta[k];
        const double a = inverse ? tab->alpha[k] : tab->alpha[k] / square;
        const double b = inverse ? tab->beta[k] : -tab->beta[k] / square;
        sum += T[re * s + i] * (a * x - b * y) + T[im * s + i] * (b * x + a * y);
    }
    return sum;
}

/* A and A^-1, where they are those of another tableau */
static void set_coefficients(radau_full *f, const radau_tableau *tab)
{
    if (f->of == tab)
        return;
    for (int i = 0; i < tab->s; i++)
        for (int j = 0; j < tab->s; j++) {
            f->A[i * tab->s + j] = entry_of(tab, 0, i, j);
            f->inverse[i * tab->s + j] = entry_of(tab, 1, i, j);
        }
    f->of = tab;
}

void dae_radau_inverse(const radau_tableau *tab, int transposed, double *a)
{
    for (int i = 0; i < tab->s; i++)
        for (int j = 0; j < tab->s; j++)
            a[j * tab->s + i] = transposed ? entry_of(tab, 1, j, i) : entry_of(tab, 1, i, j);
}

/* J of stage i to the matrix: for each column c of J the block columns of its stage, or of all */
static void add_stage(const radau *r, int i, double h)
{
    radau_full *f = r->full;
    const dae_matrix_pair *pair = &r->stages->jac->pair;
    const double *J = dae_radau_J(r, i);
    const int s = r->tab->s, n = pair->pattern.n, k = pair->identities, m = n - k, rows = m * s;
    for (int c = 0; c < n; c++)
        for (int e = pair->pattern.column[c]; e < pair->pattern.column[c + 1]; e++) {
            if (pair->pattern.row[e] < k)
                continue;
            double *row = f->matrix + (i * m + pair->pattern.row[e] - k);
            for (int j = 0; j < s && (c < k ? J[e] : pair->M[e]) != 0; j++)
                row[(j * m + (c < k ? c : c - k)) * rows] += c < k ? -h * h * f->A[i * s + j] * J[e]
                                                                   : f->inverse[i * s + j] * pair->M[e];
            if (c >= k)
                row[(i * m + c - k) * rows] -= h * J[e];
        }
}

int dae_radau_full_factor(dae_solver *s, double t, double h)
{
    const radau *r = s->stepper;
    radau_full *f = r->full;
    s->count.factorizations++;
    if (!dae_radau_jacobians(s, t, h))
        return 0;
    const dae_matrix_pair *pair = &r->stages->jac->pair;
    const int stages = r->tab->s, k = pair->identities, m = s->n - k;
    set_coefficients(f, r->tab);
    f->h = h;
    memset(f->matrix, 0, (size_t)(m * stages) * (size_t)(m * stages) * sizeof *f->matrix);
    for (int i = 0; i < stages; i++) {
        add_stage(r, i, h);
        memcpy(f->size + i * m, pair->size + k, (size_t)m * sizeof *f->size);
    }
    return dae_dense_factor_real(m * stages, f->matrix, f->size, f->row, f->pivot) < 0;
}

/* y[m] += h J_q g[k], with the columns of q of the J of stage i */
static void add_positions(const radau *r, int i, const radau_pair *g, radau_pair *y)
{
    const dae_matrix_pair *pair = &r->stages->jac->pair;
    const dae_pattern *p = &pair->pattern;
    const double *J = dae_radau_J(r, i);
    for (int c = 0; c < pair->identities; c++)
        for (int e = p->column[c]; e < p->column[c + 1]; e++)
            if (p->row[e] >= pair->identities)
                y[p->row[e] - pair->identities] += r->full->h * J[e] * g[c];
}

/* sum_j A_ij y_j, for y[stages] a stride apart */
static inline radau_pair integral(const radau_full *f, int stages, int i, const radau_pair *y, int stride)
{
    const double *A = f->A + i * stages;
    radau_pair x = A[0] * y[0];
    for (int j = 1; j < stages; j++)
        x += A[j] * y[j * stride];
    return x;
}

void dae_radau_full_solve(dae_solver *s, radau_pair *b)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const int n = s->n, stages = r->tab->s, k = r->stages->jac->pair.identities, m = n - k;
    s->count.solves++;
    for (int i = 0; i < stages; i++) {
        for (int c = 0; c < k; c++)
            f->g[i * k + c] = integral(f, stages, i, b + c, n);
        for (int c = 0; c < m; c++)
            f->b[i * m + c] = b[i * n + k + c];
        add_positions(r, i, f->g + i * k, f->b + i * m);
    }
    dae_dense_solve_two(m * stages, f->matrix, f->pivot, f->b);
    for (int i = 0; i < stages; i++) {
        for (int c = 0; c < k; c++)
            b[i * n + c] = f->g[i * k + c] + f->h * integral(f, stages, i, f->b + c, m);
        for (int c = 0; c < m; c++)
            b[i * n + k + c] = f->b[i * m + c];
    }
}

/* f->z := w - the part of the rows of q, for the reduced system; f->F is free. */
static void reduce_transposed(const radau *r, int n, const double *w)
{
    const radau_full *f = r->full;
    const int stages = r->tab->s, k = r->stages->jac->pair.identities, m = n - k;
    for (int j = 0; j < stages; j++) {
        double *to = f->z + j * m;
        memcpy(to, w + j * n + k, (size_t)m * sizeof *to);
        for (int i = 0; i < stages; i++)
            for (int c = 0; c < k; c++)
                to[c] += f->h * f->A[i * stages + j] * w[i * n + c];
    }
}

/* dq = A (b_q + h dv) backwards: of b_q is asked what dq is, and what h J_q does with A b_q. */
void dae_radau_full_solve_transposed(dae_solver *s, double *w)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const dae_pattern *p = &r->stages->jac->pair.pattern;
    const int n = s->n, stages = r->tab->s, k = r->stages->jac->pair.identities, m = n - k;
    s->count.solves++;
    reduce_transposed(r, n, w);
    dae_dense_solve_transposed(m * stages, f->matrix, NULL, f->pivot, f->z, NULL);
    for (int i = 0; i < stages; i++) {
        const double *J = dae_radau_J(r, i);
        for (int c = 0; c < k; c++) {
            double *g = f->F + i * k + c;
            *g = w[i * n + c];
            for (int e = p->column[c]; e < p->column[c + 1]; e++)
                if (p->row[e] >= k)
                    *g += f->h * J[e] * f->z[i * m + p->row[e] - k];
        }
        memcpy(w + i * n + k, f->z + i * m, (size_t)m * sizeof *w);
    }
    for (int j = 0; j < stages; j++)
        for (int c = 0; c < k; c++) {
            w[j * n + c] = 0;
            for (int i = 0; i < stages; i++)
                w[j * n + c] += f->A[i * stages + j] * f->F[i * k + c];
        }
}

/* z := h F - A^-1 M z */
static void residual(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const int n = s->n, stages = r->tab->s;
    for (int i = 0; i < stages; i++) {
        double *x = f->slope;
        for (int k = 0; k < n; k++)
            x[k] = 0;
        for (int j = 0; j < stages; j++) {
            const double a = f->inverse[i * stages + j];
            for (int k = 0; k < n; k++)
                x[k] += a * r->z[j * n + k];
        }
        dae_system_mass(s->sys, x, f->z + i * n);
        for (int k = 0; k < n; k++)
            f->z[i * n + k] = h * r->F[i * n + k] - f->z[i * n + k];
    }
}

/* r->dw := T^-1 dz; 0 where the matrix is singular or not finite. */
int dae_radau_full_correction(dae_solver *s, double h)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const int stages = r->tab->s;
    if (!dae_radau_full_factor(s, s->t, h))
        return 0;
    residual(s, h);
    for (int k = 0; k < stages * s->n; k++)
        f->both[k] = (radau_pair){f->z[k], 0};
    dae_radau_full_solve(s, f->both);
    for (int k = 0; k < stages * s->n; k++)
        f->z[k] = f->both[k][0];
    dae_radau_combine(stages, stages, s->n, r->tab->T_inverse, f->z, r->dw);
    return 1;
}

/* l_j'(tau) for l_j = lagrange_j tau prod_(m != j) (tau - c_m) */
static double basis_slope(const radau_tableau *tab, int j, double tau)
{
    double value = tab->lagrange[j] * tau, slope = tab->lagrange[j];
    for (int m = 0; m < tab->s; m++)
        if (m != j) {
            slope = slope * (tau - tab->c[m]) + value;
            value *= tau - tab->c[m];
        }
    return slope;
}

/* x[n] := M p'(tau)/h - F(t, u), u[n] := u_old + p(tau), and the matrix M - g J there */
static void defect_at(dae_solver *s, double tau, double g, double *u, double *x)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const int n = s->n;
    double l[RADAU_STAGES], *slope = f->slope;
    dae_radau_basis(r->kept, tau, l);
    for (int i = 0; i < n; i++) {
        u[i] = s->u_old[i];
        slope[i] = 0;
        for (int j = 0; j < r->kept->s; j++) {
            u[i] += l[j] * r->z_kept[j * n + i];
            slope[i] += basis_slope(r->kept, j, tau) * r->z_kept[j * n + i] / r->kept_h;
        }
    }
    dae_linearise(r->stages->jac, s->t_old + tau * r->kept_h, u, f->F, NULL);
    dae_system_mass(s->sys, slope, x);
    for (int i = 0; i < n; i++)
        x[i] -= f->F[i];
    const dae_matrix_pair *pair = &r->stages->jac->pair;
    memset(f->matrix, 0, (size_t)n * (size_t)n * sizeof *f->matrix);
    for (int c = 0; c < n; c++)
        for (int e = pair->pattern.column[c]; e < pair->pattern.column[c + 1]; e++)
            f->matrix[c * n + pair->pattern.row[e]] = pair->M[e] - g * pair->J[e];
}

int dae_radau_full_holds(dae_solver *s)
{
    const radau *r = s->stepper;
    const radau_full *f = r->full;
    const int n = s->n;
    const double g = r->kept_h / r->kept->mu;
    int holds = 1;
    for (int k = 0; holds && k < r->kept->s; k++) {
        const double tau = (r->kept->c[k] + (k ? r->kept->c[k - 1] : 0)) / 2;
        defect_at(s, tau, g, f->row, f->z);
        for (int i = 0; i < n; i++)
            f->z[i] *= g;
        holds = dae_dense_factor_real(n, f->matrix, r->stages->jac->pair.size, f->row, f->pivot) < 0;
        if (holds)
            dae_dense_solve_real(n, f->matrix, f->pivot, f->z);
        holds = holds && dae_error_norm(s, f->z, r->kept_h) <= 1;
    }
    dae_jacobian_add_work(r->stages->jac, &s->count);
    return holds;
}
