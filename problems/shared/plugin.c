/* plugin.c - the problems of table.def as a shared object, for programs that load problems (plugin.h) */
#include "problems.h"

#include <daelab/plugin.h>

enum {
    PROBLEMS = 0
#define DAE_PROBLEM(record) + 1
#include "table.def"
#undef DAE_PROBLEM
};

static const dae_plugin dae_problem_plugin = {
    .version = DAE_PLUGIN_VERSION, .size = (int)sizeof(dae_plugin), .daelab = DAELAB_VERSION,
    .problem_size = sizeof(dae_problem), .event_size = sizeof(dae_event), .problems = PROBLEMS,
    .problem = dae_problems};
DAE_PLUGIN_GATHER(dae_problem_plugin);
