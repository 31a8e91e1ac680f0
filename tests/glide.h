/* glide.h - problems whose events happen at times known without computing
 *
 *   glide    x' = vx, y' = vy, vx' = 0, vy' = -g       straight lines, or parabolas
 *   rest     u' = 0                                     a mode that nothing leaves
 *   spring   x' = v, v' = -x                            passes zero at multiples of pi
 *
 * Included by a test after model.h, and once more in each pass over the models.
 */
#ifndef DAE_PASS
#include <daelab/hybrid.h>

#include "support.h"

static void glide_start(const double *p, double *u)
{
    for (int i = 0; i < 4; i++)
        u[i] = p[X0 + i];
}

static const dae_problem rest = {
    .name = "rest", .title = "nothing moves", .variables = "x y vx vy", .units = "m m m/s m/s",
    .first_order = {.n = 4, .rhs = DAE_MODEL(rest)}, .start = {glide_start},
};
static const dae_problem *const modes[] = {&rest, NULL};

static const dae_problem glide = {
    .name = "glide", .title = "straight on", .variables = "x y vx vy", .units = "m m m/s m/s",
    .parameters = {{"g", 0, "m/s^2", "gravity", DAE_ANY_VALUE},
                   {"x0", 0, "m", "start", DAE_ANY_VALUE}, {"y0", 0, "m", "start", DAE_ANY_VALUE},
                   {"vx0", 1, "m/s", "start", DAE_ANY_VALUE},
                   {"vy0", 1, "m/s", "start", DAE_ANY_VALUE}},
    .first_order = {.n = 4, .rhs = DAE_MODEL(glide)},
    .start = {glide_start}, .t_end = 10, .mode = "gliding", .modes = modes,
};

static void spring_start(const double *p, double *u)
{
    u[1] = 1;
}

static const dae_problem spring = {
    .name = "spring", .variables = "x v", .units = "m m/s",
    .first_order = {.n = 2, .rhs = DAE_MODEL(spring)}, .start = {spring_start}, .t_end = 30,
};

static dae_hybrid *hybrid;
static dae_report why;

static inline void begin(const dae_problem *problem, const char *form, const char *method,
                         const dae_options *options)
{
    const dae_status status =
        dae_hybrid_create(&hybrid, problem, dae_find_formulation(form), NULL, NULL,
                          dae_find_method(method), options, &why);
    if (status)
        fail_msg("%s: %s", method, why.message);
}

static inline dae_status run(const dae_problem *problem, const char *form, const char *method,
                             double rtol, double t_end)
{
    const dae_options options = tolerance(rtol);
    begin(problem, form, method, &options);
    return hybrid_to(hybrid, t_end);
}

static inline void end(void)
{
    dae_hybrid_free(hybrid);
    hybrid = NULL;
}

/* glide with these events and start; the caller's to keep while it runs */
static inline dae_problem with(const dae_event *events, double x, double y, double vx, double vy)
{
    dae_problem p = glide;
    const double start[] = {x, y, vx, vy};
    p.events = events;
    for (int i = 0; i < 4; i++)
        p.parameters[X0 + i].value = start[i];
    return p;
}

static inline void event_is(int i, const char *name, double t, double tolerance)
{
    assert_true(i < dae_hybrid_events(hybrid));
    const dae_event_record r = dae_hybrid_event(hybrid, i);
    assert_string_equal(r.name, name);
    assert_close(r.t, t, tolerance);
}

static inline void message_has(const char *words)
{
    const char *message = dae_hybrid_report(hybrid)->message;
    if (!strstr(message, words))
        fail_msg("\"%s\" does not say \"%s\"", message, words);
}

#define EACH_METHOD(m)                                                                            \
    for (int k_ = 0; dae_method_at(k_); k_++)                                                     \
        for (const char *m = dae_method_describe(dae_method_at(k_)).name; m; m = NULL)

#else

static inline void FN(glide)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[2];
    F[1] = u[3];
    F[2] = 0;
    F[3] = -p[G];
}

static inline void FN(rest)(const param *p, real t, const real *u, real *F)
{
    for (int i = 0; i < 4; i++)
        F[i] = 0;
}

static inline void FN(spring)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -u[0];
}

#endif
