/* exit_status.h - what the exit status of the command says */
#ifndef DAELAB_EXIT_STATUS_H
#define DAELAB_EXIT_STATUS_H

enum {
    EXIT_DONE = 0,
    EXIT_NUMERICAL = 1,         /* a run failed, or what was to be shown is not so */
    EXIT_USAGE = 2,             /* the command line, or a file, is wrong */
    EXIT_SYSTEM = 3             /* memory, a file or a process was refused */
};

#endif
