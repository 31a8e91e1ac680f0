/* quad_run.h - a run with fixed steps in quad precision, and a stepper for each family of methods
 *
 * A stepper reads the tableau of the method's record, whose coefficients are taken as the doubles
 * they are: what it shows is the method as it is coded, without the rounding of its arithmetic.
 */
#ifndef DAE_QUAD_RUN_H
#define DAE_QUAD_RUN_H

#include "stepper/solver.h"
#include "system/quad_mechanics.h"

typedef struct {
    dae_system *sys;
    const dae_method *method;
    const void *tableau;        /* the method's, or what takes its place */
    dae_quad_mechanics mechanics;
    int n;
    dae_quad t, *u;             /* [n] the state */
    dae_quad *x;                /* [2 nq] (q, v) */
    void *stepper;
} dae_quad_run;

/* F[n] := F(t, u);  out[n] := M x. */
void dae_quad_run_rhs(const dae_quad_run *run, dae_quad t, const dae_quad *u, dae_quad *F);
void dae_quad_run_mass(const dae_quad_run *run, dae_quad t, const dae_quad *x, dae_quad *out);

typedef struct {
    /* run->stepper; DAE_NO_MEMORY, or DAE_UNSUPPORTED where the system has too many unknowns or the
     * method does not solve it */
    dae_status (*create)(dae_quad_run *run);
    dae_status (*start)(dae_quad_run *run);                 /* at (t, u); may be NULL */
    dae_status (*step)(dae_quad_run *run, dae_quad h);      /* u at t := u at t + h; t stays */
    void (*destroy)(dae_quad_run *run);
    /* copy[size] := the tableau with its coefficients off in their last bits; how many are. NULL:
     * the coefficients are computed in quad. */
    int (*shake)(const void *tableau, void *copy);
    size_t size;
} dae_quad_family;

extern const dae_quad_family dae_quad_explicit, dae_quad_rosenbrock, dae_quad_cros,
                             dae_quad_excros, dae_quad_radau_iia;

/* x[count] a unit in the last place up or down; those that are short binary fractions are what they were
 * meant to be and stay. How many others there are. */
int dae_quad_shake(double *x, int count);

#endif
