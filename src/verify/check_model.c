/* check_model.c - dae_check_model: each mode of a problem, floor by floor
 *
 * First the record, then each function as one function of all kinds of numbers, then the functions against
 * each other: what rests on something that is wrong is not looked at.
 */
#include "daelab/check.h"

#include "base/numbers.h"
#include "checks/model_check.h"
#include "checks/pass_check.h"
#include "event_check.h"
#include "invariant_check.h"
#include "pencil_check.h"
#include "rank_check.h"
#include "run_states.h"
#include "screen.h"
#include "start_check.h"
#include "states.h"

#include <math.h>
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

/* ---- each function ------------------------------------------------------------------------ */

static dae_status check_maps_at(dae_subject *s, const dae_model_map *maps, int count, dae_report *report)
{
    const dae_model_point at = {.problem = &s->problem, .p = s->p, .t = s->found.t, .span = s->span,
                                .state = s->state, .size = s->size};
    dae_status status = DAE_OK;
    s->found.report = report;
    for (int i = 0; i < count && !status; i++)
        if (!dae_findings_blame(s->found.list, maps[i].name))
            status = dae_check_passes(&at, maps + i, &s->found);
    s->found.report = NULL;
    return status;
}

/* At each row, and at states beside every third. */
static dae_status check_maps(dae_subject *s, const dae_state_rows *rows, int beside, dae_report *report)
{
    uint64_t random = 19891109;
    dae_status status = DAE_OK;
    dae_report ignored;
    dae_model_map *maps = calloc(DAE_MOST_MAPS, sizeof *maps);
    if (!maps)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the functions of a model");
    const int count = dae_list_maps(&s->problem, &s->places, maps);
    for (int i = 0; i < rows->count && !status; i++) {
        dae_states_take(s, rows, i);
        status = check_maps_at(s, maps, count, &ignored);
        for (int k = 0; k < beside && !status && i % 3 == 0; k++)
            if (dae_states_move(s, rows, i, &random))
                status = check_maps_at(s, maps, count, &ignored);
        tell(s, FUNCTIONS * (i + 1) / rows->count);
    }
    free(maps);
    return status == DAE_NO_MEMORY ? dae_fail(report, status, "%s", ignored.message) : DAE_OK;
}

/* ---- functions against each other --------------------------------------------------------- */

static dae_status check_relations(dae_subject *s, const dae_state_rows *rows, int beside,
                                  dae_report *report)
{
    const dae_quad_rows of = {.sys = s->sys, .mechanics = &s->mechanics, .t0 = rows->t[0],
                              .times = rows->t + 1, .count = rows->count - 1, .span = s->span,
                              .z = rows->z, .approximate = 1, .around = beside, .list = s->found.list,
                              .name = s->name};
    double digits = 34;
    dae_report ignored = {0};
    if (dae_check_quad(&s->problem, NULL))
        return DAE_OK;
    const dae_status status = s->places.nq ? dae_check_mechanics(&of, &digits, &ignored)
                                           : dae_check_first_order(&of, &digits, &ignored);
    s->found.failed |= status == DAE_BAD_ARGUMENT;
    return status == DAE_NO_MEMORY ? dae_fail(report, status, "%s", ignored.message) : DAE_OK;
}

/* ---- a mode ------------------------------------------------------------------------------- */

/* Functions, then what they say together, at rows and states beside them. */
static dae_status check_functions(dae_subject *s, const dae_state_rows *rows, int beside, dae_report *report)
{
    if (rows->count == 0)
        return DAE_OK;
    dae_status status = dae_states_set_sizes(s, rows, report);
    if (!status)
        status = check_maps(s, rows, beside, report);
    if (!status && !s->found.failed && s->sys)
        status = check_relations(s, rows, beside, report);
    return status;
}

/* The same, and what stays from row to row. */
static dae_status check_rows(dae_subject *s, const dae_state_rows *rows, int beside, dae_report *report)
{
    dae_status status = check_functions(s, rows, beside, report);
    if (!status && rows->count && !s->found.failed && s->sys)
        status = dae_check_stays(s, rows, report);
    return status;
}

/* At time t, with a state from before it, moved onto the constraints of then; where none is found nothing is said. */
static dae_status check_at(dae_subject *s, double t, const dae_quad *from, dae_report *report)
{
    dae_quad *z = calloc((size_t)s->m + 1, sizeof *z);
    const dae_state_rows row = {.count = 1, .room = 1, .t = &t, .z = z};
    dae_status status = DAE_OK;
    if (!z)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a state");
    memcpy(z, from, (size_t)s->m * sizeof *z);
    if (dae_states_sharpen(s, t, z))
        status = check_functions(s, &row, 1, report);
    free(z);
    return status;
}

/* In each part of the interval, with the latest state of the run before: where F jumps a run may end. */
static dae_status check_elsewhere(dae_subject *s, const dae_state_rows *rows, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int k = 0; k < DAE_LOOKS && !status && !s->found.failed; k++) {
        const double t = dae_states_time(s, k);
        int latest = -1;
        for (int i = 0; i < rows->count; i++)
            latest = fabs(rows->t[i] - s->problem.t0) <= fabs(t - s->problem.t0) ? i : latest;
        status = check_at(s, t, latest < 0 ? s->row : rows->z + (size_t)latest * (size_t)s->m, report);
    }
    return status;
}

/* Is there anything in a mode that a quick check has to look at? At t, with the start's state. */
static dae_status screen(dae_subject *s, double t, int *suspect, dae_report *report)
{
    const dae_state_rows start = {.count = 1, .room = 1, .t = &t, .z = s->row};
    uint64_t random = 19891109;
    *suspect = 1;
    dae_states_set_plain_sizes(s, &start);
    return s->sys && dae_states_move(s, &start, 0, &random) ? dae_screen(s, suspect, report) : DAE_OK;
}

/* A quick check of the whole interval */
static dae_status check_suspects(dae_subject *s, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int k = 0; k < DAE_LOOKS && s->sys && !status && !s->found.failed; k++) {
        const double t = dae_states_time(s, k);
        int suspect;
        status = screen(s, t, &suspect, report);
        if (!status && suspect)
            status = dae_subject_settle(s, report);
        if (!status && suspect)
            status = check_at(s, t, s->row, report);
    }
    return status;
}

/* At the start of a mode, and what can be said of a start only. */
static dae_status check_beginning(dae_subject *s, int quick, dae_report *report)
{
    const dae_state_rows start = {.count = 1, .room = 1, .t = &s->problem.t0, .z = s->row};
    int suspect = 1;
    dae_status screened = quick ? screen(s, s->problem.t0, &suspect, report) : DAE_OK;
    if (!screened && suspect)
        screened = dae_subject_settle(s, report);
    if (screened || !suspect)
        return screened ? screened : check_suspects(s, report);
    dae_status status = check_rows(s, &start, quick ? 1 : 2, report);
    dae_states_set_plain_sizes(s, &start);              /* what hardly moves, moved */
    if (!status && !s->found.failed)
        status = check_maps(s, &start, 1, report);
    if (!status && !s->found.failed && s->sys)
        status = dae_check_independent(s, report);
    if (!status && !s->found.failed && quick)
        status = check_suspects(s, report);
    if (!status && !s->found.failed && s->sys && !quick)
        status = dae_check_start(s, report);
    if (!status && !s->found.failed && s->sys && !quick)
        status = dae_check_pencil(s, report);
    return status;
}

/* ---- all modes ---------------------------------------------------------------------------- */

static dae_status check_beginnings(dae_subject *modes, int count, int quick, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int m = 0; !status && m < count; m++) {
        begin_part(modes + m, m, count, 0, quick ? 1 : BEGINNINGS);
        if (modes[m].size && (modes[m].sys || !modes[m].found.failed))
            status = check_beginning(modes + m, quick, report);
    }
    return status;
}

static dae_status check_run(dae_subject *modes, int count, dae_report *report)
{
    dae_state_rows *rows = calloc((size_t)count, sizeof *rows);
    if (!rows)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a run");
    dae_status status = dae_run_states(modes, count, rows, report);
    for (int m = 0; !status && m < count; m++) {
        begin_part(modes + m, m, count, BEGINNINGS, 1);
        status = check_rows(modes + m, rows + m, 1, report);
        if (!status && !modes[m].found.failed && modes[m].sys)
            status = check_elsewhere(modes + m, rows + m, report);
    }
    for (int m = 0; m < count; m++)
        dae_state_rows_free(rows + m);
    free(rows);
    return status;
}

/* Can a run be made of it? */
static int is_sound(const dae_subject *modes, int count)
{
    int sound = 1;
    for (int m = 0; m < count; m++)
        sound &= modes[m].sys && modes[m].size && !modes[m].found.failed;
    return sound && modes->consistent;
}

static int count_modes(const dae_problem *problem)
{
    int count = 1;
    while (problem->modes && problem->modes[count - 1])
        count++;
    return count;
}

static dae_status check_modes(const dae_problem *problem, const double *parameters,
                              const dae_formulation_options *options, const dae_check_options *how,
                              dae_findings *list, dae_report *report)
{
    const int count = count_modes(problem), quick = how->quick;
    dae_status status = DAE_OK;
    dae_subject *modes = calloc((size_t)count, sizeof *modes);
    if (!modes)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d modes", count);
    for (int m = 0; !status && m < count; m++)
        status = dae_subject_create(modes + m, problem, m, parameters, options, list, report);
    for (int m = 0; m < count; m++)
        modes[m].part = (dae_check_part){how->progress, how->context, 0, 0};
    if (!status)
        dae_check_events(modes, count);
    if (!status)
        status = check_beginnings(modes, count, quick, report);
    if (!status && !quick && is_sound(modes, count))
        status = check_run(modes, count, report);
    for (int m = 0; m < count; m++)
        dae_subject_free(modes + m);
    free(modes);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* found[room] := what failed, then what did not */
static int hand_over(const dae_findings *list, dae_finding *found, int room)
{
    int k = 0;
    for (int failed = 1; failed >= 0; failed--)
        for (int i = 0; i < list->count; i++)
            if (list->item[i].failed == failed && k < room)
                found[k++] = list->item[i];
    return list->count;
}

dae_status dae_check_model(const dae_problem *problem, const double *parameters,
                           const dae_formulation_options *options, const dae_check_options *how,
                           dae_finding *found, int room, int *count, dae_report *report)
{
    if (!problem || !problem->name || !count || room < 0 || (room && !found))
        return dae_fail(report, DAE_BAD_ARGUMENT, "no %s is given", problem && problem->name
                        ? "place for findings" : "problem with a name");
    *count = 0;
    dae_findings *list = calloc(1, sizeof *list);
    if (!list)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for findings");
    const dae_check_options whole = {.quick = 0};
    const dae_status status = check_modes(problem, parameters, options, how ? how : &whole, list, report);
    if (how && how->progress)
        how->progress(how->context, 1);
    if (!status)
        *count = hand_over(list, found, room);
    free(list);
    return status;
}
