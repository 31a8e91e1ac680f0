/* collocation_start.c - a start that is consistent and does not oscillate fast, in quad precision
 *
 * Index 1: with the rows of E a basis of all e, e^T M = 0 (quad_kernel.h), and as many rows of M as it has rank,
 *
 *     E F(t, u) = 0,   M (u - u0) = 0
 *
 * is solved by Newton's method: the algebraic equations with M u held.
 *
 * A start rounded to doubles is off the constraints of a DAE of index 2 or 3, and off the slow
 * solutions of a stiff oscillation (where a force k delta can be large though delta is rounding).
 * It is moved by equal steps forth and back: |R(iy)| < 1 in both directions, R(infinity) = 0,
 * so that what is fast vanishes, while the slow solution comes back to where it began. Kept where
 * two step sizes agree and the differential unknowns move by no more than rounding to doubles. Of index 2 or
 * 3 steps fall further, until they resolve what is fast and stays: only the constraints then move the start.
 */
#include "collocation.h"
#include "radau_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 12, STEPS = 12, TRIALS = 8, MORE_TRIALS = 20 };     /* the latter of index 2 and 3 */
static const double rounding = 16 * DBL_EPSILON;        /* of a double start, at most */
static const double wanted_digits = 28, fewest_digits = 18;     /* in which two slow starts agree */

/* Row i of [M; E J] and of [M (u - u0); E F]; e: row i of E, or NULL where it is one of M. terms_i := the sum of
 * absolute values that the latter would move by if each u_j changed by its size, of either sign. */
static void set_row(dae_quad_stepper *r, int i, const dae_quad *e, const dae_quad *u0, long double *terms)
{
    const int n = r->n;
    dae_quad b = 0, size = 0;
    for (int j = 0; j < n; j++) {
        dae_quad a = e ? 0 : r->M[j * n + i], largest = dae_quad_fabs(a);
        for (int l = 0; e && l < n; l++) {
            a += e[l] * r->J[j * n + l];
            largest += dae_quad_fabs(e[l] * r->J[j * n + l]);
        }
        b += e ? e[j] * r->F0[j] : a * (r->u[j] - u0[j]);
        size += largest * dae_quad_fabs(r->u[j]);
        r->matrix[i * n + j] = (long double)a;
    }
    r->right[i] = (long double)b;
    terms[i] = (long double)(i % 2 ? -size : size);
}

/* u := u - [M; E J]^-1 [M (u - u0); E F]; the largest change of an unknown against its size, no less than a
 * part of its terms. terms[n]: work */
static dae_status newton_step(dae_quad_stepper *r, const dae_quad_kernel *k, const dae_quad *u0, long double *terms,
                              double *change)
{
    const int n = r->n;
    dae_quad most = 0;
    dae_quad_stepper_linearise(r);
    for (int l = 0; l < n; l++)
        set_row(r, k->row[l], l < n - k->nulls ? NULL : k->L + k->row[l] * n, u0, terms);
    const dae_status status = dae_long_factor(n, r->matrix, r->pivot);
    if (status != DAE_OK)
        return status;
    dae_long_solve(n, r->matrix, r->pivot, r->right);
    dae_long_solve(n, r->matrix, r->pivot, terms);
    for (int i = 0; i < n; i++) {
        const dae_quad moved = fabsl(r->right[i]);
        r->u[i] -= r->right[i];
        if (moved - moved != 0)
            return DAE_NOT_FINITE;
        if (moved > 0)
            most = dae_quad_fmax(most, moved / dae_quad_fmax(dae_quad_fabs(r->u[i]), r->least * fabsl(terms[i])));
    }
    *change = (double)most;
    return isfinite(*change) ? DAE_OK : DAE_NOT_FINITE;
}

/* r->u := the solution of E F(t, u) = 0 with M u held, from u */
static dae_status iterate(dae_quad_stepper *r, const dae_quad_kernel *k, const dae_quad *u, long double *terms)
{
    double change = 1, before = HUGE_VAL;
    for (int step = 0; step < 60; step++) {
        const dae_status status = newton_step(r, k, u, terms, &change);
        if (status != DAE_OK)
            return status;
        if (change < 1e-30 || (change < 1e-15 && change > before / 4))
            break;
        before = change;
    }
    return change < 1e-15 ? DAE_OK : DAE_INCONSISTENT;
}

/* Index 1: E F(t, u) = 0, u with M u held. */
static dae_status solve_algebraic(dae_quad_stepper *r, dae_quad t0, dae_quad *u)
{
    const size_t n = (size_t)r->n;
    dae_quad_kernel k;
    long double *terms = calloc(n, sizeof *terms);
    dae_status status = dae_quad_kernel_create(&k, r->n) && terms ? DAE_OK : DAE_NO_MEMORY;
    if (status == DAE_OK) {
        dae_quad_stepper_start(r, t0, u);
        dae_quad_kernel_find(&k, r->M);
        status = k.nulls > 0 ? iterate(r, &k, u, terms) : DAE_OK;
    }
    if (status == DAE_OK)
        memcpy(u, r->u, n * sizeof *u);
    dae_quad_kernel_free(&k);
    free(terms);
    return status;
}

/* A search for a start of which steps forth and back come back. */
typedef struct {
    dae_quad_stepper *r;
    dae_quad t0, span;
    const dae_quad *u;          /* [n] the start that is given */
    dae_quad *found, *other;    /* [n] of the latest two step sizes */
    dae_quad *size;             /* [n] of the unknowns on the way */
    dae_quad *terms;            /* [n] ... of their terms in the longest steps */
    dae_quad h;                 /* the latest */
    double digits, way;         /* in which the two agree; how far from u */
} search;

/* size_i grows to the largest |u_i|, no less than a part of its terms. */
static void look_at_sizes(const dae_quad_stepper *r, dae_quad *size)
{
    for (int i = 0; i < r->n; i++)
        size[i] = dae_quad_fmax(size[i], dae_quad_fmax(dae_quad_fabs(r->u[i]), r->least * r->terms[i]));
}

/* other := the state after steps of size h from u and as many back */
static dae_status forth_and_back(search *s)
{
    dae_quad_stepper *r = s->r;
    const size_t bytes = (size_t)r->n * sizeof *s->size;
    dae_status status = DAE_OK;
    double error;
    memset(s->size, 0, bytes);
    dae_quad_stepper_start(r, s->t0, s->u);
    for (int step = 0; step < 2 * STEPS && status == DAE_OK; step++) {
        const dae_quad h = step < STEPS ? s->h : -s->h;
        dae_quad_stepper_linearise(r);
        status = dae_quad_stepper_try(r, h, &error);
        if (status == DAE_OK) {
            look_at_sizes(r, s->size);
            dae_quad_stepper_accept(r, h);
        }
        if (2 * STEPS * s->h == s->span)
            memcpy(s->terms, r->terms, bytes);
    }
    memcpy(s->other, r->u, bytes);
    return status;
}

/* How far differential unknowns have moved, each against its size on the way, as it may begin at zero, and that of
 * its terms, whose rounding moves it. */
static double moved(const search *s)
{
    const dae_class *group = s->r->dae->group;
    dae_quad most = 0;
    for (int i = 0; i < s->r->n; i++)
        if (group[i] != DAE_ALGEBRAIC && group[i] != DAE_AUXILIARY && s->u[i] != s->other[i])
            most = dae_quad_fmax(most, dae_quad_fabs(s->u[i] - s->other[i])
                                           / dae_quad_fmax(s->size[i], s->terms[i]));
    return (double)most;
}

static double agreed(const search *s)
{
    dae_quad worst = 0;
    dae_quad_compare(&worst, s->r->n, s->size, s->found, s->other);
    return dae_quad_digits(worst);
}

/* found := the start of the slow solution, by ever smaller steps until two agree to 28 digits or smaller ones gain
 * none; 1 where there is one. Of index 2 and 3 it is to be next to u. */
static int find_slow(search *s)
{
    const int higher = s->r->dae->equations->index >= 2;
    int before = 0, found = 0;
    s->h = s->span / (2 * STEPS);
    s->way = 1;
    for (int trial = 0; trial < TRIALS + (higher ? MORE_TRIALS : 0); trial++) {
        const int there = forth_and_back(s) == DAE_OK;
        const double digits = there && before ? agreed(s) : 0;
        if (found && digits < s->digits + 1)
            return 1;
        s->digits = digits;
        s->way = there ? moved(s) : 1;
        found = digits >= fewest_digits && (!higher || s->way <= rounding);
        before = there;
        if (there)
            memcpy(s->found, s->other, (size_t)s->r->n * sizeof *s->found);
        if (found && digits >= wanted_digits)
            return 1;
        s->h /= trial < TRIALS - 1 ? 2 : 4;
    }
    return found;
}

static dae_status start(search *s, dae_quad *u, int *slow, dae_report *report)
{
    const int index = s->r->dae->equations->index;
    *slow = 0;
    if (index == 1) {
        const dae_status status = solve_algebraic(s->r, s->t0, u);
        if (status != DAE_OK)
            return dae_fail(report, status, "t = %.9g: the algebraic equations of the start: %s",
                            (double)s->t0, dae_status_sentence(status));
    }
    if (!(s->span > 0))
        return DAE_OK;
    const int found = find_slow(s);
    if (index < 2 && (!found || s->way <= pow(10, 3 - s->digits) || s->way > rounding))
        return DAE_OK;                      /* u is there already, or what is fast belongs to it */
    if (!found)
        return dae_fail(report, DAE_INCONSISTENT, "t = %.9g: the start is not consistent with the differentiated "
                        "constraints: steps down to %.2g would move it by %.2g", (double)s->t0,
                        (double)s->h, s->way);
    memcpy(u, s->found, (size_t)s->r->n * sizeof *u);
    *slow = s->h * (2 * STEPS << TRIALS) >= s->span;
    return DAE_OK;
}

dae_status dae_collocation_start(const dae_quad_dae *dae, dae_quad t0, dae_quad t_end, dae_quad *u,
                                 int *slow, dae_report *report)
{
    dae_quad_stepper r;
    const size_t n = (size_t)dae->equations->n;
    dae_quad *work = calloc(4 * n, sizeof *work);
    dae_status status = DAE_NO_MEMORY;
    if (dae_quad_stepper_create(&r, dae, STAGES) && work) {
        search s = {.r = &r, .t0 = t0, .span = t_end - t0, .u = u, .found = work, .other = work + n,
                    .size = work + 2 * n, .terms = work + 3 * n};
        status = start(&s, u, slow, report);
    } else {
        dae_fail(report, status, "no memory for a start of %d unknowns", dae->equations->n);
    }
    dae_quad_stepper_free(&r);
    free(work);
    return status;
}
