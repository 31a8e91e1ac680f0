/* own_slopes.h - verdicts of daelab converge held against slopes taken elsewhere: between other
 * steps, and of errors far above rounding only */
#ifndef DAELAB_TEST_OWN_SLOPES_H
#define DAELAB_TEST_OWN_SLOPES_H

#include "support.h"

#include "study/converge.h"
#include "run/pace.h"

/* ---- slopes of one's own */

enum { OWN = 10, OWN_MANY = 12 };

/* Errors on the path, at one time the leading term may vanish, with the largest step of the ladder
 * and halves of it down to its finest. */
typedef struct { int count; run_result run[OWN]; } own_runs;

/* The slope of the finest three errors that are far above rounding, where their two slopes agree
 * with one another; NaN: none. */
static inline double own_slope(const own_runs *own, dae_class c)
{
    double slope[2];
    int last = own->count - 1;
    while (last >= 0
           && (own->run[last].status
               || !(own->run[last].path[c] > 1e-11 * own->run[last].path_scale[c])))
        last--;
    for (int k = 0; k < 2 && last >= 2; k++) {
        const run_result *coarse = &own->run[last - 2 + k], *fine = coarse + 1;
        if (coarse->status || fine->status)
            return NAN;
        slope[k] = log(coarse->path[c] / fine->path[c]) / log(coarse->step / fine->step);
    }
    return last >= 2 && fabs(slope[0] - slope[1]) < 0.1 ? slope[1] : NAN;
}

static inline void run_own(const study *s, const converge_curve *c, own_runs *own)
{
    const double finest = c->runs[c->levels - 1].step;
    double step = c->level[0];
    for (own->count = 0; own->count < OWN && step > 0.9 * finest; step /= 2)
        own->run[own->count++] =
            study_run(s, c->subject.form, c->subject.method, step, NULL);
}

static inline void free_own(own_runs *own)
{
    for (int k = 0; k < own->count; k++)
        run_free(&own->run[k]);
}

/* ---- verdicts */

typedef struct { int declared, determined, agree, below, contradicted, compared; } tally;

static inline int is_determined(const order_result *o)
{
    return strcmp(o->verdict, "agrees") == 0 || strcmp(o->verdict, "above") == 0
           || strcmp(o->verdict, "below") == 0;
}

/* The slope lies on the side that the verdict says. */
static inline int is_confirmed(const order_result *o, double slope)
{
    return strcmp(o->verdict, "agrees") == 0 ? fabs(slope - o->declared) < 0.5
           : strcmp(o->verdict, "above") == 0 ? slope > o->declared + 0.5
                                              : slope < o->declared - 0.5;
}

static inline void check_class(const converge_curve *one, const own_runs *own, dae_class c,
                               tally *sum)
{
    const order_result *o = &one->order[c];
    const double slope = own_slope(own, c);
    if (!o->verdict || isnan(o->declared) || isnan(o->error))
        return;
    sum->declared++;
    if (!is_determined(o)) {
        assert_true(o->reason[0] || strcmp(o->verdict, "not determined") != 0);
        return;
    }
    sum->determined++;
    sum->agree += strcmp(o->verdict, "agrees") == 0;
    sum->below += strcmp(o->verdict, "below") == 0;
    sum->compared += !isnan(slope);
    if (isnan(slope) ? strcmp(o->verdict, "below") != 0 : is_confirmed(o, slope))
        return;
    sum->contradicted++;
    print_error("%s %s %s %s: %s %g, from %.2f to %.2f; slope here %.2f\n",
                one->subject.problem->name, dae_formulation_describe(one->subject.form).name,
                one->info.name, dae_class_name(c), o->verdict, o->declared, o->low, o->high, slope);
}

/* A method that does not solve the form, or not with the largest step, shows nothing. */
static inline void check_pair(const study *s, const dae_formulation *form, const dae_method *method,
                       int as_planned, tally *sum)
{
    converge_curve c = {.value = 0};
    own_runs own;
    study_specification spec = study_default_specification(s->setting->problem);
    spec.run = *s->setting;
    converge_plan(&c, &spec, s, form, method);
    c.as_planned = as_planned;
    converge_run(&spec, s, &c);
    if (!c.runs[0].status) {
        run_own(s, &c, &own);
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (run_shows(s->setting->problem, k))
                check_class(&c, &own, k, sum);
        free_own(&own);
    }
    converge_free(&c);
}

static inline void check_study(const study *s, int as_planned, tally *sum)
{
    for (int f = 0; dae_formulation_at(f); f++)
        for (int m = 0; dae_method_at(m); m++)
            if (dae_formulation_applies(dae_formulation_at(f), s->setting->problem)
                && dae_method_describe(dae_method_at(m)).fixed)
                check_pair(s, dae_formulation_at(f), dae_method_at(m), as_planned, sum);
}

/* Ladders are as planned, for time. */
static inline void check_problem(const run_setting *o, tally *sum)
{
    study s;
    assert_int_equal(0, study_begin(&s, o, REFERENCE_ON_PATH, 0, NULL));
    assert_true(s.sampled);
    check_study(&s, 1, sum);
    study_end(&s);
}

static inline int own_unknowns(const dae_problem *p)
{
    const int mechanical = 2 * p->mechanical.nq + p->mechanical.nl;
    double parameters[MOST_PARAMETERS];
    for (int i = 0; i < dae_parameter_count(p); i++)
        parameters[i] = dae_parameter_default(p, i);
    return mechanical ? mechanical * dae_problem_copies(p, parameters) : p->first_order.n;
}

/* A small problem without events that is as smooth as fixed steps of all methods need it: it asks
 * for less than OWN_MANY times as many steps as the one that paces are measured by. So much of its
 * interval as that one would take. */
static inline int smooth_part(run_setting *o)
{
    enum { LARGE = 8 };
    study s;
    if (o->problem->events || o->problem->modes || own_unknowns(o->problem) > LARGE)
        return 0;
    assert_int_equal(0, study_begin(&s, o, REFERENCE_NONE, 0, NULL));
    const double pace = study_pace(&s);
    o->t_end = s.t0 + (s.t_end - s.t0) / pace;
    study_end(&s);
    return pace < OWN_MANY;
}

#endif
