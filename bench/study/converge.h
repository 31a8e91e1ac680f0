/* converge.h - a convergence study: errors at falling steps or tolerances, and the orders they show */
#ifndef DAELAB_CONVERGE_H
#define DAELAB_CONVERGE_H

#include "run/run_asked.h"
#include "run/order.h"
#include "study/specification.h"

/* One formulation by one method at several levels. */
typedef struct {
    double value;               /* of the parameter that is varied */
    order_subject subject;      /* levels are tolerances where it says so, otherwise steps */
    dae_method_info info;
    order_ladder ladder;        /* with what the specification changes */
    int levels;                 /* that were run */
    double level[MAX_LEVELS];   /* those of the ladder: tolerances, or steps that divide the interval */
    int as_planned;             /* no finer levels than those of the ladder, and none in quad */
    int refused, complete;      /* the method does not solve the form; no question of it is open */
    run_result *runs;           /* [levels] */
    order_result order[ORDER_CLASSES];
} converge_curve;

/* Plan a curve, run its levels, and finer ones where an order asks for them, and judge the orders. */
void converge_plan(converge_curve *c, const study_specification *spec, const study *s,
                   const dae_formulation *form, const dae_method *method);
void converge_run(const study_specification *spec, const study *s, converge_curve *c);
/* work from this level on: run_amount */
double converge_amount(const study *s, const converge_curve *c, int from);
void converge_free(converge_curve *c);

/* runs[levels] := those at each level; the last ones, which take longest, are asked for first. A method that does not
 * solve the form says so at every level: once is enough. How many levels there are then. */
int study_run_levels(const study *s, const dae_formulation *form, const dae_method *method, const double *level,
                     int levels, int watched, run_result *runs);

/* All that was measured. It must stay where it is until it is freed, as its parts point into it. */
typedef struct {
    study_specification spec;   /* as it was run */
    int values, count, begun;
    study_specification *each;  /* [values] with one value of the varied parameter each */
    double **parameters;        /* [values] those of each */
    study *s;                   /* [values] references, intervals; those begun */
    converge_curve *curves;     /* [count = values x forms x methods] */
    run_tally tally;            /* how the runs ended */
} converge_result;

/* Run a specification that study_prepare has passed. A run that fails is a result; a failure is a level
 * that is too fine (DAE_BAD_ARGUMENT), or a start that does not exist. The result has to be freed in any case. */
dae_status converge_study(converge_result *r, const study_specification *spec, dae_report *report);

/* In the next round of the runner: what is not complete once more. */
dae_status converge_again(converge_result *r, dae_report *report);
void converge_result_free(converge_result *r);

#endif
