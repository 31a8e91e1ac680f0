/* interrupt.h - a run that is ended by SIGINT, SIGTERM or SIGHUP says so, clears its line, ends the
 * program it has started and removes the file it was writing; then the signal does what it does
 *
 * While a study runs the first signal is noted only: the study ends with what it has. The second one
 * acts as always.
 */
#ifndef DAELAB_INTERRUPT_H
#define DAELAB_INTERRUPT_H

#include <sys/types.h>

void interrupt_begin(void);             /* signals that are ignored stay so */

/* 1: the next signal is noted, with a sentence, and does nothing else; 0: signals act. */
void interrupt_defer(int on);
int interrupt_noted(void);              /* the signal that was noted; 0: none */

/* Between these a signal waits: a program that has begun is not noted yet. */
void interrupt_hold(void);
void interrupt_release(void);

/* What there is to clean up; each until it is called again. */
void interrupt_line(int drawn);         /* does progress stand on the line? */
void interrupt_child(pid_t child);      /* 0: none */
void interrupt_file(const char *path);  /* NULL: none; a path that is too long is none */
void interrupt_folder(const char *path);        /* the same of a folder, which is empty without the file */

/* All of that, for a process that ends by itself. */
void interrupt_clean(void);

#endif
