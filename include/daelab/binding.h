/* binding.h - for other languages: problems whose functions are called back, versions, sizes, names
 *
 * For bindings (python/ is one) and programs that make problems at run time, in C and C++.
 *
 * A problem of problem.h is compiled for several kinds of number. One of callbacks has a single function that
 * answers for all of its functions, in doubles and in dual numbers; it is told which. It can be solved in
 * every formulation but minimal coordinates; references, which need quad numbers, do not exist for it.
 */
#ifndef DAELAB_BINDING_H
#define DAELAB_BINDING_H

#include "daelab.h"
#include "description.h"

#include <stddef.h>

DAE_API_BEGIN

/* The DAELAB_VERSION of this library; a binding that was written for another should refuse it. */
const char *dae_version(void);

/* sizeof of a public type by its name, "dae_options"; 0 for one that is not known. */
size_t dae_size_of(const char *type);

/* Name and unit of multiplier k that is recovered from the acceleration level: "T_recovered", "N". */
void dae_system_recovered(const dae_system *sys, int k, char *name, char *unit, int length);

/* "name TAB unit TAB class NEWLINE" of each unknown of a system, and behind them of its recovered multipliers, written
 * into text[length], 0-ended. The characters that all of them take, without the 0: where that is not below length, what
 * did not fit is left out. text may be NULL. One call for all, as there may be many. */
size_t dae_system_unknowns(const dae_system *sys, char *text, size_t length);

/* The functions of problem.h: x, y, z are their vectors in order, out is what they answer. */
typedef enum {
    DAE_CALL_START,             /* out := (q, v, lambda) or u at t0; arrives as zeros; never with dual 1 */
    DAE_CALL_INERTIA,           /* out[nq] := M a, x = q, y = a */
    DAE_CALL_FORCE,             /* out[nq] := f, x = q, y = v */
    DAE_CALL_CONSTRAINT,        /* out[nl - nonholonomic] := g, x = q */
    DAE_CALL_RATE,              /* out[nl] := dg/dt, and A v + b, x = q, y = v */
    DAE_CALL_ACCELERATION,      /* out[nl] := d/dt of these, x = q, y = v, z = a */
    DAE_CALL_REACTION,          /* out[nq] := (G; A)^T lambda, x = q, y = lambda */
    DAE_CALL_ENERGY,            /* out[1] := H, x = q, y = v; where has_energy */
    DAE_CALL_MASS,              /* out[n] := M x', x = u, y = x'; where has_mass */
    DAE_CALL_RHS                /* out[n] := F, x = u */
} dae_called;

/* dual 0: t, x, y, z, out are doubles. 1: dual numbers, each a complex number of C, two doubles, a + i h b with
 * h = 2^-200 (scalar.h): a function that is analytic and evaluated in complex arithmetic answers its dual numbers
 * (complex step: Squire, Trapp (1998), SIAM Rev. 40, 110-112). p[parameters] are doubles. 2: the same, and p are dual
 * numbers, too, for derivatives by parameters; where dual_parameters says that it answers these. Not 0 for a failure:
 * out is then filled with NaN. May be called from the thread that runs the solver only. */
typedef int dae_callback(void *context, int called, int dual, const double *p, const void *t, const void *x,
                         const void *y, const void *z, void *out);

typedef struct {
    const char *name, *title;
    const char *variables, *units;      /* or NULL, as in problem.h */
    const dae_parameter *parameters;    /* ends with one without a name; or NULL */
    int nq, nl;                         /* mechanical: nq > 0 ... */
    int nonholonomic;                   /* of the nl, as in problem.h */
    int n, index;                       /* ... or first order: n > 0 */
    int has_mass, mass_varies, has_energy;
    int dual_parameters;
    double t0, t_end;
    double rtol;                        /* 0: 1e-6 */
    dae_callback *call;
    void *context;
} dae_callbacks;

/* A record of callbacks, which stays the caller's and unchanged, with all that it points to, while the problem
 * and its systems are used; it is the user_data of dae_formulation_options for each of them, without which
 * functions answer NaN. DAE_BAD_ARGUMENT where it is not complete, DAE_NO_MEMORY. */
dae_status dae_callback_problem(dae_problem **problem, const dae_callbacks *callbacks, dae_report *report);
void dae_callback_problem_free(dae_problem *problem);

DAE_API_END

#endif
