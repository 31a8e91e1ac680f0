/* radau_jacobians.c - J at the stages of a step
 *
 *     J_i = F_u(t_n + c_i h, u_n + z_i)
 *
 * They stay after the step. As u_n + z_s is where the next step begins, that takes J and F from here.
 */
#include "radau.h"

#include "base/parts.h"
#include "jacobian/jacobian.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROWTHS = 4 };      /* the pattern of J may grow at each stage: then all are made again */

void dae_radau_jacobians_free(radau_jacobians *j)
{
    if (!j)
        return;
    dae_jacobian_free(j->jac);
    free(j->J);
    free(j);
}

/* Exact, as derivatives of steps are made of it, with counts of its own; what the solver says of its linear systems
 * stays. */
static void create(dae_solver *s, radau_jacobians *j)
{
    const dae_linear_kind linear = s->linear;
    const dae_jacobian_kind kind = s->jacobian, asked = s->options.jacobian;
    s->options.jacobian = asked == DAE_JACOBIAN_FD ? DAE_JACOBIAN_BEST : asked;
    if (!dae_implicit_jacobian(s, &j->jac))
        j->jac->pair.count = &j->jac->own_count;
    s->options.jacobian = asked;
    s->jacobian = kind;
    s->linear = linear;
}

dae_jacobian *dae_radau_jacobian(dae_solver *s)
{
    radau *r = s->stepper;
    const size_t n = (size_t)s->n;
    if (!r->stages) {
        r->stages = DAE_RECORD(radau_jacobians,
                               DAE_PART(radau_jacobians, end_u, n), DAE_PART(radau_jacobians, end_F, n),
                               DAE_PART(radau_jacobians, end_size, n));
        if (!r->stages)
            return NULL;
        r->stages->end_t = NAN;
    }
    if (!r->stages->jac)
        create(s, r->stages);
    return r->stages->jac;
}

static int make_room(radau_jacobians *j, size_t numbers)
{
    if (j->room >= numbers)
        return 1;
    free(j->J);
    j->J = calloc(numbers, sizeof *j->J);
    j->room = j->J ? numbers : 0;
    return j->J != NULL;
}

/* What the last stage has is for a step that begins there, unless the run has a J of another kind. rhs: the number of F
 * that it took. */
static void keep_end(const dae_solver *s, radau_jacobians *j, double t, const double *u, long rhs)
{
    const radau *r = s->stepper;
    const dae_matrix_pair *pair = &j->jac->pair;
    const size_t bytes = (size_t)s->n * sizeof *u;
    const int good = j->jac->kind == r->real.jac->kind && !s->sys->open && !pair->strayed && !pair->lost;
    j->end_t = good ? t : NAN;
    j->end_rhs = rhs;
    memcpy(j->end_u, u, bytes);
    memcpy(j->end_size, j->jac->pair.size, bytes);
}

/* All J in one pattern; 0: it has grown meanwhile, or there is no memory. */
static int linearise(dae_solver *s, radau_jacobians *j, double t, double h)
{
    const radau *r = s->stepper;
    const dae_matrix_pair *pair = &j->jac->pair;
    for (int i = 0; i < r->tab->s; i++) {
        const double *at = r->at + i * s->n, time = t + r->tab->c[i] * h;
        const long before = pair->count->rhs;
        dae_linearise(j->jac, time, at, j->end_F, NULL);
        j->nnz = i == 0 ? (size_t)pair->pattern.nnz : j->nnz;
        if ((size_t)pair->pattern.nnz != j->nnz || !make_room(j, j->nnz * (size_t)r->tab->s))
            return 0;
        memcpy(j->J + (size_t)i * j->nnz, pair->J, j->nnz * sizeof *j->J);
        if (i == r->tab->s - 1)
            keep_end(s, j, time, at, pair->count->rhs - before);
    }
    return 1;
}

int dae_radau_jacobians(dae_solver *s, double t, double h)
{
    const radau *r = s->stepper;
    radau_jacobians *j = dae_radau_jacobian(s) ? r->stages : NULL;
    int made = 0;
    if (!j)
        return 0;
    j->end_t = NAN;
    j->stages = r->tab->s;
    for (int k = 0; !made && k < MOST_GROWTHS; k++)
        made = linearise(s, j, t, h);
    dae_jacobian_add_work(j->jac, &s->count);
    double sum = 0;
    for (size_t e = 0; made && e < j->nnz * (size_t)j->stages; e++)
        sum += fabs(j->J[e]);
    return made && isfinite(sum) && !j->jac->pair.lost;
}

static int same_pattern(const radau *r)
{
    const dae_pattern *a = &r->stages->jac->pair.pattern, *b = &r->real.jac->pair.pattern;
    return a->nnz == b->nnz && memcmp(a->column, b->column, (size_t)(a->n + 1) * sizeof *a->column) == 0
           && memcmp(a->row, b->row, (size_t)a->nnz * sizeof *a->row) == 0;
}

int dae_radau_take_jacobian(dae_solver *s)
{
    radau *r = s->stepper;
    const radau_jacobians *j = r->stages;
    dae_matrix_pair *pair = &r->real.jac->pair;
    const size_t bytes = (size_t)s->n * sizeof *s->u;
    if (!j || j->end_t != s->t || s->sys->open || memcmp(j->end_u, s->u, bytes) != 0
        || j->nnz != (size_t)j->jac->pair.pattern.nnz || !same_pattern(r))
        return 0;
    memcpy(pair->J, dae_radau_J(r, j->stages - 1), j->nnz * sizeof *pair->J);
    memcpy(pair->size, j->end_size, bytes);
    memcpy(r->F0, j->end_F, bytes);
    r->since_rhs -= j->end_rhs;                         /* what comes of the run does not depend on it */
    return 1;
}

void dae_radau_multiply(const radau *r, int i, double x, const radau_pair *w, radau_pair *y)
{
    const dae_pattern *p = &r->stages->jac->pair.pattern;
    const double *J = dae_radau_J(r, i);
    for (int c = 0; c < p->n; c++) {
        const radau_pair xw = x * w[c];
        if (xw[0] == 0 && xw[1] == 0)
            continue;
        for (int e = p->column[c]; e < p->column[c + 1]; e++)
            y[p->row[e]] += J[e] * xw;
    }
}
