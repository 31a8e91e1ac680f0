/* converge.h - a convergence study: one formulation by one method at several levels */
#ifndef DAELAB_CONVERGE_H
#define DAELAB_CONVERGE_H

#include "output/document.h"
#include "measure/order.h"
#include "report/run_output.h"

typedef struct {
    double value;               /* of the parameter that --vary varies */
    order_subject subject;      /* levels are tolerances where it says so, otherwise steps */
    dae_method_info info;
    order_ladder ladder;        /* with what the user changed */
    int levels;                 /* that were run */
    int as_planned;             /* no finer levels than those of the ladder, and none in quad */
    run_result *runs;           /* [levels] */
    order_result order[DAE_CLASSES];
} converge_study;

/* Plan a study, run its levels, and finer ones where an order asks for them, and judge the orders;
 * 0 where memory is short. Level i is a tolerance or a step. */
void converge_plan(converge_study *c, const study *s, const dae_formulation *form,
                   const dae_method *method);
int converge_run(const study *s, converge_study *c);
double converge_level(const study *s, const converge_study *c, int i);
void converge_free(converge_study *c);

grid *converge_level_grid(const cli_options *options, const converge_study *studies, int count);
grid *converge_order_grid(const cli_options *options, const converge_study *studies, int count);
json_t *converge_json(const cli_options *options, const converge_study *study);

/* One panel for each study, error against step, or against evaluations of F where steps adapt. */
dae_status converge_plot(const study *s, const converge_study *studies, int count,
                         dae_report *report);

#endif
