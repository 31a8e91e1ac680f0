/* eulex.c - extrapolated linearly implicit Euler steps */
#include "eulex.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 4, MOST_STEPS = 1000000 };

/* A := its factors, rows exchanged; 0: singular */
static int factor(int n, double *A, int *pivots)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i + k * n]) > fabs(A[p + k * n]))
                p = i;
        pivots[k] = p;
        if (!(fabs(A[p + k * n]) > 0))
            return 0;
        for (int j = 0; j < n; j++) {
            const double a = A[k + j * n];
            A[k + j * n] = A[p + j * n];
            A[p + j * n] = a;
        }
        for (int i = k + 1; i < n; i++) {
            A[i + k * n] /= A[k + k * n];
            for (int j = k + 1; j < n; j++)
                A[i + j * n] -= A[i + k * n] * A[k + j * n];
        }
    }
    return 1;
}

static void solve(int n, const double *A, const int *pivots, double *x)
{
    for (int k = 0; k < n; k++) {
        const double a = x[pivots[k]];
        x[pivots[k]] = x[k];
        x[k] = a;
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            x[i] -= A[i + k * n] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        x[k] /= A[k + k * n];
        for (int i = 0; i < k; i++)
            x[i] -= A[i + k * n] * x[k];
    }
}

/* x := y(t + H) by m substeps: (M - h J) (x_k+1 - x_k) = h f(t_k+1, x_k). 0: not possible */
static int substeps(int n, eulex_f *f, double t, const double *y, double H, int m, const double *J,
                    const double *M, double *A, double *d, double *x, int *pivots, long *counts, void *user)
{
    const double h = H / m;
    for (int i = 0; i < n * n; i++)
        A[i] = M[i] - h * J[i];
    counts[EULEX_FACTORED]++;
    if (!factor(n, A, pivots))
        return 0;
    memcpy(x, y, (size_t)n * sizeof *x);
    for (int k = 1; k <= m; k++) {
        f(n, t + k * h, x, d, user);
        for (int i = 0; i < n; i++)
            d[i] *= h;
        solve(n, A, pivots, d);
        for (int i = 0; i < n; i++)
            x[i] += d[i];
        counts[EULEX_F]++;
        counts[EULEX_SOLVED]++;
    }
    return 1;
}

/* T[k] := row j of the tableau, from row j-1 there and T_j1 = x; the last is the most accurate. */
static void extrapolate(int n, int j, double *const *T, const double *x, double *work)
{
    memcpy(work, x, (size_t)n * sizeof *work);
    for (int k = 0; k < j; k++)
        for (int i = 0; i < n; i++) {
            const double ratio = (double)(j + 1) / (j - k), old = T[k][i];
            T[k][i] = work[i];
            work[i] += (work[i] - old) / (ratio - 1);
        }
    memcpy(T[j], work, (size_t)n * sizeof *work);
}

static double error_of(int n, const double *y, const double *best, const double *second, double rtol,
                       const double *atol, const int *tested)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (!tested[i])
            continue;
        const double e = (best[i] - second[i]) / (atol[i] + rtol * fmax(fabs(y[i]), fabs(best[i])));
        sum += e * e;
        count++;
    }
    return count ? sqrt(sum / count) : 0;
}

int eulex(int n, eulex_f *f, eulex_matrices *matrices, double *t, double *y, double t_end, double *h,
          int fixed, double rtol, const double *atol, const int *tested, eulex_seen *seen, double *work,
          int *pivots, long *counts, void *user)
{
    double *J = work, *M = J + n * n, *A = M + n * n, *d = A + n * n, *x = d + n, *e = x + n;
    double *const T[COLUMNS] = {e + n, e + 2 * n, e + 3 * n, e + 4 * n};
    int known = 0;
    for (long step = 0; *t < t_end; step++) {
        const int last = *t + 1.01 * *h >= t_end;
        const double H = last ? t_end - *t : *h;
        int good = *t + H > *t && (known || matrices(n, *t, y, J, M, user) == 0);
        if (step == MOST_STEPS)
            return EULEX_MANY;
        if (!(*t + H > *t))
            return EULEX_SMALL;
        if (!good)
            return EULEX_SINGULAR;
        known = 1;
        for (int j = 0; good && j < COLUMNS; j++) {
            good = substeps(n, f, *t, y, H, j + 1, J, M, A, d, x, pivots, counts, user);
            if (good)
                extrapolate(n, j, T, x, e);
        }
        const double error = good && !fixed
                             ? error_of(n, y, T[COLUMNS - 1], T[COLUMNS - 2], rtol, atol, tested) : 0;
        if (!good && fixed)
            return EULEX_SINGULAR;
        const double factor = !good || !isfinite(error) ? 0.25
                              : fmin(5, fmax(0.1, 0.85 * pow(fmax(error, 1e-10), -1. / COLUMNS)));
        if (!good || !(error <= 1)) {
            counts[EULEX_REJECTED]++;
            *h = H * fmin(factor, 0.9);
            continue;
        }
        counts[EULEX_STEPS]++;
        memcpy(y, T[COLUMNS - 1], (size_t)n * sizeof *y);
        *t = last ? t_end : *t + H;
        *h = fixed ? *h : last ? fmax(*h, H * factor) : H * factor;
        known = 0;
        if (seen(*t, y, user))
            return EULEX_INTERRUPTED;
    }
    return EULEX_DONE;
}
