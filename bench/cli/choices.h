/* choices.h - names on the command line, looked up in the tables */
#ifndef DAELAB_CHOICES_H
#define DAELAB_CHOICES_H

#include "cli/options.h"

enum { MAX_NAMES = 256 };                   /* of one table */

/* Each complains on stderr, with the nearest known name, and answers NULL or 0 where one is
 * wrong. */
const dae_problem *choose_problem(const char *name);
const dae_problem *choose_smooth(const char *name, const char *command);        /* one without events */
const dae_problem *choose_without_events(const char *name);             /* any, events_off.h */
/* The first of several, all looked up as by choose_problems. */
const dae_problem *choose_first(const char *list, const char *smooth, int without_events);
int choose_forms(const char *list, cli_options *options);       /* "index2,ggl" or "all" */
int choose_methods(const char *list, cli_options *options);
int choose_projection(const char *list, cli_options *options);   /* "position,velocity" */
int choose_baseline(const char *name, cli_options *options);

/* "robertson,hires" or "all"? */
int choose_several(const char *subject);

/* The problems of such a list, each once, into problems[room]; how many, or 0 having complained. smooth: the
 * command that takes those without events only, or NULL; without_events: all of them, their events left out. */
int choose_problems(const char *list, const char *smooth, int without_events, const dae_problem **problems,
                    int room);

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

/* All names of a table into names[room]; how many there are. */
int problem_names(const char **names, int room);
int formulation_names(const char **names, int room);
int method_names(const char **names, int room);
int projection_names(const char **names, int room);

#endif
