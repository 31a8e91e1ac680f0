/* events.c - a ball that bounces on a floor, ever lower, and comes to rest
 *
 * Shows: events with an action, two modes, infinitely many events in a finite time. They accumulate at
 * sqrt(2 h/g) (1 + e)/(1 - e) = 1.354570922957 s.
 */
#ifndef DAE_PASS
enum { G, E };
#include <daelab/hybrid.h>
#include <daelab/model.h>
#include <stdio.h>

static const dae_event hits[] = {
    {.name = "floor", .title = "the ball hits the floor", .direction = DAE_FALLING, .value = DAE_MODEL(height),
     .action = DAE_MODEL(bounce), .limit = "resting"}, {0}};

static const dae_problem resting = {                    /* y = 0, held by the force N */
    .name = "resting", .title = "on the floor", .equations = "y'' = N - g,  0 = -y", .variables = "y v N",
    .units = "m m/s N", .start = DAE_MODEL(start), .mechanical = {.nq = 1, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem *const others[] = {&resting, NULL};

static const dae_problem ball = {
    .name = "ball", .title = "a ball that bounces and rests", .citation = "a textbook", .equations = "y'' = -g",
    .variables = "y v", .units = "m m/s",
    .parameters = {{"g", 9.81, "m/s^2", "gravity"}, {"e", 0.5, "-", "restitution", DAE_NONNEGATIVE}},
    .mechanical = {.nq = 1, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .start = DAE_MODEL(start), .t_end = 3, .events = hits, .mode = "flying", .modes = others};

int main(void)
{
    dae_report why = {0};
    dae_hybrid *run = NULL;
    dae_options options = dae_default_options();
    options.rtol = options.atol = 1e-9;
    if (dae_hybrid_create(&run, &ball, dae_find_formulation("index1"), NULL, NULL, dae_find_method("radau"), &options,
                          &why)) {
        printf("%s\n", why.message);
        return 1;
    }
    dae_status status = dae_hybrid_start(run, 0, NULL);
    if (!status)
        status = dae_hybrid_advance(run, 3);
    for (int i = 0; i < dae_hybrid_events(run); i++) {
        const dae_event_record e = dae_hybrid_event(run, i);
        if (i < 3 || e.accumulated)
            printf("%3d  t = %.9f s  %s%s\n", i + 1, e.t, e.name, e.accumulated ? ": here they accumulate" : "");
    }
    if (status)
        printf("%s\n", dae_hybrid_report(run)->message);
    else
        printf("at t = %g s: mode %s\n", dae_hybrid_time(run), dae_hybrid_mode_name(run, dae_hybrid_mode(run)));
    dae_hybrid_free(run);
    return status != DAE_OK;
}
#else
static void FN(start)(const param *p, real *u) { u[0] = 1; }
static real FN(height)(const param *p, real t, const real *x, int k) { return x[0]; }
static int FN(bounce)(const param *p, real t, real *x, real *p_new, int k) { x[1] *= -p[E]; return 0; }
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = -p[G]; }
static void FN(constraint)(const param *p, real t, const real *q, real *g) { g[0] = -q[0]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r) { r[0] = -v[0]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{ r[0] = -a[0]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r) { r[0] = -n[0]; }
#endif
