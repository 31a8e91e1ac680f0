/* excros_dense.c - dense output of extrapolated CROS
 *
 * Over a basic step of size H with k columns, with x = (t - t_old)/H and the change d_1 of u by the
 * whole step, dense output is the polynomial of degree k
 *
 *     P(x) = u(0) + x d_1 + x (1 - x) R(x),    R = sum_{i < k-1} c_i T_i(2 x - 1)
 *
 * Where columns begin with n = 1, each of their steps gives a datum without evaluations: the change
 * after m of n steps, at x = m/n, is
 *
 *     d = u(x) - u(0) + sum_{r >= 2} n^-r e_r(x),    e_r(0) = 0,
 *
 * with e_r the smooth global errors, whose part of degree a in x is O(H^(r+a)). The c_i are linear
 * in the data, by weights that give back all R and b in
 *
 *     d - x d_1 = x (1 - x) R(x) + sum_{r + a <= k, r >= 2, a >= 1} b_ra n^-r x^a
 *
 * Hence P is exact but for O(H^(k+1)), which is one order below a step of k columns: a column is
 * added to those of the step. Of all such weights those with the least sum of squares are used: a
 * stiff component or rounding, which are not smooth, they amplify far less than the usual
 * differences at the end of the step do (Hairer, Ostermann (1990), Numer. Math. 58, 419-439;
 * Hairer, Wanner (1996), Solving ODEs II, IV.9). With A = Q U the matrix of the model, a row for
 * each datum, they are row i of A^+ = U^-1 Q^T.
 *
 * Where the beginning disturbs the expansion, points inside the columns are too poor. Then R
 * interpolates at k - 1 nodes, each reached by a basic step of its own with the k columns of the
 * step: A has no error terms.
 */
#include "excros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_COLUMNS, POINTS = DAE_EXCROS_POINTS, TERMS = DAE_EXCROS_TERMS };
static const double PI = 3.14159265358979323846;

/* ---- weights ------------------------------------------------------------------------------ */

int dae_excros_dense_points(int at_nodes, int k, double *x, double *h)
{
    int count = 0;
    for (int i = 0; at_nodes && i < k - 1; i++, count++) {
        const double s = sin((i + 1) * PI / (2 * k));
        x[count] = s * s;
        h[count] = 0;
    }
    for (int n = 1; !at_nodes && n <= k; n++)
        for (int m = 1; m <= n; m++, count++) {
            x[count] = (double)m / n;
            h[count] = 1.0 / n;
        }
    return count;
}

/* x (1 - x) T_i(2 x - 1) for i = 0 .. count - 1 */
static void basis(int count, double x, double *b)
{
    const double z = 2 * x - 1;
    for (int i = 0; i < count; i++)
        b[i] = i == 0 ? x * (1 - x) : i == 1 ? z * b[0] : 2 * z * b[i - 1] - b[i - 2];
}

/* One row of A at x with h = 1/n; returns its length. */
static int model_row(int k, double x, double h, double *row)
{
    int length = k - 1;
    basis(length, x, row);
    for (int total = 3; h > 0 && total <= k; total++)
        for (int a = 1; a <= total - 2; a++)
            row[length++] = pow(x, a) * pow(h, total - a);
    return length;
}

/* A[rows x terms] by columns := Q, U[terms x terms]; by Gram and Schmidt, twice */
static void orthogonalise(int rows, int terms, double *A, double *U)
{
    memset(U, 0, (size_t)(terms * terms) * sizeof *U);
    for (int c = 0; c < terms; c++) {
        double *q = A + c * rows, square = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int b = 0; b < c; b++) {
                double product = 0;
                for (int i = 0; i < rows; i++)
                    product += A[b * rows + i] * q[i];
                for (int i = 0; i < rows; i++)
                    q[i] -= product * A[b * rows + i];
                U[b * terms + c] += product;
            }
        for (int i = 0; i < rows; i++)
            square += q[i] * q[i];
        U[c * terms + c] = sqrt(square);
        for (int i = 0; i < rows; i++)
            q[i] /= sqrt(square);
    }
}

/* w := Q y where U^T y = e_i */
static void weights_of(int i, int rows, int terms, const double *Q, const double *U, double *w)
{
    double y[TERMS];
    memset(w, 0, (size_t)rows * sizeof *w);
    for (int c = 0; c < terms; c++) {
        y[c] = c == i;
        for (int b = 0; b < c; b++)
            y[c] -= U[b * terms + c] * y[b];
        y[c] /= U[c * terms + c];
        for (int r = 0; r < rows; r++)
            w[r] += Q[c * rows + r] * y[c];
    }
}

void dae_excros_dense_weights(int at_nodes, int k, double *scratch, double *w)
{
    double x[POINTS], h[POINTS], row[TERMS], *A = scratch, *U = A + POINTS * TERMS;
    const int rows = dae_excros_dense_points(at_nodes, k, x, h);
    int terms = 0;
    for (int r = 0; r < rows; r++) {
        terms = model_row(k, x[r], h[r], row);
        for (int c = 0; c < terms; c++)
            A[c * rows + r] = row[c];
    }
    orthogonalise(rows, terms, A, U);
    for (int i = 0; i < k - 1; i++)
        weights_of(i, rows, terms, A, U, w + i * rows);
}

/* ---- one step ----------------------------------------------------------------------------- */

dae_status dae_excros_dense_create(dae_solver *s, dae_excros_dense *d, int at_nodes)
{
    const size_t n = (size_t)s->n;
    size_t size = DAE_EXCROS_SCRATCH + 2 * (COLUMNS - 1) * n;
    for (int k = 2; k <= COLUMNS; k++)
        size += (size_t)((k - 1) * k * (k + 1) / 2);
    *d = (dae_excros_dense){.at_nodes = at_nodes};
    d->memory = malloc(size * sizeof *d->memory);
    if (!d->memory)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output of %d unknowns",
                        s->n);
    d->nodes = d->memory + DAE_EXCROS_SCRATCH;
    d->c = d->nodes + (COLUMNS - 1) * n;
    double *next = d->c + (COLUMNS - 1) * n;
    for (int k = 2; k <= COLUMNS; k++) {
        d->weight[k] = next;
        next += (k - 1) * k * (k + 1) / 2;
    }
    return DAE_OK;
}

void dae_excros_dense_free(dae_excros_dense *d)
{
    free(d->memory);
}

void dae_excros_dense_fit(const dae_solver *s, dae_excros_dense *dense, const double *changes)
{
    const int n = s->n, k = dense->columns;
    const double *d = dense->at_nodes ? dense->nodes : changes;
    double x[POINTS], h[POINTS], *c = dense->c;
    const int points = dae_excros_dense_points(dense->at_nodes, k, x, h);
    if (!dense->known[k])
        dae_excros_dense_weights(dense->at_nodes, k, dense->memory, dense->weight[k]);
    dense->known[k] = dense->ready = 1;
    const double *w = dense->weight[k];
    memset(c, 0, (size_t)((k - 1) * n) * sizeof *c);
    for (int i = 0; i < k - 1; i++, c += n)
        for (int r = 0; r < points; r++, w++)
            for (int j = 0; j < n; j++)
                c[j] += *w * (d[r * n + j] - x[r] * (s->u[j] - s->u_old[j]));
}

void dae_excros_dense_at(const dae_solver *s, const dae_excros_dense *dense, double t, double *u)
{
    const double x = (t - s->t_old) / (s->t - s->t_old);
    double b[COLUMNS];
    basis(dense->columns - 1, x, b);
    for (int j = 0; j < s->n; j++) {
        double change = x * (s->u[j] - s->u_old[j]);
        for (int i = 0; i < dense->columns - 1; i++)
            change += b[i] * dense->c[i * s->n + j];
        u[j] = s->u_old[j] + change;
    }
}
