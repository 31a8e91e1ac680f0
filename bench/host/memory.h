/* memory.h - memory that this process may still have */
#ifndef DAELAB_MEMORY_H
#define DAELAB_MEMORY_H

/* [bytes] INFINITY where there is no limit, or none that can be seen. */
typedef struct {
    double touched;             /* pages that may still be used */
    const char *whose;          /* "the machine", "the control group", ...: that is the least */
    double mapped;              /* addresses that may still be taken: ulimit -v */
} memory_room;

/* What the machine has available, swap included, and what is left to each control group that the process is in
 * (memory.max of version 2, memory.limit_in_bytes of version 1), with the file pages that it can give back. */
memory_room memory_left(void);

/* "7.4 GB", "119 MB" */
enum { MEMORY_WORDS = 24 };
const char *memory_words(double bytes, char words[MEMORY_WORDS]);

#endif
