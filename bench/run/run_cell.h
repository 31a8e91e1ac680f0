/* run_cell.h - all that an answer depends on, as a JSON object: the question to which it is the answer
 *
 *     {"cell": "run", "program": "93b1...", "problem": "...", "model": "5f0c...", "parameters": [...],
 *      "t_start": 0.0, "t_end": 2.0, "setting": {...}, "form": "...", "method": "...", "code": "93b1...",
 *      "step": 0.005, "reference": "1c0a...", "sampled": 1, "watched": 1, "curves": 0}
 *
 * Numbers as in fields.h. What does not change a result is not in it: limits, jobs, how far other levels go.
 */
#ifndef DAELAB_RUN_CELL_H
#define DAELAB_RUN_CELL_H

#include "run/fields.h"
#include "run/run.h"

/* What all questions of a study depend on; "cell" says of what kind it is. NULL where that cannot be said, as code of
 * the model lies in no object, or the model has data of a user's: then there is nothing to keep. Jansson takes NULL for
 * an object, into which nothing is set. */
json_t *study_cell(const study *s, const char *kind);

/* The same of a formulation and a method; of one run: watched, for its drift. */
json_t *pair_cell(const study *s, const char *kind, const dae_formulation *form, const dae_method *method);
json_t *run_cell(const study *s, const dae_formulation *form, const dae_method *method, double level,
                 int watched);

/* A formulation and a method into an object; 0 where it is not known which code the method is. */
int cell_set_pair(json_t *cell, const dae_formulation *form, const dae_method *method);

/* The settings of a role, by their names, into an object. */
void cell_set_settings(json_t *object, const run_setting *setting, setting_key key);

#endif
