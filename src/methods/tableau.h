/* tableau.h - the forms in which steppers use coefficients, from those of a record */
#ifndef DAE_TABLEAU_H
#define DAE_TABLEAU_H

#include "explicit_stepper.h"
#include "rosenbrock.h"

/* *T := the coefficients of a method of family BUTCHER or ROSENBROCK_WANNER as its stepper uses them; or
 * DAE_BAD_ARGUMENT with what is wrong with them. */
dae_status dae_tableau_derive(const dae_method *method, dae_tableau *T, dae_report *report);
dae_status dae_rosenbrock_derive(const dae_method *method, dae_rosenbrock_tableau *T, dae_report *report);

#endif
