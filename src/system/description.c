/* description.c - what the record of a problem says, for those who do not see the record */
#include "daelab/problem.h"
#include "base/no_fast_math.h"
#include "event_numbers.h"

static int count_modes(const dae_problem *const *others)
{
    int count = 0;
    while (others && others[count])
        count++;
    return 1 + count;
}

dae_problem_info dae_problem_describe(const dae_problem *problem)
{
    if (!problem)
        return (dae_problem_info){0};
    return (dae_problem_info){
        .name = problem->name, .title = problem->title, .citation = problem->citation,
        .equations = problem->equations, .variables = problem->variables, .units = problem->units,
        .t0 = problem->t0, .t_end = problem->t_end, .parameters = dae_parameter_count(problem),
        .positions = problem->mechanical.nq, .multipliers = problem->mechanical.nl,
        .nonholonomic = problem->mechanical.nonholonomic,
        .unknowns = problem->first_order.n, .index = problem->first_order.index,
        .coordinates = problem->mechanical.minimal.n, .invariants = problem->invariants.n,
        .events = (int)dae_count_events(problem->events, 1), .modes = count_modes(problem->modes),
        .rtol = problem->rtol > 0 ? problem->rtol : 1e-6};
}
