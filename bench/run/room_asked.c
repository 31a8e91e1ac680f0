#include "run/room_asked.h"

#include "run/fields.h"
#include "run/run_asked.h"
#include "run/run_cell.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    study s;
    const dae_formulation *form;
    const dae_method *method;
} request;

static const field_place fields[] = {
    FIELD_AT(room_need, copies, FIELD_DOUBLE), FIELD_AT(room_need, smaller, FIELD_DOUBLE),
    FIELD_AT(room_need, touched, FIELD_DOUBLE), FIELD_AT(room_need, mapped, FIELD_DOUBLE),
    FIELD_AT(room_need, factor, FIELD_DOUBLE), {NULL, FIELD_END, 0, 0}};

static room_need find_out(const request *q)
{
    const run_setting *setting = q->s.setting;
    const dae_options options = run_options(setting, q->method, run_level(setting, q->method));
    return room_needed(&q->s, q->form, q->method, &options);
}

static json_t *compute(void *context)
{
    const room_need need = find_out(context);
    json_t *answer = json_object();
    if (answer && field_write(fields, &need, answer))
        return answer;
    json_decref(answer);
    return NULL;
}

/* Of a process that has ended nothing is known. */
static room_need ask(request *q)
{
    room_need need = {.copies = 0};
    json_t *cell = q->s.setting->runner ? study_cell(&q->s, "room") : NULL;
    if (!cell)
        return find_out(q);
    if (!cell_set_pair(cell, q->form, q->method)) {
        json_decref(cell);
        return need;
    }
    const runner_reply reply = ask_within(&q->s, cell, 1, (runner_question){.compute = compute, .context = q});
    if (reply.end != RUNNER_ANSWERED || !field_read(fields, reply.answer, &need))
        need = (room_need){.copies = 0};
    json_decref(reply.answer);
    return need;
}

dae_status room_for_runs(const run_setting *setting, room_pairs pairs, dae_report *report)
{
    const long open = runner_open(setting->runner);
    dae_status status = run_check_setting(setting, NULL);
    if (status || room_copies(setting) < room_least)
        return DAE_OK;                                  /* what is wrong with it is told by who begins */
    request q = {.s = {.setting = setting, .t0 = setting->problem->t0, .t_end = run_end(setting)}};
    for (int i = 0; !status && i < pairs.forms * pairs.methods; i++) {
        char what[96];
        q.form = pairs.form[i / pairs.methods];
        q.method = pairs.method[i % pairs.methods];
        const room_need need = ask(&q);                 /* none, where it is not known yet */
        const memory_room room = memory_left();
        snprintf(what, sizeof what, "%s by %s", dae_formulation_describe(q.form).name,
                 dae_method_describe(q.method).name);
        status = room_suffices(&need, &room, what, report);
    }
    return !status && runner_open(setting->runner) != open ? dae_fail(report, DAE_STOPPED, "not known yet") : status;
}
