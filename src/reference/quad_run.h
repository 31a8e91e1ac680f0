/* quad_run.h - a run with fixed steps in quad precision, and a stepper for each family of methods
 *
 * A stepper reads the tableau of the method's record, with the coefficients as they are in double. So it is
 * the method as coded, without the rounding errors of its arithmetic.
 */
#ifndef DAE_QUAD_RUN_H
#define DAE_QUAD_RUN_H

#include "stepper/solver.h"
#include "system/quad_mechanics.h"

typedef struct {
    dae_system *sys;
    const dae_method *method;
    const void *tableau;        /* the method's, or a copy with perturbed coefficients */
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
    /* copy[size] := the tableau with its coefficients perturbed in their last bits; returns their number.
     * NULL: the coefficients are computed in quad. */
    int (*shake)(const void *tableau, void *copy);
    size_t size;
    /* tableau[size] := from published coefficients, where records of the family have those; else NULL */
    dae_status (*derive)(const dae_method *method, void *tableau, dae_report *report);
} dae_quad_family;

extern const dae_quad_family dae_quad_explicit, dae_quad_rosenbrock, dae_quad_cros,
                             dae_quad_excros, dae_quad_radau_iia, dae_quad_butcher,
                             dae_quad_rosenbrock_wanner;

/* Change x[count] by a unit in the last place, up or down. Short binary fractions are exact and are not
 * changed. Returns the number of the others. */
int dae_quad_shake(double *x, int count);

#endif
