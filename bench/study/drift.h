/* drift.h - how far runs leave the constraints, the balance of energy and the invariants */
#ifndef DAELAB_DRIFT_H
#define DAELAB_DRIFT_H

#include "measure/run.h"
#include "study/specification.h"

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    run_result run;
    monitor monitor;            /* the same against time */
    unsigned project;           /* DAE_PROJECT_* */
} drift_run;

/* All that was measured. It must stay where it is until it is freed. */
typedef struct {
    study_specification spec;   /* as it was run */
    run_setting setting;        /* of the run under way */
    study s;                    /* interval, and the reference where one was asked for */
    int begun, count;
    drift_run *runs;            /* [forms x methods x projects] */
    run_tally tally;
} drift_result;

/* Run a specification that study_prepare has passed; failures are those of study_begin and memory. The
 * result has to be freed in any case. */
dae_status drift_study(drift_result *r, const study_specification *spec, dae_report *report);
void drift_result_free(drift_result *r);

/* Names and titles of the series; so many apply, the last one where the problem states invariants. */
extern const char *const drift_names[SERIES];
/* "|dg/dt|", or of nonholonomic constraints what stands in its place */
const char *drift_title(const dae_problem *problem, int series);
int drift_series(const study_specification *spec);

/* "index3 cros position" */
enum { DRIFT_LABEL = 96 };
void drift_label(const drift_run *d, char label[DRIFT_LABEL]);

#endif
