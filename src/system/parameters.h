/* parameters.h - the entries of a record's list of parameters, and the values that they stand for */
#ifndef DAE_PARAMETERS_H
#define DAE_PARAMETERS_H

#include "daelab/problem.h"
#include "daelab/status.h"

/* The first entry of the list, and the one behind an entry; NULL past the last, and for no problem. */
const dae_parameter *dae_parameter_first(const dae_problem *problem);
const dae_parameter *dae_parameter_next(const dae_problem *problem, const dae_parameter *entry);

/* How many values an entry stands for, 1, or those of an array; the default of one of them. */
int dae_parameter_length(const dae_parameter *entry);
double dae_parameter_element(const dae_parameter *entry, int element);

/* The position of the parameter that is a DAE_COUNT; -1: there is none. */
int dae_counting_parameter(const dae_problem *problem);

/* p[count] := values, or where they are NULL the defaults */
void dae_parameter_values(const dae_problem *problem, const double *values, double *p);

/* DAE_OK where parameters (NULL: their defaults) lie in their ranges; else DAE_BAD_ARGUMENT with the one that
 * does not. */
dae_status dae_check_values(const dae_problem *problem, const double *values, dae_report *report);

#endif
