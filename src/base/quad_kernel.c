/* quad_kernel.c - the kernel of a mass matrix, for the factors of M - h J with small h
 *
 * Where M sees combinations of unknowns, or equations do, what M - h J is in its kernel, h J, stands behind sums that
 * cancel in M: factors lose it as h falls. L M R, L with rows z, z^T M = 0, and R with columns y, M y = 0, has zeros
 * there, and L (M - h J) R is graded. Elimination with complete pivoting finds both. What it leaves of M is zero, or
 * the rounding of its entries to doubles, and then taken out: M - sum over these rows and columns.
 */
#include "quad_kernel.h"

#include "parts.h"

#include <stdlib.h>
#include <string.h>

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define MAGNITUDE(x) (double)dae_quad_fabs(x)
#include "full_pivot.h"

static const double CANCELLED = 1e-14;      /* a sum, against its terms */

int dae_quad_kernel_create(dae_quad_kernel *k, int n)
{
    const size_t size = (size_t)n, square = size * size;
    memset(k, 0, sizeof *k);
    k->n = n;
    k->memory = DAE_PARTS(k,
                          DAE_PART(dae_quad_kernel, L, square), DAE_PART(dae_quad_kernel, R, square),
                          DAE_PART(dae_quad_kernel, A, square), DAE_PART(dae_quad_kernel, scale, 2 * size),
                          DAE_PART(dae_quad_kernel, row, size), DAE_PART(dae_quad_kernel, column, size));
    return k->memory != NULL;
}

void dae_quad_kernel_free(dae_quad_kernel *k)
{
    free(k->memory);
    memset(k, 0, sizeof *k);
}

static void set_unit(int n, dae_quad *A)
{
    for (int i = 0; i < n * n; i++)
        A[i] = i % (n + 1) == 0;
}

/* Row i of L, in units of its largest entry: what elimination has made of row i of I; a row with a pivot is itself. */
static void set_rows(dae_quad_kernel *k, int rank)
{
    const int n = k->n;
    for (int l = 0; l < n; l++) {
        dae_quad *row = k->L + k->row[l] * n;
        dae_quad most = 0;
        for (int j = 0; j < n; j++) {
            row[j] = l < rank ? j == k->row[l] : row[j];
            most = dae_quad_fmax(most, dae_quad_fabs(row[j]));
        }
        for (int j = 0; j < n; j++)
            row[j] /= most;
    }
}

/* Column l of R: e_l less what the columns with pivots make of it */
static void set_columns(dae_quad_kernel *k, int rank)
{
    const int n = k->n;
    set_unit(n, k->R);
    for (int l = rank; l < n; l++) {
        const int free_column = k->column[l];
        for (int p = rank - 1; p >= 0; p--) {
            const dae_quad *U = k->A + k->row[p] * n;
            dae_quad sum = -U[free_column];
            for (int q = p + 1; q < rank; q++)
                sum -= U[k->column[q]] * k->R[k->column[q] * n + free_column];
            k->R[k->column[p] * n + free_column] = sum / U[k->column[p]];
        }
        for (int p = 0; p < rank; p++)                  /* U is of scaled columns */
            k->R[k->column[p] * n + free_column] *= k->scale[n + k->column[p]] / k->scale[n + free_column];
    }
}

static int is_unit(int n, const dae_quad *A)
{
    for (int i = 0; i < n * n; i++)
        if (A[i] != (i % (n + 1) == 0))
            return 0;
    return 1;
}

/* M - L^-1 (what is left in rows and columns of the kernel) R^-1, in place; L and R are the unit matrix beside these
 * rows and columns */
static void take_out_rounding(dae_quad_kernel *k, int rank, dae_quad *M)
{
    const int n = k->n;
    for (int l = rank; l < n; l++) {
        const int i = k->row[l];
        const dae_quad *z = k->L + i * n;
        for (int j = 0; j < n; j++) {
            dae_quad sum = 0;
            for (int m = 0; m < n; m++)
                sum += z[m] * M[j * n + m];
            M[j * n + i] -= sum / z[i];
        }
    }
}

void dae_quad_kernel_find(dae_quad_kernel *k, dae_quad *M)
{
    const int n = k->n;
    for (int i = 0; i < n * n; i++)
        k->A[i] = M[i % n * n + i / n];
    set_unit(n, k->L);
    const int rank = eliminate_quad(n, n, k->A, NULL, k->L, k->scale, n, k->row, k->column);
    k->nulls = n - rank;
    k->rounded = 0;
    for (int l = rank; l < n; l++)
        for (int m = rank; m < n; m++)
            k->rounded |= dae_quad_fabs(k->A[k->row[l] * n + k->column[m]]) > 1e-25;
    set_columns(k, rank);
    set_rows(k, rank);
    if (k->rounded)
        take_out_rounding(k, rank, M);
    k->needed = k->nulls > 0 && !(is_unit(n, k->L) && is_unit(n, k->R));
}

void dae_quad_kernel_rows(const dae_quad_kernel *k, dae_quad *x)
{
    const int n = k->n;
    dae_quad *sum = k->A;
    for (int l = n - k->nulls; l < n; l++) {
        const dae_quad *z = k->L + k->row[l] * n;
        sum[l] = 0;
        for (int j = 0; j < n; j++)
            sum[l] += z[j] * x[j];
    }
    for (int l = n - k->nulls; l < n; l++)
        x[k->row[l]] = sum[l];
}

/* The sum of a_i b_i, a and b so far apart; 0 where it is the rounding of a J by differences */
static dae_quad product(int n, const dae_quad *a, int a_apart, const dae_quad *b, int b_apart)
{
    dae_quad sum = 0, terms = 0;
    for (int i = 0; i < n; i++) {
        const dae_quad x = a[i * a_apart] * b[i * b_apart];
        sum += x;
        terms += dae_quad_fabs(x);
    }
    return dae_quad_fabs(sum) <= CANCELLED * terms ? 0 : sum;
}

void dae_quad_kernel_both(const dae_quad_kernel *k, const dae_quad *A, dae_quad *out)
{
    const int n = k->n, rank = n - k->nulls;
    memcpy(out, A, (size_t)(n * n) * sizeof *out);
    for (int l = rank; l < n; l++)
        for (int i = 0; i < n; i++)
            out[k->column[l] * n + i] = product(n, A + i, n, k->R + k->column[l], n);
    for (int j = 0; j < n; j++) {
        for (int l = rank; l < n; l++)
            k->A[l] = product(n, k->L + k->row[l] * n, 1, out + j * n, 1);
        for (int l = rank; l < n; l++)
            out[j * n + k->row[l]] = k->A[l];
    }
}
