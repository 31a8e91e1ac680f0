/* pace.c - the shortest time scale of a solution, from the steps of a method that chooses them
 *
 * An error test at rtol makes a method of order p take steps h ~ tau rtol^(1/p), where tau is the
 * time in which the solution changes. The shortest h counts, as a solution is resolved by fixed
 * steps where they resolve its fastest part. A step is short by chance at the start, where it was
 * guessed, and at the end, where it was cut: so h is the largest of WINDOW steps in a row.
 */
#include "measure/pace.h"

#include <math.h>
#include <stdlib.h>

enum { WINDOW = 3 };
static const double RTOL = 1e-6;
/* Interval over h of the pendulum with its defaults, t = 0 to 2, in index 1: measured as here, 2/h =
 * 27.31. The ladders of order.c were chosen on that problem, so that its pace is 1. */
static const double PENDULUM = 27.31;
static const double FASTEST = 40, SLOWEST = 1;

typedef struct {
    double t, recent[WINDOW], shortest;
    long steps;
} stride;

static int observe(void *context, double t, const double *u)
{
    stride *s = context;
    double longest = 0;
    (void)u;
    s->recent[s->steps++ % WINDOW] = t - s->t;
    s->t = t;
    for (int i = 0; i < WINDOW; i++)
        longest = fmax(longest, s->recent[i]);
    if (s->steps >= WINDOW)
        s->shortest = fmin(s->shortest, longest);
    return 0;
}

static double shortest_step(const study *s, dae_system *sys, double *u)
{
    dae_options options = dae_default_options();
    stride steps = {.t = s->t0, .shortest = s->t_end - s->t0};
    dae_solver *solver;
    options.rtol = options.atol = RTOL;
    if (dae_solver_create(&solver, sys, run_method_for(DAE_FOR_TIME_SCALE), &options, NULL))
        return NAN;
    dae_solver_observe(solver, observe, &steps);
    dae_status status = dae_solver_start(solver, s->t0, u);
    if (!status)
        status = dae_solver_advance(solver, s->t_end, u);
    dae_solver_free(solver);
    return status ? NAN : steps.shortest;
}

double study_pace(const study *s)
{
    const dae_formulation *form = run_form_of_index(s->setting->problem, 1);
    dae_start_change change;
    dae_system *sys;
    double *u;
    if (!form)
        form = run_form_of_index(s->setting->problem, -1);
    if (study_system(s, form, &sys, &u, &change, NULL))
        return 1;
    const double pace = (s->t_end - s->t0) / shortest_step(s, sys, u) / PENDULUM;
    free(u);
    dae_system_free(sys);
    return isnan(pace) ? 1 : fmin(FASTEST, fmax(SLOWEST, pace));
}
