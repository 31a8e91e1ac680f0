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
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* ---- scaling ------------------------------------------------------------------------------ */

/* The power of two in x > 0: x without its digits; 1 where there is none. */
static inline double power_of_two(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (uint64_t)0x7ff << 52;
    if (bits == 0 || bits == (uint64_t)0x7ff << 52)
        return 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* From the largest entries of the rows of A in sizes of unknowns, which row_scale holds. */
static void find_scales(dae_sundials_linear *l)
{
    const int n = l->jac->pair.pattern.n;
    for (int i = 0; i < n; i++) {
        l->row_scale[i] = 1 / power_of_two(l->row_scale[i]);
        l->column_scale[i] = power_of_two(l->jac->pair.size[i]);
    }
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

/* A is R A C already. */
static int setup(SUNLinearSolver S, SUNMatrix A)
{
    return SUNLinSolSetup(inner_of(S), A);
}

/* right, which may change, in place. */
static int solve_scaled(const dae_sundials_linear *l, SUNMatrix A, N_Vector left, N_Vector right,
                        double tolerance)
{
    double *b = NV_DATA_S(right), *x = NV_DATA_S(left);
    const int n = l->jac->pair.pattern.n;
    for (int i = 0; i < n; i++)
        b[i] *= l->row_scale[i];
    const int flag = SUNLinSolSolve(l->inner, A, left, right, tolerance);
    for (int i = 0; i < n; i++)
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
    const size_t bytes = (size_t)NV_LENGTH_S(b) * sizeof(double), all = (size_t)NV_LENGTH_S(l->left) * sizeof(double);
    memcpy(NV_DATA_S(l->left), NV_DATA_S(b), bytes);
    memset((char *)NV_DATA_S(l->left) + bytes, 0, all - bytes);
    dae_system_mass(l->jac->sys, NV_DATA_S(l->left), NV_DATA_S(l->right));
    const int flag = solve_scaled(l, A, l->left, l->right, tolerance);
    memcpy(NV_DATA_S(x), NV_DATA_S(l->left), bytes);
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
    l->sparse = l->unordered = sparse;
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

int dae_sundials_linear_singular(const dae_sundials_linear *l)
{
    return l->sparse && SUNLinSol_KLUGetCommon(l->inner)->status == KLU_SINGULAR;
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
    if (!l->sparse || !(grown || always))
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
    if (!l->sparse)
        return n * n;
    const sun_klu_numeric *numeric = SUNLinSol_KLUGetNumeric(l->inner);
    return numeric ? (long)(numeric->lnz + numeric->unz + numeric->nzoff) - n : 0;
}

/* ---- the matrix --------------------------------------------------------------------------- */

/* Entries of column j of A = a M - b J into value[], those of dense columns at their rows; row_scale collects
 * the largest of each row in sizes of unknowns. */
static inline void put_column(const dae_sundials_linear *l, double a, double b, int j, int dense, double *value)
{
    const dae_matrix_pair *pair = &l->jac->pair;
    const int *restrict row = pair->pattern.row;
    const double *restrict M = pair->M, *restrict J = pair->J;
    const double size = pair->size[j];
    double *restrict most = l->row_scale;
    for (int k = pair->pattern.column[j]; k < pair->pattern.column[j + 1]; k++) {
        const double x = a * M[k] - b * J[k], y = fabs(x) * size;
        value[dense ? row[k] : k] = x;
        most[row[k]] = y > most[row[k]] ? y : most[row[k]];
    }
}

static inline void scale_column(const dae_sundials_linear *l, int j, int dense, double *value)
{
    const dae_pattern *p = &l->jac->pair.pattern;
    const double by = l->column_scale[j];
    for (int k = p->column[j]; k < p->column[j + 1]; k++)
        value[dense ? p->row[k] : k] *= l->row_scale[p->row[k]] * by;
}

/* Compressed columns, which integrators clear with their entries. */
static void fill_sparse(dae_sundials_linear *l, double a, double b, SUNMatrix A)
{
    const dae_pattern *p = &l->jac->pair.pattern;
    sunindextype *begin = SM_INDEXPTRS_S(A), *row = SM_INDEXVALS_S(A);
    double *value = SM_DATA_S(A);
    for (int j = 0; j < p->n; j++) {
        begin[j] = p->column[j];
        put_column(l, a, b, j, 0, value);
    }
    begin[p->n] = p->nnz;
    for (int k = 0; k < p->nnz; k++)
        row[k] = p->row[k];
    find_scales(l);
    for (int j = 0; j < p->n; j++)
        scale_column(l, j, 0, value);
}

static void fill_dense(dae_sundials_linear *l, double a, double b, SUNMatrix A)
{
    const dae_pattern *p = &l->jac->pair.pattern;
    double *const *column = SM_COLS_D(A);
    if (!p->full)
        memset(SM_DATA_D(A), 0, (size_t)p->n * (size_t)p->n * sizeof(double));
    for (int j = 0; j < p->n; j++)
        put_column(l, a, b, j, 1, column[j]);
    find_scales(l);
    for (int j = 0; j < p->n; j++)
        scale_column(l, j, 1, column[j]);
}

/* Where the last A was singular with the pivots of those before it, new ones are chosen. */
int dae_sundials_linear_assemble(dae_sundials_linear *l, double a, double b, SUNMatrix A)
{
    const size_t n = (size_t)l->jac->pair.pattern.n;
    if (l->jac->pair.lost || renew(l, A, dae_sundials_linear_singular(l)))
        return 0;
    memset(l->row_scale, 0, n * sizeof *l->row_scale);
    (l->sparse ? fill_sparse : fill_dense)(l, a, b, A);
    return 1;
}
