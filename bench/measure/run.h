/* run.h - one run of problem x formulation x method, measured
 *
 * A study owns what its runs share: the options, the interval, the consistent start and the
 * reference solution at t_end. A run that fails is a result with a status and a reason.
 */
#ifndef DAELAB_RUN_H
#define DAELAB_RUN_H

#include <daelab/quad_reference.h>

#include "measure/monitor.h"
#include "cli/options.h"
#include "cli/progress.h"

typedef struct run_result run_result;

/* Called after a run that succeeded: solver and its start u0[n] are there to run again. */
typedef dae_status run_again(void *context, dae_solver *solver, int n, const double *u0,
                             const double *u_end, run_result *r);

typedef struct {
    const cli_options *options;
    double t0, t_end;
    run_again *again;           /* may be NULL */
    void *again_context;
    progress *progress;         /* may be NULL */
    int referenced;             /* reference is there */
    int from_cache;
    dae_reference path;         /* at RUN_SAMPLES equal times, the last of them t_end */
    dae_reference reference;    /* the last row of path: at t_end */
    double pace;                /* study_pace, where the path was wanted */
    double *start;              /* where the path begins: a state of the first formulation; owned */
    int sampled;                /* runs are compared with path, too */
    char why_not[320];          /* the reason where it is not */
} study;

struct run_result {
    dae_status status;
    char message[320];
    double step, rtol;          /* the one that does not apply is NaN */
    double t_reached;
    double error[DAE_CLASSES];  /* largest of any component at t_end; NaN: does not apply */
    double scale[DAE_CLASSES];  /* largest reference component of the class */
    double norm[DAE_CLASSES];   /* Euclidean norm of the errors at t_end */
    double path[DAE_CLASSES];   /* the same at the times of study.path, root mean square; NaN: none */
    double noise[DAE_CLASSES];  /* what rounding makes of path, or of norm; NaN: not known */
    double unit;                /* relative rounding of a number; 0: that of doubles */
    double path_scale[DAE_CLASSES];         /* largest reference component at those times */
    double relative[DAE_CLASSES];   /* largest |u - ref|/|ref| where ref is not 0 */
    double mixed[DAE_CLASSES];  /* largest |u - ref|/(atol/rtol + |ref|); 1 for fixed steps */
    double drift[DRIFT_LEVELS], energy, invariant;  /* largest over the run; NaN: does not apply */
    double seconds;
    dae_statistics count;
    dae_start_change start;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    int classes;                /* bits of the classes in values */
    double *values[DAE_CLASSES];/* end state by class, for Richardson's estimate; owned */
    int length[DAE_CLASSES];
};

enum { RUN_SAMPLES = 3 };

typedef enum { REFERENCE_NONE, REFERENCE_AT_END, REFERENCE_ON_PATH } reference_kind;

/* An exit status, having complained, or 0: the interval, and steps and tolerances in it. */
int study_check(const cli_options *options);

/* Interval and reference for a study, and whether its runs are sampled on the path; complains and
 * answers an exit status other than 0 where the options contradict each other. */
int study_begin(study *s, const cli_options *options, reference_kind wanted);
void study_end(study *s);

/* A system at its start as the options ask for it: created, started, made consistent. */
dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report);

/* Does this study let the method choose its steps? Where it can do both: if --rtol is given and
 * --step is not. */
int study_adaptive(const study *s, const dae_method *method);

/* The options of one run at a level: a step, or rtol where steps are chosen. */
dae_options study_options(const study *s, const dae_method *method, double level);

/* Run once for time and errors; with a monitor once more for the drift; and, where the study
 * samples the path, with fixed steps twice more for the errors there and for what rounding is. */
run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m);
void run_free(run_result *r);

/* How the runs of a study ended, and the exit status of it: 1 where one failed numerically, 2 where
 * nothing that was asked for exists, 3 where memory was short. What went wrong is said. */
typedef struct {
    int runs, unsupported, failed;
    int memory;
    const char *first, *absent; /* the reasons of the first of each; not owned */
} run_tally;
void run_count(run_tally *tally, dae_status status, const char *reason);
int run_tally_status(const run_tally *tally);

/* Default level of a method where the options give none. */
double study_level(const study *s, const dae_method *method);

#endif
