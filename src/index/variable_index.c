/* variable_index.c - the differential index of each unknown
 *
 * Mechanical: positions 1; velocities 2 in index 3; multipliers that of the system; what a
 * formulation adds is of its index. First order: row i of (M - h J)^-1, which is what a disturbance
 * of the equations does to unknown i in a step of size h, grows as h^-k as h -> 0, and k is its
 * index: 1, 2 and 3 for q, v and lambda of a mechanical problem written as M u' = F. An unknown of
 * index 0 counts as one of index 1, as its local errors do (Hairer, Lubich, Roche (1989), Lect.
 * Notes Math. 1409).
 *
 * Where M sees combinations of unknowns it is combinations that have an index (find_components.c), and an unknown
 * that of what it contains.
 *
 * It is found at random states near the problem's start, as at the start itself entries may vanish
 * that do not later; systems of up to 100 unknowns from the values of M and J, larger ones from the
 * places of their entries. The largest k is the index of the system, which the problem declares.
 */
#include "variable_index.h"

#include "growth.h"
#include "jacobian/jacobian.h"
#include "base/numbers.h"
#include "base/zeroed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 3 };

typedef struct {
    dae_solver *solver;
    dae_jacobian *jac;
    double *u, *start, *F;      /* [n] */
    int *k;                     /* [POINTS x n] */
    int largest[POINTS];        /* of k; -1 where it was not found */
    double *leading;            /* [POINTS][DAE_GROWTHS x n x n] what grows, of growth.h; or NULL */
} indices;

static int length_of_terms(int n) { return DAE_GROWTHS * n * n; }

static int largest_of(int n, const int *k)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = k[i] > most ? k[i] : most;
    return most;
}

/* k[n] at (t, u), and what grows: 1, 0 where there is no answer, -1 without memory */
static int look(indices *x, double t, const double *u, int *k, double *leading)
{
    dae_jacobian *jac = x->jac;
    const dae_pattern *p = &jac->pair.pattern;
    dae_linearise(jac, t, u, x->F, NULL);
    if (!dae_vector_finite(p->nnz, jac->pair.J))
        return 0;
    return p->full && p->n <= DAE_SMALL_MASS
               ? dae_growth_with_terms(p->n, jac->pair.M, jac->pair.J, k, leading)
               : dae_growth_of_pattern(p, jac->pair.M, k);
}

/* A state near the start where F is finite. */
static void move(indices *x, double t, uint64_t *random)
{
    const dae_solver *s = x->solver;
    for (double size = 0.1; size > 1e-9; size /= 10) {
        for (int i = 0; i < s->n; i++) {
            const double scale = fabs(x->start[i]) + 1e3 * s->atol[i];
            x->u[i] = x->start[i] + size * scale * dae_random_direction(random);
        }
        dae_system_rhs(s->sys, t, x->u, x->F);
        if (dae_vector_finite(s->n, x->F))
            return;
    }
    memcpy(x->u, x->start, (size_t)s->n * sizeof *x->u);
}

/* At two random states and at the start, which comes last. */
static dae_status look_around(indices *x)
{
    dae_solver *s = x->solver;
    const dae_problem *problem = s->sys->problem;
    uint64_t random = 19890301;
    for (int point = 0; point < POINTS; point++) {
        const int at_start = point == POINTS - 1;
        const double part = at_start ? 0 : 0.01 * (point + 1);
        const double t = problem->t0 + part * (problem->t_end - problem->t0);
        int *k = x->k + point * s->n;
        if (at_start)
            memcpy(x->u, x->start, (size_t)s->n * sizeof *x->u);
        else
            move(x, t, &random);
        const int found = look(x, t, x->u, k, x->leading ? x->leading + point * length_of_terms(s->n) : NULL);
        if (found < 0)
            return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for the index of %d unknowns",
                            s->n);
        x->largest[point] = found ? largest_of(s->n, k) : -1;
    }
    return DAE_OK;
}

static dae_status create(indices *x, dae_solver *s)
{
    const size_t n = (size_t)s->n;
    *x = (indices){.solver = s, .u = dae_zeroed(3 * n, sizeof *x->u),
                   .k = dae_zeroed(POINTS * n, sizeof *x->k)};
    if (!x->u || !x->k)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for the index of %d unknowns", s->n);
    x->start = x->u + n;
    x->F = x->start + n;
    if (s->sys->index > 1 && s->sys->index <= DAE_GROWTHS && s->n <= DAE_SMALL_MASS) {
        x->leading = calloc(POINTS * (size_t)length_of_terms(s->n), sizeof *x->leading);
        if (!x->leading)
            return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for the index of %d unknowns", s->n);
    }
    return dae_jacobian_create(&x->jac, s->sys, DAE_JACOBIAN_DUAL, s->n > DAE_SMALL_MASS,
                               &s->report);
}

static void destroy(indices *x)
{
    dae_jacobian_free(x->jac);
    free(x->u);
    free(x->k);
    free(x->leading);
}

/* Positions 1, velocities 2 in index 3, algebraic unknowns that of the system. */
static void index_by_class(dae_solver *s)
{
    for (int i = 0; i < s->n; i++) {
        const dae_class c = dae_system_class(s->sys, i);
        s->variable_index[i] = dae_system_is_algebraic(s->sys, i) ? s->sys->index
                               : c == DAE_VELOCITY && s->sys->index == 3 ? 2 : 1;
        if (s->variable_index[i] < 1)
            s->variable_index[i] = 1;
    }
}

static dae_status refuse(dae_solver *s, const int *k)
{
    char name[32], unit[32];
    const int most = largest_of(s->n, k);
    int i = 0;
    while (k[i] < most)
        i++;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_BAD_ARGUMENT, "%s, form %s: near its start it is of index %d, "
                    "that of unknown %d (%s), and not of index %d as declared",
                    s->sys->problem->name,
                    s->sys->form->info.name, most, i + 1, name, s->sys->index);
}

/* The first of the points that agrees with what is declared is believed; two that agree with each
 * other, and not with it, refuse it where values were looked at. */
static dae_status judge(indices *x)
{
    dae_solver *s = x->solver;
    const int declared = s->sys->index;
    for (int point = 0; point < POINTS; point++)
        if (x->largest[point] == declared) {
            for (int i = 0; i < s->n; i++) {
                const int k = x->k[point * s->n + i];
                s->variable_index[i] = k > 1 ? k : 1;
            }
            return DAE_OK;
        }
    return s->n <= DAE_SMALL_MASS && x->largest[0] >= 0 && x->largest[0] == x->largest[1]
               ? refuse(s, x->k) : DAE_OK;
}

/* From the states at which the index is that declared. */
static dae_status find_components(indices *x)
{
    dae_solver *s = x->solver;
    const int length = length_of_terms(s->n);
    int states = 0;
    for (int point = 0; x->leading && point < POINTS; point++)
        if (x->largest[point] == s->sys->index)
            memmove(x->leading + states++ * length, x->leading + point * length, (size_t)length * sizeof *x->leading);
    for (int i = 0; i < s->n; i++)
        x->u[i] = s->atol[i] + s->options.rtol * fabs(x->start[i]);
    return !states || dae_find_components(s->sys, s->sys->index, states, x->leading, x->u, &driver(s)->components)
               ? DAE_OK
               : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for the index of %d unknowns", s->n);
}

dae_status dae_index_variables(dae_solver *s)
{
    indices x;
    index_by_class(s);
    if (s->sys->compose->kind != DAE_FORM_FIRST_ORDER || !s->sys->problem->first_order.mass.f)
        return DAE_OK;
    dae_status status = create(&x, s);
    if (!status && !dae_system_unknowns_at_start(s->sys, x.start, NULL)) {
        status = look_around(&x);
        if (!status)
            status = judge(&x);
        if (!status)
            status = find_components(&x);
    }
    destroy(&x);
    return status;
}

void dae_index_explain(dae_solver *s)
{
    indices x;
    if (s->sys->compose->kind != DAE_FORM_FIRST_ORDER || !s->sys->problem->first_order.mass.f
        || s->n > DAE_SMALL_MASS)
        return;
    const dae_report report = s->report;
    if (!create(&x, s) && look(&x, s->t, s->u, x.k, NULL) > 0) {
        const int most = largest_of(s->n, x.k);
        s->report = report;
        if (most != s->sys->index)
            dae_fail(&s->report, report.status, "%.230s; here its index is %d, not %d as declared",
                     report.message, most, s->sys->index);
    } else {
        s->report = report;
    }
    destroy(&x);
}
