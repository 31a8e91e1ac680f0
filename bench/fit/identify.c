#include "fit/identify.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda,
                    double *s, double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
                    int *info);

/* A part of a direction with which a number moves along it; one that is nothing but rounding. */
static const double PART = 1e-2, ROUNDING = 1e-6;

/* sigma, and V^T [n x n] of A[m x n], which is lost. */
static int decompose(int m, int n, double *A, double *sigma, double *Vt)
{
    const int one = 1, least = m < n ? m : n, size = 5 * (m + n) + 64;
    double *work = allocate((size_t)size, sizeof *work), none[1];
    int info = 0;
    if (least)
        dgesvd_("N", "A", &m, &n, A, &m, sigma, none, &one, Vt, &n, work, &size, &info);
    free(work);
    return info == 0;
}

/* S of the numbers that count, which[directions]. */
static double *scaled(const identify_request *q, const int *which, int directions)
{
    double *S = allocate((size_t)directions * (size_t)q->count, sizeof *S);
    for (int i = 0; i < directions; i++)
        for (int k = 0; k < q->count; k++)
            S[k + i * q->count] = q->J[k + which[i] * q->count] * q->size[which[i]];
    return S;
}

/* What is left to the least: the part of r in the range of J, and the step that would take it. */
static void look_ahead(identification *id, const identify_request *q)
{
    double all = 0, in_range = 0, *step = allocate((size_t)q->numbers, sizeof *step);
    for (int k = 0; k < q->count; k++)
        all += q->r[k] * q->r[k];
    for (int d = 0; d < id->rank; d++) {
        double part = 0;
        for (int i = 0; i < q->numbers; i++)
            for (int k = 0; id->direction[d * q->numbers + i] != 0 && k < q->count; k++)
                part += id->direction[d * q->numbers + i] * q->size[i] * q->J[k + i * q->count] * q->r[k];
        part /= id->sigma[d];
        in_range += part * part;
        for (int i = 0; i < q->numbers; i++)
            step[i] += id->direction[d * q->numbers + i] * part / id->sigma[d];
    }
    const double left = all - in_range;
    if (id->rank && in_range > 0)
        id->offset = sqrt(in_range / id->rank * fmax(q->count - id->rank, 1) / fmax(left, 0));
    for (int i = 0; i < q->numbers; i++)
        id->step = fmax(id->step, fabs(step[i]));
    free(step);
}

/* The place of the largest part, of several that are as large the first. */
static int largest(const double *row, int n)
{
    int at = 0;
    for (int i = 1; i < n; i++)
        at = fabs(row[i]) > fabs(row[at]) * (1 + 1e-9) ? i : at;
    return at;
}

/* Of length 1, the largest part positive. */
static void normalise(double *row, int n)
{
    double length = 0;
    for (int i = 0; i < n; i++)
        length += row[i] * row[i];
    const double by = copysign(sqrt(length), row[largest(row, n)]);
    for (int i = 0; length > 0 && i < n; i++)
        row[i] = fabs(row[i] / by) > ROUNDING ? row[i] / by : 0;
}

/* Directions that are not determined, as few numbers in each as can be: by Gauss and Jordan, the largest part first. */
static void tidy_undetermined(identification *id, int n)
{
    for (int d = id->rank; d < id->directions; d++) {
        const double *row = id->direction + d * n;
        const int pivot = largest(row, n);
        for (int e = id->rank; row[pivot] != 0 && e < id->directions; e++) {
            double *other = id->direction + e * n;
            const double by = other[pivot] / row[pivot];
            for (int i = 0; e != d && i < n; i++)
                other[i] -= by * row[i];
        }
        id->stays[pivot] = row[pivot] != 0;
    }
    for (int d = id->rank; d < id->directions; d++)
        normalise(id->direction + d * n, n);
}

static void find_determined(identification *id, const identify_request *q)
{
    for (int i = 0; i < q->numbers; i++) {
        id->determined[i] = q->counts[i];
        for (int d = id->rank; d < id->directions; d++)
            if (fabs(id->direction[d * q->numbers + i]) > PART)
                id->determined[i] = 0;
    }
}

static double covariance_of(const identification *id, const identify_request *q, int i, int j)
{
    double sum = 0;
    for (int d = 0; d < id->rank; d++)
        sum += id->direction[d * q->numbers + i] * id->direction[d * q->numbers + j] / (id->sigma[d] * id->sigma[d]);
    return id->determined[i] && id->determined[j] ? sum * q->size[i] * q->size[j] : (double)NAN;
}

/* Rows of V^T as directions of all numbers. */
static void spread_directions(identification *id, const identify_request *q, const int *which, const double *Vt)
{
    for (int d = 0; d < id->directions; d++)
        for (int i = 0; i < id->directions; i++)
            id->direction[d * q->numbers + which[i]] = Vt[d + i * id->directions];
}

int identify(identification *id, const identify_request *q)
{
    const size_t n = (size_t)q->numbers;
    int *which = allocate(n, sizeof *which);
    *id = (identification){.sigma = allocate(n, sizeof *id->sigma), .direction = allocate(n * n, sizeof *id->direction),
                           .covariance = allocate(n * n, sizeof *id->covariance),
                           .determined = allocate(n, sizeof *id->determined), .stays = allocate(n, sizeof *id->stays)};
    for (int i = 0; i < q->numbers; i++)
        if (q->counts[i])
            which[id->directions++] = i;
    double *S = scaled(q, which, id->directions), *Vt = allocate(n * n, sizeof *Vt);
    const int good = decompose(q->count, id->directions, S, id->sigma, Vt);
    while (good && id->rank < id->directions && id->sigma[id->rank] > fmax(q->noise * id->sigma[0], q->least))
        id->rank++;
    spread_directions(id, q, which, Vt);
    tidy_undetermined(id, q->numbers);
    find_determined(id, q);
    look_ahead(id, q);
    for (int i = 0; i < q->numbers; i++)
        for (int j = 0; j < q->numbers; j++)
            id->covariance[i * q->numbers + j] = covariance_of(id, q, i, j);
    free(which);
    free(S);
    free(Vt);
    return good;
}

void identify_free(identification *id)
{
    free(id->sigma);
    free(id->direction);
    free(id->covariance);
    free(id->determined);
    free(id->stays);
    *id = (identification){.rank = 0};
}
