/* test_elastica.c - the clamped beam: vibrations of small amplitude, energy, rigid rotation, stiffness */
#include "support.h"

#include "daelab/study.h"

extern const dae_problem dae_elastica;
enum { N, M, L, B, ETA, PHI, G, PARAMETERS };
static const double defaults[PARAMETERS] = {10, 0.1, 1, 0.1, 0.01, 0.5, 9.81};

typedef struct {
    dae_system *sys;
    dae_solver *solver;
    double *u;
} beam;

static beam create(const double *p, const char *form, const char *method, double rtol, double atol)
{
    beam b = {0};
    dae_report why = {0};
    dae_options options = dae_default_options();
    options.rtol = rtol;
    options.atol = atol;
    options.max_steps = 100000;
    b.sys = system_of(&dae_elastica, form, p, NULL);
    b.u = calloc((size_t)dae_system_size(b.sys), sizeof *b.u);
    if (dae_system_start(b.sys, b.u, &why) || dae_consistent_start(b.sys, 0, b.u, NULL, &why)
        || dae_solver_create(&b.solver, b.sys, dae_find_method(method), &options, &why)
        || dae_solver_start(b.solver, 0, b.u))
        fail_msg("%s %s: %s", form, method, why.message);
    return b;
}

static void advance(beam *b, double t)
{
    if (dae_solver_advance(b->solver, t, b->u))
        fail_msg("%s", dae_solver_report(b->solver)->message);
}

static void destroy(beam *b)
{
    dae_solver_free(b->solver);
    dae_system_free(b->sys);
    free(b->u);
}

/* The tip of an Euler-Bernoulli cantilever that a uniform load m g/L begins to bend at t = 0, in its modes:
 * cos(x) cosh(x) = -1 (Landau, Lifshitz, section 25, problem 4). */
static double cantilever_tip(const double *p, double t)
{
    static const double roots[] = {1.875104068711961, 4.694091132974175, 7.854757438237613, 10.995540734875467,
                                   14.137168391046471, 17.278759532088237, 20.420352251041251};
    double tip = 0;
    for (size_t n = 0; n < sizeof roots / sizeof *roots; n++) {
        const double x = roots[n], s = (cosh(x) + cos(x)) / (sinh(x) + sin(x));
        const double omega = x * x * sqrt(p[B] / (p[M] * pow(p[L], 3)));
        tip -= (n % 2 ? -2 : 2) * (2 * s / x) * p[G] / (omega * omega) * (1 - cos(omega * t));
    }
    return tip;
}

/* Small amplitudes, in other units: the frequencies and modes of the beam, with an error of h^2. */
TEST(vibrates_as_a_beam)
{
    double error[3];
    for (int k = 0; k < 3; k++) {
        const double p[PARAMETERS] = {5 << k, 0.3, 2, 0.05, 0, 0, 1e-5};
        const double first = 3.516015 * sqrt(p[B] / (p[M] * pow(p[L], 3))), t = 2.5 / first;
        beam b = create(p, "index2", "radau", 1e-7, 1e-11);
        advance(&b, t);
        const double tip = b.u[2 * (5 << k) - 1], right = cantilever_tip(p, t);
        error[k] = fabs(tip / right - 1);
        destroy(&b);
    }
    assert_true(error[2] < 3e-3);
    assert_in_range((long)(100 * error[0] / error[1]), 300, 500);
    assert_in_range((long)(100 * error[1] / error[2]), 300, 500);
}

/* Without damping energy stays, with it it falls, from any step to the next. */
typedef struct {
    const dae_system *sys;
    double last, first, rise, apart;
} balance;

static double energy_of(const double *p, const double *u)
{
    const int n = (int)p[N];
    double energy;
    dae_elastica.mechanical.energy.f(p, 0, u, u + 2 * n, &energy);
    return energy;
}

static const double *parameters_now;

static int observe(void *context, double t, const double *u)
{
    balance *e = context;
    const double now = energy_of(parameters_now, u);
    e->rise = fmax(e->rise, now - e->last);
    e->apart = fmax(e->apart, fabs(now - e->first));
    e->last = now;
    return 0;
}

TEST(energy_stays_or_falls)
{
    for (int damped = 0; damped < 2; damped++) {
        double p[PARAMETERS];
        memcpy(p, defaults, sizeof p);
        p[ETA] = damped ? 0.01 : 0;
        beam b = create(p, "index2", "radau", 1e-9, 1e-9);
        parameters_now = p;
        balance e = {.first = energy_of(p, b.u)};
        e.last = e.first;
        dae_solver_observe(b.solver, observe, &e);
        advance(&b, 0.5);
        if (damped)
            assert_true(e.rise < 1e-8 && e.apart > 0.01);
        else
            assert_true(e.apart < 1e-6);
        destroy(&b);
    }
}

/* A bent beam that turns as a whole about the origin: no damping but at the wall, which stands still. */
TEST(rigid_rotation_is_not_damped)
{
    enum { LINKS = 7 };
    double q[2 * LINKS], v[2 * LINKS], rest[2 * LINKS] = {0}, turning[2 * LINKS], still[2 * LINKS];
    double p[PARAMETERS];
    memcpy(p, defaults, sizeof p);
    p[N] = LINKS;
    p[ETA] = 3;
    for (int i = 0; i < LINKS; i++) {
        q[2 * i] = sin(0.3 * (i + 1));
        q[2 * i + 1] = 0.2 * (i + 1) - 0.05 * i * i;
        v[2 * i] = -1.7 * q[2 * i + 1];
        v[2 * i + 1] = 1.7 * q[2 * i];
    }
    dae_elastica.mechanical.force.f(p, 0, q, v, turning);
    dae_elastica.mechanical.force.f(p, 0, q, rest, still);
    for (int k = 2; k < 2 * LINKS; k++)
        assert_true(fabs(turning[k] - still[k]) <= 1e-12 * (1 + fabs(still[k])));
    assert_true(fabs(turning[0] - still[0]) > 1e-3 * fabs(still[0]));
}

/* Every formulation, and methods of three kinds, by a run of another method at a small tolerance. */
TEST(formulations_agree)
{
    static const struct { const char *form, *method; double rtol, far; } runs[] = {
        {"index1", "rodas5p", 1e-7, 1e-6}, {"index3", "radau", 1e-7, 1e-5}, {"ggl", "radau", 1e-7, 1e-5},
        {"baumgarte", "rodas4", 1e-7, 1e-5}, {"index2", "rodas4", 1e-7, 1e-5}, {"index1", "dop853", 1e-7, 1e-6},
        {"index2", "ida", 1e-7, 1e-4}};
    const int n = (int)defaults[N];
    beam right = create(defaults, "index2", "radau", 1e-10, 1e-10);
    advance(&right, 0.6);
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        beam b = create(defaults, runs[k].form, runs[k].method, runs[k].rtol, runs[k].rtol);
        advance(&b, 0.6);
        for (int i = 0; i < 2 * n; i++)
            if (!(fabs(b.u[i] - right.u[i]) <= runs[k].far))
                fail_msg("%s %s: position %d is %.12g, not %.12g", runs[k].form, runs[k].method, i, b.u[i],
                         right.u[i]);
        destroy(&b);
    }
    destroy(&right);
}

static long steps(double links, const char *form, const char *method, double t)
{
    double p[PARAMETERS];
    memcpy(p, defaults, sizeof p);
    p[N] = links;
    beam b = create(p, form, method, 1e-4, 1e-4);
    advance(&b, t);
    const dae_statistics count = dae_solver_statistics(b.solver);
    if (links > 30)
        assert_int_equal(DAE_LINEAR_BAND, dae_solver_linear(b.solver));
    destroy(&b);
    return count.steps + count.rejected;
}

/* Twice the links are sixteen times the steps of an explicit method, and as many of an implicit one. */
TEST(is_stiff)
{
    assert_true(steps(20, "index1", "dop853", 0.1) > 12 * steps(10, "index1", "dop853", 0.1));
    assert_true(steps(80, "index2", "radau", 0.5) <= 2 * steps(20, "index2", "radau", 0.5));
    assert_true(steps(80, "index2", "rodas4", 0.5) <= 2 * steps(20, "index2", "rodas4", 0.5));
}
