/* record.h - what is known of a cell, its answer or how its computation ended, and how that is written
 *
 *     {"result":{...},"seconds":0.25}
 *     {"end":"time","reason":"...","limits":[20,0],"seconds":20}
 *
 * Between ranks a line goes that names the cell: {"cell":{...},"came":{...}}
 */
#ifndef DAELAB_RUNNER_RECORD_H
#define DAELAB_RUNNER_RECORD_H

#include "pool/runner.h"

#include <stddef.h>

typedef struct {
    char *cell;                 /* its canonical text */
    json_t *result;             /* NULL where it ended otherwise */
    runner_end end;
    char reason[256];
    runner_limits limits;       /* at which it ended */
    double seconds;             /* CPU time */
    int passing;                /* true today only, as where the system had no memory: it is not kept in a file, and
                                   what one rank says to another is marked "passing":true */
} record;

/* Members in the order of their names, without spaces, numbers to the last bit; to be freed. */
char *record_text(const json_t *tree);

/* What came of the cell, without a newline; to be freed. */
char *record_came(const record *r);

/* The line, ending with a newline; to be freed. */
char *record_line(const record *r);

/* *r := what came[length], a text of record_came, says of the cell. 0 where it is none. */
int record_of(const char *cell, const char *came, size_t length, record *r);

/* *r := what a line says. 0 where it is none. */
int record_from(const json_t *line, record *r);

/* Does it answer a question with these limits? An end at a limit does where that is no larger. */
int record_serves(const record *r, runner_limits limits);

void record_free(record *r);

#endif
