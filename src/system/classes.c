/* classes.c - which unknowns have a derivative, and what a mass matrix that is not diagonal does not see */
#include "system.h"

#include "base/small_dense.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <stdlib.h>

static void classify_mechanical(dae_system *s)
{
    for (int i = 0; i < s->n; i++) {
        const int velocity = i >= s->nq && i < 2 * s->nq;
        s->classes[i] = i < s->nq ? DAE_POSITION : velocity ? DAE_VELOCITY
                        : i < 2 * s->nq + s->nl ? DAE_MULTIPLIER : DAE_AUXILIARY;
        s->diagonal[i] = i < s->nq ? 1 : velocity ? s->inner.mass[i - s->nq] : 0;
    }
}

/* Unknown j is algebraic where P has no entry in its column. */
static void classify_carried(dae_system *s)
{
    const dae_state_mass *m = s->carried;
    for (int j = 0; j < s->n; j++)
        s->classes[j] = j < m->n ? DAE_ALGEBRAIC : DAE_AUXILIARY;
    s->mass_checked = 1;
    for (int k = 0; k < m->nx; k++) {
        s->diagonal[m->column[k]] = 1;
        s->classes[m->column[k]] = DAE_DIFFERENTIAL;
        for (int j = 0; !m->diagonal && j < m->n; j++)
            if (m->P[k * m->n + j] != 0 && j != m->column[k]) {
                s->classes[j] = DAE_DIFFERENTIAL;
                s->nondiagonal_mass = 1;
            }
    }
}

/* Variable j is algebraic where column j of M is zero. */
static dae_status classify_first_order(dae_system *s, dae_report *report)
{
    const dae_first_order *f = &s->problem->first_order;
    for (int j = 0; !f->mass.f && j < s->n; j++) {
        s->diagonal[j] = 1;
        s->classes[j] = DAE_DIFFERENTIAL;
    }
    if (!f->mass.f)
        return DAE_OK;
    double *e = calloc(2 * (size_t)s->n, sizeof *e), *column = e + s->n;
    if (!e)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    for (int j = 0; j < s->n; j++) {
        e[j] = 1;
        f->mass.f(s->p, s->problem->t0, s->start, e, column);
        e[j] = 0;
        dae_mass_record_column(s, j, column);
        s->diagonal[j] = column[j];
        s->classes[j] = DAE_ALGEBRAIC;
        for (int i = 0; i < s->n; i++) {
            if (column[i] != 0)
                s->classes[j] = DAE_DIFFERENTIAL;
            if (column[i] != 0 && i != j)
                s->nondiagonal_mass = 1;
        }
    }
    free(e);
    return DAE_OK;
}

/* Where M is not diagonal: the combinations of equations and of unknowns that it does not see. */
static dae_status find_null_spaces(dae_system *s, dae_report *report)
{
    const size_t n = (size_t)s->n, square = n * n;
    if (!s->nondiagonal_mass || s->n > DAE_SMALL_MASS)
        return DAE_OK;
    double *A = calloc(3 * square + 3 * n, sizeof *A), *e = A + 3 * square + n, *column = e + n;
    const int made = A && DAE_PARTS(s,
                                    DAE_PART(dae_system, inner.left_null, square),
                                    DAE_PART(dae_system, right_null, square),
                                    DAE_PART(dae_system, kernel, square), DAE_PART(dae_system, unit, n),
                                    DAE_PART(dae_system, kernel_unknown, n));
    if (made) {
        for (size_t j = 0; j < n; j++) {
            e[j] = 1;
            dae_system_mass(s, e, column);
            e[j] = 0;
            for (size_t i = 0; i < n; i++)
                A[i * n + j] = A[square + j * n + i] = column[i];
        }
        for (size_t j = 0; j < n; j++)
            e[j] = dae_largest(s->n, A + square + j * n);
        memcpy(A + 2 * square, A, square * sizeof *A);
        dae_column_units(s->n, s->n, A + 2 * square, s->unit, column);
        s->nulls = dae_null_space(s->n, A, s->inner.left_null, A + 2 * square);
        dae_null_space(s->n, A + square, s->right_null, A + 2 * square);
        dae_system_reduce_kernel(s, e);
        dae_orthogonalise(s->n, s->nulls, s->unit, s->right_null);
    }
    free(A);
    return made ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
}

dae_status dae_system_classify(dae_system *s, dae_report *report)
{
    if (s->compose->kind == DAE_FORM_FIRST_ORDER) {
        if (s->carried)
            classify_carried(s);
        const dae_status status = s->carried ? DAE_OK : classify_first_order(s, report);
        return status ? status : find_null_spaces(s, report);
    }
    if (s->compose->kind == DAE_FORM_MECHANICAL)
        classify_mechanical(s);
    else
        for (int i = 0; i < s->n; i++) {
            s->classes[i] = i < s->n / 2 ? DAE_POSITION : DAE_VELOCITY;
            s->diagonal[i] = 1;
        }
    return DAE_OK;
}
