/* subject.h - one mode of a problem that is checked: its record, parameters, system, states; and what is looked at
 *
 * What is found, also that memory is short, is in the subject's comparison.
 */
#ifndef DAE_SUBJECT_H
#define DAE_SUBJECT_H

#include "checks/findings.h"
#include "checks/model_maps.h"
#include "system/quad_mechanics.h"

#include <stdint.h>

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
    dae_model_map *maps;        /* [map_count] its functions */
    int map_count;
    int quads;                  /* 1: all functions are given in quad */
    double span;                /* of the interval, > 0 */
    dae_system *sys;            /* NULL: none can be made of the record, which findings say */
    dae_quad_mechanics mechanics;
    int m;                      /* numbers of a row: 2 nq + nl, or n */
    int consistent;             /* 1: the first row is on the constraints */
    dae_quad *row;              /* [m] the start as the record gives it, then settled */
    double *state, *size;       /* [places.count] of dae_model_point, at the row */
    dae_comparison found;
} dae_subject;

/* Mode m of a problem with these values of its parameters; of a record that is wrong as far as it can be made. */
void dae_subject_create(dae_subject *s, const dae_problem *whole, int mode, const double *values,
                        const dae_formulation_options *options, dae_findings *list);
void dae_subject_free(dae_subject *s);

/* Nothing has failed; and there is a system. */
static inline int dae_subject_goes_on(const dae_subject *s) { return !s->found.status && s->sys; }

/* p, p_quad := values, or where they are NULL the defaults */
void dae_subject_set_values(dae_subject *s, const double *values);

/* z[m] := the start moved onto the constraints, as a run is, in doubles */
dae_status dae_subject_start(dae_subject *s, double *z);

/* row := the same, in quad to all digits */
void dae_subject_settle(dae_subject *s);

/* ---- states at which it is looked at (states.c, run_states.c) -------------------------------- */

/* Rows (q, v, lambda) or u of one mode, of one set of parameters, the subject's. */
typedef struct {
    int count;
    double *t;                  /* [count] */
    dae_quad *z;                /* [count x m] */
    long steps, stride;         /* of a run: every stride-th of its steps is a row */
    double *p;                  /* its parameters */
} dae_state_rows;

/* s->state := that of row i: with accelerations, and minimal coordinates; s->size, where state is that of row 0. Plain
 * sizes are those of a state's own numbers, without a look at the motion. */
void dae_states_set_sizes(dae_subject *s, const dae_state_rows *rows, int plain);
void dae_states_take(dae_subject *s, const dae_state_rows *rows, int i);

/* A time in part k of DAE_LOOKS equal ones of the interval, at random, and the same in every check. */
enum { DAE_LOOKS = 8 };
double dae_states_time(const dae_subject *s, int k);

/* z[m] := on the constraints of time t to all digits of quad; 0 where that does not lead anywhere. */
int dae_states_sharpen(dae_subject *s, double t, dae_quad *z);

/* s->state := a state beside row i, where the equations of motion have values; 0 where none is found. */
int dae_states_move(dae_subject *s, const dae_state_rows *rows, int i, uint64_t *random);

/* Rows of each of the modes, rows[modes], spread over the steps of one run of the problem by the library's own solver,
 * as far as a bounded number of steps leads it; of each mode those with the parameters that it had last, which its
 * subject then has, too. Mechanical rows are on their constraints to all digits of quad. A run that fails is a
 * remark. DAE_NO_MEMORY; free the rows in any case. */
dae_status dae_run_states(dae_subject *modes, int count, dae_state_rows *rows);
void dae_state_rows_free(dae_state_rows *rows);

/* ---- what is looked at ---------------------------------------------------------------------- */

/* M is positive definite at the start; where it is not, whether it is at least on the velocities that the
 * constraints allow. Needs no system. */
void dae_check_definite(dae_subject *s);

/* The rows of G = dg/dq are independent at the start; else those that depend on each other. */
void dae_check_independent(dae_subject *s);

/* "2, 5": the numbers, from 1, of the n rows that z[place[n]], or z[n] where place is NULL, does not leave out, as many
 * as there is room for; how many there are, and the first. */
int dae_rank_name_rows(int n, const double *z, const int *place, char *text, size_t length, int *first);

/* 1 where the constraint gradients at to[nq] are turned against those at from[nq], as those of a crank that is
 * folded the other way:
 *
 *     det(G(from) W G(to)^T) < 0,    W the inverse diagonal of M at from, which takes the units out.
 *
 * 0 where they are not, without constraints, for more than 64 of them and without memory. */
int dae_assembly_differs(const dae_subject *s, const double *from, const double *to);

/* A run can begin at the start of a mode: consistent, or moved by how much; F is finite there; the declared index is
 * that of the equations. */
void dae_check_start(dae_subject *s);

#endif
