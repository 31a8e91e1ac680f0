/* model.h - a run as a function of the numbers that are fitted: its values where there are data, and their derivatives
 *
 * The model is integrated with du/dp and du/du0 (sensitivity.h), through its events. A step ends at each time of the
 * data, so that the derivatives are those of the numbers that are compared.
 */
#ifndef DAELAB_FIT_MODEL_H
#define DAELAB_FIT_MODEL_H

#include "fit/data.h"
#include "run/columns.h"

#include <daelab/rows.h>

/* One of them: a parameter, or the start of an unknown. */
typedef struct {
    char name[FIT_NAME];        /* "L", "k[3]", "start:x" */
    int parameter;              /* its position in p; -1: a start */
    int unknown;                /* its position in (q, v) or u */
    double low, high;           /* bounds; infinite: none */
} fit_number;

typedef struct {
    const run_setting *setting;
    const dae_formulation *form;
    const fit_number *number;   /* [numbers] */
    int numbers;
    dae_hybrid *hybrid;
    dae_hybrid_sensitivity *along;
    dae_options options;
    dae_atol atols[MAX_ATOLS];
    column_set columns;         /* what data may be of */
    double *p;                  /* [parameters] */
    int starts, *which;         /* so many unknowns begin elsewhere than the problem says: those that were set, */
    double *values;             /* [starts] then those that are fitted */
    int *direction;             /* [numbers] of the derivatives */
    double *largest;            /* [numbers] the largest that an unknown whose start is fitted was in the last run */
    dae_start_change change;    /* of the start of the last run */
    dae_report why;             /* of the last run, where it failed */
} fit_model;

/* DAE_UNSUPPORTED where the method does not differentiate its steps, or the formulation has no such start. To be freed
 * in any case. */
dae_status fit_model_begin(fit_model *m, const run_setting *setting, const dae_formulation *form,
                           const dae_method *method, const fit_number *number, int numbers, dae_report *report);
void fit_model_free(fit_model *m);

/* x[numbers] where a fit begins: parameters and starts as the setting has them. */
dae_status fit_model_start(fit_model *m, double *x, dae_report *report);

/* value[count] and slope[count x numbers], column-major, of the data. What a run fails by is m->why: it fails, too,
 * where it ends before the last datum, and where a datum has no value or no derivative. */
dae_status fit_model_at(fit_model *m, const fit_data *data, const double *x, double *value, double *slope);

/* Rows of the run at these times, without derivatives; NULL where it fails. */
dae_rows *fit_model_rows(fit_model *m, const double *x, const double *t, int count);

/* The place of a column in the rows of a mode; -1: the mode has none. */
int fit_model_place(const fit_model *m, int mode, int column);

#endif
