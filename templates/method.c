/* NAME - the explicit midpoint rule, u + h f(t + h/2, u + h/2 f(t, u))
 *
 *     daelab converge pendulum --form index1 --method ./NAME.c,heun
 *     daelab info ./NAME.c
 *
 * The driver chooses steps, keeps or rejects them and makes the studies; a method makes one step.
 * <daelab/method.h> says what it gets, must do and must count. Everything below is yours to change.
 */
#include <daelab/method.h>

static dae_status supports(const dae_method *method, const dae_system *sys, dae_report *report)
{
    return dae_system_explicit_size(sys) > 0 ? DAE_OK
           : dae_fail(report, DAE_UNSUPPORTED, "%s needs an explicit form", method->info.name);
}

/* u_new := the state at t + h, y[ny] by the rule and the multipliers behind it from the equations there. */
static dae_status step(dae_solver *s, double h, double t_stop)
{
    const int ny = dae_system_explicit_size(s->sys);
    double *u = s->u_new, *z = u + ny, *k = s->work;
    (void)t_stop;
    dae_status status = dae_system_explicit_rhs(s->sys, s->t, s->u, k, z);
    for (int i = 0; i < ny; i++)
        u[i] = s->u[i] + h / 2 * k[i];
    if (!status)
        status = dae_system_explicit_rhs(s->sys, s->t + h / 2, u, k, z);
    for (int i = 0; i < ny; i++)
        u[i] = s->u[i] + h * k[i];
    if (!status)
        status = dae_system_explicit_rhs(s->sys, s->t_new, u, k, z);
    s->count.rhs += 3;
    return status ? status : dae_solver_check_finite(s, u, "the new state", s->t_new);
}

/* The orders with which each kind of unknown converges: converge tries them. */
#define TWO {[DAE_POSITION] = 2, [DAE_VELOCITY] = 2, [DAE_MULTIPLIER] = 2, [DAE_RECOVERED] = 2,  \
             [DAE_DIFFERENTIAL] = 2}

const dae_method dae_NAME = {
    .info = {.name = "NAME", .title = "the explicit midpoint rule", .citation = "where it comes from",
             .stages = 2, .fixed = 1, .order = {[0] = TWO, [1] = TWO}},
    .supports = supports, .step = step};
DAE_PLUGIN_METHODS(&dae_NAME);
