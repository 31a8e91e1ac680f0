/* apart.h - work in a process of its own, for code that may crash */
#ifndef DAELAB_APART_H
#define DAELAB_APART_H

#include <daelab/status.h>

#include <sys/types.h>

/* What a new process does at signals: as this one; what the system does where this one has a handler (a sanitizer's,
 * too, would end it with a status of its own); the same, and those of the terminal are not for it. */
typedef enum { SIGNALS_AS_HERE, SIGNALS_OF_SYSTEM, SIGNALS_NOT_OF_TERMINAL } apart_signals;

/* fork, where what this process has not written yet is written once, no handler of this process runs in that one, and
 * that one is ended by the signal number when this one ends. -1 with errno. */
pid_t apart_fork(apart_signals signals, int number);

/* The status and the report of work(context, report), which changes nothing else here. Where its process died, or
 * took longer than so many seconds, DAE_BACKEND: "killed by SIGFPE". */
typedef dae_status apart_work(void *context, dae_report *report);
dae_status apart_do(apart_work *work, void *context, int seconds, dae_report *report);

/* The exit status of work(context), which writes to standard output and to files; minus the signal that has killed
 * it; APART_ENDED where it has ended its process. A signal that ends this process ends the work, too. */
enum { APART_ENDED = -1000 };
int apart_run(int (*work)(void *context), void *context);

/* "SIGFPE", "signal 40" */
enum { SIGNAL_NAME = 32 };
const char *apart_signal_name(int number, char name[SIGNAL_NAME]);

#endif
