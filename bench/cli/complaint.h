/* complaint.h - what is said against a command line or a file, on standard error, and the exit status for it */
#ifndef DAELAB_COMPLAINT_H
#define DAELAB_COMPLAINT_H

#include "host/exit_status.h"

#include <daelab/status.h>

/* Print "daelab: ..." on stderr; answers status, to be returned. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From here on complaints are of this line of a file, "FILE, line 7: ...", where options stand without dashes,
 * or where line is 0 of the file; file NULL: of the command line. The name stays where it is. */
void cli_at(const char *file, int line);
void cli_at_line(int line);                             /* another line of that */

/* The status of the last complaint. */
int cli_last_status(void);

/* The exit status for a failure of the library. */
int cli_exit_status(dae_status status);

/* The same for a report of it, and the exit status for its status. */
int cli_fail(dae_status status, const dae_report *report);

#endif
