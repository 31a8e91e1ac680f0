/* drift.h - how far runs leave the constraints, the balance of energy and the invariants */
#ifndef DAELAB_DRIFT_H
#define DAELAB_DRIFT_H

#include "run/run.h"
#include "run/time_unit.h"
#include "numbers/growth_law.h"
#include "study/specification.h"

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    run_result run;
    monitor monitor;            /* the same against time */
    growth growth[SERIES];      /* the law of each; not determined where there is nothing to look at */
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

/* Run a specification that study_prepare has passed; failures are those of study_begin. The
 * result has to be freed in any case. */
dae_status drift_study(drift_result *r, const study_specification *spec, dae_report *report);
void drift_result_free(drift_result *r);

/* Names and titles of the series; so many apply, the last one where the problem states invariants. */
extern const char *const drift_names[SERIES];
/* "|dg/dt|", or of nonholonomic constraints what stands in its place */
const char *drift_title(const dae_problem *problem, int series);
int drift_series(const study_specification *spec);

/* Has the run values of this series? */
int drift_has(const drift_run *d, int series);

/* "quadratic, 3.1e-06/s^2", "bounded", "not determined (t^0.5)"; empty where the run has no values of the series. */
enum { GROWTH_LABEL = 64 };
void drift_growth_label(const dae_problem *problem, const drift_run *d, int series, char label[GROWTH_LABEL]);

/* unit := that of its rate beside that of the series, by the problem's unit of time: "/s", "/s^2", "1/s"; "".
 * Answers unit. */
enum { RATE_UNIT = TIME_UNIT + 4 };
const char *drift_rate_unit(const dae_problem *problem, growth_law law, char unit[RATE_UNIT]);

/* "index3 cros position" */
enum { DRIFT_LABEL = 96 };
void drift_label(const drift_run *d, char label[DRIFT_LABEL]);

#endif
