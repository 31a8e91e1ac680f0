/* subject.h - a problem that is cross-checked: where its rows lie, and what is right there
 *
 * A row holds (q, v, lambda as the method has it, lambda recovered) of a mechanical problem, or u.
 * At a third, two thirds and the end of the interval fixed steps of converge's ladders end; the
 * other rows lie between steps.
 */
#ifndef DAELAB_SUBJECT_H
#define DAELAB_SUBJECT_H

#include <daelab/daelab.h>
#include <daelab/study.h>

enum { ROWS = 16, ON_STEPS = 3 };

typedef struct {
    const dae_problem *problem;
    int eventful;               /* has events or modes: rows hold (q, v) or u */
    double t0, t_end, time[ROWS];
    int on_step[ROWS];
    dae_status ending;          /* DAE_OK, or how the problem itself ends before t_end */
    int width;                  /* of a row */
    dae_class *class_of;        /* [width] */
    double *right;              /* [ROWS x width] */
    double *scale;              /* [width] size of the motion: of an unknown of a first-order
                                   problem, of a class of a mechanical one, over rows and start */
    double digits;              /* of the reference */
    double pace;                /* study_pace of the problem */
} subject;

/* The rows of a run; NaN where a row has no such number. */
typedef struct {
    dae_status status;
    char message[320];
    double *row;                /* [ROWS x width] */
    dae_statistics count;
} run_rows;

/* The first formulation that a problem has. */
const dae_formulation *subject_form(const dae_problem *problem);

/* DAE_OK, or why there is nothing to compare with. */
dae_status subject_begin(subject *s, const dae_problem *problem, dae_report *report);
void subject_end(subject *s);

/* A run from the problem's start. DAE_UNSUPPORTED where the method does not solve the form; atol of
 * an unknown is rtol times its scale where options->step is 0. */
run_rows subject_run(const subject *s, const dae_formulation *form, const dae_method *method,
                     dae_options options);

/* The same before the right rows and scales are known: options as they are. */
run_rows subject_run_unscaled(const subject *s, const dae_formulation *form,
                              const dae_method *method, const dae_options *options);

#endif
