/* collocation.h - M u' = F(t, u), stiff or a DAE, in quad precision by Radau IIA */
#ifndef DAE_COLLOCATION_H
#define DAE_COLLOCATION_H

#include "daelab/problem.h"
#include "pair.h"

typedef struct {
    const dae_first_order *equations;   /* rhs.quad, and mass.quad unless M = I */
    const dae_quad *p;
    const dae_class *group;     /* [n] DAE_ALGEBRAIC and DAE_AUXILIARY: without a derivative */
    const dae_reference_watch *watch;       /* may be NULL */
    int (*holds)(const dae_quad *p, dae_quad t, const dae_quad *u);     /* 0: the equations have ceased to be
                                                                           those of the problem; or NULL */
} dae_quad_dae;

enum { DAE_RADAU_FEWEST = 2, DAE_RADAU_MOST = 12 };

typedef struct {
    int stages;                 /* s = DAE_RADAU_FEWEST ... DAE_RADAU_MOST; the order is 2s-1 */
    double tolerance;           /* of the last coefficient of the polynomial of a step; or */
    double step;                /* > 0: steps of this size, and no test */
    double spacing;             /* F is looked at in every interval so long; 0: at the stages only */
    double shift;               /* ... at t0 + (i + shift) spacing */
    int *found;                 /* := 1 where that shows what the stages do not; may be NULL */
} dae_radau_rule;

/* The first or the second of two runs that are to agree; span: of the whole interval. */
dae_radau_rule dae_collocation_rule(int second, double tolerance, double span);

/* z[count x n] at the times of the grid, from the consistent u0[n] at t0; size[n] grows to the largest |u_i|
 * on the way, no less than dae_quad_least_part of its terms in the longest step. DAE_NO_CONVERGENCE where
 * Newton's iteration does not converge with any step, or the steps become too many. */
dae_status dae_collocate(const dae_quad_dae *dae, const dae_radau_rule *rule,
                         const dae_quad_grid *grid, const dae_quad *u0, dae_quad *z,
                         dae_quad *size, dae_report *report);

/* u := the start made consistent, for a run to t_end. Index 1: the algebraic equations solved with
 * M u held. Any index: onto the slow solution next to u, where rounding u to doubles left it.
 * slow := 1 where that moved u by steps that are long beside what is fast. DAE_INCONSISTENT where index 2 or 3
 * would move u by more, however short the steps. */
dae_status dae_collocation_start(const dae_quad_dae *dae, dae_quad t0, dae_quad t_end, dae_quad *u,
                                 int *slow, dae_report *report);

/* Consistent start and two runs of different order and steps, ever shorter, until they agree to 23
 * digits or shorter ones gain none (dae_quad_agree); slow as above. Of index 0 and 1 digits count what the slow
 * solution leaves out of that from u0 at the first time. */
dae_status dae_collocate_pair(const dae_quad_dae *dae, const dae_quad_grid *grid,
                              const dae_quad *u0, dae_quad *z, double *digits,
                              int *slow, dae_report *report);

/* left_out.c. How far the solution from u0[n] still is from that of slow[n] a time later, as M d' = J d at t0 says of
 * their difference: the largest in an unknown against size[n]. 1 where that is not known. */
double dae_left_out(const dae_quad_dae *dae, dae_quad t0, const dae_quad *u0, const dae_quad *slow,
                    const dae_quad *size, double later);

#endif
