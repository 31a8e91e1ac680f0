#include "run/room.h"

#include "host/platform.h"
#include "run/run_asked.h"

#include <math.h>
#include <stdio.h>
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

static double copies_of(const run_setting *setting)
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
    need.copies = copies_of(s->setting);
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

/* ---- asked of a runner -------------------------------------------------------------------- */

typedef struct {
    study s;
    const dae_formulation *form;
    const dae_method *method;
} request;

static const field_place fields[] = {
    FIELD_AT(room_need, copies, FIELD_DOUBLE), FIELD_AT(room_need, smaller, FIELD_DOUBLE),
    FIELD_AT(room_need, touched, FIELD_DOUBLE), FIELD_AT(room_need, mapped, FIELD_DOUBLE),
    FIELD_AT(room_need, factor, FIELD_DOUBLE), {NULL, FIELD_END, 0, 0}};

static json_t *compute(void *context)
{
    const request *q = context;
    const dae_options options = run_options(q->s.setting, q->method, run_level(q->s.setting, q->method));
    const room_need need = room_needed(&q->s, q->form, q->method, &options);
    return field_write(fields, &need);
}

/* Is there room for the run of a request? Of a process that has ended nothing is known. */
static dae_status look_for_room(request *q, dae_report *report)
{
    char what[96];
    room_need need = {.copies = 0};
    const runner_reply reply = ask_within(&q->s, pair_cell(&q->s, "room", q->form, q->method), 1,
                                          (runner_question){.compute = compute, .context = q});
    if (reply.end == RUNNER_ANSWERED)
        field_read(fields, reply.answer, &need);
    json_decref(reply.answer);
    const memory_room room = memory_left();
    snprintf(what, sizeof what, "%s by %s", dae_formulation_describe(q->form).name,
             dae_method_describe(q->method).name);
    return room_suffices(&need, &room, what, report);
}

dae_status room_for_runs(const run_setting *setting, room_pairs pairs, dae_report *report)
{
    const long open = runner_open(setting->runner);
    dae_status status = DAE_OK;
    if (run_check_setting(setting, NULL) || copies_of(setting) < room_least)
        return DAE_OK;                                  /* what is wrong with it is told by who begins */
    request q = {.s = {.setting = setting, .t0 = setting->problem->t0, .t_end = run_end(setting)}};
    for (int i = 0; !status && i < pairs.forms * pairs.methods; i++) {
        q.form = pairs.form[i / pairs.methods];
        q.method = pairs.method[i % pairs.methods];
        status = look_for_room(&q, report);
    }
    return !status && runner_open(setting->runner) != open ? dae_fail(report, DAE_STOPPED, "not known yet") : status;
}
