/* results.h - what was measured, on its way into files */
#ifndef DAELAB_RESULTS_H
#define DAELAB_RESULTS_H

#include "cli/options.h"
#include "output/dataset.h"
#include "plan/plan.h"

typedef struct {
    const study_plan *plan;
    document *doc;              /* for people; its JSON has the members of the dataset */
    dataset *data;
    const cli_options *options;
} results;

/* The pictures of --plot. */
int results_write_plots(const results *r);

/* A picture of each part into the folder, where they can be drawn; else a sentence says why not. */
int results_draw_parts(const results *r, const char *folder);

#endif
