/* run_asked.h - questions of a study to its runner: what is kept in a file, or found out by a process of its own
 *
 * A question is a cell (run_cell.h) and a function that computes the answer, an object. Without a cell, or a runner, it
 * is computed in place.
 */
#ifndef DAELAB_RUN_ASKED_H
#define DAELAB_RUN_ASKED_H

#include "run/run_cell.h"
#include "pool/runner.h"

/* Ask for a cell, which is released. Each of its runs, so many, keeps the study's limit of CPU time itself; the
 * question has one for equations that hang, unless it brings its own. What a limit has stopped, its answer has a member
 * "stopped_at", is no answer at a larger one: then it is asked for again. */
runner_reply ask_within(const study *s, json_t *cell, int runs, runner_question question);

/* How a run ended that was ended: outcome, status and reason of what the runner says. */
void run_was_ended(run_result *r, const runner_reply *reply);

/* As study_run. A run that was ended has its outcome, the status that stands for it, and the reason. Of a monitor its
 * largest values, and against time where the study has curves. */
run_result run_asked(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     monitor *m);

/* Does the method solve the formulation? Found out without a run; else why there is none. */
dae_status run_possible(const study *s, const dae_formulation *form, const dae_method *method, double level);

#endif
