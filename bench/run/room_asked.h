/* room_asked.h - is there memory for the runs of a study? asked before any of them takes it */
#ifndef DAELAB_ROOM_ASKED_H
#define DAELAB_ROOM_ASKED_H

#include "run/room.h"

/* What a choice of formulations and methods is. */
typedef struct {
    const dae_formulation *const *form;
    const dae_method *const *method;
    int forms, methods;
} room_pairs;

/* DAE_NO_MEMORY with a sentence where one of these runs of the setting takes more memory than there is; where its
 * problem has many copies, that is (room.h). What a run takes is found out by the setting's runner, if it has one, as
 * code of files is run there. */
dae_status room_for_runs(const run_setting *setting, room_pairs pairs, dae_report *report);

#endif
