#include "host/timing.h"

double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

dae_status timed_run(dae_solver *solver, dae_sensitivity *along, const double *from, double t0, const double *u0,
                     double t_end, double *u, double *seconds)
{
    const double begin = seconds_of(CLOCK_MONOTONIC);
    dae_status status = dae_solver_start(solver, t0, u0);
    if (!status && along)
        status = dae_sensitivity_start(along, from, NULL);
    if (!status)
        status = dae_solver_advance(solver, t_end, u);
    *seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    return status;
}

dae_status timed_hybrid(dae_hybrid *run, int as_given, double t_end, double *seconds)
{
    dae_status status = dae_hybrid_start(run, as_given, NULL);
    const double begin = seconds_of(CLOCK_MONOTONIC);
    if (!status)
        status = dae_hybrid_advance(run, t_end);
    *seconds = seconds_of(CLOCK_MONOTONIC) - begin;
    return status == DAE_EVENT ? DAE_OK : status;
}
