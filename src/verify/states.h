/* states.h - states at which a model is looked at, and by how much its numbers change in a run */
#ifndef DAE_STATES_H
#define DAE_STATES_H

#include "subject.h"

#include <stdint.h>

/* Rows (q, v, lambda) or u of one mode, of one set of parameters, the subject's. */
typedef struct {
    int count, room;
    double *t;                  /* [room] */
    dae_quad *z;                /* [room x m] */
} dae_state_rows;

/* s->size, and s->state := that of row i: with accelerations, and minimal coordinates. DAE_NO_MEMORY. Plain
 * sizes are those of a state's own numbers, without a look at the motion. */
dae_status dae_states_set_sizes(dae_subject *s, const dae_state_rows *rows, dae_report *report);
void dae_states_set_plain_sizes(dae_subject *s, const dae_state_rows *rows);
void dae_states_take(dae_subject *s, const dae_state_rows *rows, int i);

/* A time in part k of DAE_LOOKS equal ones of the interval, at random, and the same in every check. */
enum { DAE_LOOKS = 8 };
double dae_states_time(const dae_subject *s, int k);

/* z[m] := on the constraints of time t to all digits of quad; 0 where that does not lead anywhere. */
int dae_states_sharpen(dae_subject *s, double t, dae_quad *z);

/* s->state := a state beside row i, where the equations of motion have values; 0 where none is found. */
int dae_states_move(dae_subject *s, const dae_state_rows *rows, int i, uint64_t *random);

#endif
