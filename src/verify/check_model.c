/* check_model.c - dae_check_model: each mode of a problem, floor by floor
 *
 * First the record, then each function as one function of all kinds of numbers, then the functions against
 * each other: what rests on something that is wrong is not looked at.
 */
#include "subject.h"

#include "base/numbers.h"
#include "checks/model_check.h"
#include "checks/pass_path.h"
#include "start/consistent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much of a check the beginnings of modes are, and of rows the functions one by one. */
static const double BEGINNINGS = 0.2, FUNCTIONS = 0.9;

static void tell(const dae_subject *s, double part)
{
    if (s->part.progress)
        s->part.progress(s->part.context, s->part.begin + part * s->part.length);
}

/* Of mode m of count, a part of what stands between begin and end. */
static void begin_part(dae_subject *s, int m, int count, double begin, double end)
{
    s->part.length = (end - begin) / count;
    s->part.begin = begin + m * s->part.length;
    tell(s, 0);
}

/* ---- functions at states ------------------------------------------------------------------- */

/* Each function in all of its passes, at the state. */
static void check_maps_at(dae_subject *s, int rough, dae_comparison *found)
{
    const dae_model_point at = {.problem = &s->problem, .p = s->p, .t = found->t, .span = s->span,
                                .state = s->state, .size = s->size, .rough = rough};
    for (int i = 0; i < s->map_count && found->status != DAE_NO_MEMORY && !(rough && found->status); i++)
        if (!found->list || !dae_findings_blame(found->list, s->maps[i].name))
            dae_check_passes(&at, s->maps + i, found);
}

/* At each row, and at states beside every third. */
static void check_maps(dae_subject *s, const dae_state_rows *rows, int beside)
{
    uint64_t random = 19891109;
    for (int i = 0; i < rows->count; i++) {
        dae_states_take(s, rows, i);
        check_maps_at(s, 0, &s->found);
        for (int k = 0; k < beside && i % 3 == 0; k++)
            if (dae_states_move(s, rows, i, &random))
                check_maps_at(s, 0, &s->found);
        tell(s, FUNCTIONS * (i + 1) / rows->count);
    }
}

/* Functions against each other. */
static void compare_functions(dae_subject *s, dae_quad_rows *of, dae_comparison *found)
{
    double digits = 34;
    of->sys = s->sys;
    of->mechanics = &s->mechanics;
    of->span = s->span;
    of->m = s->m;
    of->approximate = 1;
    of->list = found->list;
    of->name = s->name;
    const dae_status status = s->quads ? dae_check_functions(of, &digits, NULL) : DAE_OK;
    if (status == DAE_BAD_ARGUMENT || status == DAE_NO_MEMORY)
        found->status = status;
}

/* The same at s->state, which is one of the motion, or any. */
static void compare_at(dae_subject *s, int moves, int rough, dae_comparison *found)
{
    dae_quad *z = calloc((size_t)s->m + 1, sizeof *z);
    dae_quad_rows of = {.t0 = found->t, .z = z, .sizes = s->size, .a = s->state + s->places.a, .moves = moves,
                        .rough = rough};
    if (!z)
        found->status = DAE_NO_MEMORY;
    for (int i = 0; z && i < s->m; i++)
        z[i] = s->state[i];
    if (z)
        compare_functions(s, &of, found);
    free(z);
}

/* Functions, then what they say together, at rows and states beside them. */
static void check_functions(dae_subject *s, const dae_state_rows *rows, int beside)
{
    uint64_t random = 19750501;
    if (rows->count == 0)
        return;
    dae_quad_rows of = {.t0 = rows->t[0], .times = rows->t + 1, .count = rows->count - 1, .z = rows->z};
    dae_states_set_sizes(s, rows, 0);
    check_maps(s, rows, beside);
    if (dae_subject_goes_on(s))
        compare_functions(s, &of, &s->found);
    for (int i = 0; i < rows->count * beside && dae_subject_goes_on(s); i++)
        if (dae_states_move(s, rows, i / beside, &random))
            compare_at(s, 0, 0, &s->found);
}

/* At time t, with a state from before it, moved onto the constraints of then; where none is found nothing is said. */
static void check_at(dae_subject *s, double t, const dae_quad *from)
{
    dae_quad *z = calloc((size_t)s->m + 1, sizeof *z);
    const dae_state_rows row = {.count = 1, .t = &t, .z = z};
    if (!z) {
        s->found.status = DAE_NO_MEMORY;
        return;
    }
    memcpy(z, from, (size_t)s->m * sizeof *z);
    if (dae_states_sharpen(s, t, z))
        check_functions(s, &row, 1);
    free(z);
}

/* ---- a rough look -------------------------------------------------------------------------- */

/* s->state := at the start, consistent, with other velocities that the constraints allow and their accelerations; 0
 * where none is found. */
static int set_motion(dae_subject *s)
{
    const dae_state_places *p = &s->places;
    double *q = s->state + p->q, *v = s->state + p->v;
    uint64_t random = 19911225;
    if (dae_subject_start(s, s->state))
        return 0;
    for (int i = 0; i < p->nq; i++)
        v[i] += s->size[p->v + i] * dae_random_direction(&random);
    return (!p->nl || !dae_start_velocities(s->sys, s->problem.t0, q, v, NULL))
           && !dae_system_accelerate(s->sys, s->problem.t0, q, v, s->state + p->a, s->state + p->lambda);
}

/* Is there anything in a mode that a quick check has to look at: do functions differ, by more than about 1e-9, beside
 * the start's state at t, or at t0 at a consistent one? Rounding may be the reason, so that nothing is said of it. */
static int differs(dae_subject *s, double t)
{
    const dae_state_rows start = {.count = 1, .t = &t, .z = s->row};
    dae_comparison found = {.t = t, .digits = 34, .rounding = dae_rough_rounding, .problem = s->name};
    uint64_t random = 19891109;
    dae_states_set_sizes(s, &start, 1);
    if (!s->sys || !dae_states_move(s, &start, 0, &random))
        return 1;
    check_maps_at(s, 1, &found);
    if (!found.status)
        compare_at(s, 0, 1, &found);
    if (!found.status && s->places.nq && t == s->problem.t0 && set_motion(s))
        compare_at(s, 1, 1, &found);
    if (found.status == DAE_NO_MEMORY)
        s->found.status = DAE_NO_MEMORY;
    return found.status != DAE_OK;
}

/* In each part of the interval, with the latest state of a run before, as where F jumps it may end, or that of the
 * start; of a quick check where functions differ. */
static void check_elsewhere(dae_subject *s, const dae_state_rows *rows, int quick)
{
    for (int k = 0; k < DAE_LOOKS && dae_subject_goes_on(s); k++) {
        const double t = dae_states_time(s, k);
        const dae_quad *from = s->row;
        for (int i = 0; i < rows->count; i++)
            if (fabs(rows->t[i] - s->problem.t0) <= fabs(t - s->problem.t0))
                from = rows->z + (size_t)i * (size_t)s->m;
        if (quick && !differs(s, t))
            continue;
        if (quick)
            dae_subject_settle(s);
        check_at(s, t, from);
    }
}

/* ---- a mode ------------------------------------------------------------------------------- */

/* At the start of a mode, and what can be said of a start only. */
static void check_beginning(dae_subject *s, int quick)
{
    const dae_state_rows start = {.count = 1, .t = &s->problem.t0, .z = s->row};
    if (!quick || differs(s, s->problem.t0)) {
        dae_subject_settle(s);
        check_functions(s, &start, quick ? 1 : 2);
        dae_states_set_sizes(s, &start, 1);             /* what hardly moves, moved */
        if (!s->found.status)
            check_maps(s, &start, 1);
        if (dae_subject_goes_on(s))
            dae_check_independent(s);
    }
    if (quick)
        check_elsewhere(s, &(dae_state_rows){0}, 1);
    if (!quick && dae_subject_goes_on(s))
        dae_check_start(s);
}

/* ---- events ------------------------------------------------------------------------------- */

static const char *name_of(const dae_subject *s)
{
    return s->mode == 0 && s->whole->mode ? s->whole->mode : s->problem.name;
}

/* The first mode of this name; count: there is none. */
static int find_mode(const dae_subject *modes, int count, const char *name)
{
    int m = 0;
    while (m < count && !(modes[m].problem.name && strcmp(name_of(modes + m), name) == 0))
        m++;
    return m;
}

/* The names of modes are different; what an event enters, and what its accumulation enters, is one of them. */
static void check_events(dae_subject *modes, int count, int m)
{
    dae_subject *s = modes + m;
    char function[48];
    if (s->problem.name && find_mode(modes, m, name_of(s)) < m)
        dae_tell(&s->found, 1, 0, "modes", m + 1, NAN, NAN, "%s: two modes are named %s", s->whole->name, name_of(s));
    for (const dae_event *event = s->problem.events; event && event->name; event++)
        for (int i = 0; i < 2; i++) {
            const char *to = i ? event->limit : event->mode;
            snprintf(function, sizeof function, "events.%s", event->name);
            if (to && find_mode(modes, count, to) == count)
                dae_tell(&s->found, 1, 0, function, 0, NAN, NAN, "%s: event %s leads to a mode %s, which there is not",
                         s->name, event->name, to);
        }
}

/* ---- all modes ---------------------------------------------------------------------------- */

/* Can a run be made of it? */
static int is_sound(const dae_subject *modes, int count)
{
    int sound = modes->consistent;
    for (int m = 0; m < count; m++)
        sound &= modes[m].state && dae_subject_goes_on(modes + m);
    return sound;
}

static void check_run(dae_subject *modes, int count)
{
    dae_state_rows *rows = calloc((size_t)count, sizeof *rows);
    modes->found.status = rows ? dae_run_states(modes, count, rows) : DAE_NO_MEMORY;
    for (int m = 0; m < count && modes->found.status != DAE_NO_MEMORY; m++) {
        begin_part(modes + m, m, count, BEGINNINGS, 1);
        check_functions(modes + m, rows + m, 1);
        check_elsewhere(modes + m, rows + m, 0);
    }
    for (int m = 0; rows && m < count; m++)
        dae_state_rows_free(rows + m);
    free(rows);
}

static dae_status check_modes(const dae_problem *problem, const double *parameters,
                              const dae_formulation_options *options, const dae_check_options *how,
                              dae_findings *list)
{
    int count = 1;
    while (problem->modes && problem->modes[count - 1])
        count++;
    dae_status status = DAE_OK;
    dae_subject *modes = calloc((size_t)count, sizeof *modes);
    if (!modes)
        return DAE_NO_MEMORY;
    for (int m = 0; m < count; m++) {
        dae_subject_create(modes + m, problem, m, parameters, options, list);
        modes[m].part = (dae_check_part){how->progress, how->context, 0, 0};
    }
    for (int m = 0; m < count; m++)
        check_events(modes, count, m);
    for (int m = 0; m < count; m++) {
        begin_part(modes + m, m, count, 0, how->quick ? 1 : BEGINNINGS);
        if (modes[m].state && (modes[m].sys || !modes[m].found.status))
            check_beginning(modes + m, how->quick);
    }
    if (!how->quick && is_sound(modes, count))
        check_run(modes, count);
    for (int m = 0; m < count; m++) {
        status = modes[m].found.status == DAE_NO_MEMORY ? DAE_NO_MEMORY : status;
        dae_subject_free(modes + m);
    }
    free(modes);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

dae_status dae_check_model(const dae_problem *problem, const double *parameters,
                           const dae_formulation_options *options, const dae_check_options *how,
                           dae_finding *found, int room, int *count, dae_report *report)
{
    const dae_check_options whole = {.quick = 0};
    dae_findings list = {0};
    int k = 0;
    if (!problem || !problem->name || !count || room < 0 || (room && !found))
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", problem && problem->name
                        ? "place for findings" : "problem with a name");
    *count = 0;
    const dae_status status = check_modes(problem, parameters, options, how ? how : &whole, &list);
    if (how && how->progress)
        how->progress(how->context, 1);
    if (status)
        return dae_fail(report, status, "no memory to check %s", problem->name);
    *count = list.count;
    for (int failed = 1; failed >= 0; failed--)         /* what failed, then what did not */
        for (int i = 0; i < list.count; i++)
            if (list.item[i].failed == failed && k < room)
                found[k++] = list.item[i];
    return DAE_OK;
}
