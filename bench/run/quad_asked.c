#include "run/quad_asked.h"

#include "store/reference_text.h"
#include "run/fields.h"
#include "run/run_measure.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const study *s;
    const dae_method *method;
    dae_system *sys;
    int shaken, steps;
} request;

static dae_status make_steps(const request *q, dae_reference *at, dae_quad *recovered)
{
    const study *s = q->s;
    double times[RUN_SAMPLES];
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    return dae_quad_steps(at, recovered, q->sys, q->method, q->shaken, s->t0, s->start, times, RUN_SAMPLES,
                          q->steps, NULL);
}

static size_t multipliers(const study *s) { return (size_t)(RUN_SAMPLES * s->path.nl); }

/* The recovered multipliers, as they are written: rows without velocities. */
static dae_reference of_recovered(const study *s, dae_quad *recovered)
{
    return (dae_reference){.nq = s->path.nl, .source = s->path.source, .q = recovered};
}

static json_t *compute(void *context)
{
    const request *q = context;
    dae_reference at;
    dae_quad *recovered = calloc(multipliers(q->s) + 1, sizeof *recovered);
    const dae_status status = recovered ? make_steps(q, &at, recovered) : DAE_NO_MEMORY;
    json_t *answer = NULL;
    if (status == DAE_OK) {
        const dae_reference rows = of_recovered(q->s, recovered);
        at.source = rows.source;
        answer = json_pack("{s:i, s:o, s:o}", "status", 0, "at", field_pieces(reference_text(&at, RUN_SAMPLES)),
                           "recovered", rows.nq ? field_pieces(reference_text(&rows, RUN_SAMPLES)) : json_null());
        dae_reference_free(&at);
    } else if (status != DAE_NO_MEMORY) {
        answer = json_pack("{s:i}", "status", (int)status);
    }
    free(recovered);
    return answer;
}

static json_t *steps_cell(const study *s, const dae_formulation *form, const dae_method *method, int shaken,
                          int steps)
{
    json_t *cell = study_cell(s, "quad steps");
    if (cell && cell_set_pair(cell, form, method)
        && json_object_set_new(cell, "shaken", json_integer(shaken)) == 0
        && json_object_set_new(cell, "steps", json_integer(steps)) == 0)
        return cell;
    json_decref(cell);
    return NULL;
}

static int read_rows(const json_t *answer, const char *name, dae_reference *rows)
{
    char *text = field_joined(json_object_get(answer, name));
    const int good = text && reference_read(text, RUN_SAMPLES, rows);
    free(text);
    return good;
}

/* What the answer says. */
static dae_status read_steps(const study *s, const json_t *answer, dae_reference *at, dae_quad *recovered)
{
    const json_t *status = json_object_get(answer, "status");
    if (!json_is_integer(status) || json_integer_value(status))
        return json_is_integer(status) ? (dae_status)json_integer_value(status) : DAE_NO_MEMORY;
    dae_reference rows = {.nq = 0};
    const int good = (!s->path.nl || (read_rows(answer, "recovered", &rows) && rows.nq == s->path.nl))
                     && read_rows(answer, "at", at);
    if (good && rows.q)
        memcpy(recovered, rows.q, multipliers(s) * sizeof *recovered);
    dae_reference_free(&rows);
    return good ? DAE_OK : DAE_NO_MEMORY;
}

static void tell_words(const dae_formulation *form, const dae_method *method, double step, char words[FRONT_RUN])
{
    char name[64];
    snprintf(name, sizeof name, "%s in quad", dae_method_describe(method).name);
    front_run_words(dae_formulation_describe(form).name, name, step, words);
}

dae_status quad_steps_asked(const study *s, const dae_formulation *form, const dae_method *method,
                            dae_system *sys, int shaken, int steps, dae_reference *at, dae_quad *recovered)
{
    enum { AS_MUCH = 50 };      /* a step in quad precision is as much work as some fifty in double */
    const double work = AS_MUCH * RUN_SAMPLES * (double)steps;
    char words[FRONT_RUN];
    request q = {.s = s, .method = method, .sys = sys, .shaken = shaken, .steps = steps};
    json_t *cell = s->setting->runner ? steps_cell(s, form, method, shaken, steps) : NULL;
    front_plan(&s->setting->front, 1, work);
    tell_words(form, method, (s->t_end - s->t0) / (RUN_SAMPLES * (double)steps), words);
    if (!cell)
        return make_steps(&q, at, recovered);
    runner_reply reply = ask_within(s, cell, 1, (runner_question){
        .compute = compute, .context = &q, .what = words, .work = work});
    run_result ended = {.status = DAE_OK};
    if (reply.end != RUNNER_ANSWERED)
        run_was_ended(&ended, &reply);
    const dae_status status = ended.status ? ended.status : read_steps(s, reply.answer, at, recovered);
    json_decref(reply.answer);
    return status;
}
