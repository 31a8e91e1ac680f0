/* work.h - a work-precision study: one formulation by one method, its time against its error */
#ifndef DAELAB_WORK_H
#define DAELAB_WORK_H

#include "output/document.h"
#include "measure/run.h"
#include "report/run_output.h"

typedef struct {
    double median, lower, upper;        /* quartiles */
    double smallest, largest;
} work_spread;

typedef struct {
    run_result run;             /* the warm-up run: errors, counts */
    int runs;                   /* repeats, all on one solver */
    work_spread wall;           /* [s] of one run */
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
    double first, ratio;        /* the first level, and from one level to the next */
    work_point *point;          /* [levels] */
} work_curve;

/* The time to reach an error on a work-precision curve: log-log between the points that no other
 * point beats in both; the fastest point's where all are more accurate; NaN where none is. Points
 * that are not finite and positive are left out. */
double work_time_at(const double *error, const double *seconds, int count, double target);

/* Quartiles of samples[count], which are sorted here. */
work_spread work_spread_of(double *samples, int count);

/* The time of a point as --time asks for it. */
double work_seconds(const cli_options *o, const work_point *p);

/* The same on a curve, for the error of the class that --of names. */
double work_curve_at(const cli_options *o, const work_curve *c, double target);

/* The best curve of the baseline method at a target; NaN where there is none. */
double work_baseline(const cli_options *o, const work_curve *curves, int count, double target);

grid *work_point_grid(const cli_options *o, const work_curve *curves, int count);
grid *work_at_grid(const cli_options *o, const work_curve *curves, int count);
json_t *work_curve_json(const cli_options *o, const work_curve *c);
json_t *work_at_json(const cli_options *o, const work_curve *curves, int count);

/* One panel for each formulation, error against time. */
dae_status work_plot(const study *s, const work_curve *curves, int count, dae_report *report);

/* The reason of a point that failed or did not repeat; "" where there is nothing to say. */
const char *work_reason(const work_point *p);

/* One row for each point of the curves of a problem. */
grid *work_summary_new(void);
void work_summary_add(grid *summary, const cli_options *o, const work_curve *curves, int count);

/* Defaults of the options' one problem; an exit status, having complained of what does not fit. */
int work_prepare(cli_options *options);

/* Run its curves: its result in *doc, NULL where it could not begin, and its rows in the summary
 * (or NULL). An exit status, having complained. */
int work_problem(const cli_options *prepared, grid *summary, document **doc);

/* Prepare and run each problem of the list that is the options' subject, as parts of one result. */
int work_problems(const cli_options *given, document **doc);

#endif
