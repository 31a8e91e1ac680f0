/* converge_run.c - the levels of one formulation by one method, and the orders they show */
#include "study/converge.h"

#include "numbers/decimal.h"
#include "study/quad_expansion.h"
#include "study/quad_ladder.h"
#include "study/unresolved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What it is to be, by the specification. */
void converge_plan(converge_curve *c, const study_specification *o, const study *s,
                   const dae_formulation *form, const dae_method *method)
{
    *c = (converge_curve){.subject = {o->run.problem, form, method, run_chooses_steps(&o->run, method),
                                      s->pace},
                          .value = c->value, .info = dae_method_describe(method)};
    c->ladder = order_default_ladder(&c->subject);
    if (c->subject.tolerances)
        c->ladder = (order_ladder){isnan(o->run.rtol) ? 1e-4 : o->run.rtol, 10, 7};
    if (!isnan(o->ratio))
        c->ladder.ratio = o->ratio;
    else if (!c->subject.tolerances && !isnan(o->run.step))
        c->ladder.ratio = 2;
    if (o->levels)
        c->ladder.levels = o->levels;
    else if (!c->subject.tolerances && !isnan(o->run.step))
        c->ladder.levels = 5;
    c->levels = c->ladder.levels;
}

/* Level i: a tolerance, or a step: of the ladder, or the one that divides the interval and is
 * nearest below step/ratio^i. The error of a multiplier depends on the last step, so that none may
 * be shorter than the others. */
double converge_level(const study *s, const converge_curve *c, int i)
{
    const double span = s->t_end - s->t0, step = s->setting->step;
    if (c->subject.tolerances)
        return decimal_level(c->ladder.first, c->ladder.ratio, i);
    if (isnan(step))
        return order_ladder_step(&c->ladder, span, i);
    return span / ceil(span / (step * pow(c->ladder.ratio, -i)) * (1 - 1e-9));
}

double converge_amount(const study *s, const converge_curve *c, int from)
{
    double amount = 0;
    for (int i = from; i < c->levels; i++)
        amount += run_amount(s->setting, c->subject.method, converge_level(s, c, i));
    return amount;
}

/* Level i of the study, into its place. */
static void run_one(const study *s, converge_curve *c, int i, double level)
{
    monitor m;
    memset(&m, 0, sizeof m);
    c->runs[i] = run_asked(s, c->subject.form, c->subject.method, level, &m);
    monitor_free(&m);
}

static void observe(const study *s, converge_curve *c)
{
    for (int k = 0; k < ORDER_CLASSES; k++)
        if (order_shows(s->setting->problem, k))
            c->order[k] = order_observe(&c->subject, c->runs, c->levels, k);
}

/* A ladder of one's own is as long as was asked for; one of tolerances shows no order. */
static int may_be_extended(const study_specification *o, const converge_curve *c)
{
    return !c->as_planned && !c->subject.tolerances && isnan(o->run.step) && isnan(o->ratio)
           && !o->levels
           && c->levels < MAX_LEVELS && !c->runs[c->levels - 1].status;
}

static int asks_for_more(const converge_curve *c)
{
    int any = 0;
    for (dae_class k = 0; k < DAE_CLASSES; k++)         /* at events rounding begins earlier */
        any = any || (c->order[k].verdict && order_asks_for_more(&c->order[k]));
    return any;
}

/* Finer levels, until all classes agree, are at rounding, or it would be too much work. */
static void extend(const study_specification *o, const study *s, converge_curve *c)
{
    const double span = s->t_end - s->t0;
    observe(s, c);
    while (may_be_extended(o, c) && asks_for_more(c)) {
        const double step = order_next_step(&c->ladder, span, c->runs[c->levels - 1].step);
        if (isnan(step))
            break;
        front_plan(&s->setting->front, 1, run_amount(s->setting, c->subject.method, step));
        run_one(s, c, c->levels++, step);
        observe(s, c);
    }
}

/* All levels in doubles; the finest steps, which take longest, first. A method that does not solve the form says so at
 * every level: once is enough. */
static int run_levels(const study *s, converge_curve *c)
{
    c->runs = calloc(MAX_LEVELS, sizeof *c->runs);
    if (!c->runs)
        return 0;
    for (int i = c->refused ? 0 : c->levels - 1; i >= 0; i--)
        run_one(s, c, i, converge_level(s, c, i));
    for (int i = 0; i < c->levels; i++) {
        if (c->runs[i].status != DAE_UNSUPPORTED)
            continue;
        front_plan(&s->setting->front, i + 1 - c->levels, -converge_amount(s, c, i + 1));
        c->runs[i].step = c->runs[i].rtol = NAN;
        while (c->levels > i + 1)
            run_free(&c->runs[--c->levels]);
    }
    return 1;
}

/* What follows from the levels needs all of them. */
int converge_run(const study_specification *spec, const study *s, converge_curve *c)
{
    const long open = runner_open(s->setting->runner);
    if (!run_levels(s, c))
        return 0;
    if (runner_open(s->setting->runner) != open)
        return 1;
    extend(spec, s, c);
    if (!c->as_planned && run_is_smooth(s->setting->problem)) {
        quad_ladder(s, c);
        quad_expansion(s, c);
        unresolved_modes(s, c);
    }
    return 1;
}

void converge_free(converge_curve *c)
{
    for (int k = 0; c->runs && k < c->levels; k++)
        run_free(&c->runs[k]);
    free(c->runs);
    c->runs = NULL;
}
