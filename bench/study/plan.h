/* plan.h - several studies that are run as one: what a file says, or a command line with lists */
#ifndef DAELAB_PLAN_H
#define DAELAB_PLAN_H

#include "study/converge.h"
#include "study/drift.h"
#include "study/fit.h"
#include "study/scale.h"
#include "study/solve.h"
#include "study/work.h"

struct runner;

typedef enum { STUDY_SOLVE, STUDY_CONVERGE, STUDY_DRIFT, STUDY_WORK, STUDY_SCALE, STUDY_FIT,
               STUDY_KINDS } study_kind;

/* The commands that run them: "solve", "converge", "drift", "bench", "scale", "fit". */
extern const char *const study_kind_names[STUDY_KINDS];

enum { MAX_VARIED = 8 };

/* One problem with one value of each setting, by some formulations and methods. */
typedef struct {
    const char *part;           /* the name of its part */
    study_kind kind;
    int problem, setting;       /* which of the part's problems, of the combinations of its settings */
    int varied[MAX_VARIED], varies;     /* parameters that differ from item to item, so many */
    int by_default;             /* methods were not named */
    study_specification spec;   /* as it was asked for */
    int run, open;              /* plan_run_item has been called; questions of it are open */
    dae_status status;          /* negative: it could not begin, or be finished; the report says why */
    dae_report why;
    union {
        solve_result solve;
        converge_result converge;
        drift_result drift;
        work_result work;
        scale_result scale;
        fit_result fit;
    } result;                   /* where it was run */
} study_item;

/* What one command, or one part of a file, asks for. */
typedef struct {
    const char *name;           /* in a file; that of the command */
    study_kind kind;
    const char *subject;        /* "pendulum,kepler": the problems as they were named */
    int problems, settings;     /* so many, and combinations of settings of each at most */
    int first, count;           /* its items in the plan: of the first problem all settings, of the second, .. */
} study_part;

/* What stays where it is until it is freed, as results point into it. */
typedef struct {
    const char *title, *question;       /* of a file; "" of a command, and the plan has one part */
    int parts, count;
    study_part *part;           /* [parts] */
    study_item *item;           /* [count] */
} study_plan;

/* What a specification of this kind lacks: formulations, methods, levels by default, before study_check.
 * DAE_BAD_ARGUMENT where the kind of study does not take it. */
dae_status plan_fill_in(study_kind kind, study_specification *spec, int *by_default, dae_report *report);

/* Run the items that plan_fill_in and study_prepare have passed, in rounds of the runner (NULL: at once). One whose
 * status is negative is left alone. */
void plan_run(study_plan *plan, struct runner *runner);

/* One of them. */
void plan_run_item(study_item *item);

/* How its runs ended: negative with a report where one failed; positive where a solution ends early, as it
 * should. */
dae_status plan_item_status(const study_item *item, dae_report *report);

/* The results, not the items. */
void plan_free_results(study_plan *plan);

#endif
