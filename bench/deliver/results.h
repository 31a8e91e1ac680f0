/* results.h - what was measured, on its way into files */
#ifndef DAELAB_RESULTS_H
#define DAELAB_RESULTS_H

#include "cli/options.h"
#include "report/document.h"
#include "tidy/dataset.h"
#include "plan/plan.h"

typedef struct {
    const study_plan *plan;
    document *doc;              /* for people; its JSON has the members of the dataset */
    dataset *data;
    const cli_options *options;
    json_t *drawn;              /* pictures in folders: {FOLDER: [{"part", "file"}]}; or NULL */
} results;

/* The pictures of --plot, which are then among the plots of the result, and one of each part in each folder of
 * --output: all are drawn by one program. */
int results_draw(results *r);

#endif
