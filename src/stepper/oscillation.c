/* oscillation.c - does a system oscillate fast, at a state?
 *
 * With S = (M - G J)^-1 M, whose eigenvalues are 1/(1 - z), z = G lambda for those lambda of the pencil, the matrix
 *
 *     P = S^2 (I - S)^4     has the eigenvalues     z^4/(1 - z)^6.
 *
 * They are positive for all that decays, z < 0, and -1/a^2 for what oscillates, z = ia, with a far above 1; below 0 for
 * 0.268 < a < 1, too; for |z| far below it, where the solution itself moves, |z|^4 of any sign, and 0 for algebraic
 * unknowns. So the trace of P for some G between the shortest and the longest time is below 0, and below -(G/slow)^4,
 * where directions oscillate within these times. Its terms are the same in any units.
 */
#include "oscillation.h"

#include "base/parts.h"
#include "implicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-10;
static const double NEXT = 2.5;         /* G to the next: some z = ia then has 0.4 < a < 1 */
enum { LEAST = 4, TERMS = 8 };          /* of the trace, at least and at most */
enum { PART = 100 };                    /* solutions of a run to one of these */

struct dae_oscillation {
    dae_solver *s;
    dae_linearised linear;
    int stride;                 /* from one term to the next */
    double *x, *y;              /* [n] each */
};

typedef dae_oscillation oscillation;

/* y := S x */
static int filter(oscillation *o)
{
    dae_system_mass(o->s->sys, o->x, o->y);
    o->s->count.solves++;
    return dae_pencil_solve_real(o->linear.pencil, o->y) == DAE_OK;
}

/* Term i of the trace, or 0 */
static double term(oscillation *o, int i)
{
    const int n = o->s->n;
    memset(o->x, 0, (size_t)n * sizeof *o->x);
    o->x[i] = 1;
    for (int k = 0; k < 6; k++) {
        if (!filter(o))
            return 0;
        for (int j = 0; j < n; j++)
            o->x[j] = k < 2 ? o->y[j] : o->x[j] - o->y[j];
    }
    return o->x[i];
}

static double trace(oscillation *o, double G)
{
    const int n = o->s->n;
    double sum = 0;
    o->s->count.factorizations++;
    if (dae_pencil_factor_real(o->linear.pencil, G).status)
        return 0;
    for (int i = 0; i < n; i += o->stride)
        sum += term(o, i);
    return sum;
}

/* All terms of few, or as many as cost little beside the run. */
static int choose_stride(const dae_solver *s)
{
    const long few = s->count.solves / PART;
    const int terms = few < LEAST ? LEAST : few < TERMS ? (int)few : TERMS;
    return (s->n + terms - 1) / terms;
}

dae_status dae_oscillation_create(dae_oscillation **made, dae_solver *s)
{
    const dae_jacobian_kind jacobian = s->jacobian;
    const dae_linear_kind linear = s->linear;
    oscillation *o = *made = DAE_RECORD(oscillation, DAE_PART(oscillation, x, s->n), DAE_PART(oscillation, y, s->n));
    if (!o)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for a linearisation of %d unknowns", s->n);
    o->s = s;
    const dae_status status = dae_linearised_create(s, &o->linear);
    s->jacobian = jacobian;                             /* what the method itself takes */
    s->linear = linear;
    return status;
}

void dae_oscillation_free(dae_oscillation *o)
{
    if (!o)
        return;
    dae_linearised_free(&o->linear);
    free(o);
}

int dae_oscillation_look(dae_oscillation *o, double t, const double *u, double least, double most, double slow)
{
    int found = 0;
    o->stride = choose_stride(o->s);
    dae_linearise(o->linear.jac, t, u, o->x, NULL);
    for (double G = most; !found && G >= least; G /= NEXT)
        found = trace(o, G) < -fmax(ROUNDING, pow(G / slow, 4));
    return found;
}

dae_status dae_oscillation_find(dae_solver *s, double t, const double *u, double least, double most,
                                double slow, int *found)
{
    dae_oscillation *o = NULL;
    const dae_status status = dae_oscillation_create(&o, s);
    *found = !status && dae_oscillation_look(o, t, u, least, most, slow);
    dae_oscillation_free(o);
    return status;
}
