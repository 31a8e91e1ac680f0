/* plain_ida.c - creating and running IDA for the pendulum
 *
 *     q' = v,   m v' = f - q T/L,   0 = (q . v' + |v|^2)/L at that v';   m = 1, L = 5, gravity g + 0.05 sin(2 pi t)
 */
#include "plain_ida.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
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

enum { N = PENDULUM };
static const double MASS = 1, LENGTH = 5;

struct plain_ida {
    double t_end, rtol;
    double u0[N], du0[N];               /* u and u' at t = 0 */
    SUNContext context;
    void *memory;
    N_Vector u, du, id;
    SUNMatrix A;
    SUNLinearSolver solver;
};

/* ---- the pendulum --------------------------------------------------------------------------------- */

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

/* ---- IDA ------------------------------------------------------------------------------------------ */

void plain_ida_free(plain_ida *p)
{
    N_Vector vectors[] = {p ? p->u : NULL, p ? p->du : NULL, p ? p->id : NULL};
    if (!p)
        return;
    if (p->memory)
        IDAFree(&p->memory);
    if (p->solver)
        SUNLinSolFree(p->solver);
    if (p->A)
        SUNMatDestroy(p->A);
    for (int i = 0; i < 3; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (p->context)
        SUNContext_Free(&p->context);
    free(p);
}

static int make_parts(plain_ida *p)
{
    if (SUNContext_Create(NO_COMMUNICATOR, &p->context))
        return 0;
    p->u = N_VNew_Serial(N, p->context);
    p->du = N_VNew_Serial(N, p->context);
    p->id = N_VNew_Serial(N, p->context);
    p->memory = IDACreate(p->context);
    p->A = SUNDenseMatrix(N, N, p->context);
    if (!p->u || !p->du || !p->id || !p->memory || !p->A)
        return 0;
    N_VConst(1, p->id);
    N_VGetArrayPointer(p->id)[N - 1] = 0;
    p->solver = SUNLinSol_Dense(p->u, p->A, p->context);
    return p->solver != NULL;
}

static void take_start(plain_ida *p)
{
    memcpy(N_VGetArrayPointer(p->u), p->u0, sizeof p->u0);
    memcpy(N_VGetArrayPointer(p->du), p->du0, sizeof p->du0);
}

/* u' from M u' = F, F from the residual; T' is taken as 0, and has no part in the error test. */
static int find_slope(plain_ida *p)
{
    N_Vector r = N_VClone(p->u);
    take_start(p);
    const int good = r && residual(0, p->u, p->du, r, NULL) == 0;
    for (int i = 0; good && i < N - 1; i++)
        p->du0[i] = -N_VGetArrayPointer(r)[i] / (i < 2 ? 1 : MASS);
    if (r)
        N_VDestroy(r);
    return good;
}

static int configure(plain_ida *p)
{
    return IDAInit(p->memory, residual, 0, p->u, p->du) == 0 && IDASStolerances(p->memory, p->rtol, p->rtol) == 0
           && IDASetLinearSolver(p->memory, p->solver, p->A) == 0 && IDASetJacFn(p->memory, matrix) == 0
           && IDASetId(p->memory, p->id) == 0 && IDASetSuppressAlg(p->memory, 1) == 0
           && IDASetMaxNumSteps(p->memory, -1) == 0;
}

plain_ida *plain_ida_create(const double u0[N], double t_end, double rtol)
{
    plain_ida *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->t_end = t_end;
    p->rtol = rtol;
    memcpy(p->u0, u0, sizeof p->u0);
    if (make_parts(p) && find_slope(p) && configure(p))
        return p;
    plain_ida_free(p);
    return NULL;
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

int plain_ida_run(plain_ida *p, double u[N])
{
    double t;
    take_start(p);
    if (IDAReInit(p->memory, 0, p->u, p->du) || IDASetInitStep(p->memory, first_step(p))
        || IDASetStopTime(p->memory, p->t_end))
        return 0;
    if (IDASolve(p->memory, p->t_end, &t, p->u, p->du, IDA_NORMAL) < 0)
        return 0;
    memcpy(u, N_VGetArrayPointer(p->u), sizeof p->u0);
    return 1;
}

plain_ida_counts plain_ida_counted(const plain_ida *p)
{
    plain_ida_counts c = {0};
    long tests = 0, failed = 0;
    IDAGetNumSteps(p->memory, &c.steps);
    IDAGetNumErrTestFails(p->memory, &tests);
    IDAGetNumStepSolveFails(p->memory, &failed);
    IDAGetNumResEvals(p->memory, &c.residuals);
    IDAGetNumJacEvals(p->memory, &c.matrices);
    IDAGetNumLinSolvSetups(p->memory, &c.factorisations);
    IDAGetNumNonlinSolvIters(p->memory, &c.iterations);
    IDAGetNumNonlinSolvConvFails(p->memory, &c.newton_failures);
    c.rejected = tests + failed;
    return c;
}
