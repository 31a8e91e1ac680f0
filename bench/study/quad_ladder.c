/* quad_ladder.c - what rounding hides of a ladder: its levels once more, in quad precision */
#include "study/quad_level.h"

#include "run/run_measure.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 30, PART = 1e-3;     /* of rounding, and of the error */
static const double NEAR = 1e-9;
static const double MOST_WORK = 5e5;

/* Of the class of a level as of a run: behind those of the unknowns stand those of |p| du/dp. */
static int class_of(const quad_subject *of, int k) { return of->along ? RUN_DERIVATIVES + k : k; }

static void set_errors(const quad_subject *of, run_result *r, const quad_level *l)
{
    for (int class = 0; class < DAE_CLASSES; class++) {
        const quad_values *v = &l->of[class], *wrong = &l->wrong[class];
        const int k = class_of(of, class);
        if (!v->count)
            continue;
        r->path[k] = r->norm[k] = r->error[k] = quad_distance(v->x, v->reference, v->count);
        r->path_scale[k] = r->scale[k] = quad_largest(v->reference, v->count);
        r->noise[k] = fmax(r->scale[k] * pow(10, -of->s->path.digits),
                           quad_distance(wrong->x, wrong->reference, wrong->count));
    }
}

/* Errors so large against the unknowns are far above the rounding of coefficients. */
static int is_near_rounding(const run_result *r, int k) { return r->path[k] < NEAR * r->path_scale[k]; }

static int any_near_rounding(const run_result *r)
{
    int any = 0;
    for (int k = 0; k < RUN_CLASSES; k++)
        any = any || is_near_rounding(r, k);
    return any;
}

/* What rounding of the coefficients makes, where there is any: the same steps with other last bits of theirs. */
static void measure_noise(const quad_subject *of, const quad_level *l, run_result *r)
{
    quad_level shaken;
    if (!any_near_rounding(r) || quad_level_ask(&shaken, of, 1, l->steps))
        return;
    for (int class = 0; class < DAE_CLASSES; class++) {
        const int k = class_of(of, class), count = l->of[class].count;
        if (count)
            r->noise[k] = fmax(r->noise[k], quad_distance(l->of[class].x, shaken.of[class].x, count));
    }
    quad_level_free(&shaken);
}

/* One level: its errors against the path. */
static run_result quad_run(const quad_subject *of, double step)
{
    run_result r = {.step = step, .rtol = NAN, .unit = 0x1p-112};
    quad_level l;
    const int steps = (int)round((of->s->t_end - of->s->t0) / step / RUN_SAMPLES);
    run_clear(&r);
    r.count.steps = RUN_SAMPLES * steps;
    r.status = quad_level_ask(&l, of, 0, steps);
    if (!r.status) {
        set_errors(of, &r, &l);
        measure_noise(of, &l, &r);
        quad_level_free(&l);
    }
    return r;
}

/* Its errors are those of the study but for rounding, at every level that went through in both. */
static int is_the_same(const converge_curve *c, const run_result *quad, int count, int k)
{
    double noise = 0;
    int compared = 0;
    for (int i = 0; i < count; i++) {
        const run_result *r = &c->runs[i];
        if (i >= c->levels)
            break;
        if (r->status || isnan(r->path[k]))
            continue;
        noise = fmax(noise, fmax(r->noise[k], DBL_EPSILON * r->path_scale[k]));     /* a draw may be small by chance */
        const double e = quad[i].path[k];
        if (!quad[i].status && !(fabs(r->path[k] - e) <= SAME * noise + PART * e))
            return 0;
        compared += !quad[i].status;
    }
    return compared > 0;
}

static int is_open(const order_result *o)
{
    return o->verdict && !isnan(o->declared) && !isnan(o->error)
           && strcmp(o->verdict, "agrees") != 0;
}

/* Rounding has ended the ladder before the order was there, or disturbs the slopes where the ladder ends. */
static int is_hidden(const converge_curve *c, const order_result *o, int k)
{
    return is_open(o) && strcmp(o->verdict, "not determined") == 0
           && (o->dropped > 0 || is_near_rounding(&c->runs[c->levels - 1], k));
}

static int any_hidden(const quad_subject *of)
{
    int any = 0;
    for (int k = class_of(of, 0); k < class_of(of, DAE_CLASSES); k++)
        any = any || is_hidden(of->c, &of->c->order[k], k);
    return any;
}

/* Errors that stop falling below the rounding of doubles are those of something that is rounded to
 * them, as constants of a model are. */
static int stands_on_rounding(const order_result *o, const run_result *finest, int k)
{
    return strcmp(o->verdict, "below") == 0
           && finest->path[k] < 1e3 * DBL_EPSILON * finest->path_scale[k];
}

/* Orders by levels in quad where rounding hides them; how many are open then, or not yet next to the declared one. */
static int judge(const quad_subject *of, converge_curve *c, const run_result *quad, int count,
                 const order_result *before)
{
    int open = 0;
    for (int k = class_of(of, 0); k < class_of(of, DAE_CLASSES); k++) {
        if (!is_hidden(c, &before[k], k) || !is_the_same(c, quad, count, k))
            continue;
        const order_result o = order_observe(&c->subject, quad, count, k);
        open += (is_open(&o) || !order_is_near(&o)) && o.dropped == 0;
        c->order[k] = order_in_quad(&before[k], &c->order[k], &o, stands_on_rounding(&o, &quad[count - 1], k));
    }
    return open;
}

/* The step of level i = count of the curve, or of one finer than the last in quad: of a ladder that begins where steps
 * go through. */
static double next_step(const study *s, const converge_curve *c, const run_result *quad, int count)
{
    const double span = s->t_end - s->t0;
    order_ladder ladder = c->ladder;
    ladder.first = fmax(ladder.first, span / c->runs[quad_first_level(c)].step);
    return count < c->levels ? c->runs[count].step : order_next_step(&ladder, span, quad[count - 1].step);
}

static void climb(const quad_subject *of, converge_curve *c)
{
    const study *s = of->s;
    run_result quad[MAX_LEVELS];
    order_result before[RUN_CLASSES];
    const struct runner *asked = s->setting->runner;
    const long before_any = runner_open(asked);        /* once a level is open, the rest of the curve's is asked for */
    const int first = quad_first_level(c);
    double step, work = 0;
    int count = first, through = 0, open = 1;
    memcpy(before, c->order, sizeof before);
    memcpy(quad, c->runs, (size_t)first * sizeof *quad);        /* those that failed */
    while (open && count < MAX_LEVELS) {
        step = next_step(s, c, quad, count);
        if (isnan(step) || (count >= c->levels && runner_open(asked) != before_any))
            break;
        work += quad_level_work(of, (s->t_end - s->t0) / step);
        if (work > MOST_WORK)
            break;
        quad[count] = quad_run(of, step);
        through += !quad[count].status;
        if (quad[count++].status && count > first + c->ladder.levels / 2 && runner_open(asked) == before_any)
            break;                              /* large steps may be too large for Newton */
        if (through && count >= c->ladder.levels && runner_open(asked) == before_any)
            open = judge(of, c, quad, count, before);
    }
    if (through && count < c->ladder.levels && runner_open(asked) == before_any)
        judge(of, c, quad, count, before);              /* more would be too much work */
}

void quad_ladder(const study *s, converge_curve *c)
{
    quad_subject of = {.s = s, .c = c};
    dae_start_change change;
    double *u = NULL;
    if (!quad_levels_exist(s, c) || study_system(s, c->subject.form, &of.sys, &u, &change, NULL))
        return;
    for (of.along = 0; of.along <= (s->errors.along != NULL); of.along++)
        if (any_hidden(&of))
            climb(&of, c);
    free(u);
    dae_system_free(of.sys);
}
