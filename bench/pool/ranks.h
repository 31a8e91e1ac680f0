/* ranks.h - messages between the processes that mpirun has started
 *
 * The program itself does without MPI: what speaks it is an object of its own, daelab_mpi.so, which is loaded only
 * where mpirun, or srun, has started more than one process.
 */
#ifndef DAELAB_RUNNER_RANKS_H
#define DAELAB_RUNNER_RANKS_H

#include <daelab/status.h>
#include <stddef.h>

typedef struct {
    int rank, size;
    int cores;                  /* of this process: its part of those that the processes of its machine have */
} rank_place;

/* What the object offers under the name RANKS_SYMBOL. Messages of one process to another arrive in order. */
typedef struct {
    int (*begin)(rank_place *where);            /* 0: MPI cannot be begun */
    int (*send)(int to, const char *text);      /* waits for nobody; 0: MPI refuses */
    char *(*receive)(int *from);                /* to be freed; NULL: nothing has come */
    void (*end)(void);                          /* all that was sent has come, and what nobody asked for is
                                                   dropped; by all processes */
} rank_link;

#define RANKS_SYMBOL "daelab_rank_link"

/* Has this process others beside it? Then it joins them: *link, else NULL. DAE_UNSUPPORTED: it was built without
 * MPI; DAE_FILE: MPI cannot be loaded or begun. */
dae_status ranks_join(const rank_link **link, rank_place *where, dae_report *report);

#endif
