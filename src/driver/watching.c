/* watching.c - set the event functions of a solver */
#include "driver.h"

#include "events/watch.h"

static dae_status check_watch(dae_solver *s, const dae_watch *watch)
{
    if (!watch || watch->count < 0)
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "to watch takes a record of functions, not %s",
                        watch ? "fewer than none" : "NULL");
    if (watch->count && (!watch->values || !watch->happened || !watch->direction))
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "to watch %d functions takes their %s",
                        watch->count, !watch->values ? "values" : !watch->happened ? "happened"
                        : "direction");
    for (int i = 0; i < watch->count; i++)
        if ((int)watch->direction[i] < DAE_FALLING || (int)watch->direction[i] > DAE_RISING)
            return dae_fail(&s->report, DAE_BAD_ARGUMENT, "function %d has the direction %d, not -1, "
                            "0 or 1", i + 1, (int)watch->direction[i]);
    return DAE_OK;
}

void dae_stop_watching(dae_solver *s)
{
    dae_watcher_free(driver(s)->watcher);
    dae_driver_free(driver(s)->event_solver);
    driver(s)->watcher = NULL;
    driver(s)->event_solver = NULL;
    driver(s)->step_to_event = NULL;
}

/* Events are located with steps of a second solver (step_to_event.c), of methods of one step. */
static dae_status prepare(dae_solver *s)
{
    if (s->method->multistep)
        return DAE_OK;
    driver(s)->step_to_event = dae_step_to_event;
    return dae_driver_create_unguarded(&driver(s)->event_solver, s->sys, s->method, &s->options, &s->report);
}

dae_status dae_driver_watch(dae_solver *s, const dae_watch *watch)
{
    const dae_status checked = check_watch(s, watch);
    if (checked)
        return checked;
    dae_stop_watching(s);
    if (watch->count <= 0)
        return DAE_OK;
    if (!s->method->interpolate)
        return dae_fail(&s->report, DAE_UNSUPPORTED, "%s has no dense output to find events on",
                        s->method->info.name);
    driver(s)->watcher = dae_watcher_create(s, watch);
    if (!driver(s)->watcher)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory to watch %d events", watch->count);
    const dae_status status = prepare(s);
    if (status)
        dae_stop_watching(s);
    dae_watch_forget(s);
    return status;
}
