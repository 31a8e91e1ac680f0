/* slow_error.c - errors of short steps that add up
 *
 * Where only the accuracy of the solution decides on steps, each changes u by about rtol^(1/k) of itself, k the order
 * of the estimate, and errs by a tolerance. Steps may be far shorter. A stiff spring that turns by a step of h has
 * forces stiffness h^2 that the linearisation does not know; what of them acts along the motion no later step damps,
 * and each step errs by a tolerance in the same direction (near index 3: Lubich (1993), BIT 33, 425-440). With p the
 * part of u that a step changes, the slow part of its error is therefore to be below FEW p tolerances, so that FEW add
 * up while the solution changes by as much as it is; in between, for steps of a quarter of the usual size and less,
 * below (LONGER p rtol^(-1/k))^2.
 *
 * That is what
 *
 *     (M - G J)^-1 M e,    G = h/sqrt(p)
 *
 * leaves of e: what decays or oscillates within G has gone, or has changed its sign, long before it adds up. p is at
 * least the part that h is of the time since the start, in which no more can have added up. A step over a jump of F in
 * time is the only one of its kind, and however short it is, its error is the same multiple of what p allows: it counts
 * as it is. (Algebraic unknowns take such forces out of F: with the force of the spring an unknown, the steps of a
 * Rosenbrock method know them.)
 */
#include "slow_error.h"

#include <math.h>
#include <string.h>

static const double FEW = 2, LONGER = 4;
static const double SMALL = 0.1;        /* of what is allowed: then all may be slow */

/* p; change[n] is scratch. */
static double part_changed(const dae_solver *s, double h, double *change)
{
    for (int i = 0; i < s->n; i++)
        change[i] = s->u_new[i] - s->u[i];
    return fmax(h / (s->t_new - s->t_begin), s->options.rtol * dae_error_norm(s, change, INFINITY));
}

/* slow := (M - G J)^-1 M e; 0: it cannot be had. */
static int find_slow_part(dae_solver *s, dae_linearised *l, double G, const double *e, double *slow, double *im)
{
    if (!l->slow && dae_pencil_create(&l->slow, &l->jac->pair, s->options.linear, &s->report))
        return 0;
    s->count.factorizations++;
    if ((im ? dae_pencil_factor(l->slow, G, 0) : dae_pencil_factor_real(l->slow, G)).status)
        return 0;
    s->count.solves++;
    dae_system_mass(s->sys, e, slow);
    if (!im)
        return !dae_pencil_solve_real(l->slow, slow);
    memset(im, 0, (size_t)s->n * sizeof *im);
    return !dae_pencil_solve(l->slow, slow, im);
}

double dae_slow_error(dae_solver *s, dae_linearised *l, double h, const double *e, double *slow, double *im)
{
    const double usual = LONGER * pow(s->options.rtol, -1.0 / (s->error_order + 1)), all = dae_error_norm(s, e, h);
    if (s->sys->index > 0 || !(all <= 1) || usual * h >= s->t_new - s->t_begin)
        return all;
    const double part = part_changed(s, h, slow), allowed = fmax(pow(usual * part, 2), FEW * part);
    if (usual * part >= 1 || allowed >= 1)
        return all;
    if (all <= SMALL * allowed)
        return all / allowed;
    if (!find_slow_part(s, l, h / sqrt(part), e, slow, im))
        return all;
    const double sum = fmax(all, fmin(all, dae_error_norm(s, slow, h)) / allowed);
    return sum > 1 && dae_jumps(s, s->t + h / 2, h / 2, s->t_new - (s->t + h / 2)) ? all : sum;
}
