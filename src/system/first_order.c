/* first_order.c - the algebraic equations of M u' = F, z^T F = 0 for every z with z^T M = 0, and the kernel of M
 *
 * If M is diagonal they are the rows of F in which M is zero. Otherwise a z may combine several rows. An
 * example is the sum of the currents at a node, in a circuit with capacitors between nodes.
 *
 * A basis of the kernel is reduced so that row k alone has an entry, 1, at its leading unknown l_k: u_(l_k) is a part
 * of u in the kernel, and u_i - sum_k kernel_ki u_(l_k) for the other i is what M sees. Where M is diagonal, or too
 * large for null spaces, the unknowns that lead are those without a derivative, and nothing is taken out of others.
 */
#include "system.h"

#include "base/small_dense.h"
#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

static const double CANCELLED = 1e-12;      /* a sum, against its terms */

/* Row i of M is zero, as far as that is known without its null space. */
static int row_is_zero(const dae_system *s, int i)
{
    return s->nondiagonal_mass ? dae_system_is_algebraic(s, i) : s->diagonal[i] == 0;
}

int dae_system_algebraic_equations(const dae_system *s)
{
    int count = 0;
    if (s->inner.left_null)
        return s->nulls;
    for (int i = 0; i < s->n; i++)
        count += row_is_zero(s, i);
    return count;
}

void dae_system_algebraic_weights(const dae_system *s, int k, double *z)
{
    for (int i = 0; i < s->n; i++) {
        z[i] = s->inner.left_null ? s->inner.left_null[k * s->n + i] : 0;
        if (!s->inner.left_null && row_is_zero(s, i))
            z[i] = k-- == 0;
    }
}

/* The last row that z_k alone combines. */
static int own_row(const dae_system *s, int k)
{
    for (int i = s->n - 1; i >= 0; i--) {
        int others = 0;
        for (int l = 0; l < s->nulls; l++)
            others += l != k && s->inner.left_null[l * s->n + i] != 0;
        if (!others && s->inner.left_null[k * s->n + i] != 0)
            return i;
    }
    return -1;
}

/* Rows have units of their own: no length is made of them all. */
void dae_system_remove_algebraic(const dae_system *s, double *F)
{
    const int n = s->n;
    for (int i = 0; !s->inner.left_null && i < n; i++)
        if (row_is_zero(s, i))
            F[i] = 0;
    for (int k = 0; k < s->nulls; k++) {
        const double *z = s->inner.left_null + k * n;
        const int own = own_row(s, k);
        double along = 0;
        for (int i = 0; i < n; i++)
            along += z[i] * F[i];
        if (own >= 0)
            F[own] -= along / z[own];
    }
}

void dae_system_keep_algebraic(const dae_system *s, double *F, double *work)
{
    memcpy(work, F, (size_t)s->n * sizeof *F);
    dae_system_remove_algebraic(s, work);
    for (int i = 0; i < s->n; i++)
        F[i] = s->nq && i >= s->acceleration_at ? 0 : F[i] - work[i];
}

int dae_first_order_rows(const dae_system *s, const double *F, double *out)
{
    int rows = 0;
    for (int i = 0; !s->inner.left_null && i < s->n; i++)
        if (row_is_zero(s, i))
            out[rows++] = F[i];
    for (; rows < s->nulls; rows++) {
        out[rows] = 0;
        for (int i = 0; i < s->n; i++)
            out[rows] += s->inner.left_null[rows * s->n + i] * F[i];
    }
    return rows;
}

int dae_first_order_constraints(const dae_system *s)
{
    return s->carried ? s->carried->n - s->carried->nx : dae_system_algebraic_equations(s);
}

/* What M(t, u) E w = F leaves, equation by equation. */
static int constraint_of_carried(dae_system *s, const dae_map1 *rhs, double t, const double *u, double *out)
{
    double *F = s->a, *w = F + s->carried->n;
    rhs->f(s->p, t, u, F);
    const int regular = dae_state_mass_solve(s->carried, s->p, t, u, F, w, NULL, NULL);
    return regular ? dae_state_mass_rest(s->carried, F, out) : 0;
}

int dae_system_set_slopes(dae_system *s, double t, double *u)
{
    s->problem->first_order.rhs.f(s->p, t, u, s->a);
    return dae_state_mass_solve(s->carried, s->p, t, u, s->a, u + s->carried->n, NULL, NULL);
}

int dae_first_order_constraint(dae_system *s, int level, double t, const double *u, double *out)
{
    const dae_first_order *f = &s->problem->first_order;
    const dae_map1 rhs = level == 0 ? f->rhs : f->reduced;
    if (level > 1 || !rhs.f)
        return 0;
    if (s->carried)
        return constraint_of_carried(s, &rhs, t, u, out);
    rhs.f(s->p, t, u, s->start);
    return dae_first_order_rows(s, s->start, out);
}

/* ---- the kernel of M -------------------------------------------------------------------------- */

int dae_system_in_kernel(const dae_system *s, int i)
{
    int k = 0;
    if (!s->kernel)
        return dae_system_is_algebraic(s, i);
    while (k < s->nulls && s->kernel_unknown[k] != i)
        k++;
    return k < s->nulls;
}

/* The largest entry of rows from k on, in units of the columns of M; to the front */
static int choose(dae_system *s, int k, const double *size)
{
    const int n = s->n;
    int row = k, column = 0;
    double most = -1;
    for (int l = k; l < s->nulls; l++)
        for (int i = 0; i < n; i++) {
            const double x = s->kernel[l * n + i], in_units = size[i] > 0 ? fabs(x) * size[i] : INFINITY;
            if (x != 0 && in_units > most) {
                most = in_units;
                row = l;
                column = i;
            }
        }
    for (int i = 0; i < n; i++) {
        const double x = s->kernel[row * n + i];
        s->kernel[row * n + i] = s->kernel[k * n + i];
        s->kernel[k * n + i] = x;
    }
    return column;
}

void dae_system_reduce_kernel(dae_system *s, const double *size)
{
    const int n = s->n;
    memcpy(s->kernel, s->right_null, (size_t)(s->nulls * n) * sizeof *s->kernel);
    for (int k = 0; k < s->nulls; k++) {
        double *row = s->kernel + k * n;
        const int lead = s->kernel_unknown[k] = choose(s, k, size);
        const double pivot = row[lead];
        for (int i = 0; i < n; i++)
            row[i] /= pivot;
        for (int l = 0; l < s->nulls; l++) {
            double *other = s->kernel + l * n;
            const double factor = other[lead];
            for (int i = 0; l != k && factor != 0 && i < n; i++) {
                const double x = factor * row[i], sum = other[i] - x;
                other[i] = i == lead || fabs(sum) <= CANCELLED * (fabs(other[i]) + fabs(x)) ? 0 : sum;
            }
        }
    }
}

#define TAKE_KERNEL(SUFFIX, REAL)                                                                  \
    void dae_system_take_kernel##SUFFIX(const dae_system *s, const REAL *from, REAL *u)           \
    {                                                                                              \
        const int n = s->n;                                                                        \
        for (int i = 0; !s->kernel && i < n; i++)                                                  \
            if (dae_system_is_algebraic(s, i))                                                     \
                u[i] = from[i];                                                                    \
        for (int k = 0; k < s->nulls; k++) {                                                       \
            const int lead = s->kernel_unknown[k];                                                 \
            const REAL by = from[lead] - u[lead];                                                  \
            for (int i = 0; i < n; i++)                                                            \
                u[i] = i == lead ? from[i] : u[i] + s->kernel[k * n + i] * by;                     \
        }                                                                                          \
    }
TAKE_KERNEL(, double)
TAKE_KERNEL(_quad, dae_quad)

/* u_i += sign sum_k kernel_ki u_k for the unknowns i that do not lead */
static void combine(const dae_system *s, double sign, dae_quad *u)
{
    const int n = s->n;
    for (int k = 0; k < s->nulls; k++)
        for (int i = 0; i < n; i++)
            if (i != s->kernel_unknown[k])
                u[i] += sign * s->kernel[k * n + i] * u[s->kernel_unknown[k]];
}

void dae_system_split_quad(const dae_system *s, dae_quad *u) { combine(s, -1, u); }

void dae_system_join_quad(const dae_system *s, dae_quad *u) { combine(s, 1, u); }

/* size[rows + columns] := powers of two over the largest entries of rows, then of columns, by which A is multiplied */
static void equilibrate(int n, double *A, double *size)
{
    for (int i = 0; i < 2 * n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(i < n ? A[i * n + j] : A[j * n + i - n]));
        size[i] = most > 0 ? 1 / dae_power_of_two(most) : 1;
        for (int j = 0; j < n; j++)
            A[i < n ? i * n + j : j * n + i - n] *= size[i];
    }
}

/* A: M with a column z_k, which M does not reach, added to that of each unknown that leads in the kernel */
static void fill(const dae_system *s, double *A, double *size)
{
    const int n = s->n;
    double *e = size, *column = size + n;
    for (int j = 0; j < n; j++) {
        memset(e, 0, (size_t)n * sizeof *e);
        e[j] = 1;
        dae_system_mass(s, e, column);
        for (int i = 0; i < n; i++)
            A[i * n + j] = column[i];
    }
    equilibrate(n, A, size);
    for (int k = 0; k < s->nulls; k++) {
        double most = 0;
        for (int i = 0; i < n; i++)
            most = fmax(most, fabs(s->inner.left_null[k * n + i] / size[i]));
        for (int i = 0; i < n; i++)
            A[i * n + s->kernel_unknown[k]] += s->inner.left_null[k * n + i] / size[i] / most;
    }
}

double *dae_system_mass_inverse(const dae_system *s)
{
    const size_t n = (size_t)s->n;
    double *X = s->kernel ? calloc(2 * n * n + 2 * n, sizeof *X) : NULL;
    if (!X)
        return NULL;
    double *A = X + n * n, *size = A + n * n;
    fill(s, A, size);
    if (!dae_invert(s->n, A, X)) {
        free(X);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            X[i * n + j] *= size[n + i] * size[j];
    return X;
}
