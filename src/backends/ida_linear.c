/* ida_linear.c - the linear solvers of SUNDIALS, of equations and unknowns in units of their own
 *
 * They compare entries of a column as they stand, KLU those of rows divided by their largest one;
 * another unit of an equation or an unknown chose other pivots. Here A x = b is handed to them as
 * (R A C) (C^-1 x) = R b, where C is the size of each unknown and R takes the largest entry of each
 * row of A C into [1, 2), both by powers of two: exactly.
 */
#include "ida.h"

#include <math.h>
#include <stdlib.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

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

static void find_scales(dae_ida *w, SUNMatrix A)
{
    const sunindextype n = w->jac->pair.pattern.n, *row;
    sunindextype count;
    for (sunindextype i = 0; i < n; i++)
        w->row_scale[i] = 0;
    for (sunindextype j = 0; j < n; j++) {
        const double *a = column(A, j, &count, &row);
        w->column_scale[j] = power_of_two(w->jac->pair.size[j]);
        for (sunindextype k = 0; k < count; k++) {
            double *most = &w->row_scale[row ? row[k] : k];
            *most = fmax(*most, fabs(a[k]) * w->jac->pair.size[j]);
        }
    }
    for (sunindextype i = 0; i < n; i++)
        w->row_scale[i] = 1 / power_of_two(w->row_scale[i]);
}

static SUNLinearSolver_Type get_type(SUNLinearSolver S)
{
    return SUNLinSolGetType(((const dae_ida *)S->content)->linear);
}

static SUNLinearSolver_ID get_id(SUNLinearSolver S)
{
    return SUNLinSolGetID(((const dae_ida *)S->content)->linear);
}

static int initialize(SUNLinearSolver S)
{
    return SUNLinSolInitialize(((const dae_ida *)S->content)->linear);
}

static sunindextype last_flag(SUNLinearSolver S)
{
    return SUNLinSolLastFlag(((const dae_ida *)S->content)->linear);
}

static int setup(SUNLinearSolver S, SUNMatrix A)
{
    dae_ida *w = S->content;
    const sunindextype *row;
    sunindextype count;
    find_scales(w, A);
    for (sunindextype j = 0; j < w->jac->pair.pattern.n; j++) {
        double *a = column(A, j, &count, &row);
        for (sunindextype k = 0; k < count; k++)
            a[k] *= w->row_scale[row ? row[k] : k] * w->column_scale[j];
    }
    return SUNLinSolSetup(w->linear, A);
}

/* IDA puts x into b afterwards: b may change. */
static int solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)
{
    const dae_ida *w = S->content;
    double *right = N_VGetArrayPointer(b), *left = N_VGetArrayPointer(x);
    for (int i = 0; i < w->jac->pair.pattern.n; i++)
        right[i] *= w->row_scale[i];
    const int flag = SUNLinSolSolve(w->linear, A, x, b, tolerance);
    for (int i = 0; i < w->jac->pair.pattern.n; i++)
        left[i] *= w->column_scale[i];
    return flag;
}

/* w->linear and w->row_scale are freed with the run. */
static int release(SUNLinearSolver S)
{
    SUNLinSolFreeEmpty(S);
    return 0;
}

int dae_ida_scale_linear(dae_ida *w)
{
    w->row_scale = calloc(2 * (size_t)w->jac->pair.pattern.n, sizeof *w->row_scale);
    w->scaled = SUNLinSolNewEmpty(w->context);
    if (!w->row_scale || !w->scaled)
        return 0;
    w->column_scale = w->row_scale + w->jac->pair.pattern.n;
    w->scaled->content = w;
    w->scaled->ops->gettype = get_type;
    w->scaled->ops->getid = get_id;
    w->scaled->ops->initialize = initialize;
    w->scaled->ops->lastflag = last_flag;
    w->scaled->ops->setup = setup;
    w->scaled->ops->solve = solve;
    w->scaled->ops->free = release;
    return 1;
}
