#include "run/timed_rounds.h"

#include "run/run_asked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the cell: points, how long each is repeated, and which round it is ---- */

typedef struct {
    study_copy copy;
    timed_point *points;
    int count, number;                  /* of the round */
    const timed_plan *plan;
    const run_front *front;             /* of the study */
} one_round;

static double burst_seconds(const timed_plan *plan) { return plan->seconds / plan->rounds; }

static json_t *point_cell(const timed_point *p)
{
    json_t *point = json_object();
    if (point && cell_set_pair(point, p->form, p->method)
        && json_object_set_new(point, "level", field_number(p->level)) == 0)
        return point;
    json_decref(point);
    return NULL;
}

static json_t *round_cell(const one_round *q)
{
    study bare = q->copy.s;             /* no time depends on what errors are measured against */
    bare.referenced = bare.sampled = 0;
    json_t *cell = study_cell(&bare, "round"), *list = json_array();
    int good = cell && list;
    for (int i = 0; good && i < q->count; i++)
        good = json_array_append_new(list, point_cell(&q->points[i])) == 0;
    if (cell && json_object_set_new(cell, "points", list) == 0 && good
        && json_object_set_new(cell, "round", json_integer(q->number)) == 0
        && json_object_set_new(cell, "burst", field_number(burst_seconds(q->plan))) == 0
        && (!runner_times_together(q->copy.s.setting->runner)
            || json_object_set_new(cell, "beside_others", json_true()) == 0))
        return cell;
    json_decref(cell);
    return NULL;
}

/* ---- its answer ---- */

static json_t *answer_of(const timed_round *round, const char *why)
{
    json_t *answer = json_object();
    if (answer && field_write(timed_round_fields, round, answer)
        && (!*why || json_object_set_new(answer, "reason", json_string(why)) == 0))
        return answer;
    json_decref(answer);
    return NULL;
}

static json_t *time_point(const one_round *q, const timed_point *p)
{
    timed_round round;
    char why[ROUND_REASON];
    const dae_status status = burst_run(&q->copy.s, p->form, p->method, p->level, burst_seconds(q->plan), &round, why,
                                        sizeof why);
    if (status == DAE_NO_MEMORY)
        return NULL;
    return answer_of(&round, status && !*why ? dae_status_sentence(status) : status ? why : "");
}

/* {"points": [...]}, in the order of the question. */
static json_t *compute(void *context)
{
    const one_round *q = context;
    json_t *list = json_array();
    for (int i = 0; list && i < q->count; i++)
        json_array_append_new(list, json_null());
    for (int k = 0; list && k < q->count; k++) {
        const int i = q->number % 2 ? q->count - 1 - k : k;
        if (json_array_set_new(list, (size_t)i, time_point(q, &q->points[i]))) {
            json_decref(list);
            return NULL;
        }
    }
    return list ? json_pack("{s:o}", "points", list) : NULL;
}

static void set_reason(timed_point *p, const char *why)
{
    if (!*p->reason && *why)
        snprintf(p->reason, sizeof p->reason, "%.*s", (int)sizeof p->reason - 1, why);
}

static void read_point(timed_point *p, int number, const json_t *answer)
{
    const char *why = json_string_value(json_object_get(answer, "reason"));
    if (!field_read(timed_round_fields, answer, &p->round[number])) {
        p->round[number] = timed_round_none();
        why = "the time that was kept cannot be read";
    }
    set_reason(p, why ? why : "");
}

/* ---- one round ---- */

/* Of each the first run and the repeats: a few, or one that is longer than they may last together. */
static int runs_in(const one_round *q)
{
    const double limit = q->copy.s.limit;
    return (1 + BURST_FEW) * q->count + (limit > 0 ? (int)fmin(1e6, ceil(q->count * burst_seconds(q->plan) / limit))
                                         : 0);
}

static runner_reply ask(one_round *q)
{
    json_t *cell = q->copy.s.setting->runner ? round_cell(q) : NULL;
    char words[FRONT_RUN];
    front_run_words("times,", "round", q->number + 1, words);
    const runner_question question = {.timed = !runner_times_together(q->copy.s.setting->runner), .compute = compute,
                                      .context = q, .what = words, .work = q->plan->amount};
    if (cell)
        return ask_within(&q->copy.s, cell, runs_in(q), question);
    front_run(q->front, "times,", "round", q->number + 1);
    json_t *answer = compute(q);
    return answer ? (runner_reply){.answer = answer} : (runner_reply){.end = RUNNER_MEMORY, .reason = RUNNER_NO_MEMORY};
}

static void ask_round(one_round *q);

/* A round that died, or took too long, by one of its points: the others have their time. */
static void ask_each(const one_round *q)
{
    for (int i = 0; i < q->count; i++) {
        one_round alone = *q;
        alone.copy.s.setting = &alone.copy.setting;
        alone.points = &q->points[i];
        alone.count = 1;
        ask_round(&alone);
    }
}

static void ask_round(one_round *q)
{
    runner_reply reply = ask(q);
    const json_t *list = json_object_get(reply.answer, "points");
    const int whole = reply.end == RUNNER_ANSWERED && json_array_size(list) == (size_t)q->count;
    if (!whole && q->count > 1 && reply.end != RUNNER_NOT_RUN && reply.end != RUNNER_LATER) {
        ask_each(q);
        json_decref(reply.answer);
        return;
    }
    for (int i = 0; i < q->count; i++) {
        timed_point *p = &q->points[i];
        if (whole) {
            read_point(p, q->number, json_array_get(list, (size_t)i));
            continue;
        }
        p->round[q->number] = timed_round_none();
        p->not_run |= reply.end == RUNNER_NOT_RUN;
        set_reason(p, *reply.reason ? reply.reason : "a round in which it is timed has no answer");
    }
    json_decref(reply.answer);
}

void timed_rounds_ask(study *s, timed_point *points, int count, const timed_plan *plan)
{
    for (int r = 0; r < plan->rounds; r++) {
        one_round round = {.points = points, .count = count, .number = r, .plan = plan, .front = &s->setting->front};
        study_copy_quiet(&round.copy, s);
        ask_round(&round);
    }
}
