/* linear.c - the linear solvers of SUNDIALS, of equations and unknowns in units of their own
 *
 * They compare entries of a column as they stand, KLU those of rows divided by their largest one;
 * another unit of an equation or an unknown chose other pivots. Here A x = b is handed to them as
 * (R A C) (C^-1 x) = R b, where C is the size of each unknown and R takes the largest entry of each
 * row of A C into [1, 2), both by powers of two: exactly.
 *
 * An integrator of y' = f, f = M^-1 F, solves (I - gamma f_y) x = b. With A = M - gamma J that is
 * A x = M b; and where f has unknowns z eliminated that have no derivative in M u', A (x, z) = M (b, 0)
 * eliminates them, too.
 */
#include "linear.h"

#include "linear/pencil.h"
#include "stepper/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* ---- scaling ------------------------------------------------------------------------------ */

/* The power of two in x; 1 where there is none. */
static double power_of_two(double x)
{
    return isnormal(x) ? ldexp(1, ilogb(x)) : 1;
}

/* Column j of A: its entries, their number, and their rows, NULL where all are there. */
static double *column(SUNMatrix A, sunindextype j, sunindextype *count, const sunindextype **row)
{
    if (SUNMatGetID(A) == SUNMATRIX_DENSE) {
        *count = SUNDenseMatrix_Rows(A);
        *row = NULL;
        return SUNDenseMatrix_Column(A, j);
    }
    const sunindextype *begin = SUNSparseMatrix_IndexPointers(A);
    *count = begin[j + 1] - begin[j];
    *row = SUNSparseMatrix_IndexValues(A) + begin[j];
    return SUNSparseMatrix_Data(A) + begin[j];
}

static void find_scales(dae_sundials_linear *l, SUNMatrix A)
{
    const sunindextype n = l->jac->pair.pattern.n, *row;
    sunindextype count;
    for (sunindextype i = 0; i < n; i++)
        l->row_scale[i] = 0;
    for (sunindextype j = 0; j < n; j++) {
        const double *a = column(A, j, &count, &row);
        l->column_scale[j] = power_of_two(l->jac->pair.size[j]);
        for (sunindextype k = 0; k < count; k++) {
            double *most = &l->row_scale[row ? row[k] : k];
            *most = fmax(*most, fabs(a[k]) * l->jac->pair.size[j]);
        }
    }
    for (sunindextype i = 0; i < n; i++)
        l->row_scale[i] = 1 / power_of_two(l->row_scale[i]);
}

/* ---- a linear solver ---------------------------------------------------------------------- */

static SUNLinearSolver inner_of(SUNLinearSolver S)
{
    return ((const dae_sundials_linear *)S->content)->inner;
}

static SUNLinearSolver_Type get_type(SUNLinearSolver S) { return SUNLinSolGetType(inner_of(S)); }
static SUNLinearSolver_ID get_id(SUNLinearSolver S) { return SUNLinSolGetID(inner_of(S)); }
static int initialize(SUNLinearSolver S) { return SUNLinSolInitialize(inner_of(S)); }
static sunindextype last_flag(SUNLinearSolver S) { return SUNLinSolLastFlag(inner_of(S)); }

static int setup(SUNLinearSolver S, SUNMatrix A)
{
    dae_sundials_linear *l = S->content;
    const sunindextype *row;
    sunindextype count;
    find_scales(l, A);
    for (sunindextype j = 0; j < l->jac->pair.pattern.n; j++) {
        double *a = column(A, j, &count, &row);
        for (sunindextype k = 0; k < count; k++)
            a[k] *= l->row_scale[row ? row[k] : k] * l->column_scale[j];
    }
    return SUNLinSolSetup(l->inner, A);
}

/* right, which may change, in place. */
static int solve_scaled(const dae_sundials_linear *l, SUNMatrix A, N_Vector left, N_Vector right,
                        double tolerance)
{
    double *b = N_VGetArrayPointer(right), *x = N_VGetArrayPointer(left);
    for (int i = 0; i < l->jac->pair.pattern.n; i++)
        b[i] *= l->row_scale[i];
    const int flag = SUNLinSolSolve(l->inner, A, left, right, tolerance);
    for (int i = 0; i < l->jac->pair.pattern.n; i++)
        x[i] *= l->column_scale[i];
    return flag;
}

/* IDA puts x into b afterwards: b may change. */
static int solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)
{
    return solve_scaled(S->content, A, x, b, tolerance);
}

static int solve_ode(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)
{
    const dae_sundials_linear *l = S->content;
    const size_t bytes = (size_t)N_VGetLength(b) * sizeof(double);
    N_VConst(0, l->left);
    memcpy(N_VGetArrayPointer(l->left), N_VGetArrayPointer(b), bytes);
    dae_system_mass(l->jac->sys, N_VGetArrayPointer(l->left), N_VGetArrayPointer(l->right));
    const int flag = solve_scaled(l, A, l->left, l->right, tolerance);
    memcpy(N_VGetArrayPointer(x), N_VGetArrayPointer(l->left), bytes);
    return flag;
}

/* inner and row_scale are freed with the run. */
static int release(SUNLinearSolver S)
{
    SUNLinSolFreeEmpty(S);
    return 0;
}

static int create_scaled(dae_sundials_linear *l, int of_ode, SUNContext context)
{
    l->row_scale = calloc(2 * (size_t)l->jac->pair.pattern.n, sizeof *l->row_scale);
    l->scaled = SUNLinSolNewEmpty(context);
    if (!l->row_scale || !l->scaled)
        return 0;
    l->column_scale = l->row_scale + l->jac->pair.pattern.n;
    l->scaled->content = l;
    l->scaled->ops->gettype = get_type;
    l->scaled->ops->getid = get_id;
    l->scaled->ops->initialize = initialize;
    l->scaled->ops->lastflag = last_flag;
    l->scaled->ops->setup = setup;
    l->scaled->ops->solve = of_ode ? solve_ode : solve;
    l->scaled->ops->free = release;
    return 1;
}

/* ---- creation ----------------------------------------------------------------------------- */

dae_status dae_sundials_linear_offers(dae_solver *s)
{
    if (s->options.linear != DAE_LINEAR_BAND)
        return DAE_OK;
    return dae_fail(&s->report, DAE_UNSUPPORTED, "%s is a method of SUNDIALS, which solves by dense or klu here, not by band",
                    s->method->info.name);
}

int dae_sundials_linear_create(dae_sundials_linear *l, dae_jacobian *jac, dae_linear_kind kind,
                               int of_ode, SUNContext context)
{
    const dae_pattern *p = &jac->pair.pattern;
    const int sparse = kind == DAE_LINEAR_KLU;
    l->jac = jac;
    l->A = sparse ? SUNSparseMatrix(p->n, p->n, p->nnz, CSC_MAT, context)
                  : SUNDenseMatrix(p->n, p->n, context);
    l->right = N_VNew_Serial(p->n, context);
    l->left = of_ode ? N_VNew_Serial(p->n, context) : NULL;
    if (!l->A || !l->right || (of_ode && !l->left))
        return 0;
    l->inner = sparse ? SUNLinSol_KLU(l->right, l->A, context)
                      : SUNLinSol_Dense(l->right, l->A, context);
    if (l->inner && sparse)
        SUNLinSol_KLUGetCommon(l->inner)->initmem = 2;  /* entries for each of A; more as needed */
    l->unordered = sparse;
    return l->inner && create_scaled(l, of_ode, context);
}

void dae_sundials_linear_free(dae_sundials_linear *l)
{
    if (l->scaled)
        SUNLinSolFree(l->scaled);
    if (l->inner)
        SUNLinSolFree(l->inner);
    if (l->A)
        SUNMatDestroy(l->A);
    if (l->right)
        N_VDestroy(l->right);
    if (l->left)
        N_VDestroy(l->left);
    free(l->row_scale);
}

/* ---- KLU ---------------------------------------------------------------------------------- */

static int is_klu(const dae_sundials_linear *l)
{
    return l->inner && SUNLinSolGetID(l->inner) == SUNLINEARSOLVER_KLU;
}

int dae_sundials_linear_singular(const dae_sundials_linear *l)
{
    return is_klu(l) && SUNLinSol_KLUGetCommon(l->inner)->status == KLU_SINGULAR;
}

int dae_sundials_linear_order(dae_sundials_linear *l, double gamma)
{
    if (!l->unordered)
        return 0;
    l->unordered = 0;
    return SUNLinSol_KLUSetOrdering(l->inner, dae_klu_ordering(&l->jac->pair, gamma));
}

/* KLU begins anew, with other memory where the pattern has grown. */
static int renew(dae_sundials_linear *l, SUNMatrix A, int always)
{
    const int grown = l->generation != l->jac->pair.generation;
    l->generation = l->jac->pair.generation;
    if (!is_klu(l) || !(grown || always))
        return 0;
    return SUNLinSol_KLUReInit(l->inner, A, l->jac->pair.pattern.nnz,
                               grown ? SUNKLU_REINIT_FULL : SUNKLU_REINIT_PARTIAL);
}

int dae_sundials_linear_restart(dae_sundials_linear *l)
{
    return renew(l, l->A, 1);
}

long dae_sundials_linear_fill(const dae_sundials_linear *l)
{
    const long n = l->jac->pair.pattern.n;
    if (!is_klu(l))
        return n * n;
    const sun_klu_numeric *numeric = SUNLinSol_KLUGetNumeric(l->inner);
    return numeric ? (long)(numeric->lnz + numeric->unz + numeric->nzoff) - n : 0;
}

/* ---- the matrix --------------------------------------------------------------------------- */

/* On the pattern, in dense or compressed columns */
static void fill_in(const dae_matrix_pair *pair, double a, double b, SUNMatrix A)
{
    const dae_pattern *p = &pair->pattern;
    SUNMatZero(A);
    if (SUNMatGetID(A) == SUNMATRIX_DENSE) {
        for (int j = 0; j < p->n; j++)
            for (int k = p->column[j]; k < p->column[j + 1]; k++)
                SUNDenseMatrix_Column(A, j)[p->row[k]] = a * pair->M[k] - b * pair->J[k];
        return;
    }
    for (int j = 0; j <= p->n; j++)
        SUNSparseMatrix_IndexPointers(A)[j] = p->column[j];
    for (int k = 0; k < p->nnz; k++) {
        SUNSparseMatrix_IndexValues(A)[k] = p->row[k];
        SUNSparseMatrix_Data(A)[k] = a * pair->M[k] - b * pair->J[k];
    }
}

/* Where the last A was singular with the pivots of those before it, new ones are chosen. */
int dae_sundials_linear_assemble(dae_sundials_linear *l, double a, double b, SUNMatrix A)
{
    if (l->jac->pair.lost || renew(l, A, dae_sundials_linear_singular(l)))
        return 0;
    fill_in(&l->jac->pair, a, b, A);
    return 1;
}
