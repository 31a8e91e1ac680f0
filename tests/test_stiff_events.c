/* test_stiff_events.c - the state at an event of a stiff run is as good as that of a run which ends
 * there
 *
 * A step of the method that ends at the event is a part of one that has passed the error test, but
 * may have a larger error: of u' = -L (u - cos t) - sin t what L h damps.
 */
#include "small_models.h"
#include "switching.h"

static const double RTOL = 1e-8;

static double at_time(void *context, double t, const double *x) { return t - *(double *)context; }
static double at_value(void *context, double t, const double *x)
{
    return x[0] - cos(*(double *)context);
}

/* The state u of a run that ends at t */
static void end_at(const dae_problem *problem, const double *p, const char *method, double rtol,
                   double t, double *u)
{
    const dae_options options = tolerance(rtol);
    OWNED(dae_system) *sys = system_of(problem, "native", p, u);
    solve_to(sys, method, &options, t, u);
}

/* The time of the event, and u there; NaN where SUNDIALS ends the run with an error of its own, which is said, as
 * dirk of ARKODE 7.1 does in some of them. */
static double event_at(const dae_problem *problem, const double *p, const char *method,
                       dae_condition *condition, double c, double *u)
{
    const dae_options options = tolerance(RTOL);
    OWNED(dae_hybrid) *run = hybrid_of(problem, "native", p, dae_find_method(method), &options);
    assert_int_equal(dae_hybrid_stop_where(run, "c", condition, &c, DAE_ANY), DAE_OK);
    dae_status status = hybrid_to(run, problem->t_end);
    if (status == DAE_ERROR_TEST && strstr(dae_hybrid_report(run)->message, "ARKODE: "))
        return NAN;
    if (status != DAE_EVENT)
        fail_msg("%s, L = %g, c = %g: %s", method, p[0], c, dae_hybrid_report(run)->message);
    const double t = dae_hybrid_time(run);
    memcpy(u, dae_hybrid_unknowns(run), 2 * sizeof *u);
    return t;
}

/* 5 rtol beside what a run has that ends there, twice */
static void no_worse(const dae_problem *problem, const double *p, const char *method, double t,
                     double event, double end, double exact)
{
    const double off = fabs(event - exact), usual = fabs(end - exact);
    if (!(off <= 2 * usual + 5 * RTOL * (1 + fabs(exact))))
        fail_msg("%s of %s, L = %g: at an event at t = %.9g u is off by %.2g, where a run ends by "
                 "%.2g", method, problem->name, p[0], t, off, usual);
}

static void slow_events(const char *method)
{
    int through = 0, all = 0;
    for (double rate = 1e2; rate < 2e8; rate *= 100)
        for (double c = 0.31; c < 6; c += 1.23) {
            double u[2], v[2];
            const int by_value = c < 3;
            const double t = event_at(&dae_slow, &rate, method, by_value ? at_value : at_time, c, u);
            all++;
            if (isnan(t))
                continue;
            through++;
            end_at(&dae_slow, &rate, method, RTOL, t, v);
            assert_close(t, c, by_value ? 2 * fabs(v[0] - cos(t)) / sin(c) + 20 * RTOL : 1e-12);
            no_worse(&dae_slow, &rate, method, t, u[0], v[0], cos(t));
            no_worse(&dae_slow, &rate, method, t, u[1], v[1], 2 * exp(-t));
        }
    assert_in_range(through, all - 2, all);
}

static void oscillator_events(const char *method)
{
    for (double rate = 1e2; rate < 2e6; rate *= 100)
        for (double c = 0.1; c < 0.8; c += 0.2) {
            double u[2], v[2], exact[2];
            const double t = event_at(&dae_oscillator, &rate, method, at_time, c, u);
            end_at(&dae_oscillator, &rate, method, RTOL, t, v);
            end_at(&dae_oscillator, &rate, "radau", 1e-12, t, exact);
            no_worse(&dae_oscillator, &rate, method, t, u[0], v[0], exact[0]);
        }
}

static int stiff(const char *method)
{
    return dae_method_describe(dae_find_method(method)).implicit;
}

static void of_a_slow_solution(const char *method)
{
    if (stiff(method))
        slow_events(method);
}

static void of_an_oscillator(const char *method)
{
    if (stiff(method))
        oscillator_events(method);
}

TEST(slow_solutions)
{
    for_adaptive_methods(0, of_a_slow_solution);
}

TEST(oscillators)
{
    for_adaptive_methods(0, of_an_oscillator);
}
