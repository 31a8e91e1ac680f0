/* doubt.h - what the declared orders of a method say against its numbers, before any of them is
 * seen */
#ifndef DAELAB_DOUBT_H
#define DAELAB_DOUBT_H

#include "run/setting.h"

/* The order that a method declares for a class in a formulation of a problem; NaN: none. */
double doubt_order(const dae_problem *problem, const dae_formulation *form,
                   const dae_method *method, dae_class c);

/* Fixed steps, order 0: the class converges to something else than the solution. With chosen steps
 * multipliers are those of the acceleration level. */
int doubt_wrong(const run_setting *o, const dae_formulation *form, const dae_method *method,
                dae_class c);

/* Chosen steps, index 3, and order 1 or 2 of what is differentiated: local errors of high order are
 * held to the tolerance, global ones are not. The order, or 0. */
double doubt_slow(const run_setting *o, const dae_formulation *form, const dae_method *method);

/* The method declares orders, but none for the positions (the differential variables) here. */
int doubt_unknown(const dae_problem *problem, const dae_formulation *form,
                  const dae_method *method);

#endif
