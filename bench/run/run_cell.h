/* run_cell.h - all that a run depends on, as a JSON object: the question to which its result is the answer
 *
 *     {"cell": "run", "program": "93b1...", "problem": "...", "model": "5f0c...", "parameters": [...],
 *      "t_start": 0.0, "t_end": 2.0, "setting": {...}, "form": "...", "method": "...", "code": "93b1...",
 *      "step": 0.005, "rtol": null, "reference": "1c0a...", "sampled": 1, "watched": 1, "curves": 0}
 *
 * Numbers as in fields.h. What does not change a result is not in it: limits, jobs, how far other levels go.
 */
#ifndef DAELAB_RUN_CELL_H
#define DAELAB_RUN_CELL_H

#include "run/fields.h"
#include "run/run.h"

/* What all runs of a study depend on; "cell" says of what kind it is. NULL where it cannot be said, as code of the
 * model lies in no object, or the model has data of a user's, or memory is short: then there is nothing to ask,
 * and to keep. */
json_t *study_cell(const study *s, const char *kind);

/* That of one run; watched: for its drift. */
json_t *run_cell(const study *s, const dae_formulation *form, const dae_method *method, double level,
                 int watched);

/* A formulation and a method into the cell of a study; 0 where it cannot be said. */
int cell_set_pair(json_t *cell, const dae_formulation *form, const dae_method *method);

/* The settings of a role, by their names, into an object; 0 where memory is short. */
int cell_set_settings(json_t *object, const run_setting *setting, setting_key key);

#endif
