#include "study/quad_level.h"

#include "host/allocate.h"
#include "run/run_measure.h"
#include "store/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question ------------------------------------------------------------------------- */

typedef struct {
    const study *s;
    const dae_method *method;
    dae_system *sys;
    int shaken, steps;
} request;

/* Recovered multipliers are kept as rows without velocities. */
static json_t *compute(void *context)
{
    const request *q = context;
    const study *s = q->s;
    double times[RUN_SAMPLES];
    dae_reference at, recovered = {.nq = s->path.nl};
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    recovered.q = allocate((size_t)(RUN_SAMPLES * s->path.nl), sizeof *recovered.q);
    const dae_status status = dae_quad_steps(&at, recovered.q, q->sys, q->method, q->shaken, s->t0, s->start, times,
                                             RUN_SAMPLES, q->steps, NULL);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    json_t *answer = json_pack("{s:i}", "status", (int)status);
    if (!status) {
        at.source = recovered.source = s->path.source;
        json_object_set_new(answer, "at", field_text(reference_text(&at, RUN_SAMPLES)));
        json_object_set_new(answer, "recovered", field_text(reference_text(&recovered, RUN_SAMPLES)));
        dae_reference_free(&at);
    }
    free(recovered.q);
    return answer;
}

/* What the answer says. */
static dae_status read_level(quad_level *l, const study *s, const json_t *answer)
{
    const dae_status status = (dae_status)json_integer_value(json_object_get(answer, "status"));
    dae_reference rows = {.nq = 0};
    if (status)
        return status;
    l->recovered = allocate((size_t)(RUN_SAMPLES * s->path.nl), sizeof *l->recovered);
    if (s->path.nl && reference_read(json_string_value(json_object_get(answer, "recovered")), RUN_SAMPLES, &rows))
        memcpy(l->recovered, rows.q, (size_t)(RUN_SAMPLES * s->path.nl) * sizeof *l->recovered);
    dae_reference_free(&rows);
    return reference_read(json_string_value(json_object_get(answer, "at")), RUN_SAMPLES, &l->at) ? DAE_OK : DAE_BACKEND;
}

static void sort_by_class(quad_level *l, const study *s, const dae_system *sys)
{
    const int n = s->path.nq, count = RUN_SAMPLES * n;
    int to = 0;
    l->sorted = allocate(2 * (size_t)count, sizeof *l->sorted);
    for (dae_class k = DAE_DIFFERENTIAL; k <= DAE_ALGEBRAIC; k++)
        for (int i = 0; i < count; i++)
            if (dae_system_class(sys, i % n) == k) {
                l->sorted[to] = l->at.q[i];
                l->sorted[count + to++] = s->path.q[i];
                l->differential += k == DAE_DIFFERENTIAL;
            }
}

dae_status quad_level_ask(quad_level *l, const study *s, const converge_curve *c, dae_system *sys, int shaken,
                          int steps)
{
    enum { AS_MUCH = 50 };      /* a step in quad precision is as much work as some fifty in double */
    const double all = RUN_SAMPLES * (double)steps;
    char name[64], words[FRONT_RUN];
    request q = {.s = s, .method = c->subject.method, .sys = sys, .shaken = shaken, .steps = steps};
    run_result ended = {.status = DAE_OK};
    snprintf(name, sizeof name, "%s in quad", c->info.name);
    front_run_words(dae_formulation_describe(c->subject.form).name, name, (s->t_end - s->t0) / all, words);
    front_plan(&s->setting->front, 1, AS_MUCH * all);
    json_t *cell = pair_cell(s, "quad steps", c->subject.form, c->subject.method);
    json_object_set_new(cell, "shaken", json_integer(shaken));
    json_object_set_new(cell, "steps", json_integer(steps));
    const runner_reply reply = ask_within(s, cell, 1, (runner_question){
        .compute = compute, .context = &q, .what = words, .work = AS_MUCH * all});
    *l = (quad_level){.steps = steps};
    if (reply.end != RUNNER_ANSWERED)
        run_was_ended(&ended, &reply);
    else
        ended.status = read_level(l, s, reply.answer);
    if (!ended.status && !s->path.v)
        sort_by_class(l, s, sys);
    json_decref(reply.answer);
    return ended.status;
}

void quad_level_free(quad_level *l)
{
    dae_reference_free(&l->at);
    free(l->recovered);
    free(l->sorted);
}

/* ---- what it tells ------------------------------------------------------------------------ */

int quad_level_values(const quad_level *l, const study *s, dae_class k, const dae_quad **x, const dae_quad **reference)
{
    const dae_reference *path = &s->path, *at = &l->at;
    if (!path->v) {
        const int all = RUN_SAMPLES * path->nq, from = k == DAE_ALGEBRAIC ? l->differential : 0;
        *x = l->sorted + from;
        *reference = *x + all;
        return k == DAE_ALGEBRAIC ? all - from : l->differential;
    }
    const int of_lambda = k == DAE_MULTIPLIER || k == DAE_RECOVERED;
    *x = k == DAE_VELOCITY ? at->v : k == DAE_MULTIPLIER ? at->lambda : k == DAE_RECOVERED ? l->recovered : at->q;
    *reference = k == DAE_VELOCITY ? path->v : of_lambda ? path->lambda : path->q;
    return RUN_SAMPLES * (of_lambda ? path->nl : path->nq);
}

double quad_distance(const dae_quad *x, const dae_quad *y, int count)
{
    double square = 0;
    for (int i = 0; i < count; i++) {
        const double d = (double)(x[i] - y[i]);
        square += d * d;
    }
    return sqrt(square / RUN_SAMPLES);
}

double quad_largest(const dae_quad *x, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)x[i]));
    return largest;
}

int quad_first_level(const converge_curve *c)
{
    int i = 0;
    while (i < c->levels - 1 && c->runs[i].status)
        i++;
    return i;
}

int quad_levels_exist(const study *s, const converge_curve *c)
{
    const run_result *r = &c->runs[quad_first_level(c)];
    return c->info.quad_steps && !c->subject.tolerances && s->sampled && !r->status
           && !isnan(r->path[s->path.v ? DAE_POSITION : DAE_DIFFERENTIAL]);
}

double quad_level_work(const converge_curve *c, const dae_system *sys, double steps)
{
    const dae_statistics *count = &c->runs[quad_first_level(c)].count;
    const double each = count->steps > 0 ? (double)count->jacobians / (double)count->steps : 1;
    return steps * dae_system_size(sys) * fmax(1, each);
}
