/* plain_ida.c - creating and running IDA for a problem written out by hand */
#include "plain_ida.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define NO_COMMUNICATOR NULL
#else
#define NO_COMMUNICATOR SUN_COMM_NULL
#endif

enum { AMD = 0 };       /* KLU's ordering: less fill than COLAMD, SUNDIALS' default */

struct plain_ida {
    plain_ida_problem problem;
    int n;
    double t_end, rtol;
    double *start;                      /* [2 n] u and u' at t = 0 */
    SUNContext context;
    void *memory;
    N_Vector u, du, id;
    SUNMatrix A;
    SUNLinearSolver solver;
};

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
    free(p->problem.work);
    free(p->start);
    free(p);
}

static int make_parts(plain_ida *p)
{
    const plain_ida_problem *problem = &p->problem;
    const int n = p->n;
    if (SUNContext_Create(NO_COMMUNICATOR, &p->context))
        return 0;
    p->u = N_VNew_Serial(n, p->context);
    p->du = N_VNew_Serial(n, p->context);
    p->id = N_VNew_Serial(n, p->context);
    p->memory = IDACreate(p->context);
    p->A = problem->nonzeros ? SUNSparseMatrix(n, n, problem->nonzeros, CSC_MAT, p->context)
                             : SUNDenseMatrix(n, n, p->context);
    if (!p->u || !p->du || !p->id || !p->memory || !p->A)
        return 0;
    N_VConst(1, p->id);
    for (int i = 2 * problem->positions; i < n; i++)
        N_VGetArrayPointer(p->id)[i] = 0;
    p->solver = problem->nonzeros ? SUNLinSol_KLU(p->u, p->A, p->context) : SUNLinSol_Dense(p->u, p->A, p->context);
    return p->solver && (!problem->nonzeros || SUNLinSol_KLUSetOrdering(p->solver, AMD) == 0);
}

static void take_start(plain_ida *p)
{
    memcpy(N_VGetArrayPointer(p->u), p->start, (size_t)p->n * sizeof *p->start);
    memcpy(N_VGetArrayPointer(p->du), p->start + p->n, (size_t)p->n * sizeof *p->start);
}

/* u' from M u' = F, F from the residual; T' is taken as 0, and has no part in the error test. */
static int find_slope(plain_ida *p)
{
    const plain_ida_problem *problem = &p->problem;
    double *du = p->start + p->n;
    N_Vector r = N_VClone(p->u);
    take_start(p);
    const int good = r && problem->residual(0, p->u, p->du, r, &p->problem) == 0;
    for (int i = 0; good && i < 2 * problem->positions; i++)
        du[i] = -N_VGetArrayPointer(r)[i] / (i < problem->positions ? 1 : problem->mass);
    if (r)
        N_VDestroy(r);
    return good;
}

static int configure(plain_ida *p)
{
    return IDAInit(p->memory, p->problem.residual, 0, p->u, p->du) == 0
           && IDASetUserData(p->memory, &p->problem) == 0
           && IDASStolerances(p->memory, p->rtol, p->rtol) == 0
           && IDASetLinearSolver(p->memory, p->solver, p->A) == 0
           && IDASetJacFn(p->memory, p->problem.matrix) == 0
           && IDASetId(p->memory, p->id) == 0
           && IDASetSuppressAlg(p->memory, 1) == 0
           && IDASetMaxNumSteps(p->memory, -1) == 0;
}

plain_ida *plain_ida_create(const plain_ida_problem *problem, const double *u0, double t_end, double rtol)
{
    plain_ida *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->problem = *problem;
    p->n = 2 * problem->positions + problem->multipliers;
    p->t_end = t_end;
    p->rtol = rtol;
    p->start = calloc(2 * (size_t)p->n, sizeof *p->start);
    p->problem.work = calloc(5 * ((size_t)problem->multipliers + 3), sizeof *p->problem.work);
    if (p->start && p->problem.work && make_parts(p)) {
        memcpy(p->start, u0, (size_t)p->n * sizeof *u0);
        if (find_slope(p) && configure(p))
            return p;
    }
    plain_ida_free(p);
    return NULL;
}

/* A thousandth of the way, or where u moves by half its tolerance. */
static double first_step(const plain_ida *p)
{
    const double *u = p->start, *du = u + p->n, h = 1e-3 * p->t_end;
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        const double rate = du[i] / (p->rtol * fabs(u[i]) + p->rtol);
        sum += rate * rate;
    }
    const double norm = sqrt(sum / p->n);
    return norm * h > 0.5 ? 0.5 / norm : h;
}

int plain_ida_run(plain_ida *p, double *u)
{
    double t;
    take_start(p);
    if (IDAReInit(p->memory, 0, p->u, p->du) || IDASetInitStep(p->memory, first_step(p))
        || IDASetStopTime(p->memory, p->t_end))
        return 0;
    if (IDASolve(p->memory, p->t_end, &t, p->u, p->du, IDA_NORMAL) < 0)
        return 0;
    memcpy(u, N_VGetArrayPointer(p->u), (size_t)p->n * sizeof *u);
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
