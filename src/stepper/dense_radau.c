/* dense_radau.c - dense output by collocation over the last step, as accurate as the step
 *
 * The dense output of a one-step method is of lower order than the step, and inaccurate in stiff unknowns: a
 * slope F(t, u) at an end has L times the error of u. Where dense output is required, the collocation
 * equations of Radau IIA with s stages are therefore solved over the same step, once, with the dense output
 * of the method as the initial guess. The error of the collocation polynomial P is O(h^(s+1)) inside the
 * step. At the nodes stiff and algebraic unknowns satisfy F; their error at the begin of the step enters
 * with the factor l_0(x), |l_0| <= 1. (For Radau methods of s stages P has 2 s - 1 stages, and the error is
 * O(h^(2s)).) Then
 *
 *     u(x) = u_n + P(x) + x (u_(n+1) - u_n - P(1)).
 *
 * A step is accepted for its end, and stiff and algebraic unknowns may go to and fro many times in it. So with error
 * control P is taken for the solution only where its defect between the nodes is below the tolerance (piece.h). Else
 * the solution is that of pieces of the step, one after the other (pieces.h). In index 3 errors of the begin, divided
 * by h^2, may hide it: then it is P still.
 *
 * With error control, and in the first step, algebraic unknowns are interpolated at the nodes only: at the begin they
 * have the error of the step before, or of initial values that need not satisfy the algebraic equations.
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.8.
 */
#include "dense_radau.h"

#include "pieces.h"

#include <math.h>
#include <stdlib.h>

typedef enum { UNTRIED, LOOKED_AT, WHOLE, IN_PIECES, NOT_FOUND } outcome;    /* LOOKED_AT: good to find events on */

struct dae_dense_radau {
    outcome state;
    int solved;                 /* 1: whole is P */
    dae_piece whole;
    dae_pieces pieces;
};

void dae_dense_radau_free(dae_dense_radau *d)
{
    if (!d)
        return;
    dae_piece_free(&d->whole);
    dae_pieces_free(&d->pieces);
    free(d);
}

void dae_dense_radau_forget(dae_dense_radau *d)
{
    if (d)
        d->state = UNTRIED;
}

dae_status dae_dense_radau_choose(dae_solver *s, dae_dense_radau **place, dae_jacobian *jac, int stages)
{
    dae_dense_radau *d = *place = *place ? *place : calloc(1, sizeof *d);
    if (!d)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for dense output of %d unknowns", s->n);
    return dae_piece_choose(s, &d->whole, jac, stages);
}

double *dae_dense_radau_stages(const dae_dense_radau *d, const double **nodes)
{
    *nodes = d->whole.table->tab->c;
    return d->whole.z;
}

dae_status dae_dense_radau_solve(dae_solver *s, dae_dense_radau *d)
{
    dae_piece *p = &d->whole;
    int worst;
    dae_piece_place(s, p, s->t_old, s->u_old, s->t - s->t_old);
    p->open = s->adaptive || s->t_old == s->t_begin;
    p->factored = NULL;                                 /* J is that of this step */
    const int solved = d->solved = dae_piece_solve(s, p);
    d->state = solved ? WHOLE : NOT_FOUND;
    if (!s->adaptive)
        return DAE_OK;
    const double defect = solved ? dae_piece_defect(s, p, 1, &worst) : INFINITY;
    if (defect <= 1)
        return DAE_OK;
    d->state = IN_PIECES;
    return dae_pieces_begin(s, &d->pieces, p, defect);
}

int dae_dense_radau_may_search(const dae_solver *s) { return s->adaptive && s->sys->index < 2; }

dae_status dae_dense_radau_look(dae_solver *s, dae_dense_radau *d, dae_pencil *pencil, double g)
{
    const double enough = 1 / sqrt(s->options.rtol);
    dae_piece *p = &d->whole;
    dae_piece_place(s, p, s->t_old, s->u_old, s->t - s->t_old);
    p->open = 1;
    d->state = LOOKED_AT;
    return dae_piece_look(s, p, pencil, g) <= enough ? DAE_OK : dae_dense_radau_solve(s, d);
}

int dae_dense_radau_is_due(const dae_solver *s, const dae_dense_radau *d)
{
    return s->t_new == s->t && s->t > s->t_old
           && (!d || d->state == UNTRIED || (d->state == LOOKED_AT && !s->searching));
}

/* z := the changes of u along the dense output of the method */
static dae_status guess_from_method(dae_solver *s, dae_dense_radau *d)
{
    const double h = s->t - s->t_old, *nodes;
    double *z = dae_dense_radau_stages(d, &nodes);
    dae_status status = DAE_OK;
    d->state = NOT_FOUND;
    for (int k = 0; !status && k < d->whole.table->tab->s; k++, z += s->n) {
        status = s->method->interpolate(s, s->t_old + nodes[k] * h, z);
        for (int i = 0; i < s->n; i++)
            z[i] -= s->u_old[i];
    }
    return status;
}

static int is_possible(const dae_solver *s, const dae_dense_radau *d)
{
    return dae_dense_radau_is_due(s, d) && !driver(s)->output && !driver(s)->was_cut;
}

dae_status dae_dense_radau_search(dae_solver *s, dae_dense_radau **place, dae_jacobian *jac, int stages,
                                  dae_pencil *pencil, double g)
{
    if (!dae_dense_radau_may_search(s) || !is_possible(s, *place))
        return DAE_OK;
    dae_status status = dae_dense_radau_choose(s, place, jac, stages);
    if (!status)
        status = guess_from_method(s, *place);
    return status ? status : dae_dense_radau_look(s, *place, pencil, g);
}

dae_status dae_dense_radau_find(dae_solver *s, dae_dense_radau **place, dae_jacobian *jac, int stages,
                         dae_dense_radau_guess *guess)
{
    const double *nodes;
    if (!is_possible(s, *place))
        return DAE_OK;
    dae_status status = dae_dense_radau_choose(s, place, jac, stages);
    if (!status && !guess)
        status = guess_from_method(s, *place);
    double *z = status ? NULL : dae_dense_radau_stages(*place, &nodes);
    for (int k = 0; z && guess && k < stages; k++)
        guess(s, nodes[k], z + k * s->n);
    return status ? status : dae_dense_radau_solve(s, *place);
}

int dae_dense_radau_is_known(const dae_solver *s, const dae_dense_radau *d)
{
    return d && (d->state == WHOLE || d->state == IN_PIECES) && s->t_new == s->t;
}

dae_status dae_dense_radau_at(dae_solver *s, dae_dense_radau *d, double t, double *u)
{
    const dae_piece *p = &d->whole;
    const double x = (t - p->t) / p->h, *end = p->z + (p->table->tab->s - 1) * s->n;
    if (d->state == IN_PIECES) {
        const dae_status status = dae_pieces_at(s, &d->pieces, t, u);
        if (!status || !d->pieces.refused || s->sys->index < 3)
            return status;
        d->state = d->solved ? WHOLE : NOT_FOUND;
    }
    if (d->state == NOT_FOUND)
        return s->method->interpolate(s, t, u);
    dae_piece_at(s, p, x, u);
    for (int i = 0; i < s->n; i++)
        u[i] += x * (s->u[i] - s->u_old[i] - end[i]);
    return DAE_OK;
}
