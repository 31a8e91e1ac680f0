/* guards.c - the guards of a solver: a table, and what is done with all of it */
#include "guards.h"

#include "base/statistics.h"
#include "driver.h"
#include "index/variable_index.h"

#include <string.h>

static const dae_guard *const guards[DAE_GUARDS] = {
    [DAE_REPEATS] = &dae_repeat_guard, [DAE_COMPARES] = &dae_other_guard, [DAE_SEES_NOISE] = &dae_noise_guard};

dae_status dae_guards_create(dae_solver *s)
{
    dae_status status = DAE_OK;
    for (int i = 0; !status && !driver(s)->unguarded && i < DAE_GUARDS; i++) {
        status = guards[i]->create(s);
        if (driver(s)->guard[i])
            dae_follow_with(s, guards[i]->kept);
    }
    return status;
}

void dae_guards_free(dae_solver *s)
{
    for (int i = 0; i < DAE_GUARDS; i++)
        guards[i]->free(driver(s)->guard[i]);
}

dae_status dae_guards_start(dae_solver *s)
{
    dae_status status = DAE_OK;
    for (int i = 0; !status && i < DAE_GUARDS; i++)
        if (driver(s)->guard[i])
            status = guards[i]->start(s);
    return status;
}

static int gave_up(dae_status status)
{
    return status == DAE_SINGULAR || status == DAE_SMALL_STEP || status == DAE_NO_CONVERGENCE
           || status == DAE_ERROR_TEST || status == DAE_MAX_STEPS;
}

/* Add to the report what in the problem or in its tolerances may have caused the failure; else it may be a jump. */
static dae_status explain(dae_solver *s, dae_status status)
{
    const dae_report said = s->report;
    if (gave_up(status)) {
        dae_index_explain(s);
        dae_noise_explain(s);
    }
    return strcmp(said.message, s->report.message) ? status : dae_crossing_explain(s, status);
}

dae_status dae_guards_check(dae_solver *s, dae_status status)
{
    int i = 0;
    for (; i < DAE_GUARDS && status >= 0; i++) {
        const dae_status failed = driver(s)->guard[i] ? guards[i]->check(s) : DAE_OK;
        status = failed ? failed : status;
    }
    const int told = i == DAE_GUARDS && driver(s)->guard[DAE_SEES_NOISE] && status < 0;     /* of rounding */
    return !told && (gave_up(status) || status == DAE_NOT_FINITE) ? explain(s, status) : status;
}

/* ---- a second solver ---------------------------------------------------------------------- */

void dae_rerun_begin(dae_rerun *again, const dae_solver *s)
{
    again->t = s->t;
    again->begun = 0;
    memcpy(again->start, s->u, (size_t)s->n * sizeof *s->u);
}

dae_status dae_rerun_to(dae_solver *s, dae_rerun *again, double t, double *u)
{
    if (!again->begun) {
        const dae_status status = dae_driver_start(again->solver, again->t, again->start);
        if (status)
            return status;
        again->begun = 1;
    }
    const dae_statistics before = again->solver->count;
    const dae_status status = dae_driver_advance(again->solver, t, u);
    dae_statistics_add_work(&s->count, &before, &again->solver->count);
    return status;
}
