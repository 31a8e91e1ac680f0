/* plan.h - several studies that are run as one: what a file says, or a command line with lists */
#ifndef DAELAB_PLAN_H
#define DAELAB_PLAN_H

#include "study/converge.h"
#include "study/drift.h"
#include "study/scale.h"
#include "study/solve.h"
#include "study/work.h"

typedef enum { STUDY_SOLVE, STUDY_CONVERGE, STUDY_DRIFT, STUDY_WORK, STUDY_SCALE, STUDY_KINDS } study_kind;

/* The commands that run them: "solve", "converge", "drift", "bench", "scale". */
extern const char *const study_kind_names[STUDY_KINDS];

/* One problem with one value of each setting, by some formulations and methods. */
typedef struct {
    const char *part;           /* the name of its part in a file; that of the command */
    study_kind kind;
    study_specification spec;   /* as it was asked for */
    dae_status status;          /* negative: it could not begin, or be finished; the report says why */
    dae_report why;
    union {
        solve_result solve;
        converge_result converge;
        drift_result drift;
        work_result work;
        scale_result scale;
    } result;
} study_item;

/* What stays where it is until it is freed, as results point into it. */
typedef struct {
    const char *title, *question;       /* "" where none was given */
    int count;
    study_item *item;           /* [count] */
} study_plan;

#endif
