/* run_asked.h - runs of a study that the runner answers: from a file, or by a process of their own */
#ifndef DAELAB_RUN_ASKED_H
#define DAELAB_RUN_ASKED_H

#include "run/run_cell.h"
#include "pool/runner.h"

/* As study_run; where the setting has a runner, that is asked. A run that was ended has its outcome, the status
 * that stands for it, and the reason. */
run_result run_asked(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     monitor *m);

/* Does the method solve the formulation? Found out without a run. */
int run_exists(const study *s, const dae_formulation *form, const dae_method *method, double level);

/* The same study without anybody who hears more of it than how far a run is: for a process that others do not see.
 * The copy lives as long as what it is of. */
typedef struct {
    study s;
    run_setting setting;
} study_copy;
void study_copy_quiet(study_copy *copy, const study *s);

/* A run that was not made. */
run_result run_without(const study *s, const dae_method *method, double level);

/* How a run ended that was ended: outcome, status and reason of what the runner says. */
void run_was_ended(run_result *r, const runner_reply *reply);

/* Ask for a cell, which is released. Each of its runs, so many, keeps the study's limit of CPU time itself; the
 * question has one for equations that hang, unless it brings its own. What a limit has stopped is no answer at a
 * larger one: then it is asked for again. */
runner_reply ask_within(const study *s, json_t *cell, int runs, runner_question question);

/* The answer of a run: {"run": ...}, and the limit where that has stopped it. What ended for want of memory is no
 * answer: NULL. */
json_t *run_answer(const study *s, const run_result *r, const monitor *m);

#endif
