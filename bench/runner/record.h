/* record.h - what is known of a cell, its answer or how its computation ended, and the line of JSON that says it
 *
 *     {"cell":{...},"result":{...},"seconds":0.25,"at":"2026-01-31T12:00:00Z","sum":"..."}
 *     {"cell":{...},"end":"time","reason":"...","limits":[20,0],"seconds":20,"at":"...","sum":"..."}
 *
 * The sum is the hash of the cell and of what came of it: a line in which a digit was changed is no record.
 */
#ifndef DAELAB_RUNNER_RECORD_H
#define DAELAB_RUNNER_RECORD_H

#include "runner/runner.h"

#include <stddef.h>

enum { RECORD_TIME = 24 };      /* "2026-01-31T12:00:00Z" */

typedef struct {
    char *cell, *result;        /* their canonical texts; result NULL where it ended otherwise */
    runner_end end;
    char reason[256];
    runner_limits limits;       /* at which it ended */
    double seconds;             /* CPU time */
    char at[RECORD_TIME];       /* when, in UTC; "" where it has no line yet */
    int passing;                /* true today only, as where the system had no memory: the journal has no line of
                                   it, and what one rank says to another is marked "passing":true */
} record;

/* Members in the order of their names, without spaces, numbers to the last bit; to be freed. NULL: no memory. */
char *record_text(const json_t *tree);

/* The line, ending with a newline; to be freed. NULL: no memory. */
char *record_line(const record *r);

/* *r := what a tree says, r's own. 0 where it is no record. */
int record_from(const json_t *tree, record *r);

/* The same of a line of so many bytes. */
int record_read(const char *line, size_t length, record *r);

/* Does it answer a question with these limits? An end at a limit does where that is no larger. */
int record_serves(const record *r, runner_limits limits);

/* r->at := now. */
void record_stamp(record *r);

void record_free(record *r);

#endif
