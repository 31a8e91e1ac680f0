/* progress.h - one line on standard error while a study runs; only on a terminal */
#ifndef DAELAB_PROGRESS_H
#define DAELAB_PROGRESS_H

#include <stdint.h>

typedef struct {
    int shown;                  /* standard error is a terminal and not --quiet */
    int drawn;                  /* something stands on the line */
    int total, done;            /* runs */
    char what[64];
    int64_t last;               /* when the line was drawn [ms] */
} progress;

progress progress_begin(int total, int quiet);
void progress_run(progress *p, const char *form, const char *method, double level);
void progress_skip(progress *p, int runs);              /* that will not be made */
void progress_now(progress *p);                         /* draw it without waiting */
void progress_part(progress *p, double fraction);       /* of the run under way */
void progress_end(progress *p);

#endif
