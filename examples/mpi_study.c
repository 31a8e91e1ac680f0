/* mpi_study.c - the largest tension of a pendulum against its start, spread over processes by MPI
 *
 * Shows: the library keeps no global state, so each process (or thread) solves its own runs; parameters of a run; an
 * observer that sees each step. A pendulum that is released at rest at height y0 pulls with m g + 2 m g (y0 + L)/L =
 * m g (3 + 2 y0/L) at the bottom.
 *
 *     mpirun -n 4 build/examples/mpi_study
 *
 * The program daelab does so with any study: mpirun -n 4 daelab study FILE.yaml.
 */
#ifndef DAE_PASS
enum { ANGLE };
#include <daelab/daelab.h>
#include <daelab/model.h>
#include <mpi.h>
#include <stdio.h>

static const dae_problem pendulum = {
    .name = "pendulum", .title = "a pendulum of 1 m and 1 kg, g = 10 m/s^2", .citation = "a textbook",
    .equations = "x'' = -x T,  y'' = -y T - 10,  0 = (x^2 + y^2 - 1)/2", .variables = "x y vx vy T",
    .units = "m m m/s m/s N", .parameters = {{"angle", 1, "rad", "start, from the bottom", DAE_POSITIVE}},
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL}, .start = DAE_MODEL(start), .t_end = 3};

static int keep_largest(void *largest, double t, const double *u)
{
    double *T = largest;
    (void)t;
    *T = u[4] > *T ? u[4] : *T;
    return 0;
}

/* The largest tension in 3 s, or -1. */
static double largest_tension(double angle)
{
    dae_report why = {0};
    dae_system *sys = NULL;
    dae_solver *solver = NULL;
    dae_options options = dae_default_options();
    double u[5], largest = 0;
    options.max_step = 0.01;                            /* the largest is looked for at the ends of steps */
    dae_status status = dae_system_create(&sys, &pendulum, dae_find_formulation("index2"), &angle, NULL, &why);
    if (!status)
        status = dae_system_start(sys, u, &why);
    if (!status)
        status = dae_consistent_start(sys, 0, u, NULL, &why);
    if (!status)
        status = dae_solver_create(&solver, sys, dae_find_method("radau"), &options, &why);
    if (!status) {
        dae_solver_observe(solver, keep_largest, &largest);
        status = dae_solver_start(solver, 0, u);
    }
    if (!status)
        status = dae_solver_advance(solver, 3, u);
    dae_solver_free(solver);
    dae_system_free(sys);
    return status ? -1 : largest;
}

enum { RUNS = 12 };

int main(int argc, char **argv)
{
    int rank, size, failed = 0;
    double mine[RUNS] = {0}, all[RUNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = rank; i < RUNS; i += size)
        mine[i] = largest_tension(0.25 * (i + 1));
    MPI_Reduce(mine, all, RUNS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < RUNS; i++) {
        const double angle = 0.25 * (i + 1);
        failed += all[i] < 0;
        printf("angle %4.2f rad: largest tension %7.3f N, by energy %7.3f N\n", angle, all[i],
               10 * (3 - 2 * cos(angle)));
    }
    MPI_Finalize();
    return failed > 0;
}
#else
static void FN(start)(const param *p, real *u) { u[0] = sin(p[ANGLE]); u[1] = -cos(p[ANGLE]); }
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r) { r[0] = a[0]; r[1] = a[1]; }
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f) { f[0] = 0; f[1] = -10; }
static void FN(constraint)(const param *p, real t, const real *q, real *g)
{ g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{ r[0] = q[0] * v[0] + q[1] * v[1]; }
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{ r[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]; }
static void FN(reaction)(const param *p, real t, const real *q, const real *T, real *r)
{ r[0] = q[0] * T[0]; r[1] = q[1] * T[0]; }
#endif
