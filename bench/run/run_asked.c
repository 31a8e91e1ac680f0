#include "run/run_asked.h"

#include "run/run_record.h"
#include "run/run_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void study_copy_quiet(study_copy *copy, const study *s)
{
    copy->s = *s;
    copy->setting = *s->setting;
    copy->setting.front = (run_front){.context = s->setting->front.context, .part = s->setting->front.part};
    copy->s.setting = &copy->setting;
}

run_result run_without(const study *s, const dae_method *method, double level)
{
    const int adaptive = run_chooses_steps(s->setting, method);
    run_result r = {.step = adaptive ? NAN : level, .rtol = adaptive ? level : NAN, .t_reached = s->t0,
                    .energy = NAN, .invariant = NAN, .seconds = NAN};
    run_clear(&r);
    for (int k = 0; k < DRIFT_LEVELS; k++)
        r.drift[k] = NAN;
    return r;
}

void run_was_ended(run_result *r, const runner_reply *reply)
{
    static const run_outcome outcomes[RUNNER_ENDS] = {
        [RUNNER_TIME] = RUN_LIMIT_TIME, [RUNNER_MEMORY] = RUN_LIMIT_MEMORY,
        [RUNNER_KILLED] = RUN_KILLED, [RUNNER_NOT_RUN] = RUN_NOT_RUN, [RUNNER_LATER] = RUN_NOT_RUN};
    const int no_memory = reply->end == RUNNER_ANSWERED        /* which could not be read */
                          || (reply->end == RUNNER_MEMORY && strcmp(reply->reason, RUNNER_NO_MEMORY) == 0);
    r->outcome = no_memory ? RUN_BY_ITSELF : outcomes[reply->end];
    r->status = no_memory ? DAE_NO_MEMORY : outcome_status(r->outcome);
    snprintf(r->message, sizeof r->message, "%s",
             *reply->reason ? reply->reason : outcome_sentence(r->outcome, r->status));
}

/* For runs that hang in their equations: others keep the limit themselves. */
static double limit_of(const study *s, int runs) { return s->limit > 0 ? runs * s->limit + 2 : 0; }

/* The limit at which an answer was stopped; 0: it is a whole one. */
static double stopped_at(const runner_reply *reply)
{
    double limit = 0;
    const json_t *member = json_object_get(reply->answer, "stopped_at");
    return member && field_number_at(member, &limit) ? limit : 0;
}

runner_reply ask_within(const study *s, json_t *cell, int runs, runner_question question)
{
    runner_reply reply;
    question.cell = cell;
    if (!(question.limits.seconds > 0))
        question.limits.seconds = limit_of(s, runs);
    for (;;) {
        reply = runner_ask(s->setting->runner, &question);
        const double limit = stopped_at(&reply);
        if (!(limit > 0) || (s->limit > 0 && s->limit <= limit)
            || json_object_set_new(cell, "beyond", field_number(limit)))
            break;
        json_decref(reply.answer);
    }
    json_decref(cell);
    return reply;
}

json_t *run_answer(const study *s, const run_result *r, const monitor *m)
{
    json_t *record = r->status == DAE_NO_MEMORY ? NULL : run_write(r, m, s->curves);
    json_t *answer = record ? json_pack("{s:o}", "run", record) : NULL;
    if (answer && r->outcome == RUN_LIMIT_TIME)
        json_object_set_new(answer, "stopped_at", field_number(s->limit));
    return answer;
}

/* ---- one run ------------------------------------------------------------------------------ */

typedef struct {
    study_copy copy;
    const dae_formulation *form;
    const dae_method *method;
    double level;
    int watched;
} request;

enum { PARTS = 4 };             /* a run, its samples twice, and once more for its drift */

static json_t *compute(void *context)
{
    const request *q = context;
    monitor m;
    memset(&m, 0, sizeof m);
    run_result r = study_run(&q->copy.s, q->form, q->method, q->level, q->watched ? &m : NULL);
    json_t *answer = run_answer(&q->copy.s, &r, q->watched ? &m : NULL);
    run_free(&r);
    monitor_free(&m);
    return answer;
}

run_result run_asked(const study *s, const dae_formulation *form, const dae_method *method, double level,
                     monitor *m)
{
    json_t *cell = s->setting->runner ? run_cell(s, form, method, level, m != NULL) : NULL;
    if (!cell)
        return study_run(s, form, method, level, m);
    request q = {.form = form, .method = method, .level = level, .watched = m != NULL};
    run_result r;
    char words[FRONT_RUN];
    study_copy_quiet(&q.copy, s);
    front_run_words(dae_formulation_describe(form).name, dae_method_describe(method).name, level, words);
    runner_reply reply = ask_within(s, cell, PARTS, (runner_question){
        .compute = compute, .context = &q, .what = words, .work = run_amount(s->setting, method, level)});
    if (!run_read(json_object_get(reply.answer, "run"), &r, m, s->curves)) {
        r = run_without(s, method, level);
        run_was_ended(&r, &reply);
    }
    json_decref(reply.answer);
    return r;
}

int run_exists(const study *s, const dae_formulation *form, const dae_method *method, double level)
{
    dae_options options = run_options(s->setting, method, level);
    dae_atol list[MAX_ATOLS];
    dae_start_change change;
    dae_solver *solver = NULL;
    dae_system *sys;
    double *u;
    if (study_system(s, form, &sys, &u, &change, NULL))
        return 0;
    run_set_atols(s->setting, sys, &options, list);
    const dae_status status = dae_solver_create(&solver, sys, method, &options, NULL);
    dae_solver_free(solver);
    free(u);
    dae_system_free(sys);
    return status == DAE_OK;
}
