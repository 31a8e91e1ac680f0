/* run_record.h - what came out of a run as a JSON object, and back to the same bits */
#ifndef DAELAB_RUN_RECORD_H
#define DAELAB_RUN_RECORD_H

#include "run/fields.h"
#include "run/run.h"

/* All of a result; of m, where it is not NULL, the largest values and their times, and with curves what it
 * has against time. */
json_t *run_write(const run_result *r, const monitor *m, int curves);

/* r is to be freed by run_free, m by monitor_free; it watches nothing. 0 where there is no record: then both are
 * empty. */
int run_read(const json_t *record, run_result *r, monitor *m, int curves);

/* The fields of a result, of its events and of a monitor; arrays that these own are in no table: values with length,
 * events.at, and of a monitor t with value. */
extern const field_place run_result_fields[], run_event_fields[], monitor_fields[];

#endif
