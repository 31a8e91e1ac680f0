/* quad_ladder.c - what rounding hides of a ladder: its levels once more, in quad precision */
#include "study/quad_ladder.h"

#include "measure/run_measure.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 30, PART = 1e-3;     /* of rounding, and of the error */

/* Norm of the differences of count numbers, and the largest of the second ones. */
static void add_difference(const dae_quad *x, const dae_quad *reference, int count, double *square,
                           double *scale)
{
    for (int i = 0; i < count; i++) {
        const double d = (double)(x[i] - reference[i]);
        *square += d * d;
        *scale = fmax(*scale, fabs((double)reference[i]));
    }
}

static void set_error(const study *s, run_result *r, dae_class c, const dae_quad *x,
                      const dae_quad *reference, int count)
{
    double square = 0, scale = 0;
    if (count == 0)
        return;
    add_difference(x, reference, RUN_SAMPLES * count, &square, &scale);
    r->path[c] = r->norm[c] = r->error[c] = sqrt(square / RUN_SAMPLES);
    r->path_scale[c] = r->scale[c] = scale;
    r->noise[c] = scale * pow(10, -s->path.digits);
}

/* One level: its errors against the path. */
static run_result quad_run(const study *s, const converge_study *c, dae_system *sys, double step)
{
    run_result r = {.step = step, .rtol = NAN, .unit = 0x1p-112};
    const dae_reference *path = &s->path;
    dae_reference at;
    dae_quad *again = calloc((size_t)(RUN_SAMPLES * path->nl) + 1, sizeof *again);
    double times[RUN_SAMPLES];
    const int steps = (int)round((s->t_end - s->t0) / step / RUN_SAMPLES);
    run_clear(&r);
    for (int k = 0; k < RUN_SAMPLES; k++)
        times[k] = run_sample_time(s, k + 1);
    r.count.steps = RUN_SAMPLES * steps;
    r.status = again ? dae_quad_steps(&at, again, sys, c->info.quad_stages, s->t0, s->start, times,
                                      RUN_SAMPLES, steps, NULL) : DAE_NO_MEMORY;
    if (!r.status && path->v) {
        set_error(s, &r, DAE_POSITION, at.q, path->q, path->nq);
        set_error(s, &r, DAE_VELOCITY, at.v, path->v, path->nq);
        set_error(s, &r, DAE_MULTIPLIER, at.lambda, path->lambda, path->nl);
        set_error(s, &r, DAE_RECOVERED, again, path->lambda, path->nl);
    } else if (!r.status) {
        set_error(s, &r, DAE_DIFFERENTIAL, at.q, path->q, path->nq);
    }
    if (!r.status)
        dae_reference_free(&at);
    free(again);
    return r;
}

/* Its errors are those of the study but for rounding, at every level that both have. */
static int is_the_same(const converge_study *c, const run_result *quad, int count, dae_class k)
{
    double noise = 0;
    for (int i = 0; i < count; i++) {
        const run_result *r = &c->runs[i];
        if (i >= c->levels)
            break;
        if (r->status || isnan(r->path[k]))
            return 0;
        noise = fmax(noise, r->noise[k]);
        const double e = quad[i].path[k];
        if (!quad[i].status && !(fabs(r->path[k] - e) <= SAME * noise + PART * e))
            return 0;
    }
    return 1;
}

/* References of other first-order problems begin at a start that is made consistent. */
static int has_quad_steps(const study *s, const converge_study *c)
{
    return c->info.quad_stages && !c->subject.tolerances && s->sampled && !c->runs[0].status
           && !isnan(c->runs[0].path[s->path.v ? DAE_POSITION : DAE_DIFFERENTIAL])
           && (s->path.v || strcmp(s->path.source, "extrapolation") == 0);
}

static int is_open(const order_result *o)
{
    return o->verdict && !isnan(o->declared) && !isnan(o->error)
           && strcmp(o->verdict, "agrees") != 0;
}

static int any_open(const converge_study *c)
{
    int any = 0;
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        any = any || is_open(&c->order[k]);
    return any;
}

/* Errors that stop falling below the rounding of doubles are those of something that is rounded to
 * them, as constants of a model are. */
static int stands_on_rounding(const order_result *o, const run_result *finest, dae_class k)
{
    return strcmp(o->verdict, "below") == 0
           && finest->path[k] < 1e3 * DBL_EPSILON * finest->path_scale[k];
}

/* Orders by levels in quad where those of the study leave them open; how many are open then. */
static int judge(converge_study *c, const run_result *quad, int count, const order_result *before)
{
    int open = 0;
    for (dae_class k = 0; k < DAE_CLASSES; k++) {
        if (!is_open(&before[k]) || !is_the_same(c, quad, count, k))
            continue;
        const order_result o = order_observe(&c->subject, quad, count, k);
        open += is_open(&o) && o.dropped == 0;
        if (strcmp(o.verdict, "not determined") == 0 || stands_on_rounding(&o, &quad[count - 1], k))
            continue;
        c->order[k] = o;
        c->order[k].error = before[k].error;
        c->order[k].estimated_order = before[k].estimated_order;
        c->order[k].estimated_error = before[k].estimated_error;
        c->order[k].in_quad = 1;
    }
    return open;
}

void quad_ladder(const study *s, converge_study *c)
{
    run_result quad[MAX_LEVELS];
    order_result before[DAE_CLASSES];
    dae_system *sys = NULL;
    double *u = NULL;
    dae_start_change change;
    double step;
    int count = 0, open = 1;
    if (!has_quad_steps(s, c) || !any_open(c)
        || study_system(s, c->subject.form, &sys, &u, &change, NULL))
        return;
    memcpy(before, c->order, sizeof before);
    while (open && count < MAX_LEVELS) {
        step = count < c->levels
                   ? c->runs[count].step
                   : order_next_step(&c->ladder, s->t_end - s->t0, quad[count - 1].step);
        if (isnan(step))
            break;
        quad[count] = quad_run(s, c, sys, step);
        if (quad[count++].status && count > c->ladder.levels / 2)
            break;                              /* large steps may be too large for Newton */
        if (count >= c->ladder.levels)
            open = judge(c, quad, count, before);
    }
    free(u);
    dae_system_free(sys);
}
