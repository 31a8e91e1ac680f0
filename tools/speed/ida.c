/* ida.c - the method ida beside a program that uses SUNDIALS IDA as its manual says and takes the same steps, on the
 * pendulum of index 1
 *
 *     q' = v,   m v' = f - q T/L,   0 = (q . v' + |v|^2)/L at that v';   m = 1, L = 5, gravity g + 0.05 sin(2 pi t)
 *
 * The plain program has residual and Newton matrix written out by hand; nothing is scaled, checked or observed. Options
 * are those that this library gives IDA (error test of positions and velocities only, first step, stop at t_end).
 *
 * Both get the same start and tolerances, the library once with the derivatives that the problem states, once with
 * dual numbers. A run is the whole interval, from a start that IDA begins anew. Counts of steps, matrices,
 * factorisations and failures have to be the same, and the states at the end but for rounding, which may decide on one
 * iteration of a hundred. (F counts what the library evaluates of its own, beside the residuals: the start, its
 * Jacobians, its checks.)
 */
#include "rounds.h"
#include "yardsticks.h"

#include <daelab/study.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define NO_COMMUNICATOR NULL
#else
#define NO_COMMUNICATOR SUN_COMM_NULL
#endif

enum { N = 5 };                 /* unknowns (x, y, vx, vy, T) */
static const double MASS = 1, LENGTH = 5;

/* ---- the pendulum by hand ---- */

static double gravity(double t) { return 9.81 + 0.05 * sin(2 * 3.14159265358979323846 * t); }

static int residual(double t, N_Vector uu, N_Vector du, N_Vector rr, void *data)
{
    const double *u = N_VGetArrayPointer(uu), *d = N_VGetArrayPointer(du);
    double *r = N_VGetArrayPointer(rr);
    const double pull = u[4] / LENGTH, fx = -u[0] * pull, fy = -MASS * gravity(t) - u[1] * pull;
    (void)data;
    r[0] = d[0] - u[2];
    r[1] = d[1] - u[3];
    r[2] = MASS * d[2] - fx;
    r[3] = MASS * d[3] - fy;
    r[4] = -((u[0] * fx + u[1] * fy) / MASS + u[2] * u[2] + u[3] * u[3]) / LENGTH;
    return 0;
}

static int matrix(double t, double c, N_Vector uu, N_Vector du, N_Vector rr, SUNMatrix A, void *data, N_Vector a,
                  N_Vector b, N_Vector e)
{
    const double *u = N_VGetArrayPointer(uu);
    const double over = 1 / LENGTH, pull = u[4] * over;
    const double ax = -u[0] * pull / MASS, ay = -gravity(t) - u[1] * pull / MASS;
    double *x = SUNDenseMatrix_Column(A, 0), *y = SUNDenseMatrix_Column(A, 1);
    double *vx = SUNDenseMatrix_Column(A, 2), *vy = SUNDenseMatrix_Column(A, 3), *T = SUNDenseMatrix_Column(A, 4);
    (void)du, (void)rr, (void)data, (void)a, (void)b, (void)e;
    x[0] = y[1] = c;
    x[2] = y[3] = pull;
    x[4] = -over * (ax - u[0] * pull / MASS);
    y[4] = -over * (ay - u[1] * pull / MASS);
    vx[0] = vy[1] = -1;
    vx[2] = vy[3] = MASS * c;
    vx[4] = -2 * over * u[2];
    vy[4] = -2 * over * u[3];
    T[2] = over * u[0];
    T[3] = over * u[1];
    T[4] = over * over * (u[0] * u[0] + u[1] * u[1]) / MASS;
    return 0;
}

/* ---- the plain program ---- */

typedef struct {
    double t_end, rtol;
    double u0[N], du0[N];               /* u and u' at t = 0 */
    SUNContext context;
    void *memory;
    N_Vector u, du, id;
    SUNMatrix A;
    SUNLinearSolver solver;
} plain_ida;

typedef struct {
    long steps, rejected, residuals, matrices, factorisations, iterations, newton_failures;
} ida_counts;

static void plain_free(plain_ida *p)
{
    IDAFree(&p->memory);
    SUNLinSolFree(p->solver);
    SUNMatDestroy(p->A);
    N_VDestroy(p->u);
    N_VDestroy(p->du);
    N_VDestroy(p->id);
    SUNContext_Free(&p->context);
}

/* u' from M u' = F, F from the residual; T' is taken as 0, and has no part in the error test. */
static void plain_find_slope(plain_ida *p)
{
    N_Vector r = N_VClone(p->u);
    memcpy(N_VGetArrayPointer(p->u), p->u0, sizeof p->u0);
    N_VConst(0, p->du);
    residual(0, p->u, p->du, r, NULL);
    for (int i = 0; i < N - 1; i++)
        p->du0[i] = -N_VGetArrayPointer(r)[i] / (i < 2 ? 1 : MASS);
    N_VDestroy(r);
}

/* From u0 at t = 0 to t_end, with rtol = atol. 0: SUNDIALS has failed. */
static int plain_create(plain_ida *p, const double u0[N], double t_end, double rtol)
{
    *p = (plain_ida){.t_end = t_end, .rtol = rtol};
    memcpy(p->u0, u0, sizeof p->u0);
    if (SUNContext_Create(NO_COMMUNICATOR, &p->context))
        return 0;
    p->u = N_VNew_Serial(N, p->context);
    p->du = N_VNew_Serial(N, p->context);
    p->id = N_VNew_Serial(N, p->context);
    p->memory = IDACreate(p->context);
    p->A = SUNDenseMatrix(N, N, p->context);
    p->solver = SUNLinSol_Dense(p->u, p->A, p->context);
    N_VConst(1, p->id);
    N_VGetArrayPointer(p->id)[N - 1] = 0;
    plain_find_slope(p);
    return IDAInit(p->memory, residual, 0, p->u, p->du) == 0 && IDASStolerances(p->memory, p->rtol, p->rtol) == 0
           && IDASetLinearSolver(p->memory, p->solver, p->A) == 0 && IDASetJacFn(p->memory, matrix) == 0
           && IDASetId(p->memory, p->id) == 0 && IDASetSuppressAlg(p->memory, 1) == 0
           && IDASetMaxNumSteps(p->memory, -1) == 0;
}

/* A thousandth of the way, or where u moves by half its tolerance. */
static double first_step(const plain_ida *p)
{
    const double h = 1e-3 * p->t_end;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        const double rate = p->du0[i] / (p->rtol * fabs(p->u0[i]) + p->rtol);
        sum += rate * rate;
    }
    const double norm = sqrt(sum / N);
    return norm * h > 0.5 ? 0.5 / norm : h;
}

/* The whole run, u := the state at t_end; 0: IDA has failed. */
static int plain_run(plain_ida *p, double u[N])
{
    double t;
    memcpy(N_VGetArrayPointer(p->u), p->u0, sizeof p->u0);
    memcpy(N_VGetArrayPointer(p->du), p->du0, sizeof p->du0);
    if (IDAReInit(p->memory, 0, p->u, p->du) || IDASetInitStep(p->memory, first_step(p))
        || IDASetStopTime(p->memory, p->t_end) || IDASolve(p->memory, p->t_end, &t, p->u, p->du, IDA_NORMAL) < 0)
        return 0;
    memcpy(u, N_VGetArrayPointer(p->u), sizeof p->u0);
    return 1;
}

static ida_counts plain_counted(const plain_ida *p)
{
    ida_counts c = {0};
    long failed = 0;
    IDAGetNumSteps(p->memory, &c.steps);
    IDAGetNumErrTestFails(p->memory, &c.rejected);
    IDAGetNumStepSolveFails(p->memory, &failed);
    IDAGetNumResEvals(p->memory, &c.residuals);
    IDAGetNumJacEvals(p->memory, &c.matrices);
    IDAGetNumLinSolvSetups(p->memory, &c.factorisations);
    IDAGetNumNonlinSolvIters(p->memory, &c.iterations);
    IDAGetNumNonlinSolvConvFails(p->memory, &c.newton_failures);
    c.rejected += failed;
    return c;
}

/* ---- the comparison ---- */

/* At 1e-10 rounding of T, which the error test leaves out, decides whether a step passes. */
static const double tolerances[] = {1e-6, 1e-8, 1e-9};
static const double AGREEMENT = 10;     /* in tolerances, of T, too */
enum { PLAIN, ANALYTIC, DUAL, SUBJECTS };
static const char *const names[SUBJECTS] = {"plain IDA", "ida, analytic", "ida, dual"};

typedef struct {
    speed_library library[SUBJECTS];
    plain_ida plain;
    double t_end, rtol, start[N], end[SUBJECTS][N];
} setting;

typedef struct { setting *s; int which; } subject;

static int run(void *data)
{
    const subject *x = data;
    setting *s = x->s;
    double *u = s->end[x->which];
    return x->which == PLAIN ? plain_run(&s->plain, u) : speed_solve(&s->library[x->which], s->start, s->t_end, u);
}

static int prepare(setting *s, double rtol)
{
    const dae_jacobian_kind kinds[SUBJECTS] = {[ANALYTIC] = DAE_JACOBIAN_ANALYTIC, [DUAL] = DAE_JACOBIAN_DUAL};
    dae_options options = dae_default_options();
    dae_report why = {0};
    *s = (setting){.rtol = rtol};
    options.rtol = options.atol = rtol;
    options.linear = DAE_LINEAR_DENSE;
    for (int i = ANALYTIC; i < SUBJECTS; i++) {
        options.jacobian = kinds[i];
        if (!speed_open(&s->library[i], "pendulum", "index1", "ida", &options))
            return 0;
    }
    dae_system *sys = s->library[ANALYTIC].sys;
    s->t_end = dae_system_problem(sys)->t_end;
    dae_status status = dae_system_start(sys, s->start, &why);
    if (!status)
        status = dae_consistent_start(sys, 0, s->start, NULL, &why);
    if (status || !plain_create(&s->plain, s->start, s->t_end, rtol)) {
        fprintf(stderr, "%s\n", status ? why.message : "plain IDA cannot be created");
        return 0;
    }
    return 1;
}

static void release(setting *s)
{
    for (int i = ANALYTIC; i < SUBJECTS; i++)
        speed_close(&s->library[i]);
    if (s->plain.context)
        plain_free(&s->plain);
}

static ida_counts counted(const setting *s, int which)
{
    if (which == PLAIN)
        return plain_counted(&s->plain);
    const dae_statistics c = dae_solver_statistics(s->library[which].solver);
    return (ida_counts){c.steps, c.rejected, c.rhs, c.jacobians, c.factorizations, c.solves, c.newton_failures};
}

static int same_counts(const setting *s, int which)
{
    const ida_counts a = counted(s, PLAIN), b = counted(s, which);
    if (a.steps == b.steps && a.rejected == b.rejected && a.matrices == b.matrices
        && a.factorisations == b.factorisations && 100 * labs(a.iterations - b.iterations) <= a.iterations
        && a.newton_failures == b.newton_failures)
        return 1;
    fprintf(stderr, "%s: %ld steps, %ld undone, %ld matrices, %ld factorisations, %ld iterations, %ld failures;\n"
            "%s: %ld, %ld, %ld, %ld, %ld, %ld\n", names[PLAIN], a.steps, a.rejected, a.matrices, a.factorisations,
            a.iterations, a.newton_failures, names[which], b.steps, b.rejected, b.matrices, b.factorisations,
            b.iterations, b.newton_failures);
    return 0;
}

/* The largest difference of an unknown at the end, in tolerances */
static double difference(const setting *s, int which)
{
    double most = 0;
    for (int i = 0; i < N; i++) {
        const double x = fabs(s->end[PLAIN][i] - s->end[which][i]) / (s->rtol * fabs(s->end[PLAIN][i]) + s->rtol);
        most = x <= most ? most : x;
    }
    return most;
}

static int check(setting *s)
{
    for (int i = 0; i < SUBJECTS; i++)
        if (!run(&(subject){s, i})) {
            fprintf(stderr, "%s: a run failed: %s\n", names[i],
                    i == PLAIN ? "" : dae_solver_report(s->library[i].solver)->message);
            return 0;
        }
    int good = 1;
    for (int i = ANALYTIC; i < SUBJECTS; i++) {
        const double apart = difference(s, i);
        good &= same_counts(s, i) && apart <= AGREEMENT;
        if (!(apart <= AGREEMENT))
            fprintf(stderr, "%s: the end differs from that of %s by %.2g tolerances\n", names[i], names[PLAIN], apart);
    }
    return good;
}

static int measure(setting *s, int rounds)
{
    subject data[SUBJECTS];
    speed_subject subjects[SUBJECTS];
    speed_counts counts[SUBJECTS];
    speed_time times[SUBJECTS];
    if (!check(s))
        return 0;
    for (int i = 0; i < SUBJECTS; i++) {
        const ida_counts c = counted(s, i);
        data[i] = (subject){s, i};
        subjects[i] = (speed_subject){names[i], &data[i], run};
        counts[i] = (speed_counts){c.steps, c.rejected, c.residuals, c.matrices, c.factorisations};
    }
    if (!speed_rounds(SUBJECTS, subjects, rounds, times))
        return 0;
    printf("\npendulum, index 1, rtol = atol = %g\n", s->rtol);
    speed_show(SUBJECTS, subjects, times, 1, counts);
    return 1;
}

/* The slower IDA itself is, the nearer to 1 is any ratio. */
int speed_ida(int rounds)
{
    const dae_sundials_build build = dae_sundials_describe();
    int good = 1;
    printf("SUNDIALS %s, %s\n", build.version,
           build.optimised > 0 ? "optimised"
           : build.optimised   ? "NOT optimised: ratios of one that is (scripts/sundials) are farther from 1"
                               : "not known whether optimised");
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        setting s;
        good &= prepare(&s, tolerances[i]) && measure(&s, rounds);
        release(&s);
    }
    return good;
}
