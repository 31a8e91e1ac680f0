#include "run/room.h"

#include "host/platform.h"

#include <math.h>
#include <stdlib.h>

const double room_least = 2048;

/* The parameter that counts copies, or -1 */
static int counting(const dae_problem *problem)
{
    for (int i = 0; i < dae_parameter_count(problem); i++)
        if (dae_parameter_at(problem, i)->range == DAE_COUNT)
            return i;
    return -1;
}

double room_copies(const run_setting *setting)
{
    const int k = counting(setting->problem);
    return k < 0 ? 0 : run_parameter(setting, k);
}

typedef struct { double heap, resident; } amounts;

static amounts in_use(void)
{
    return (amounts){platform_heap(), platform_resident()};
}

/* What a system and a solver take that have made a step, or the first of those that are chosen. */
static dae_status measure(const study *s, const dae_formulation *form, const dae_method *method,
                          const dae_options *options, amounts *taken)
{
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_start_change change;
    double *u = NULL;
    const amounts before = in_use();
    const double h = options->step > 0 ? options->step : 1e-9 * (s->t_end - s->t0);
    dae_status status = study_system(s, form, &sys, &u, &change, NULL);
    if (status)
        return status;
    status = dae_solver_create(&solver, sys, method, options, NULL);
    if (!status)
        status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t0 + h, u);
    const amounts after = in_use();
    *taken = (amounts){after.heap - before.heap, after.resident - before.resident};
    dae_solver_free(solver);
    dae_system_free(sys);
    free(u);
    platform_trim_heap();
    return status;
}

static dae_status measure_copies(const study *s, const dae_formulation *form, const dae_method *method,
                                 const dae_options *options, int parameter, double copies, amounts *taken)
{
    run_setting setting = *s->setting;
    study small = *s;
    double *parameters = run_copy_parameters(s->setting);
    if (!parameters)
        return DAE_NO_MEMORY;
    parameters[parameter] = copies;
    setting.parameters = parameters;
    small.setting = &setting;
    const dae_status status = measure(&small, form, method, options, taken);
    free(parameters);
    return status;
}

room_need room_needed(const study *s, const dae_formulation *form, const dae_method *method,
                      const dae_options *options)
{
    enum { PART = 64 };
    room_need need = {.copies = 0};
    const int k = counting(s->setting->problem);
    amounts few, more;
    need.copies = room_copies(s->setting);
    need.smaller = floor(need.copies / PART);
    if (need.copies < room_least
        || measure_copies(s, form, method, options, k, floor(need.smaller / 2), &few)
        || measure_copies(s, form, method, options, k, need.smaller, &more) || !(few.heap > 0))
        return need;
    const double p = log(more.heap / few.heap) / log(need.smaller / floor(need.smaller / 2));
    need.factor = pow(need.copies / need.smaller, p);
    need.touched = fmax(more.resident, 0) * need.factor;
    need.mapped = more.heap * need.factor;
    return need;
}

dae_status room_suffices(const room_need *need, const memory_room *room, const char *what, dae_report *report)
{
    char needed[MEMORY_WORDS], left[MEMORY_WORDS], measured[MEMORY_WORDS];
    const int mapped = need->mapped > room->mapped;
    const double bytes = mapped ? need->mapped : need->touched;
    if (!mapped && !(need->touched > room->touched))
        return DAE_OK;
    return dae_fail(report, DAE_NO_MEMORY, "%s takes about %s of memory for %.0f copies, as %.0f take %s, and %s "
                    "has %s left", what, memory_words(bytes, needed), need->copies, need->smaller,
                    memory_words(bytes / need->factor, measured), mapped ? "ulimit -v" : room->whose,
                    memory_words(mapped ? room->mapped : room->touched, left));
}
