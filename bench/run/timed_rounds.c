#include "run/timed_rounds.h"

#include "host/allocate.h"
#include "output/json_file.h"
#include "run/run_asked.h"

#include <math.h>
#include <stdio.h>

/* The question: points, how long each is repeated, and which round it is. */
typedef struct {
    study s;                            /* bare: no time depends on what errors are measured against */
    timed_point **points;
    int count, number;                  /* of points, of the round */
    const timed_plan *plan;
} one_round;

static double burst_seconds(const timed_plan *plan) { return plan->seconds / plan->rounds; }

static json_t *round_cell(const one_round *q)
{
    json_t *cell = study_cell(&q->s, "round"), *list = json_array();
    int good = 1;
    for (int i = 0; i < q->count; i++) {
        const timed_point *p = q->points[i];
        json_t *point = json_object();
        good = cell_set_pair(point, p->form, p->method) && good;
        json_object_set_new(point, "level", field_number(p->level));
        json_array_append_new(list, point);
    }
    json_object_set_new(cell, "points", list);
    json_object_set_new(cell, "round", json_integer(q->number));
    json_object_set_new(cell, "burst", field_number(burst_seconds(q->plan)));
    if (runner_times_together(q->s.setting->runner))
        json_object_set_new(cell, "beside_others", json_true());
    if (good)
        return cell;
    json_decref(cell);
    return NULL;
}

static json_t *time_point(const one_round *q, const timed_point *p)
{
    timed_round round;
    char why[ROUND_REASON];
    const dae_status status = burst_run(&q->s, p->form, p->method, p->level, burst_seconds(q->plan), &round, why,
                                        sizeof why);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    json_t *answer = field_write(timed_round_fields, &round);
    if (status)
        json_object_set_new(answer, "reason", json_text(*why ? why : dae_status_sentence(status)));
    return answer;
}

/* {"points": [...]}, in the order of the question. */
static json_t *compute(void *context)
{
    const one_round *q = context;
    json_t *list = json_array();
    front_run(&q->s.setting->front, "times,", "round", q->number + 1);
    for (int i = 0; i < q->count; i++)
        json_array_append_new(list, json_null());
    for (int k = 0; k < q->count; k++) {
        const int i = q->number % 2 ? q->count - 1 - k : k;
        json_array_set_new(list, (size_t)i, time_point(q, q->points[i]));
    }
    return json_pack("{s:o}", "points", list);
}

static void set_reason(timed_point *p, const char *why)
{
    if (!*p->reason && why)
        snprintf(p->reason, sizeof p->reason, "%.*s", (int)sizeof p->reason - 1, why);
}

/* Of each the first run and the repeats: a few, or one that is longer than they may last together. */
static int runs_in(const one_round *q)
{
    const double limit = q->s.limit;
    return (1 + BURST_FEW) * q->count + (limit > 0 ? (int)fmin(1e6, ceil(q->count * burst_seconds(q->plan) / limit))
                                         : 0);
}

/* A round that died, or took too long, by one of its points, is asked for again point by point: the others have their
 * time. */
static void ask_round(one_round *q)
{
    char words[FRONT_RUN];
    front_run_words("times,", "round", q->number + 1, words);
    const runner_reply reply = ask_within(&q->s, round_cell(q), runs_in(q), (runner_question){
        .timed = !runner_times_together(q->s.setting->runner), .compute = compute, .context = q, .what = words,
        .work = q->plan->amount});
    const json_t *list = json_object_get(reply.answer, "points");
    const int again = !list && q->count > 1 && reply.end != RUNNER_NOT_RUN && reply.end != RUNNER_LATER;
    for (int i = 0; i < q->count; i++) {
        timed_point *p = q->points[i];
        const json_t *answer = json_array_get(list, (size_t)i);
        if (again) {
            one_round alone = *q;
            alone.points = &q->points[i];
            alone.count = 1;
            ask_round(&alone);
        } else if (list) {
            field_read(timed_round_fields, answer, &p->round[q->number]);
            set_reason(p, json_string_value(json_object_get(answer, "reason")));
        } else {
            p->round[q->number] = timed_round_none();
            p->not_run |= reply.end == RUNNER_NOT_RUN;
            set_reason(p, *reply.reason ? reply.reason : "a round in which it is timed has no answer");
        }
    }
    json_decref(reply.answer);
}

void timed_rounds_ask(study *s, timed_point **points, int count, const timed_plan *plan)
{
    for (int i = 0; i < count; i++) {
        points[i]->rounds = plan->rounds;
        points[i]->round = allocate((size_t)plan->rounds, sizeof *points[i]->round);
    }
    for (int r = 0; r < plan->rounds; r++) {
        one_round round = {.s = *s, .points = points, .count = count, .number = r, .plan = plan};
        round.s.referenced = round.s.sampled = 0;
        ask_round(&round);
    }
}
