/* equations - first-order problems, each with one slip */
#ifndef DAE_PASS
enum { W };
#include <daelab/model.h>

#define PARAMETERS .parameters = {{"w", 2, "1/s", "frequency", DAE_POSITIVE}}
#define EQUATIONS(record, begin, ...)                                                             \
    const dae_problem record = {.name = #record, PARAMETERS, .start = DAE_MODEL(begin), .t_end = 3, \
                                .first_order = {__VA_ARGS__}}

static void oscillator_row_major(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[0 * 2 + 1] = 1;                                   /* dF1/du2, were it row-major */
    J[1 * 2 + 0] = -p[W] * p[W];
    F_t[1] = p[W] * cos(p[W] * t);
}

static void oscillator_at_rest(const double *p, double t, const double *u, double *J, double *F_t)
{
    J[1 * 2 + 0] = 1;
    J[0 * 2 + 1] = -p[W] * p[W];                        /* and F_t forgotten */
}

EQUATIONS(wrong_index, start_hidden, .n = 3, .index = 1, .mass = DAE_MODEL(mass_of_two),
          .rhs = DAE_MODEL(hidden));
EQUATIONS(wrong_index_of_ode, start_algebraic, .n = 3, .index = 2, .mass = DAE_MODEL(mass_of_two),
          .rhs = DAE_MODEL(algebraic));
EQUATIONS(wrong_rank, start_algebraic, .n = 4, .index = 1, .mass = DAE_MODEL(mass_of_two_in_four),
          .rhs = DAE_MODEL(same_twice));
EQUATIONS(wrong_layout, start_oscillator, .n = 2, .rhs = DAE_MODEL(oscillator), .jacobian = oscillator_row_major);
EQUATIONS(wrong_clock, start_oscillator, .n = 2, .rhs = DAE_MODEL(oscillator), .jacobian = oscillator_at_rest);
EQUATIONS(wrong_mass, start_oscillator, .n = 2, .mass = DAE_MODEL(mass_of_state), .rhs = DAE_MODEL(oscillator));
EQUATIONS(wrong_log, start_zero, .n = 2, .rhs = DAE_MODEL(logarithm));
EQUATIONS(wrong_phase, start_oscillator, .n = 2, .rhs = DAE_MODEL(free_oscillator), .exact = DAE_MODEL(late));
EQUATIONS(wrong_reduced, start_hidden, .n = 3, .index = 2, .mass = DAE_MODEL(mass_of_two),
          .rhs = DAE_MODEL(hidden), .reduced = DAE_MODEL(reduced_without_time));
EQUATIONS(wrong_drive, start_oscillator, .n = 2, .rhs = DAE_MODEL(driven_fast));
EQUATIONS(wrong_spell, start_oscillator, .n = 2, .rhs = DAE_MODEL(oscillator_for_a_spell));
EQUATIONS(wrong_branch, start_branch, .n = 2, .index = 1, .mass = DAE_MODEL(mass_of_one), .rhs = DAE_MODEL(squares),
          .exact = DAE_MODEL(other_root));
EQUATIONS(wrong_memory, start_oscillator, .n = 2, .rhs = DAE_MODEL(remembering));
const dae_problem wrong_constant = {
    .name = "wrong_constant", PARAMETERS, .start = DAE_MODEL(start_oscillator), .t_end = 3,
    .first_order = {.n = 2, .rhs = DAE_MODEL(free_oscillator)},
    .invariants = {.n = 1, .value = DAE_MODEL(sum_of_squares), .names = "E", .units = "-"}};
#else
static void FN(start_oscillator)(const param *p, real *u) { u[0] = 1; }
static void FN(start_zero)(const param *p, real *u) { u[1] = 1; }
static void FN(start_hidden)(const param *p, real *u) { u[1] = 1; }

static void FN(start_algebraic)(const param *p, real *u)
{
    u[0] = 1;
    u[2] = 1;
}

static void FN(mass_of_two)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = 0;
}

static void FN(mass_of_two_in_four)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = r[3] = 0;
}

static void FN(mass_of_state)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1] * (1 + 0.1 * sin(t));
}

/* z of index 2: 0 = x - sin(w t) */
static void FN(hidden)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] + u[2];
    F[1] = -u[0];
    F[2] = u[0] - sin(p[W] * t);
}

static void FN(reduced_without_time)(const param *p, real t, const real *u, real *F)
{
    FN(hidden)(p, t, u, F);
    F[2] = F[0];
}

/* z of index 1 */
static void FN(algebraic)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] - u[0] * u[2];
    F[1] = -u[0];
    F[2] = u[2] - u[0] * u[0];
}

static void FN(same_twice)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1] - u[3];
    F[1] = -u[0];
    F[2] = u[2] - u[0];
    F[3] = 2 * (u[2] - u[0]);
}

static void FN(oscillator)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[W] * p[W] * u[0] + sin(p[W] * t);
}

/* Fifty thousand periods within the run, and a derivative by t that is a thousandth too large */
static void FN(driven_fast)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[W] * p[W] * u[0] + sin(1e5 * (t + 1e-3 * (t - value(t))) + 1);
}

/* In quad another one for a while */
static void FN(oscillator_for_a_spell)(const param *p, real t, const real *u, real *F)
{
    FN(oscillator)(p, t, u, F);
    if (sizeof(real) == 16 && sizeof(param) == 16 && value(t) > 0.93 && value(t) < 1.89)
        F[1] *= 1 + 1e-3;
}

static void FN(start_branch)(const param *p, real *u) { u[0] = u[1] = 1; }
static void FN(mass_of_one)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = 0;
}
static void FN(squares)(const param *p, real t, const real *u, real *F)
{
    F[0] = cos(t) + u[1] * u[1] - 1 - t;
    F[1] = u[1] * u[1] - 1 - t;
}
static void FN(other_root)(const param *p, real t, real *u)
{
    u[0] = 1 + sin(t);
    u[1] = -sqrt(1 + t);
}

static void FN(free_oscillator)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = -p[W] * p[W] * u[0];
}

static void FN(late)(const param *p, real t, real *u)
{
    u[0] = cos(p[W] * t);
    u[1] = -p[W] * sin(p[W] * t + 0.001);
}

static void FN(logarithm)(const param *p, real t, const real *u, real *F)
{
    F[0] = u[1];
    F[1] = log(u[0]);
}

static void FN(remembering)(const param *p, real t, const real *u, real *F)
{
    static int calls;
    F[0] = u[1];
    F[1] = -u[0] * (1 + 1e-3 * (calls++ % 2));
}

static void FN(sum_of_squares)(const param *p, real t, const real *u, real *I)
{
    I[0] = u[0] * u[0] + u[1] * u[1];
}
#endif
