/* data.h - measured data of a run, read from CSV: a header with t and names of unknowns, a row for each time
 *
 * A column x_sd beside x has standard deviations. An empty cell is a value that was not measured.
 */
#ifndef DAELAB_FIT_DATA_H
#define DAELAB_FIT_DATA_H

#include "run/front.h"

#include <daelab/status.h>

#include <stdint.h>

enum { MAX_DATA = 16, MAX_FITTED = 32, FIT_NAME = 64 };

/* The standard deviation of all data of an unknown. */
typedef struct { char of[FIT_NAME]; double value; } fit_deviation;

/* Where data come from. */
typedef struct {
    const run_front *front;     /* how the user has written what is said of options */
    int files;
    const char *file[MAX_DATA];
    const char *use;            /* "x,y": these columns only; NULL: all */
    int deviations;
    fit_deviation deviation[MAX_FITTED];
} fit_source;

typedef struct {
    double t, value;
    double sd;                  /* NaN: not given */
    int unknown;                /* which one of the names that a model has */
    int row;                    /* which one of the times */
    int file, line;
} fit_datum;

typedef struct {
    int count, rows;
    fit_datum *datum;           /* [count] in the order of their times */
    double *t;                  /* [rows] times at which there are data, each once */
    uint64_t hash;              /* of all of it */
} fit_data;

/* The names that a model has, and where its run begins. */
typedef struct {
    int count;
    const char *const *name;
    double t0;
} fit_names;

/* All data of all files. DAE_FILE where one cannot be read; DAE_BAD_ARGUMENT with file, line and column of what is
 * wrong in one: nothing of a file is left out without a word. To be freed in any case. */
dae_status fit_data_read(fit_data *d, const fit_source *from, const fit_names *names, dae_report *report);
void fit_data_free(fit_data *d);

#endif
