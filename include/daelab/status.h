/* status.h - what every function of the library answers, and the report that carries the details
 *
 * For every program, in C and C++; daelab.h includes it.
 */
#ifndef DAELAB_STATUS_H
#define DAELAB_STATUS_H

#include "api.h"

DAE_API_BEGIN

typedef enum {
#define DAE_STATUS(code, value, sentence) code = value,
#include "status.def"
#undef DAE_STATUS
} dae_status;

/* The last failure in words, with the values that matter: "t = 0.31: ...". */
typedef struct {
    dae_status status;
    char message[320];
} dae_report;

/* The name of a status ("DAE_SINGULAR") and its sentence; "unknown status" for any other value. */
const char *dae_status_name(dae_status status);
const char *dae_status_sentence(dae_status status);

/* Write status and a printf-formatted message into report (which may be NULL); returns status. */
dae_status dae_fail(dae_report *report, dae_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

DAE_API_END

#endif
