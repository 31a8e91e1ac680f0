/* crew.h - a study by several ranks
 *
 * Every rank runs the same program, so that each has the same jobs under the same numbers. The first one hands
 * jobs out, keeps what is answered, and tells all; the others do what they are given, and learn from it what
 * they ask. Messages are lines of JSON: a record; {"job":3}: do it; {"done":3,"died":0}; {"slots":2}: so many
 * processes at once; {"stop":1}: nothing more is to be done; {"over":1}: the study is.
 */
#ifndef DAELAB_RUNNER_CREW_H
#define DAELAB_RUNNER_CREW_H

#include "runner/record.h"
#include "runner/ranks.h"

typedef struct {
    const rank_link *link;      /* NULL: alone */
    rank_place place;
    int *slots, *busy;          /* [size] on the first rank: how many processes each has, how many of them work */
    int stopped, over;          /* on the others: was said */
} crew;

/* Where there are other ranks it joins them. */
dae_status crew_join(crew *c, dae_report *report);

/* Another than the first? */
int crew_follows(const crew *c);

/* The first one: to all others. */
void crew_tell(const crew *c, const record *one);
void crew_stop(const crew *c);

/* The first one: give the job to a rank that is free; 0: none is. Are some at work? */
int crew_give(crew *c, int number);
int crew_busy(const crew *c);

/* Another one, to the first. */
void crew_send_record(const crew *c, const record *one);
void crew_send_done(const crew *c, int number, int died);
void crew_send_slots(const crew *c, int slots);

/* What comes next: how it is to be taken. 0: nothing has come. */
typedef struct {
    void (*record)(void *context, record *r);           /* takes it over */
    void (*job)(void *context, int number);
    void (*done)(void *context, int number, int died);
    void *context;
} crew_ear;
int crew_listen(crew *c, const crew_ear *ear);

/* All leave. */
void crew_leave(crew *c);

#endif
