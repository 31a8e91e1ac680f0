#include "run/run_asked.h"

#include "host/allocate.h"
#include "run/run_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void run_was_ended(run_result *r, const runner_reply *reply)
{
    static const run_outcome outcomes[RUNNER_ENDS] = {
        [RUNNER_TIME] = RUN_LIMIT_TIME, [RUNNER_MEMORY] = RUN_LIMIT_MEMORY,
        [RUNNER_KILLED] = RUN_KILLED, [RUNNER_NOT_RUN] = RUN_NOT_RUN, [RUNNER_LATER] = RUN_NOT_RUN};
    const int no_memory = reply->end == RUNNER_MEMORY && strcmp(reply->reason, RUNNER_NO_MEMORY) == 0;
    r->outcome = no_memory ? RUN_BY_ITSELF : outcomes[reply->end];
    r->status = no_memory ? DAE_NO_MEMORY : outcome_status(r->outcome);
    snprintf(r->message, sizeof r->message, "%s",
             *reply->reason ? reply->reason : outcome_sentence(r->outcome, r->status));
}

/* For runs that hang in their equations: others keep the limit themselves. */
static double limit_of(const study *s, int runs) { return s->limit > 0 ? runs * s->limit + 2 : 0; }

runner_reply ask_within(const study *s, json_t *cell, int runs, runner_question question)
{
    runner_reply reply;
    question.cell = cell;
    if (!(question.limits.seconds > 0))
        question.limits.seconds = limit_of(s, runs);
    for (;;) {
        reply = runner_ask(cell ? s->setting->runner : NULL, &question);
        const double limit = json_number_value(json_object_get(reply.answer, "stopped_at"));
        if (!(limit > 0) || (s->limit > 0 && s->limit <= limit))
            break;
        json_object_set_new(cell, "beyond", field_number(limit));
        json_decref(reply.answer);
    }
    json_decref(cell);
    return reply;
}

/* ---- one run ------------------------------------------------------------------------------ */

typedef struct {
    const study *s;
    const dae_formulation *form;
    const dae_method *method;
    double level;
    int watched;
} request;

enum { PARTS = 4 };             /* a run, its samples twice, and once more for its drift */

static json_t *compute(void *context)
{
    const request *q = context;
    monitor m = {.t = NULL}, *watched = q->watched ? &m : NULL;
    run_result r = study_run(q->s, q->form, q->method, q->level, watched);
    if (r.status == DAE_NO_MEMORY)
        allocate_end();
    json_t *answer = json_pack("{s:o}", "run", run_write(&r, watched, q->s->curves));
    if (r.outcome == RUN_LIMIT_TIME)
        json_object_set_new(answer, "stopped_at", field_number(q->s->limit));
    run_free(&r);
    monitor_free(&m);
    return answer;
}

run_result run_asked(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     monitor *m)
{
    request q = {s, form, method, level, m != NULL};
    run_result r;
    char words[FRONT_RUN];
    front_run_words(dae_formulation_describe(form).name, dae_method_describe(method).name, level, words);
    const runner_reply reply = ask_within(s, run_cell(s, form, method, level, m != NULL), PARTS, (runner_question){
        .compute = compute, .context = &q, .what = words, .work = run_amount(s->setting, method, level)});
    if (!run_read(json_object_get(reply.answer, "run"), &r, m, s->curves)) {
        r = run_without(s, method, level);
        run_was_ended(&r, &reply);
    }
    json_decref(reply.answer);
    return r;
}

dae_status run_possible(const study *s, const dae_formulation *form, const dae_method *method, double level)
{
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    dae_start_change change;
    dae_solver *solver = NULL;
    run_derivatives along = {.of = NULL};
    dae_system *sys;
    double *u;
    dae_status status = study_system(s, form, &sys, &u, &change, NULL);
    if (status)
        return status;
    run_set_atols(s->setting, sys, &options, list);
    status = dae_solver_create(&solver, sys, method, &options, NULL);
    if (!status)
        status = derivatives_create(&along, s->setting, sys, solver);
    derivatives_free(&along);
    dae_solver_free(solver);
    free(u);
    dae_system_free(sys);
    return status;
}
