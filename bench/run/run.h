/* run.h - one run of problem x formulation x method, measured
 *
 * A study owns what its runs share: the setting, the interval, the consistent start and the
 * reference solution at t_end. A run that fails is a result with a status and a reason.
 */
#ifndef DAELAB_RUN_H
#define DAELAB_RUN_H

#include <daelab/event_reference.h>
#include <daelab/hybrid.h>
#include <daelab/quad_reference.h>

#include "run/derivatives.h"
#include "run/monitor.h"
#include "run/outcome.h"
#include "run/run_events.h"
#include "run/setting.h"
#include "run/tolerance.h"

typedef struct run_result run_result;

/* A run that succeeded, to be made again: a solver from u0[n], or of a problem with events a hybrid run from its start;
 * where it has ended. */
typedef struct {
    dae_solver *solver;
    run_derivatives *along;     /* of the solver; NULL: of a hybrid run */
    dae_hybrid *hybrid;
    int n;
    const double *u0, *u_end;
} made_run;
typedef dae_status run_again(void *context, const made_run *made, run_result *r);

/* |p| du/dp for each parameter of a setting, and what is not known of it, both on the path; where the neighbours of p
 * begin, [sensitivities x STENCIL_POINTS x size], and how far they are apart. along is NULL: there are none. */
typedef struct {
    dae_reference *along, *wrong;
    dae_quad *from;
    int size;
    double half[MAX_SENSITIVITIES];
} stencil_sums;

typedef struct {
    const run_setting *setting;
    double t0, t_end;
    double limit;               /* [s] CPU time of a run, which is stopped then; 0: none */
    run_again *again;           /* is called after a run that succeeded; may be NULL */
    void *again_context;
    int referenced;             /* reference is there */
    int from_cache;
    dae_reference path;         /* at RUN_SAMPLES equal times, the last of them t_end */
    dae_reference reference;    /* the last row of path: at t_end */
    dae_event_reference events; /* in the place of the path, of a problem with events; reference is its end,
                                   the state after the last event where that ends the run */
    dae_reference *along;       /* [setting->sensitivities] |p| du/dp on the path, or where events end; NULL: none */
    dae_reference *along_wrong; /* [setting->sensitivities] what is not known of it: what half the step of the stencil
                                   changes */
    double along_error[DAE_CLASSES], along_digits;      /* the largest of it by class; against the unknowns */
    stencil_sums errors;        /* of which errors of du/dp are made, where runs are sampled: stencil.h */
    char along_start[MAX_SENSITIVITIES];        /* 1: neighbours begin along a derivative of doubles */
    char along_why[320];
    run_absolute absolute;      /* tolerances of the unknowns of the first formulation, for mescd */
    double pace;                /* study_pace, where the path was wanted */
    double *start;              /* where the path begins: a state of the first formulation; owned */
    const dae_quad *from;       /* [from_size] where it begins instead, in quad precision; NULL: at the start */
    int from_size;
    int sampled;                /* runs are compared with path, too */
    int curves;                 /* drift against time is kept of runs that are watched */
    char why_not[320];          /* the reason where it is not */
    char start_said[400];       /* that the start was moved, or would have been; "": it is consistent */
    char start_set[320];        /* the option that begins there, "--set x=4.5,y=-2"; "": that would be too long */
    int start_open;             /* derivatives of constraints were not solved for it */
} study;

/* What is to be said of the start, "": nothing. placed: also with which option a run begins where it was moved to. */
enum { START_WORDS = 1024 };
const char *study_start_words(const study *s, int placed, char words[START_WORDS]);

struct run_result {
    dae_status status;
    run_outcome outcome;        /* where it did not end by itself, but was ended: status is negative or early */
    char message[320];
    double step, rtol;          /* the one that does not apply is NaN */
    double t_reached;
    double error[RUN_CLASSES];  /* largest of any component at t_end; NaN: does not apply */
    double scale[RUN_CLASSES];  /* largest reference component of the class */
    double norm[RUN_CLASSES];   /* Euclidean norm of the errors at t_end */
    double path[RUN_CLASSES];   /* the same at the times of study.path, root mean square; NaN: none */
    double noise[RUN_CLASSES];  /* what rounding makes of path, or of norm; NaN: not known */
    double unit;                /* relative rounding of a number; 0: that of doubles */
    double path_scale[RUN_CLASSES];         /* largest reference component at those times */
    double relative[RUN_CLASSES];   /* largest |u - ref|/|ref| where ref is not 0 */
    double mixed[RUN_CLASSES];  /* largest |u - ref|/(atol/rtol + |ref|), with the atol of each
                                   unknown; 1 for fixed steps */
    double drift[DRIFT_LEVELS], energy, invariant;  /* largest over the run; NaN: does not apply */
    dae_rank_loss lost;         /* of a run that is watched: where its constraints lost rank */
    double seconds;
    dae_statistics count;
    dae_start_change start;
    dae_jacobian_kind jacobian;
    dae_linear_kind linear;
    double *values[RUN_CLASSES];/* end state by class, for Richardson's estimate; owned */
    int length[RUN_CLASSES];
    run_events events;          /* of a problem with events */
};

enum { RUN_SAMPLES = 3 };

typedef enum { REFERENCE_NONE, REFERENCE_AT_END, REFERENCE_ON_PATH } reference_kind;

/* Interval, start and reference for a study, and whether its runs are sampled on the path; the setting has to
 * stay where it is. What calls the model for the first time does so where the setting's runner computes. Should that
 * crash, there is no reference, and study.why_not says why; or where it does without one, too, the study has not begun.
 * limit: [s] of CPU time that a run may take, which lasts ten times as long, and a minute, for a reference; 0: none.
 * DAE_BAD_ARGUMENT where the setting contradicts itself, and what a start can fail by: then there is nothing to end. A
 * reference that could not be computed is no failure. */
dae_status study_begin(study *s, const run_setting *setting, reference_kind wanted, double limit,
                       dae_report *report);
/* The same with a reference that begins at another state u0[n] of the first formulation. */
dae_status study_begin_from(study *s, const run_setting *setting, const dae_quad *u0, int n, double limit,
                            dae_report *report);
void study_end(study *s);

/* A value of the reference as text[DAE_QUAD_TEXT], with the digits that are vouched for, at most 30. */
void study_quad_text(const study *s, dae_quad x, char *text);

/* Where it ends: with the interval, or where an event ends the run. */
double study_reference_end(const study *s);

/* A system at its start as the setting asks for it: created, started, made consistent. */
dae_status study_system(const study *s, const dae_formulation *form, dae_system **sys, double **u,
                        dae_start_change *change, dae_report *report);

/* A run that was not made, and what each begins with. */
run_result run_without(const study *s, const dae_method *method, double level);

/* Run once for time and errors; with a monitor once more for the drift; and, where the study
 * samples the path, with fixed steps twice more for the errors there and for what rounding is. */
run_result study_run(const study *s, const dae_formulation *form, const dae_method *method,
                     double level, monitor *m);
void run_free(run_result *r);

/* How the runs of a study ended. As a whole: DAE_UNSUPPORTED where nothing that was asked for exists,
 * DAE_NO_MEMORY where memory was short, DAE_BACKEND where one failed otherwise; the report says what
 * went wrong first. */
typedef struct {
    int runs, unsupported, failed;
    int memory;
    int missing;                /* of the failed those that were not run, as the study was stopped */
    const char *first, *absent; /* the reasons of the first of each; not owned */
    const dae_formulation *form;    /* of the first that failed */
    const dae_method *method;
} run_tally;
void run_count_result(run_tally *tally, const dae_formulation *form, const dae_method *method, const run_result *r);
void run_count(run_tally *tally, const dae_formulation *form, const dae_method *method, dae_status status,
               const char *reason);
dae_status run_tally_status(const run_tally *tally, const char *problem, dae_report *report);

#endif
