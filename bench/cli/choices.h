/* choices.h - names on the command line, looked up in the tables */
#ifndef DAELAB_CHOICES_H
#define DAELAB_CHOICES_H

#include "cli/options.h"

enum { MAX_NAMES = 256 };                   /* of one table */

typedef enum { A_PROBLEM, A_FORMULATION, A_METHOD } choice_kind;

/* All names of a table; how many there are. */
int choice_names(choice_kind kind, const char *names[MAX_NAMES]);
enum { PROJECTIONS = 4 };
extern const char *const projection_names[PROJECTIONS + 1];     /* ends with NULL */

/* Each complains on stderr, with the nearest known name, and answers NULL or 0 where one is wrong.
 *
 * smooth: the command that takes problems without events only, or NULL; without_events: the problem with its events
 * left out (events_off.h). */
const dae_problem *choose_problem(const char *name, const char *smooth, int without_events);
int choose_forms(const char *list, cli_options *options);       /* "index2,ggl" or "all" */
int choose_methods(const char *list, cli_options *options);
int choose_projection(const char *list, cli_options *options);   /* "position,velocity" */
int choose_baseline(const char *name, cli_options *options);

/* "robertson,hires" or "all"? */
int choose_several(const char *subject);

/* The problems of such a list, each once; how many, or 0 having complained. */
int choose_problems(const char *list, const char *smooth, int without_events, const dae_problem *problems[MAX_NAMES]);

/* Formulations and methods where none are named; does the specification fit together? An exit status, having
 * complained, or 0. Then, for what is run alone: is each option used, can the files be written? */
int choose_check(cli_options *options);
int choose_defaults(cli_options *options);
int vary_parameter(const char *assignment, cli_options *options);       /* "L=2.5,5,10" */
int vary_to(const char *assignment, cli_options *options);              /* "L=2.5", of items that differ in it */
int choose_stop(const char *assignment, cli_options *options);          /* "x=3" */
int set_parameter(const char *assignment, cli_options *options);        /* "L=2.5", "k[3]=2", "k=1,2,3" */

/* Say that there is no such thing, and what known name is nearest. */
void choice_unknown(const char *what, const char *typed, const char *const *names, int count);

#endif
