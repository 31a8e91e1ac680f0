/* fit.h - parameters and starts fitted to measured data: the least sum of ((model - datum)/deviation)^2
 *
 * Where data have no standard deviations, each unknown has one, which is estimated from its residuals, and the sum of
 * squares is weighted by it: s^2 = sum of squares / (data (1 - numbers/all data)), again and again until it stays.
 */
#ifndef DAELAB_STUDY_FIT_H
#define DAELAB_STUDY_FIT_H

#include "fit/identify.h"
#include "fit/model.h"
#include "run/run.h"
#include "study/specification.h"

/* All that was found. It must stay where it is until it is freed. */
typedef struct {
    study_specification spec;   /* as it was run; its interval ends with the data */
    study s;
    int begun;
    fit_model model;
    fit_data data;
    double start[MAX_FITTED], x[MAX_FITTED];    /* the numbers, before and after */
    double size[MAX_FITTED];    /* of a number, with its sign, by which relative changes are meant */
    int side[MAX_FITTED];       /* -1, 1: it ends at its lower, its upper bound */
    double *deviation;          /* [columns of the model] that are estimated; NaN: given, or there are no data */
    double *noise;              /* [columns] errors of the integration */
    int given;                  /* so many data have given ones */
    int trials, failed, rounds; /* runs of the model, of them those that failed; weights so often estimated */
    char why_failed[320];       /* the last of them */
    double *value, *slope;      /* [data], [data x numbers] at x, in the units of the unknowns */
    double chi2;                /* the sum of squares, and its degrees of freedom */
    int freedom;
    identification found;
    dae_start_change moved;     /* onto the constraints, where the run that was found begins */
    dae_rows *curve;            /* FIT_CURVE equal times of the run that was found; NULL: it could not be made again */
    int at_noise;               /* a column whose deviation is no larger than the errors of the integration; -1 */
    dae_status status;          /* DAE_OK, DAE_NO_CONVERGENCE, DAE_SINGULAR: not all numbers are determined */
    char message[640];
} fit_result;

enum { FIT_CURVE = 401 };

/* Of a datum: what it is divided by, and of the run that was found the difference in that. */
double fit_deviation_of(const fit_result *r, int datum);
double fit_residual(const fit_result *r, int datum);

/* The standard error of number i; NaN where it is not determined, or held by a bound. */
double fit_error(const fit_result *r, int i);

/* "0.71 m + 0.71 k" of direction d */
enum { FIT_DIRECTION = 400 };
const char *fit_direction_words(const fit_result *r, int d, char words[FIT_DIRECTION]);

/* One formulation, one method, and steps that are chosen where none is given. DAE_BAD_ARGUMENT where it is more than
 * one run, or it is not said what is fitted to which data. Before study_prepare. */
dae_status fit_fill_in(study_specification *spec, dae_report *report);

/* Fit a specification that fit_fill_in and study_prepare have passed. How it ended is part of the result (status);
 * failures are data that cannot be read, a method without sensitivities, and a start from which no run can be made. The
 * result has to be freed in any case. */
dae_status fit_study(fit_result *r, const study_specification *spec, dae_report *report);
void fit_result_free(fit_result *r);

#endif
