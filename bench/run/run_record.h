/* run_record.h - what came out of a run as a JSON object, and back to the same bits */
#ifndef DAELAB_RUN_RECORD_H
#define DAELAB_RUN_RECORD_H

#include "run/fields.h"
#include "run/run.h"

/* All of a result; of m, where it is not NULL, the largest values and their times, and with curves what it
 * has against time. NULL where memory is short. */
json_t *run_write(const run_result *r, const monitor *m, int curves);

/* 0 where it is no such object, or memory is short: then r is empty, and m. r is to be freed by run_free,
 * m by monitor_free; it watches nothing. */
int run_read(const json_t *record, run_result *r, monitor *m, int curves);

/* Their fields; those of a result that are not in the table are values and length, of a monitor t and
 * value. */
extern const field_place run_result_fields[], monitor_fields[];

#endif
