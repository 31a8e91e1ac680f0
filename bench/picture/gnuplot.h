/* gnuplot.h - run gnuplot on a script; it reads and writes anonymous files, never a path */
#ifndef DAELAB_GNUPLOT_H
#define DAELAB_GNUPLOT_H

#include <daelab/status.h>
#include <stdio.h>

/* An anonymous file, gone when it is closed; NULL with a report. */
FILE *gnuplot_file(dae_report *report);

/* Run gnuplot with script as its input, out (both from gnuplot_file) as its output. DAE_FILE where
 * it is missing or fails, with its words. */
dae_status gnuplot_run(FILE *script, FILE *out, dae_report *report);

/* Put picture into path, whole or not at all. A picture ends with mark and at most 60 bytes more;
 * DAE_FILE where this one does not, or path cannot be written. */
dae_status gnuplot_deliver(FILE *picture, const char *mark, const char *path, dae_report *report);

#endif
