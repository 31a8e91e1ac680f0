/* converge_run.c - the levels of one formulation by one method, and the orders they show */
#include "study/converge.h"

#include "host/allocate.h"
#include "study/quad_level.h"
#include "study/unresolved.h"

#include <math.h>
#include <stdlib.h>

/* The step that divides the interval and is nearest below this one: the error of a multiplier depends on the last
 * step, so that none may be shorter than the others. */
static double whole(const study *s, int tolerances, double level)
{
    const double span = s->t_end - s->t0;
    return tolerances ? level : span / ceil(span / level * (1 - 1e-9));
}

/* What it is to be, by the specification. */
void converge_plan(converge_curve *c, const study_specification *o, const study *s,
                   const dae_formulation *form, const dae_method *method)
{
    *c = (converge_curve){.subject = {o->run.problem, form, method, run_chooses_steps(&o->run, method),
                                      s->pace},
                          .value = c->value, .info = dae_method_describe(method)};
    const int tolerances = c->subject.tolerances, own = !tolerances && isnan(o->run.step);
    const order_ladder by_order = order_default_ladder(&c->subject);
    c->ladder = study_ladder(o, tolerances, own ? by_order : tolerances ? (order_ladder){1e-4, 10, 7}
                                                                        : (order_ladder){o->run.step, 2, 5});
    c->levels = c->ladder.levels;
    for (int i = 0; i < c->levels; i++)
        c->level[i] = own ? order_ladder_step(&c->ladder, s->t_end - s->t0, i)
                          : whole(s, tolerances, study_level(o, tolerances, &c->ladder, i));
    c->ladder.first = tolerances ? c->ladder.first : by_order.first;
}

double converge_amount(const study *s, const converge_curve *c, int from)
{
    double amount = 0;
    for (int i = from; i < c->levels; i++)
        amount += run_amount(s->setting, c->subject.method, c->level[i]);
    return amount;
}

static void observe(const study *s, converge_curve *c)
{
    for (int k = 0; k < ORDER_CLASSES; k++)
        if (order_shows(s->setting, k))
            c->order[k] = order_observe(&c->subject, c->runs, c->levels, k);
}

/* A ladder of one's own is as long as was asked for; one of tolerances shows no order. */
static int may_be_extended(const study_specification *o, const converge_curve *c)
{
    return !c->as_planned && !c->subject.tolerances && isnan(o->run.step) && isnan(o->ratio)
           && !o->levels && c->levels < MAX_LEVELS;
}

/* Are all steps so far too large for the method, or for its iterations? */
static int is_too_coarse(const converge_curve *c)
{
    int i = 0;
    while (i < c->levels && (c->runs[i].status == DAE_NO_CONVERGENCE || c->runs[i].status == DAE_SINGULAR
                             || c->runs[i].status == DAE_NOT_FINITE))
        i++;
    return i == c->levels;
}

static int asks_for_more(const converge_curve *c)
{
    int any = 0;
    if (c->runs[c->levels - 1].status)
        return is_too_coarse(c);
    for (int k = 0; k < RUN_CLASSES; k++)               /* at events rounding begins earlier */
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
        study_run_levels(s, c->subject.form, c->subject.method, &step, 1, 1, &c->runs[c->levels++]);
        observe(s, c);
    }
}

int study_run_levels(const study *s, const dae_formulation *form, const dae_method *method, const double *level,
                     int levels, int watched, run_result *runs)
{
    double left_out = 0;
    int last = 0;
    for (int i = levels - 1; i >= 0; i--) {
        monitor m = {.t = NULL};
        runs[i] = run_asked(s, form, method, level[i], watched ? &m : NULL);
        monitor_free(&m);
    }
    while (last < levels - 1 && runs[last].status != DAE_UNSUPPORTED)
        last++;
    for (int i = last + 1; i < levels; i++) {
        left_out += run_amount(s->setting, method, level[i]);
        run_free(&runs[i]);
    }
    if (last < levels - 1)
        front_plan(&s->setting->front, last + 1 - levels, -left_out);
    return last + 1;
}

/* All levels in doubles. */
static void run_levels(const study *s, converge_curve *c)
{
    c->runs = allocate(MAX_LEVELS, sizeof *c->runs);
    if (c->refused) {
        front_plan(&s->setting->front, 1 - c->levels, -converge_amount(s, c, 1));
        c->levels = 1;
    }
    c->levels = study_run_levels(s, c->subject.form, c->subject.method, c->level, c->levels, 1, c->runs);
    run_result *last = &c->runs[c->levels - 1];
    if (last->status == DAE_UNSUPPORTED)
        last->step = last->rtol = NAN;
}

/* What follows from the levels needs all of them. */
void converge_run(const study_specification *spec, const study *s, converge_curve *c)
{
    const long open = runner_open(s->setting->runner);
    run_levels(s, c);
    if (runner_open(s->setting->runner) != open)
        return;
    extend(spec, s, c);
    if (!c->as_planned && run_is_smooth(s->setting->problem)) {
        quad_ladder(s, c);
        quad_expansion(s, c);
        unresolved_modes(s, c);
    }
}

void converge_free(converge_curve *c)
{
    for (int k = 0; c->runs && k < c->levels; k++)
        run_free(&c->runs[k]);
    free(c->runs);
    c->runs = NULL;
}
