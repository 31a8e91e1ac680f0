/* dop853.c - dop853 of the library beside a plain loop of the same method, time at equal error
 *
 * Both run at tolerances 1e-4 ... 1e-10 from the same start to the same end, the plain loop on equations
 * with the multiplier eliminated by hand. Errors are those at the end beside a run of the plain loop
 * near rounding, in the Euclidean norm. Each side is a curve of time against error, through its points
 * that no other beats in both, straight in logarithms; ratios above 1 say that the library is faster.
 */
#include "plain_dop853.h"
#include "rounds.h"
#include "yardsticks.h"

#include "host/allocate.h"

#include <daelab/daelab.h>
#include <daelab/study.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- equations by hand ---------------------------------------------------------------------- */

static const double OMEGA = 2 * 3.14159265358979323846, LENGTH = 5;

static double gravity(double t)
{
    return 9.81 + 0.05 * sin(OMEGA * t);
}

/* d2g/dt2 = 0: (|q|^2/L^2) T = (|v|^2 - y g)/L of the unit of mass */
static void pendulum(double t, const double *u, double *du)
{
    const double g = gravity(t);
    const double pull = (u[2] * u[2] + u[3] * u[3] - u[1] * g) / (u[0] * u[0] + u[1] * u[1]);
    du[0] = u[2];
    du[1] = u[3];
    du[2] = -pull * u[0];
    du[3] = -pull * u[1] - g;
}

static void angle(double t, const double *u, double *du)
{
    du[0] = u[1];
    du[1] = -gravity(t) / LENGTH * sin(u[0]);
}

static void kepler(double t, const double *u, double *du)
{
    const double square = u[0] * u[0] + u[1] * u[1], f = 1 / (square * sqrt(square));
    (void)t;
    du[0] = u[2];
    du[1] = u[3];
    du[2] = -f * u[0];
    du[3] = -f * u[1];
}

enum { STARS = 7 };

static void pleiades(double t, const double *u, double *du)
{
    const double *x = u, *y = x + STARS, *v = y + STARS;
    double *ax = du + 2 * STARS, *ay = ax + STARS;
    (void)t;
    for (int i = 0; i < 2 * STARS; i++) {
        du[i] = v[i];
        ax[i] = 0;
    }
    for (int i = 1; i < STARS; i++)
        for (int j = 0; j < i; j++) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy;
            const double f = 1 / (square * sqrt(square));
            ax[i] += (j + 1) * f * dx;
            ay[i] += (j + 1) * f * dy;
            ax[j] -= (i + 1) * f * dx;
            ay[j] -= (i + 1) * f * dy;
        }
}

/* ---- cases ---------------------------------------------------------------------------------- */

typedef struct {
    const char *problem, *form;
    double t_end;
    int n;                      /* unknowns of the plain loop, the first of the library's */
    plain_rhs *f;
    plain_solver *plain;        /* as it is faster */
} speed_case;

static const speed_case cases[] = {
    {"pendulum", "index1", 2, 4, pendulum, plain_dop853},
    {"pendulum", "index1", 100, 4, pendulum, plain_dop853},
    {"pendulum", "ode", 2, 2, angle, plain_dop853},
    {"pendulum", "ode", 100, 2, angle, plain_dop853},
    {"kepler", "native", 10, 4, kepler, plain_dop853},
    {"pleiades", "index1", 3, 4 * STARS, pleiades, plain_dop853_wide},
};
enum { CASES = sizeof cases / sizeof *cases, POINTS = 13, MOST = PLAIN_MOST + 4 };

static const double LOOSEST = 1e-4, REFERENCE = 3e-15, AGREEMENT = 1e-6;

/* One run at one tolerance. */
typedef struct {
    const speed_case *c;
    double rtol, error;
    double start[MOST], end[MOST];
    plain_counts count;
    speed_library library;
} speed_run;

static int run_plain(void *data)
{
    speed_run *r = data;
    memcpy(r->end, r->start, sizeof r->end);
    return r->c->plain(r->c->n, r->c->f, 0, r->c->t_end, r->end, r->rtol, r->rtol, &r->count);
}

static int run_library(void *data)
{
    speed_run *r = data;
    return speed_solve(&r->library, r->start, r->c->t_end, r->end);
}

static int open_run(speed_run *r)
{
    dae_options options = dae_default_options();
    options.rtol = options.atol = r->rtol;
    return speed_open(&r->library, r->c->problem, r->c->form, "dop853", &options)
           && !dae_system_start(r->library.sys, r->start, NULL);
}

/* ---- time at equal error -------------------------------------------------------------------- */

static double distance(int n, const double *x, const double *y)
{
    double square = 0, size = 0;
    for (int i = 0; i < n; i++) {
        square += (x[i] - y[i]) * (x[i] - y[i]);
        size += y[i] * y[i];
    }
    return sqrt(square / size);
}

/* ---- a case --------------------------------------------------------------------------------- */

enum { PLAIN, LIBRARY, SIDES };

typedef struct {
    speed_run run[SIDES][POINTS];
    double reference[MOST];
    speed_time times[SIDES * POINTS];
} speed_pair;

static const char *const sides[SIDES] = {"plain loop", "daelab"};
static int (*const run_side[SIDES])(void *) = {run_plain, run_library};

/* The library gives the start of both. */
static int open_pair(speed_pair *p, const speed_case *c)
{
    for (int i = 0; i < POINTS; i++) {
        speed_run *plain = &p->run[PLAIN][i], *library = &p->run[LIBRARY][i];
        library->c = plain->c = c;
        library->rtol = plain->rtol = LOOSEST * pow(10, -i / 2.0);
        if (!open_run(library))
            return 0;
        memcpy(plain->start, library->start, sizeof plain->start);
    }
    speed_run exact = p->run[PLAIN][0];
    exact.rtol = REFERENCE;
    const int good = run_plain(&exact);
    memcpy(p->reference, exact.end, sizeof exact.end);
    return good;
}

static int measure_errors(speed_pair *p)
{
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < POINTS; i++) {
            speed_run *r = &p->run[side][i];
            if (!run_side[side](r))
                return 0;
            r->error = distance(r->c->n, r->end, p->reference);
            if (side == LIBRARY) {
                const dae_statistics taken = dae_solver_statistics(r->library.solver);
                r->count = (plain_counts){taken.steps, taken.rejected, taken.rhs};
            }
        }
    const double last = p->run[LIBRARY][POINTS - 1].error;
    if (last <= AGREEMENT)
        return 1;
    fprintf(stderr, "the library's result differs by %.1e from the reference\n", last);
    return 0;
}

/* Time, or evaluations of f, of one side for this error. */
static double cost_at(const speed_pair *p, int side, double error, int counts)
{
    speed_point points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const speed_run *r = &p->run[side][i];
        points[i] = (speed_point){r->error, counts ? (double)r->count.rhs : p->times[side * POINTS + i].ratio};
    }
    return speed_time_at(points, POINTS, error);
}

/* Ratios of times in the same rounds, each to the first subject; the unit of time is its median. */
static void show(const speed_pair *p)
{
    const double unit = p->times[0].median;
    printf("  %-8s  %10s  %10s  %8s  %8s  %6s\n", "error", "plain loop", "daelab", "plain F", "F", "ratio");
    for (int digits = 3; digits <= 11; digits++) {
        const double error = pow(10, -digits);
        const double a = cost_at(p, PLAIN, error, 0), b = cost_at(p, LIBRARY, error, 0);
        if (isfinite(a) && isfinite(b))
            printf("  %-8.0e  %7.2f us  %7.2f us  %8.0f  %8.0f  %6.2f\n", error, 1e6 * unit * a, 1e6 * unit * b,
                   cost_at(p, PLAIN, error, 1), cost_at(p, LIBRARY, error, 1), a / b);
    }
    for (int side = 0; side < SIDES; side++) {
        const speed_run *r = &p->run[side][POINTS / 2];
        printf("  %s at %.0e: %ld steps, %ld rejected, %.1f ns for each of %ld F, error %.1e\n", sides[side], r->rtol,
               r->count.steps, r->count.rejected, 1e9 * unit * p->times[side * POINTS + POINTS / 2].ratio
               / (double)r->count.rhs, r->count.rhs, r->error);
    }
}

static int measure_case(speed_pair *p, const speed_case *c, int rounds)
{
    speed_subject subjects[SIDES * POINTS];
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < POINTS; i++)
            subjects[side * POINTS + i] = (speed_subject){sides[side], &p->run[side][i], run_side[side]};
    printf("%s, %s, to t = %g\n", c->problem, c->form, c->t_end);
    if (!open_pair(p, c) || !measure_errors(p) || !speed_rounds(SIDES * POINTS, subjects, rounds, p->times))
        return 0;
    show(p);
    return 1;
}

int speed_dop853(int rounds)
{
    int good = 1;
    for (int i = 0; good && i < CASES; i++) {
        speed_pair *p = allocate(1, sizeof *p);
        good = measure_case(p, &cases[i], rounds);
        for (int k = 0; k < POINTS; k++)
            speed_close(&p->run[LIBRARY][k].library);
        free(p);
    }
    return good;
}
