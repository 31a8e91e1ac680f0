/* kinked.h - problems whose F has kinks and jumps, and what they tend to without them
 *
 * F is smooth in pieces: piece i where a function s(t, x) of the model lies between its bounds i - 1 and i.
 * A parameter holds F to one piece, wherever s is. So a reference is a run in pieces, each with a smooth F,
 * to the times at which s passes a bound.
 *
 * Included by a test in place of model.h, and once more in each pass over the models.
 */
#ifndef DAE_PASS
#include <daelab/hybrid.h>

#include "support.h"

enum { MOST_BOUNDS = 24, MOST_PIECES = 400 };

typedef struct {
    const dae_problem *problem;
    const char *form;
    double (*s)(const double *p, double t, const double *x);
    double rate;                /* what the parameter `rate` is */
    int count;
    double bound[MOST_BOUNDS];
} kinked;

static const kinked *kinked_now;        /* the model that piece() looks at */

static int kinked_piece(double piece, double s)
{
    int i = 0;
    while (i < kinked_now->count && s > kinked_now->bound[i])
        i++;
    return piece > 0 ? (int)piece - 1 : i;
}

#include <daelab/model.h>

#define FIRST_ORDER(id, N, INDEX, T_END, ...)                                                          \
    static const dae_problem id##_problem = {                                                          \
        .name = #id, .t_end = T_END, .start = {id##_start_double},                                     \
        .parameters = {{"piece", 0, "-", "0: of s", DAE_ANY_VALUE},                                    \
                       {"rate", 1, "1/s", "rate", DAE_POSITIVE}},                                      \
        .first_order = {.n = N, .index = INDEX, .rhs = DAE_MODEL(id##_rhs), __VA_ARGS__}}

FIRST_ORDER(ramp, 2, 0, 3);
FIRST_ORDER(drag, 2, 0, 7);
FIRST_ORDER(contact, 2, 0, 1.9);
FIRST_ORDER(friction, 2, 0, 10);
FIRST_ORDER(pipe, 2, 0, 11);
FIRST_ORDER(controller, 3, 0, 8);
FIRST_ORDER(chua, 3, 0, 6);
FIRST_ORDER(pulses, 2, 0, 5);
FIRST_ORDER(steps, 2, 0, 4);
FIRST_ORDER(bilinear, 2, 0, 15);
FIRST_ORDER(table, 2, 0, 6);
FIRST_ORDER(relaxation, 2, 0, 3);

static const dae_problem stop_problem = {
    .name = "stop", .t_end = 6, .start = {stop_start_double},
    .parameters = {{"piece", 0, "-", "0: of s", DAE_ANY_VALUE},
                   {"rate", 1, "1/s", "rate", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}};

static double time_of(const double *p, double t, const double *x) { return t; }
static double first_of(const double *p, double t, const double *x) { return x[0]; }
static double second_of(const double *p, double t, const double *x) { return x[1]; }
static double belt_slip(const double *p, double t, const double *x) { return x[1] - 0.3; }
static double control_of(const double *p, double t, const double *x)
{
    return -12 * (x[0] - 1) - 4 * x[1] - 2 * x[2];
}

static const kinked kinked_models[] = {
    {&ramp_problem, "native", time_of, 1, 1, {0.7373}},
    {&ramp_problem, "native", time_of, 1e4, 1, {0.7373}},
    {&drag_problem, "native", first_of, 1, 1, {0}},
    {&contact_problem, "native", first_of, 30, 1, {0}},
    {&contact_problem, "native", first_of, 1e3, 1, {0}},
    {&friction_problem, "native", belt_slip, 1, 2, {-0.02, 0.02}},
    {&friction_problem, "native", belt_slip, 100, 2, {-0.0002, 0.0002}},
    {&pipe_problem, "native", second_of, 1, 2, {-1, 1}},
    {&pipe_problem, "native", second_of, 1e3, 2, {-1, 1}},
    {&controller_problem, "native", control_of, 1, 2, {-1, 1}},
    {&chua_problem, "native", first_of, 1, 2, {-1, 1}},
    {&pulses_problem, "native", time_of, 1, 16,
     {0.3, 0.35, 0.6, 0.65, 1.3, 1.35, 1.6, 1.65, 2.3, 2.35, 2.6, 2.65, 3.3, 3.35, 3.6, 3.65}},
    {&pulses_problem, "native", time_of, 1e3, 16,
     {0.3, 0.35, 0.6, 0.65, 1.3, 1.35, 1.6, 1.65, 2.3, 2.35, 2.6, 2.65, 3.3, 3.35, 3.6, 3.65}},
    {&steps_problem, "native", time_of, 1, 2, {0.7373, 2.1117}},
    {&steps_problem, "native", time_of, 1e3, 2, {0.7373, 2.1117}},
    {&bilinear_problem, "native", first_of, 1, 1, {0}},
    {&table_problem, "native", first_of, 1, 9, {-1.6, -1.2, -0.8, -0.4, 0, 0.4, 0.8, 1.2, 1.6}},
    {&table_problem, "native", first_of, 300, 9, {-1.6, -1.2, -0.8, -0.4, 0, 0.4, 0.8, 1.2, 1.6}},
    {&relaxation_problem, "native", first_of, 1e4, 2, {-1, 1}},
    {&stop_problem, "index1", first_of, 10, 1, {0.5}},
    {&stop_problem, "index2", first_of, 10, 1, {0.5}},
    {&stop_problem, "index2", first_of, 300, 1, {0.5}},
    {&stop_problem, "ggl", first_of, 10, 1, {0.5}},
    {&stop_problem, "index3", first_of, 10, 1, {0.5}},
};
enum { KINKED = sizeof kinked_models / sizeof *kinked_models };

/* u[n] at the start, of F as it is, or held to a piece. */
static inline dae_system *kinked_system(const kinked *k, int piece, double *u)
{
    const double p[] = {piece, k->rate};
    kinked_now = k;
    return consistent_system(k->problem, k->form, p, u);
}

/* ---- references ----------------------------------------------------------------------------- */

typedef struct {
    const kinked *model;
    double p[2], bound;
} kinked_bound;

static double kinked_beyond(void *context, double t, const double *x)
{
    const kinked_bound *b = context;
    return b->model->s(b->p, t, x) - b->bound;
}

/* From (t, x) in a piece to where it ends, or to t_end, whichever is first: 0, or where s has passed to, -1 or
 * 1. */
static inline int kinked_pass(const kinked *k, int piece, double t_end, double *t, double *x)
{
    dae_options options = tolerance(3e-14);
    dae_report why = {0};
    OWNED(dae_hybrid) *run = NULL;
    kinked_bound low = {k, {piece + 1, k->rate}, 0}, high = low;
    options.max_steps = 1000000;
    dae_status status = dae_hybrid_create(&run, k->problem, dae_find_formulation(k->form), low.p, NULL,
                                          dae_find_method("radau"), &options, &why);
    if (status)
        fail_msg("%s: %s", k->problem->name, why.message);
    if (piece > 0) {
        low.bound = k->bound[piece - 1];
        dae_hybrid_stop_where(run, "low", kinked_beyond, &low, DAE_FALLING);
    }
    if (piece < k->count) {
        high.bound = k->bound[piece];
        dae_hybrid_stop_where(run, "high", kinked_beyond, &high, DAE_RISING);
    }
    status = dae_hybrid_start_at(run, 0, *t, x);
    if (!status)
        status = dae_hybrid_advance(run, t_end);
    if (status != DAE_OK && status != DAE_EVENT)
        fail_msg("%s, piece %d from t = %.9g: %s", k->problem->name, piece, *t,
                 dae_hybrid_report(run)->message);
    *t = dae_hybrid_time(run);
    memcpy(x, dae_hybrid_unknowns(run), (size_t)dae_hybrid_state_size(run) * sizeof *x);
    return status == DAE_OK ? 0
                   : strcmp(dae_hybrid_event(run, dae_hybrid_events(run) - 1).name, "low") ? 1 : -1;
}

/* x[SAMPLES x size], (q, v) or u at equal parts of the interval; the number of pieces that a run goes
 * through. */
enum { SAMPLES = 8 };
static inline int kinked_reference(const kinked *k, int size, double *x)
{
    double u[MOST_UNKNOWNS], t = k->problem->t0;
    int pieces = 1, to;
    OWNED(dae_system) *sys = kinked_system(k, 0, u);
    const double p[] = {0, k->rate};
    int piece = kinked_piece(0, k->s(p, t, u));
    for (int i = 1; i <= SAMPLES; i++) {
        while ((to = kinked_pass(k, piece, k->problem->t_end * i / SAMPLES, &t, u)) != 0) {
            piece += to;
            if (++pieces > MOST_PIECES)
                fail_msg("%s: more than %d pieces", k->problem->name, MOST_PIECES);
        }
        memcpy(x + (i - 1) * size, u, (size_t)size * sizeof *u);
    }
    return pieces;
}

#else
#include "unit_circle.h"

/* 0, 1, ...: the piece that s lies in, or that F is held to */
static inline int FN(piece)(const param *p, real s)
{
    return kinked_piece((double)value(p[0]), (double)value(s));
}

/* A ramp that ends, through a filter and a second one. */
static inline void FN(ramp_start)(const param *p, real *u) { u[1] = 0.2; }
static inline void FN(ramp_rhs)(const param *p, real t, const real *u, real *F)
{
    const real level = FN(piece)(p, t) ? (real){0} + 0.7373 : t;
    F[0] = p[1] * (level - u[0]);
    F[1] = u[0] - u[1];
}

/* |v| v, in a stream that turns. */
static inline void FN(drag_start)(const param *p, real *u) { u[0] = 1; }
static inline void FN(drag_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = 3 * cos(2 * t) - (FN(piece)(p, u[0]) ? 2 * u[0] * u[0] : -2 * u[0] * u[0]);
    F[1] = u[0];
}

/* A ball on a spring without mass: k x where x < 0, some damping; rate: its frequency. */
static inline void FN(contact_start)(const param *p, real *u) { u[0] = 1; }
static inline void FN(contact_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -5 + (FN(piece)(p, u[0]) ? (real){0} : -p[1] * p[1] * u[0] - p[1] / 5 * u[1]);
}

/* A block on a belt that moves at 0.3; Coulomb's friction with a slope within the bounds. */
static inline void FN(friction_start)(const param *p, real *u) { u[0] = 1; }
static inline void FN(friction_rhs)(const param *p, real t, const real *u, real *F)
{
    const real slip = u[1] - 0.3;
    const int i = FN(piece)(p, slip);
    F[0] = u[1];
    F[1] = -u[0] + 0.1 * sin(1.3 * t) - 0.4 * (i == 1 ? 50 * p[1] * slip : (real){0} + (i - 1));
}

/* A tank that a pipe fills and empties: laminar friction below |v| = 1, turbulent above. */
static inline void FN(pipe_start)(const param *p, real *u) { u[0] = 4; }
static inline void FN(pipe_rhs)(const param *p, real t, const real *u, real *F)
{
    const int i = FN(piece)(p, u[1]);
    const real law = i == 1 ? u[1] : u[1] * u[1] * (i - 1);
    F[0] = -u[1] + sin(t);
    F[1] = p[1] * (u[0] - law);
}

/* A drive that saturates, with an integral that does not. */
static inline void FN(controller_start)(const param *p, real *u) { u[0] = -1; }
static inline void FN(controller_rhs)(const param *p, real t, const real *u, real *F)
{
    const real wanted = -12 * (u[0] - 1) - 4 * u[1] - 2 * u[2];
    const int i = FN(piece)(p, wanted);
    F[0] = u[1];
    F[1] = 5 * (i == 1 ? wanted : (real){0} + (i - 1)) - 0.3 * u[1] + sin(t);
    F[2] = u[0] - 1;
}

/* Chua's circuit */
static inline void FN(chua_start)(const param *p, real *u)
{
    u[0] = 0.7;
    u[1] = 0.1;
}
static inline void FN(chua_rhs)(const param *p, real t, const real *u, real *F)
{
    const int i = FN(piece)(p, u[0]);
    const real g = i == 1 ? -8 * u[0] / 7 : -5 * u[0] / 7 - 3.0 / 7 * (i - 1);
    F[0] = 15.6 * (u[1] - u[0] - g);
    F[1] = u[0] - u[1] + u[2];
    F[2] = -28 * u[1];
}

/* Four trapezes, up at 0.3 and down at 0.6 of each second, in 0.05. */
static inline void FN(pulses_start)(const param *p, real *u) {}
static inline void FN(pulses_rhs)(const param *p, real t, const real *u, real *F)
{
    const int i = FN(piece)(p, t), second = i / 4;
    const real in = i % 4 == 1 ? (t - second - 0.3) / 0.05 : i % 4 == 3 ? (0.65 - (t - second)) / 0.05
                    : (real){0} + (i % 4 == 2);
    F[0] = p[1] * (in - u[0]);
    F[1] = u[0] - u[1];
}

/* A drive that is turned on, and down. */
static inline void FN(steps_start)(const param *p, real *u) {}
static inline void FN(steps_rhs)(const param *p, real t, const real *u, real *F)
{
    const int i = FN(piece)(p, t);
    F[0] = p[1] * ((i == 0 ? 0.0 : i == 1 ? 1.0 : 0.4) + 0.1 * sin(t) - u[0]);
    F[1] = u[0] - u[1];
}

/* A spring that is six times as stiff to one side. */
static inline void FN(bilinear_start)(const param *p, real *u) { u[0] = -1; }
static inline void FN(bilinear_rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = cos(t) - 0.1 * u[1] - (FN(piece)(p, u[0]) ? 6 : 1) * u[0];
}

/* A current read from a table, u^3 at multiples of 0.4, between them by straight lines. */
static inline void FN(table_start)(const param *p, real *u) { u[0] = 0.1; }
static inline void FN(table_rhs)(const param *p, real t, const real *u, real *F)
{
    const double a = 0.4 * (FN(piece)(p, u[0]) - 5), b = a + 0.4;
    const real current = a * a * a + (b * b * b - a * a * a) / 0.4 * (u[0] - a);
    F[0] = p[1] * (3 * sin(2 * t) - current - u[0]) - u[1];
    F[1] = u[0] - u[1];
}

/* Relaxation between the outer branches of a characteristic of three straight lines. */
static inline void FN(relaxation_start)(const param *p, real *u) { u[0] = -2; }
static inline void FN(relaxation_rhs)(const param *p, real t, const real *u, real *F)
{
    const int i = FN(piece)(p, u[0]);
    F[0] = p[1] * ((i == 1 ? u[0] : 2.0 * (i - 1) - u[0]) - u[1]);
    F[1] = u[0] + 0.3 * sin(5 * t);
}

/* A pendulum that swings against a spring without mass; rate: its frequency. */
static inline void FN(stop_start)(const param *p, real *u)
{
    u[0] = -0.6;
    u[1] = -0.8;
}
static inline void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    f[0] = (FN(piece)(p, q[0]) ? -p[1] * p[1] * (q[0] - 0.5) : (real){0}) - 0.1 * v[0];
    f[1] = -9.81 - 0.1 * v[1];
}
#endif
