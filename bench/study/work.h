/* work.h - a work-precision study: one formulation by one method, its time against its error */
#ifndef DAELAB_WORK_H
#define DAELAB_WORK_H

#include "run/order.h"
#include "run/run.h"
#include "numbers/ratio_spread.h"
#include "run/timed_rounds.h"
#include "study/specification.h"

typedef struct {
    double median, lower, upper;        /* quartiles */
    double smallest, largest;
} work_spread;

typedef struct {
    run_result run;             /* errors, counts */
    timed_point timed;          /* its rounds: of all points the same round has the same place */
    int runs;                   /* repeats in all rounds */
    work_spread wall;           /* [s] of one run: of the medians of the rounds; smallest and largest of all repeats */
    double cpu;                 /* mean [s] of one run, all threads */
    int repeatable;             /* all repeats ended with the same bits */
    double scd, mescd;          /* significant correct digits; NaN without a reference */
} work_point;

typedef struct {
    const dae_formulation *form;
    const dae_method *method;
    dae_method_info info;
    int adaptive;               /* the levels are tolerances, not steps */
    int levels;
    double level[MAX_LEVELS];
    work_point *point;          /* [levels] */
    order_result order[ORDER_CLASSES];    /* of errors in the step, or their slope against rtol; verdict NULL: none */
} work_curve;

/* The time to reach an error on a work-precision curve: log-log between the points that no other
 * point beats in both; the fastest point's where all are more accurate; NaN where none is. Points
 * that are not finite and positive are left out. */
double work_time_at(const double *error, const double *seconds, int count, double target);

/* Quartiles of samples[count], which are sorted here. */
work_spread work_spread_of(double *samples, int count);

/* The time of a point as --time asks for it. */
double work_seconds(const study_specification *o, const work_point *p);

/* The class of runs whose errors the study is about: that of --of, or of its derivatives where these are asked for. */
int work_class(const study_specification *o);

/* The same on a curve, for the error of that class. */
double work_curve_at(const study_specification *o, const work_curve *c, double target);

/* The same with the times of one round, between the same points. */
double work_curve_in(const study_specification *o, const work_curve *c, double target, int round);

/* How many times faster a curve reaches a target than the best of the baseline method in the same round. */
ratio_spread work_curve_ratio(const study_specification *o, const work_curve *curves, int count, int curve,
                              double target);

/* The correct digits that the study is about: mescd, or of one class of unknowns what that would be if there were no
 * others. */
double work_digits(const study_specification *o, const work_point *p);

/* The reason of a point that failed, has no time or did not repeat; "" where there is nothing to say. */
const char *work_reason(const work_point *p);

/* All that was measured. It must stay where it is until it is freed. */
typedef struct {
    study_specification spec;   /* as it was run */
    study s;
    int begun, count;
    work_curve *curves;         /* [forms x methods] */
    int rounds;                 /* in which points were timed; 0: none was */
    run_tally tally;            /* a point that has no time, or did not repeat, has failed, too */
} work_result;

/* 1 where a table of digits has the method by default: of high order, with steps by tolerance, it takes any
 * problem, stiff or not, of any size. */
int work_takes_any(const dae_method *method);

/* Methods, tolerances and the class of errors where none are given; for digits one formulation, one rtol and a
 * limit of time, too. DAE_BAD_ARGUMENT where the problem has no variables of the class, or a baseline has
 * nothing to compare. Before study_prepare. */
dae_status work_fill_in(study_specification *spec, dae_report *report);

/* The reference that its runs are compared with. */
reference_kind work_reference(const study_specification *spec);

/* Run a specification that work_fill_in and study_prepare have passed; failures are those of
 * study_begin. The result has to be freed in any case. */
dae_status work_study(work_result *r, const study_specification *spec, dae_report *report);
void work_result_free(work_result *r);

#endif
