/* room.h - is there memory for a run of many copies? asked before it takes any */
#ifndef DAELAB_ROOM_H
#define DAELAB_ROOM_H

#include "host/memory.h"
#include "run/run.h"

/* A law C N^p through what two smaller numbers of copies take. */
typedef struct {
    double copies, smaller;     /* asked for; the larger one that was measured */
    double touched, mapped;     /* [bytes] pages and addresses expected; 0 where the problem is small, or could not
                                   be measured */
    double factor;              /* by which they are more than what was measured */
} room_need;

/* What a system, a state and a solver of s, its parameters among them, will take. A 64th and a 128th of the copies
 * are created and take a step, which costs some percent of what follows; fewer than room_least copies are not
 * looked at. */
extern const double room_least;
room_need room_needed(const study *s, const dae_formulation *form, const dae_method *method,
                      const dae_options *options);

/* DAE_NO_MEMORY with a sentence where that is more than there is. */
dae_status room_suffices(const room_need *need, const memory_room *room, const char *what, dae_report *report);

/* What a choice of formulations and methods is. */
typedef struct {
    const dae_formulation *const *form;
    const dae_method *const *method;
    int forms, methods;
} room_pairs;

/* DAE_NO_MEMORY with a sentence where one of these runs of the setting takes more memory than there is. What a run
 * takes is asked of the setting's runner, as code of files is run there: DAE_STOPPED where that is not known yet. */
dae_status room_for_runs(const run_setting *setting, room_pairs pairs, dae_report *report);

#endif
