/* catalogue.h - the problems and methods that there are: the tables, and behind them what files add
 *
 * One catalogue for the program, filled before anything runs and unchanged from then on.
 */
#ifndef DAELAB_CATALOGUE_H
#define DAELAB_CATALOGUE_H

#include <daelab/daelab.h>

/* Rows 0, 1, ...; NULL past the end. */
const dae_problem *catalogue_problem(int i);
const dae_method *catalogue_method(int i);

/* By name; NULL where there is none. */
const dae_problem *catalogue_find_problem(const char *name);
const dae_method *catalogue_find_method(const char *name);

/* How many rows there are. */
int catalogue_problems(void);
int catalogue_methods(void);

/* The file that a problem, with its events or without (events_off.h), or a method came from, as it was typed;
 * NULL for those of the tables. */
const char *catalogue_file(const void *record);

/* Add the records of a file, all or none. DAE_BAD_ARGUMENT where a name is not valid, is taken by another problem,
 * method or formulation, or there is no room. The catalogue keeps pointers to the records and to file. */
dae_status catalogue_add(const dae_problem *const *problem, int problems, const dae_method *const *method,
                         int methods, const char *file, dae_report *report);

#endif
