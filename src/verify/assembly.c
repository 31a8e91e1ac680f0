#include "assembly.h"

#include "base/no_fast_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* G[holonomic x nq] at q, from the reaction to a unit of each multiplier; unit: [nl] */
static void gradients(const dae_subject *s, const double *q, double *unit, double *G)
{
    memset(unit, 0, (size_t)s->places.nl * sizeof *unit);
    for (int k = 0; k < s->places.holonomic; k++) {
        unit[k] = 1;
        s->problem.mechanical.reaction.f(s->p, s->problem.t0, q, unit, G + k * s->places.nq);
        unit[k] = 0;
    }
}

/* w[nq] := 1/M_ii at q; a, Ma: [nq] */
static void weights(const dae_subject *s, const double *q, double *a, double *Ma, double *w)
{
    memset(a, 0, (size_t)s->places.nq * sizeof *a);
    for (int i = 0; i < s->places.nq; i++) {
        a[i] = 1;
        s->problem.mechanical.inertia.f(s->p, s->problem.t0, q, a, Ma);
        a[i] = 0;
        w[i] = Ma[i] > 0 ? 1 / Ma[i] : 0;
    }
}

static void swap_rows(int n, double *a, double *b)
{
    for (int j = 0; j < n; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* The sign of det A[n x n], which is destroyed; 0 for a singular one. */
static int sign_of_determinant(int n, double *A)
{
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(A[i * n + k]) > fabs(A[pivot * n + k]) ? i : pivot;
        if (pivot != k) {
            swap_rows(n, A + k * n, A + pivot * n);
            sign = -sign;
        }
        if (A[k * n + k] == 0)
            return 0;
        sign = A[k * n + k] < 0 ? -sign : sign;
        for (int i = k + 1; i < n; i++)
            for (int j = n - 1; j > k; j--)
                A[i * n + j] -= A[i * n + k] / A[k * n + k] * A[k * n + j];
    }
    return sign;
}

int dae_assembly_differs(const dae_subject *s, const double *from, const double *to)
{
    const int nq = s->places.nq, nl = s->places.holonomic;
    const size_t wide = (size_t)nl * (size_t)nq;
    if (nl == 0 || nl > MOST)
        return 0;
    double *G = calloc(2 * wide + (size_t)(nl * nl + s->places.nl + 3 * nq), sizeof *G);
    if (!G)
        return 0;
    double *H = G + wide, *A = H + wide, *unit = A + nl * nl, *w = unit + s->places.nl;
    gradients(s, from, unit, G);
    gradients(s, to, unit, H);
    weights(s, from, w + nq, w + 2 * nq, w);
    for (int k = 0; k < nl; k++)
        for (int l = 0; l < nl; l++)
            for (int i = 0; i < nq; i++)
                A[k * nl + l] += G[k * nq + i] * w[i] * H[l * nq + i];
    const int sign = sign_of_determinant(nl, A);
    free(G);
    return sign < 0;
}
