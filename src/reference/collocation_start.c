/* collocation_start.c - a start that is consistent and does not oscillate fast, in quad precision
 *
 * Index 1: rows E with E M = 0 are found by elimination in (M | I), and
 *
 *     E F(t, u) = 0,   M (u - u0) = 0
 *
 * is solved by Newton's method: the algebraic equations with M u held.
 *
 * A start rounded to doubles is off the constraints of a DAE of index 2 or 3, and off the slow
 * solutions of a stiff oscillation (where a force k delta can be large though delta is rounding).
 * It is moved by equal steps forth and back: |R(iy)| < 1 in both directions, R(infinity) = 0,
 * so that what is fast vanishes, while the slow solution comes back to where it began. Kept where
 * two step sizes agree and the differential unknowns move by no more than rounding to doubles.
 */
#include "collocation.h"
#include "radau_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 12, STEPS = 12, TRIALS = 8 };
static const double rounding = 16 * DBL_EPSILON;        /* of a double start, at most */
static const double wanted_digits = 28, fewest_digits = 18;     /* in which two slow starts agree */

static void exchange_rows(int n, dae_quad *A, int i, int k)
{
    for (int j = 0; i != k && j < n; j++) {
        const dae_quad swap = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = swap;
    }
}

/* Add rows of A, and the same of T, so that column j vanishes below row k. */
static void eliminate(int n, int k, int j, dae_quad *A, dae_quad *T)
{
    for (int i = k + 1; i < n; i++) {
        const dae_quad factor = A[i * n + j] / A[k * n + j];
        for (int l = 0; l < n; l++) {
            A[i * n + l] -= factor * A[k * n + l];
            T[i * n + l] -= factor * T[k * n + l];
        }
    }
}

/* T[n x n], by rows, with A := T M in echelon form; its rank. The rows of T behind that are E. */
static int echelon(const dae_quad_stepper *r, dae_quad *A, dae_quad *T)
{
    const int n = r->n;
    int rank = 0;
    dae_quad largest = 0;
    for (int i = 0; i < n * n; i++) {
        A[i] = r->M[i % n * n + i / n];
        T[i] = i / n == i % n;
        largest = dae_quad_fmax(largest, dae_quad_fabs(A[i]));
    }
    for (int j = 0; j < n && rank < n; j++) {
        int pivot = rank;
        for (int i = rank; i < n; i++)
            if (dae_quad_fabs(A[i * n + j]) > dae_quad_fabs(A[pivot * n + j]))
                pivot = i;
        if (dae_quad_fabs(A[pivot * n + j]) <= 1e-14 * largest)
            continue;                       /* parameters are doubles: rounding, or nothing */
        exchange_rows(n, A, pivot, rank);
        exchange_rows(n, T, pivot, rank);
        eliminate(n, rank++, j, A, T);
    }
    return rank;
}

/* u := u - [T M; E J]^-1 [T M (u - u0); E F]; the largest change against |u| */
static dae_status newton_step(dae_quad_stepper *r, int rank, const dae_quad *A, const dae_quad *T,
                              const dae_quad *u0, double *change)
{
    const int n = r->n;
    dae_quad largest = 0, moved = 0;
    dae_quad_stepper_linearise(r);
    for (int i = 0; i < n; i++) {
        dae_quad b = 0;
        for (int j = 0; j < n; j++) {
            dae_quad a = A[i * n + j];
            if (i >= rank) {
                a = 0;
                for (int l = 0; l < n; l++)
                    a += T[i * n + l] * r->J[j * n + l];
                b += T[i * n + j] * r->F0[j];
            } else {
                b += a * (r->u[j] - u0[j]);
            }
            r->matrix[i * n + j] = (long double)a;
        }
        r->right[i] = (long double)b;
    }
    const dae_status status = dae_long_factor(n, r->matrix, r->pivot);
    if (status != DAE_OK)
        return status;
    dae_long_solve(n, r->matrix, r->pivot, r->right);
    for (int i = 0; i < n; i++) {
        r->u[i] -= r->right[i];
        moved = dae_quad_fmax(moved, fabsl(r->right[i]));
        largest = dae_quad_fmax(largest, dae_quad_fabs(r->u[i]));
    }
    *change = (double)(moved > 0 ? moved / largest : 0);
    return isfinite(*change) ? DAE_OK : DAE_NOT_FINITE;
}

/* Index 1: E F(t, u) = 0, u with M u held. */
static dae_status solve_algebraic(dae_quad_stepper *r, dae_quad t0, dae_quad *u)
{
    const int n = r->n;
    dae_quad *T = calloc((size_t)(2 * n * n), sizeof *T), *A;
    double change = 1, before = HUGE_VAL;
    if (!T)
        return DAE_NO_MEMORY;
    A = T + n * n;
    dae_quad_stepper_start(r, t0, u);
    const int rank = echelon(r, A, T);
    dae_status status = DAE_OK;
    for (int step = 0; step < 60 && rank < n && status == DAE_OK; step++) {
        status = newton_step(r, rank, A, T, u, &change);
        if (change < 1e-30 || (change < 1e-15 && change > before / 4))
            break;
        before = change;
    }
    free(T);
    if (status == DAE_OK && rank < n && !(change < 1e-15))
        status = DAE_INCONSISTENT;
    if (status == DAE_OK)
        memcpy(u, r->u, (size_t)n * sizeof *u);
    return status;
}

/* to := the state after steps of size h from u and as many back; path: the largest of each class on the way */
static dae_status forth_and_back(dae_quad_stepper *r, dae_quad t0, dae_quad h, const dae_quad *u,
                                 dae_quad *to, dae_quad_agreement *path)
{
    dae_status status = DAE_OK;
    double error;
    *path = (dae_quad_agreement){.largest = {0}};
    dae_quad_compare(path, r->n, r->dae->group, u, u);
    dae_quad_stepper_start(r, t0, u);
    for (int step = 0; step < 2 * STEPS && status == DAE_OK; step++) {
        const dae_quad signed_h = step < STEPS ? h : -h;
        dae_quad_stepper_linearise(r);
        status = dae_quad_stepper_try(r, signed_h, &error);
        if (status == DAE_OK) {
            dae_quad_stepper_accept(r, signed_h);
            dae_quad_compare(path, r->n, r->dae->group, r->u, r->u);
        }
    }
    if (status == DAE_OK)
        memcpy(to, r->u, (size_t)r->n * sizeof *to);
    return status;
}

/* How far differential unknowns have moved, against the largest on the way: all of them may begin at zero. */
static double moved(const dae_quad_dae *dae, const dae_quad *u, const dae_quad *v, const dae_quad_agreement *path)
{
    dae_quad largest = 0, apart = 0;
    for (int i = 0; i < dae->equations->n; i++)
        if (dae->group[i] != DAE_ALGEBRAIC && dae->group[i] != DAE_AUXILIARY) {
            largest = dae_quad_fmax(largest, path->largest[dae->group[i]]);
            apart = dae_quad_fmax(apart, dae_quad_fabs(u[i] - v[i]));
        }
    return (double)(apart > 0 ? apart / largest : 0);
}

/* In how many digits two starts agree, against the largest on the way. */
static double agreed(const dae_quad_stepper *r, const dae_quad *a, const dae_quad *b, dae_quad_agreement path)
{
    dae_quad_compare(&path, r->n, r->dae->group, a, b);
    return dae_quad_agreed_digits(&path);
}

/* slow[n] := the start of the slow solution, by ever smaller steps until two agree to 28 digits or
 * smaller ones gain none; the digits, 0 where there is none. other[n]: work; path: as above. */
static double find_slow(dae_quad_stepper *r, dae_quad t0, dae_quad span, const dae_quad *u,
                        dae_quad *slow, dae_quad *other, dae_quad_agreement *path)
{
    const size_t size = (size_t)r->n * sizeof *slow;
    dae_quad h = span / (2 * STEPS);
    double best = 0;
    int found = 0;
    for (int trial = 0; trial < TRIALS && best < wanted_digits; trial++, h /= 2) {
        const dae_status status = forth_and_back(r, t0, h, u, other, path);
        const double digits = status == DAE_OK && found ? agreed(r, slow, other, *path) : 0;
        if (best >= fewest_digits && digits < best + 1)
            break;
        best = digits;
        found = status == DAE_OK;
        if (found)
            memcpy(slow, other, size);
    }
    return best >= fewest_digits ? best : 0;
}

static dae_status start(dae_quad_stepper *r, dae_quad t0, dae_quad t_end, dae_quad *u, dae_quad *slow,
                        int *moves, dae_report *report)
{
    const int index = r->dae->equations->index;
    dae_quad_agreement path = {.largest = {0}};
    *moves = 0;
    if (index == 1) {
        const dae_status status = solve_algebraic(r, t0, u);
        if (status != DAE_OK)
            return dae_fail(report, status, "t = %.9g: the algebraic equations of the start: %s",
                            (double)t0, dae_status_sentence(status));
    }
    const double digits = t_end > t0
        ? find_slow(r, t0, t_end - t0, u, slow, slow + r->n, &path) : 0;
    const double way = digits > 0 ? moved(r->dae, u, slow, &path) : 1;
    if (index < 2 && way <= pow(10, 3 - digits))
        return DAE_OK;                      /* u is there already */
    *moves = way <= rounding;
    if (*moves) {
        memcpy(u, slow, (size_t)r->n * sizeof *u);
    } else if (index >= 2 && t_end > t0) {
        return dae_fail(report, DAE_INCONSISTENT, "t = %.9g: the start is not consistent with the "
                        "differentiated constraints: it would move by %.2g", (double)t0, way);
    }
    return DAE_OK;
}

dae_status dae_collocation_start(const dae_quad_dae *dae, dae_quad t0, dae_quad t_end, dae_quad *u,
                                 int *slow, dae_report *report)
{
    dae_quad_stepper r;
    const size_t n = (size_t)dae->equations->n;
    dae_quad *work = calloc(2 * n, sizeof *work);
    dae_status status = DAE_NO_MEMORY;
    if (dae_quad_stepper_create(&r, dae, STAGES) && work)
        status = start(&r, t0, t_end, u, work, slow, report);
    else
        dae_fail(report, status, "no memory for a start of %d unknowns", dae->equations->n);
    dae_quad_stepper_free(&r);
    free(work);
    return status;
}
