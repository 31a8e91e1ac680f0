/* answers.h - what is known of all cells, by their canonical text */
#ifndef DAELAB_RUNNER_ANSWERS_H
#define DAELAB_RUNNER_ANSWERS_H

#include "pool/record.h"

typedef struct {
    record record;
    int asked;                  /* has it been asked for, since it is known? */
    int read;                   /* it stood in the file from the begin */
    int round;                  /* in which it came: it is known behind that one */
} known_cell;

typedef struct {
    known_cell *list;               /* in the order of coming */
    int count, room;
    json_t *places;             /* {text of the cell: place in list} */
} answers;

void answers_begin(answers *a);
void answers_free(answers *a);

/* NULL where nothing is known. */
known_cell *answers_find(const answers *a, const char *cell);

/* Takes the record over; what was known of the cell is forgotten. */
known_cell *answers_put(answers *a, record *r, int round);

#endif
