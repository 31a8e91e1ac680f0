/* contacts.c - what a motion in quad precision does behind the events of one instant
 *
 * The run in doubles says which impacts an instant has. Whether they are all is looked at on the motion itself, a short
 * time after them: no function that is at zero may go on across, where its action would have turned it.
 */
#include "piecewise.h"

#include <stdlib.h>
#include <string.h>

static const double shortly = 1e-13;            /* of the whole interval: the time after which is looked */
static const double at_once = 1e-12;            /* the same: a function that is zero within it is at zero */
static const double turned = 1e-9;              /* part of a slope by which an action that turns it changes it */

/* row[width] := the state a short time after that of the motion */
static dae_status follow(dae_motion *m, dae_quad *row)
{
    const dae_quad t = m->t + shortly * m->span;
    return dae_motion_follow(m, m->t, m->x, &t, 1, row);
}

static dae_quad slope_to(const dae_motion *m, int i, const dae_quad *row)
{
    const dae_quad d = shortly * m->span;
    return (dae_motion_event(m, i, m->t + d, row) - dae_motion_event(m, i, m->t, m->x)) / d;
}

/* *slope := that after the action of event i, which then is undone. work[2 width] */
static dae_status slope_after(dae_motion *m, int i, dae_quad *work, dae_quad *slope)
{
    dae_quad *kept = work, *row = work + m->width;
    memcpy(kept, m->x, (size_t)m->width * sizeof *m->x);
    dae_motion_begin_round(m);
    dae_motion_act(m, i);
    dae_motion_begin_round(m);                  /* parameters are as they were */
    const dae_status status = follow(m, row);
    *slope = slope_to(m, i, row);
    memcpy(m->x, kept, (size_t)m->width * sizeof *m->x);
    return status;
}

/* row[3 width] begins with the state a short time later. */
static dae_status check(dae_motion *m, int i, dae_quad *row)
{
    const dae_numbered_event *event = dae_motion_entry(m, i);
    const int way = (int)event->entry->direction;
    const dae_quad slope = slope_to(m, i, row), g = dae_motion_event(m, i, m->t, m->x);
    dae_quad after = slope;
    if (!event->entry->action.quad || !(way * slope > 0) || dae_quad_fabs(g) > at_once * m->span * dae_quad_fabs(slope))
        return DAE_OK;
    const dae_status status = slope_after(m, i, row + m->width, &after);
    if (status || dae_quad_fabs(after - slope) <= turned * (dae_quad_fabs(after) + dae_quad_fabs(slope)))
        return status;
    return dae_fail(m->report, DAE_NO_CONVERGENCE, "t = %.12g: after its events the motion in quad goes on against %s",
                    (double)m->t, event->name);
}

dae_status dae_contacts_check(dae_motion *m)
{
    const int events = m->h->mode[m->mode].events;
    if (m->rule.collocated || !events)
        return DAE_OK;
    dae_quad *rows = calloc(3 * (size_t)m->width, sizeof *rows);
    dae_status status = rows ? DAE_OK : dae_fail(m->report, DAE_NO_MEMORY, "no memory for %d numbers", 3 * m->width);
    if (!status)
        status = follow(m, rows);
    for (int i = 0; !status && i < events; i++)
        status = check(m, i, rows);
    free(rows);
    return status;
}
