/* crew.h - a study by several ranks
 *
 * Every rank evaluates the same study, so that each asks the same questions in the same order, and they take them in
 * turn. The first one keeps what is answered, and tells all; at the end of a round each has all answers. Messages are
 * lines of JSON: a record; {"slots":2}: so many processes at once; {"done":1}: the round is over here; {"go":1}: it is
 * over everywhere; {"stop":1}: nothing more is to be done; {"over":1}: the study is.
 */
#ifndef DAELAB_RUNNER_CREW_H
#define DAELAB_RUNNER_CREW_H

#include "pool/record.h"
#include "pool/ranks.h"

typedef struct {
    const rank_link *link;      /* NULL: alone */
    rank_place place;
    int slots;                  /* on the first rank: how many processes the others have */
    int done;                   /* on the first rank: so many others have ended the round */
    int go, stopped, over;      /* on the others: was said */
} crew;

/* Where there are other ranks it joins them. */
dae_status crew_join(crew *c, dae_report *report);

/* Another than the first? */
int crew_follows(const crew *c);

/* Is question number 0, 1, ... of a round for this rank? */
int crew_takes(const crew *c, int number);

/* The first one: to all others. */
void crew_tell(const crew *c, const record *one);
void crew_go(crew *c);
void crew_stop(const crew *c);

/* Another one, to the first. */
void crew_send_record(const crew *c, const record *one);
void crew_send_slots(const crew *c, int slots);
void crew_send_done(crew *c);

/* Has the round ended on all ranks? */
int crew_is_through(const crew *c);

/* Takes what has come; 0: nothing has. A record is given to take, which owns it then. */
int crew_listen(crew *c, void (*take)(void *context, record *r), void *context);

/* All leave. */
void crew_leave(crew *c);

#endif
