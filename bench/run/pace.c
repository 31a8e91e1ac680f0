/* pace.c - the shortest time scale of a solution, from the steps of a method that chooses them
 *
 * An error test at rtol makes a method of order p take steps h ~ tau rtol^(1/p), where tau is the
 * time in which the solution changes. The shortest h counts, as a solution is resolved by fixed
 * steps where they resolve its fastest part. A step is short by chance at the start, where it was
 * guessed, and at the end, where it was cut: so h is the largest of WINDOW steps in a row.
 */
#include "run/pace.h"

#include <math.h>

enum { WINDOW = 3 };
static const double RTOL = 1e-6;
/* Interval over h of the pendulum with its defaults, t = 0 to 2, in index 1: measured as here, 2/h =
 * 27.31. The ladders of order.c were chosen on that problem, so that its pace is 1. */
static const double PENDULUM = 27.31;
static const double FASTEST = 40, SLOWEST = 1;

typedef struct {
    double t, recent[WINDOW], shortest;
    long steps;                 /* since the start, or an event */
    int events;
} stride;

static int observe(stride *s, double t)
{
    double longest = 0;
    if (s->steps >= 0)
        s->recent[s->steps % WINDOW] = t - s->t;
    s->steps++;
    s->t = t;
    for (int i = 0; i < WINDOW; i++)
        longest = fmax(longest, s->recent[i]);
    if (s->steps >= WINDOW)
        s->shortest = fmin(s->shortest, longest);
    return 0;
}

/* Steps in which an event happens, and the first behind it, are short for that. */
static int observe_events(void *context, dae_hybrid *run)
{
    stride *s = context;
    const double t = dae_hybrid_time(run);
    if (dae_hybrid_events(run) == s->events)
        return observe(s, t);
    s->events = dae_hybrid_events(run);
    s->steps = -WINDOW;
    s->t = t;
    return 0;
}

static double shortest_step(const study *s, const dae_formulation *form)
{
    const run_setting *o = s->setting;
    dae_options options = dae_default_options();
    stride steps = {.t = s->t0, .shortest = s->t_end - s->t0};
    dae_hybrid *run;
    options.rtol = options.atol = RTOL;
    if (dae_hybrid_create(&run, o->problem, form, o->parameters, &o->baumgarte, run_method_for(DAE_FOR_TIME_SCALE),
                          &options, NULL))
        return NAN;
    if (!run_is_smooth(o->problem))                     /* the start counts as an end of a step */
        dae_hybrid_observe(run, observe_events, &steps);
    dae_status status = dae_hybrid_start(run, o->as_given, NULL);
    dae_hybrid_observe(run, observe_events, &steps);
    if (!status)
        status = dae_hybrid_advance(run, s->t_end);
    dae_hybrid_free(run);
    return status && status != DAE_EVENT ? NAN : steps.shortest;
}

static double relative_pace(const study *s, double step)
{
    const double pace = (s->t_end - s->t0) / step / PENDULUM;
    return isnan(pace) ? 1 : fmin(FASTEST, fmax(SLOWEST, pace));
}

double study_pace(const study *s)
{
    const dae_formulation *form = run_form_of_index(s->setting->problem, 1);
    if (!form)
        form = run_form_of_index(s->setting->problem, -1);
    return relative_pace(s, shortest_step(s, form));
}
