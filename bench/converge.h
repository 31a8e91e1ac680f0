/* converge.h - a convergence study: one formulation by one method at several levels */
#ifndef DAELAB_CONVERGE_H
#define DAELAB_CONVERGE_H

#include "document.h"
#include "order.h"
#include "run_output.h"

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    dae_method_info info;
    int adaptive;               /* the levels are tolerances, not steps */
    int levels;
    double ratio;               /* between neighbouring levels */
    run_result *runs;           /* [levels] */
    order_result order[DAE_CLASSES];
} converge_study;

grid *converge_level_grid(const cli_options *options);          /* columns only */
void converge_add_level(grid *g, const cli_options *options, const converge_study *study,
                        const run_result *run);
grid *converge_order_grid(const cli_options *options, const converge_study *studies, int count);
json_t *converge_json(const cli_options *options, const converge_study *study);

/* One panel for each study, error against step, or against evaluations of F where steps adapt. */
dae_status converge_plot(const study *s, const converge_study *studies, int count,
                         dae_report *report);

#endif
