#include "study/quad_level.h"

#include "host/allocate.h"
#include "run/run_measure.h"
#include "run/stencil.h"
#include "store/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question ------------------------------------------------------------------------- */

typedef struct {
    const quad_subject *of;
    int shaken, steps;
} request;

/* Rows at the samples, and recovered multipliers as rows without velocities. */
typedef struct { dae_reference at, recovered; } rows;

static rows zero_rows(const study *s)
{
    const dae_reference multipliers = {.nq = s->path.nl, .source = s->path.source};
    return (rows){stencil_zero(&s->path, RUN_SAMPLES), stencil_zero(&multipliers, RUN_SAMPLES)};
}

static void add(rows *to, const rows *x, dae_quad factor)
{
    stencil_add(&to->at, &x->at, RUN_SAMPLES, factor);
    stencil_add(&to->recovered, &x->recovered, RUN_SAMPLES, factor);
}

static void free_rows(rows *x)
{
    dae_reference_free(&x->at);
    dae_reference_free(&x->recovered);
}

/* x := where steps from a start lead to, by a system of the curve's form */
static dae_status make_steps(rows *x, const request *q, dae_system *sys, const dae_quad *u0)
{
    const study *s = q->of->s;
    double times[RUN_SAMPLES];
    dae_reference at;
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    const dae_status status = dae_quad_steps(&at, x->recovered.q, sys, q->of->c->subject.method, q->shaken, s->t0, u0,
                                             times, RUN_SAMPLES, q->steps, NULL);
    if (status == DAE_NO_MEMORY)
        allocate_end();
    if (status)
        return status;
    stencil_add(&x->at, &at, RUN_SAMPLES, 1);
    dae_reference_free(&at);
    return DAE_OK;
}

/* The steps at a neighbour to the sums. */
static dae_status add_point(rows *sum, const request *q, int i, int point)
{
    const study *s = q->of->s;
    stencil_point n = stencil_at(s, i, point);
    study at = *s;
    rows x = zero_rows(s);
    dae_system *sys = NULL;
    double *u = NULL;
    dae_start_change change;
    at.setting = &n.setting;
    dae_status status = study_system(&at, q->of->c->subject.form, &sys, &u, &change, NULL);
    if (!status)
        status = make_steps(&x, q, sys, n.from);
    add(&sum[0], &x, n.in);
    add(&sum[1], &x, n.in_wrong);
    free_rows(&x);
    free(u);
    dae_system_free(sys);
    free(n.parameters);
    return status;
}

/* The unknowns from where runs begin, a state of any form. */
static dae_status add_unknowns(rows *x, const request *q)
{
    const int nq = dae_system_positions(q->of->sys), n = nq ? 2 * nq : dae_system_size(q->of->sys);
    dae_quad *u0 = allocate((size_t)n, sizeof *u0);
    for (int i = 0; i < n; i++)
        u0[i] = q->of->s->start[i];
    const dae_status status = make_steps(x, q, q->of->sys, u0);
    free(u0);
    return status;
}

/* Parts of an answer: the unknowns, or of each parameter |p| du/dp and what is not known of it. */
static int parts_of(const quad_subject *of) { return of->along ? 2 * of->s->setting->sensitivities : 1; }

/* What the reference has of a part. */
static const dae_reference *reference_of(const quad_subject *of, int part)
{
    const study *s = of->s;
    return !of->along ? &s->path : part % 2 ? &s->errors.wrong[part / 2] : &s->errors.along[part / 2];
}

static json_t *compute(void *context)
{
    const request *q = context;
    const int parts = parts_of(q->of);
    rows *x = allocate((size_t)parts, sizeof *x);
    json_t *texts = json_array();
    for (int i = 0; i < parts; i++)
        x[i] = zero_rows(q->of->s);
    dae_status status = q->of->along ? DAE_OK : add_unknowns(x, q);
    for (int i = 0; !status && i < (parts / 2) * STENCIL_POINTS; i++)
        status = add_point(&x[2 * (i / STENCIL_POINTS)], q, i / STENCIL_POINTS, i % STENCIL_POINTS);
    for (int i = 0; i < parts; i++) {
        if (!status) {
            json_array_append_new(texts, field_text(reference_text(&x[i].at, RUN_SAMPLES)));
            json_array_append_new(texts, field_text(reference_text(&x[i].recovered, RUN_SAMPLES)));
        }
        free_rows(&x[i]);
    }
    free(x);
    return json_pack("{s:i, s:o}", "status", (int)status, "rows", texts);
}

static void append(quad_values *v, const dae_quad *x, const dae_quad *reference, int count)
{
    const size_t more = (size_t)(v->count + count);
    v->x = allocate_again(v->x, more, sizeof *v->x);
    v->reference = allocate_again(v->reference, more, sizeof *v->reference);
    memcpy(v->x + v->count, x, (size_t)count * sizeof *x);
    memcpy(v->reference + v->count, reference, (size_t)count * sizeof *x);
    v->count += count;
}

static void sort_by_class(quad_values *to, const quad_subject *of, const rows *x, const dae_reference *reference)
{
    const int q = RUN_SAMPLES * x->at.nq, nl = RUN_SAMPLES * x->at.nl;
    for (int i = 0; !reference->v && i < q; i++)
        append(&to[dae_system_class(of->sys, i % x->at.nq)], &x->at.q[i], &reference->q[i], 1);
    if (!reference->v)
        return;
    append(&to[DAE_POSITION], x->at.q, reference->q, q);
    append(&to[DAE_VELOCITY], x->at.v, reference->v, q);
    append(&to[DAE_MULTIPLIER], x->at.lambda, reference->lambda, nl);
    append(&to[DAE_RECOVERED], x->recovered.q, reference->lambda, nl);
}

/* What the answer says. */
static dae_status read_level(quad_level *l, const quad_subject *of, const json_t *answer)
{
    const dae_status status = (dae_status)json_integer_value(json_object_get(answer, "status"));
    const json_t *texts = json_object_get(answer, "rows");
    int read = !status;
    for (int i = 0; read && i < parts_of(of); i++) {
        rows x = {.at = {.nq = 0}};
        read = reference_read(json_string_value(json_array_get(texts, (size_t)(2 * i))), RUN_SAMPLES, &x.at);
        read = read && (!of->s->path.nl || reference_read(json_string_value(json_array_get(texts, (size_t)(2 * i + 1))),
                                                          RUN_SAMPLES, &x.recovered));
        if (read)
            sort_by_class(i % 2 ? l->wrong : l->of, of, &x, reference_of(of, i));
        free_rows(&x);
    }
    return status ? status : read ? DAE_OK : DAE_BACKEND;
}

/* Steps are made so many times. */
static int times_of(const quad_subject *of)
{
    return of->along ? STENCIL_POINTS * of->s->setting->sensitivities : 1;
}

dae_status quad_level_ask(quad_level *l, const quad_subject *of, int shaken, int steps)
{
    enum { AS_MUCH = 50 };      /* a step in quad precision is as much work as some fifty in double */
    const study *s = of->s;
    const order_subject *subject = &of->c->subject;
    const double all = RUN_SAMPLES * (double)steps, work = AS_MUCH * all * times_of(of);
    char name[64], words[FRONT_RUN];
    request q = {.of = of, .shaken = shaken, .steps = steps};
    run_result ended = {.status = DAE_OK};
    snprintf(name, sizeof name, "%s in quad", of->c->info.name);
    front_run_words(dae_formulation_describe(subject->form).name, name, (s->t_end - s->t0) / all, words);
    front_plan(&s->setting->front, 1, work);
    json_t *cell = pair_cell(s, "quad steps", subject->form, subject->method);
    json_object_set_new(cell, "shaken", json_integer(shaken));
    json_object_set_new(cell, "steps", json_integer(steps));
    json_object_set_new(cell, "along", json_integer(of->along));
    const runner_reply reply = ask_within(s, cell, times_of(of), (runner_question){
        .compute = compute, .context = &q, .what = words, .work = work});
    *l = (quad_level){.steps = steps};
    if (reply.end != RUNNER_ANSWERED)
        run_was_ended(&ended, &reply);
    else
        ended.status = read_level(l, of, reply.answer);
    if (ended.status)
        quad_level_free(l);
    json_decref(reply.answer);
    return ended.status;
}

void quad_level_free(quad_level *l)
{
    for (int k = 0; k < DAE_CLASSES; k++) {
        free(l->of[k].x);
        free(l->of[k].reference);
        free(l->wrong[k].x);
        free(l->wrong[k].reference);
    }
    *l = (quad_level){.steps = l->steps};
}

/* ---- what it tells ------------------------------------------------------------------------ */

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

double quad_level_work(const quad_subject *of, double steps)
{
    const dae_statistics *count = &of->c->runs[quad_first_level(of->c)].count;
    const double each = count->steps > 0 ? (double)count->jacobians / (double)count->steps : 1;
    return steps * dae_system_size(of->sys) * fmax(1, each);
}
