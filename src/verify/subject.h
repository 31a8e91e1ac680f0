/* subject.h - one mode of a problem that is checked: its record, parameters, system, states */
#ifndef DAE_SUBJECT_H
#define DAE_SUBJECT_H

#include "checks/comparison.h"
#include "checks/model_maps.h"
#include "system/quad_mechanics.h"

/* Who is told of how far a check is, and the part of it that is under way. */
typedef struct {
    void (*progress)(void *context, double part);
    void *context;
    double begin, length;
} dae_check_part;

typedef struct {
    dae_check_part part;
    const dae_problem *whole;
    int mode;
    dae_problem problem;        /* of the mode, completed */
    char name[100];             /* for sentences: "block, mode stick" */
    const dae_formulation_options *options;
    const dae_formulation *form;        /* of index 1, or as it is written */
    double *p;                  /* [parameters], with the data of a user before them; */
    dae_quad *p_quad;           /* the same; NULL where the record is wrong */
    int parameters;
    dae_state_places places;
    double span;                /* of the interval, > 0 */
    dae_system *sys;            /* NULL: none can be made of the record, which findings say */
    dae_quad_mechanics mechanics;
    int m;                      /* numbers of a row: 2 nq + nl, or n */
    int consistent;             /* 1: the first row is on the constraints */
    dae_quad *row;              /* [m] the start as the record gives it, then settled */
    double *state, *size;       /* [places.count] of dae_model_point, at the row */
    dae_comparison found;
} dae_subject;

/* Mode m of a problem with these values of its parameters. DAE_OK also where the record is wrong in a way
 * that findings say; DAE_NO_MEMORY. */
dae_status dae_subject_create(dae_subject *s, const dae_problem *whole, int mode, const double *values,
                              const dae_formulation_options *options, dae_findings *list,
                              dae_report *report);
void dae_subject_free(dae_subject *s);

/* p, p_quad := values, or where they are NULL the defaults */
void dae_subject_set_values(dae_subject *s, const double *values);

/* row := the start moved onto the constraints, in quad to all digits. DAE_NO_MEMORY. */
dae_status dae_subject_settle(dae_subject *s, dae_report *report);

/* A finding that failed, or not, in these words. */
void dae_subject_tell(dae_subject *s, int failed, const char *function, int row, double found,
                      double expected, const char *format, ...) __attribute__((format(printf, 7, 8)));

#endif
