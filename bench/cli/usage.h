/* usage.h - options that nothing of what was chosen would take, and combinations that do not exist:
 * both are mistakes, and said before anything runs */
#ifndef DAELAB_USAGE_H
#define DAELAB_USAGE_H

#include "cli/options.h"

/* An exit status, having complained, or 0: is every option that was given used by some run of some
 * of these problems? Forms and methods are chosen, defaults filled in. */
int usage_check(const cli_options *of_problem, int problems);

/* The same: does some formulation go with some method under each --project? Of what was named and
 * goes with nothing else that was chosen a remark says so. */
int usage_check_combinations(const cli_options *options);

/* Does a method choose its steps under these options? Where it can do both: if there is an rtol
 * and no step. */
int usage_chooses_steps(const cli_options *options, const dae_method *method);

/* Given one of --step and --rtol, solves of `scale` go by that where the method can; else methods
 * of order 4 and above (or of varying order) choose their steps. */
int usage_scale_chooses_steps(const cli_options *options, const dae_method *method);

#endif
