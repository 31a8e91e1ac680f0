/* test_entry.c - what a state may be off the constraints of a mode that it enters, and records of
 * entering
 *
 *   free   x'' = 0, y'' = 0                 floor  the same with y = 0
 *   clock  t' = 1, x' = 0, 0 = z - 1e6      held   t' = 1, x' = z, 0 = x - 2, of index 2
 */
#ifndef DAE_PASS
enum { X, Y, VX, VY, T };
#include <daelab/model.h>

#include "switching.h"

static void start(const double *p, double *u)
{
    for (int i = 0; i < 4; i++)
        u[i] = p[i];
}

static double after(const double *p, double t, const double *x, int k) { return t - p[T]; }
static double landed(const double *p, double t, const double *x, int k) { return x[1]; }
static const dae_event late[] = {
    {.name = "late", .value = {after}, .direction = DAE_RISING, .mode = "floor"}, {0}};
static const dae_event lands[] = {
    {.name = "lands", .value = {landed}, .direction = DAE_FALLING, .mode = "floor"}, {0}};
static const dae_problem floor_mode = {
    .name = "floor", .variables = "x y vx vy N", .units = "m m m/s m/s N", .start = {start},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};
static const dae_problem *const floors[] = {&floor_mode, NULL};
static const dae_problem flying = {
    .name = "flying", .variables = "x y vx vy", .units = "m m m/s m/s", .start = {start},
    .parameters = {{"x", 1e4, "m", "start", DAE_ANY_VALUE}, {"y", 5, "m", "start", DAE_ANY_VALUE},
                   {"vx", 100, "m/s", "start", DAE_ANY_VALUE},
                   {"vy", 0, "m/s", "start", DAE_ANY_VALUE}, {"T", 0.5, "s", "event"}},
    .mechanical = {.nq = 2, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)},
    .mode = "free", .modes = floors, .t_end = 1};

static dae_status run_with(dae_hybrid **run, const dae_problem *problem, const char *form,
                           const char *method, dae_options options)
{
    *run = hybrid_of(problem, form, NULL, dae_find_method(method), &options);
    const dae_status status = dae_hybrid_start(*run, 0, NULL);
    return status ? status : dae_hybrid_advance(*run, problem->t_end);
}

/* From 5 m onto the floor at once: refused, be x large, be y far from 0, be it falling, be steps
 * fixed. */
TEST(far_above)
{
    static const double starts[][4] = {{1e4, 5, 100, 0}, {0, 5, 1, 0}, {0, 5e-7, 1e4, 0},
                                       {0, 5, 0, -1}, {0, 1, 0, -1.98}};
    for (int k = 0; k < 5; k++)
        for (int fixed = 0; fixed < 2; fixed++) {
            OWNED(dae_hybrid) *run = NULL;
            dae_problem p = flying;
            dae_options options = tolerance(1e-8);
            p.events = late;
            options.step = fixed ? 0.01 : 0;
            options.atol = 1e-12;
            for (int i = 0; i < 4; i++)
                p.parameters[i].value = starts[k][i];
            assert_int_equal(run_with(&run, &p, "index2", "radau5", options), DAE_INCONSISTENT);
            assert_non_null(strstr(dae_hybrid_report(run)->message, "after late"));
        }
}

/* Where it lands it may stay, beside a large x and with loose tolerances too. */
TEST(landing)
{
    static const char *const methods[] = {"dop853", "radau", "rodas5p", "cros4", "ida"};
    for (int m = 0; m < 5; m++)
        for (double rtol = 1e-2; rtol > 1e-10; rtol *= 1e-3) {
            OWNED(dae_hybrid) *run = NULL;
            dae_problem p = flying;
            p.events = lands;
            p.parameters[VY].value = -12;
            if (run_with(&run, &p, "index1", methods[m], tolerance(rtol)))
                fail_msg("%s: %s", methods[m], dae_hybrid_report(run)->message);
            assert_int_equal(dae_hybrid_mode(run), 1);
        }
}

static void clock_start(const double *p, double *u)
{
    u[1] = 1;
    u[2] = 1e6;
}
static double half(const double *p, double t, const double *x, int k) { return x[0] - 0.5; }
static const dae_event halves[] = {
    {.name = "half", .value = {half}, .direction = DAE_RISING, .mode = "held"}, {0}};
static const dae_problem held = {
    .name = "held", .variables = "t x z", .units = "s - -", .start = {clock_start},
    .first_order = {.n = 3, .index = 2, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(held),
                    .reduced = DAE_MODEL(held_reduced)}};
static const dae_problem *const helds[] = {&held, NULL};
static const dae_problem clock_mode = {
    .name = "clock", .variables = "t x z", .units = "s - -", .start = {clock_start}, .t_end = 1,
    .first_order = {.n = 3, .index = 1, .mass = DAE_MODEL(two_of_three), .rhs = DAE_MODEL(clock)},
    .mode = "free", .modes = helds, .events = halves};

/* x = 1 does not become 2 because an algebraic z is 1e6. */
TEST(beside_an_algebraic_unknown)
{
    OWNED(dae_hybrid) *run = NULL;
    assert_int_equal(run_with(&run, &clock_mode, "native", "radau", tolerance(1e-8)),
                     DAE_INCONSISTENT);
    assert_non_null(strstr(dae_hybrid_report(run)->message, "the constraints of held: number 1 is off by 1,"));
}

/* ---- records ------------------------------------------------------------------------------- */

static int stop(const double *p, double t, double *x, double *p_new, int k) { return 1; }
static int nothing(const double *p, double t, double *x, double *p_new, int k) { return 0; }
static int below(const double *p, double t, double *x, double *p_new, int k) { x[1] = -x[1]; return 0; }
static double higher(const double *p, double t, const double *x, int k) { return x[1] - 1; }

/* Of events at once the one is named that enters the mode, and the one that stops. */
TEST(names)
{
    static const dae_event both[] = {
        {.name = "enters", .value = {landed}, .direction = DAE_FALLING, .mode = "floor"},
        {.name = "seen", .value = {landed}, .direction = DAE_FALLING, .action = {nothing}}, {0}};
    static const dae_event stops[] = {
        {.name = "stops", .value = {landed}, .direction = DAE_FALLING, .action = {stop}},
        {.name = "seen", .value = {landed}, .direction = DAE_FALLING, .action = {nothing}}, {0}};
    for (int k = 0; k < 2; k++) {
        OWNED(dae_hybrid) *run = NULL;
        dae_problem p = flying;
        p.events = k ? stops : both;
        p.parameters[VY].value = -10;
        assert_int_equal(run_with(&run, &p, "index1", "dop853", tolerance(1e-8)),
                         k ? DAE_EVENT : DAE_OK);
        assert_int_equal(dae_hybrid_events(run), 2);
        assert_int_equal(dae_hybrid_event(run, 0).to, k ? 0 : 1);
        assert_int_equal(dae_hybrid_event(run, 1).to, 0);
        if (k)
            assert_non_null(strstr(dae_hybrid_report(run)->message, "stopped by event stops"));
    }
}

/* A guard that is heard either way happens on entry where the way there has taken it across
 * zero. */
TEST(guards_of_any_direction)
{
    static const dae_event goes[2][2] = {
        {{.name = "goes", .value = {after}, .direction = DAE_RISING, .action = {below}, .mode = "air"},
         {0}},
        {{.name = "goes", .value = {after}, .direction = DAE_RISING, .mode = "air"}, {0}}};
    static const dae_event guard[] = {
        {.name = "guard", .value = {higher}, .direction = DAE_ANY, .mode = "last"}, {0}};
    static dae_problem air, last;
    static const dae_problem *const modes[] = {&air, &last, NULL};
    air = last = flying;
    air.name = "air";
    last.name = "last";
    air.mode = last.mode = NULL;
    air.modes = last.modes = NULL;
    air.events = guard;
    for (int k = 0; k < 2; k++) {
        OWNED(dae_hybrid) *run = NULL;
        dae_problem p = flying;
        p.events = goes[k];
        p.modes = modes;
        assert_int_equal(run_with(&run, &p, "index1", "dop853", tolerance(1e-8)), DAE_OK);
        assert_int_equal(dae_hybrid_events(run), k ? 1 : 2);
        assert_int_equal(dae_hybrid_mode(run), k ? 1 : 2);
    }
}

#else
#include "plain_terms.h"

#include "on_floor.h"

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = f[1] = 0;
}
static void FN(clock)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = 0;
    F[2] = u[2] - 1e6;
}
static void FN(held)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = u[2];
    F[2] = u[1] - 2;
}
static void FN(held_reduced)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1;
    F[1] = F[2] = u[2];
}
#endif
