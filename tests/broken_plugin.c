/* broken_plugin.c - shared objects with one thing wrong in each, by KIND; test_plugins has them refused */
#include <daelab/method.h>
#include <daelab/problem.h>

/* 13: a record of nothing; 14: one without functions */
enum { OLDER = 1, NEWER, SMALLER, LARGER, NO_PROBLEMS = 6, NO_LIST, NULL_PROBLEM, OTHER_PROBLEM, OTHER_EVENT,
       OTHER_METHOD, OTHER_SOLVER, NO_STEP = 15, NO_STEPS, NO_METHOD_NAME };
#define NOTHING 5
#define NO_SIZE 13
#define UNDEFINED 18

#if KIND == NOTHING
extern int large[8000];                         /* its last segment has many pages */
int large[8000] = {1};
#else

const dae_problem broken_problem = {.name = "broken",
#if KIND != NO_SIZE
                                    .mechanical = {.nq = 1},
#endif
                                    .t_end = 1};

#if KIND == UNDEFINED
dae_status nobody_defines_this(dae_solver *solver, double h, double t_stop);
#define STEP nobody_defines_this
#else
static dae_status never(dae_solver *solver, double h, double t_stop)
{
    (void)solver, (void)h, (void)t_stop;
    return DAE_OK;
}
#define STEP never
#endif

const dae_method broken_method = {.info = {.name = KIND == NO_METHOD_NAME ? NULL : "broken_method",
                                           .fixed = KIND != NO_STEPS},
                                  .step = KIND == NO_STEP ? NULL : STEP};

enum { OF_METHODS = KIND >= NO_STEP || KIND == OTHER_METHOD || KIND == OTHER_SOLVER };

static const dae_problem *const list[] = {KIND == NULL_PROBLEM ? NULL : &broken_problem};
static const dae_method *const methods[] = {&broken_method};
static const dae_plugin plugin = {
    .version = DAE_PLUGIN_VERSION + (KIND == NEWER) - (KIND == OLDER),
    .size = (int)sizeof plugin + 8 * (KIND == LARGER) - 8 * (KIND == SMALLER), .daelab = DAELAB_VERSION,
    .problem_size = sizeof(dae_problem) + (KIND == OTHER_PROBLEM),
    .event_size = sizeof(dae_event) + (KIND == OTHER_EVENT),
    .method_size = sizeof(dae_method) + (KIND == OTHER_METHOD),
    .solver_size = sizeof(dae_solver) + (KIND == OTHER_SOLVER),
    .problems = KIND == NO_PROBLEMS ? 0 : !OF_METHODS, .methods = OF_METHODS,
    .problem = KIND == NO_LIST ? NULL : list, .method = methods};
static const dae_plugin *const one[] = {&plugin};

extern const dae_plugin_range dae_problem_plugins;
const dae_plugin_range dae_problem_plugins = {one, one + 1};
#endif
