/* linear.c - the pencils of this library as linear solvers of SUNDIALS
 *
 * A matrix function is told a and b, the linear solver is not: so the pencil is factored by the one, and what came of
 * it is the answer of the other. The matrix between them is empty.
 *
 * An integrator of y' = f, f = M^-1 F, solves (I - gamma f_y) x = b. With A = M - gamma J that is
 * A x = M b; and where f has unknowns z eliminated that have no derivative in M u', A (x, z) = M (b, 0)
 * eliminates them, too.
 */
#include "linear.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

/* ---- a matrix without entries ------------------------------------------------------------- */

static SUNMatrix_ID matrix_id(SUNMatrix A)
{
    (void)A;
    return SUNMATRIX_CUSTOM;
}

static int clear(SUNMatrix A)
{
    (void)A;
    return SUN_SUCCESS;
}

static SUNMatrix create_matrix(SUNContext context)
{
    SUNMatrix A = SUNMatNewEmpty(context);
    if (!A)
        return NULL;
    A->ops->getid = matrix_id;
    A->ops->zero = clear;
    A->ops->destroy = SUNMatFreeEmpty;
    return A;
}

/* ---- a linear solver ---------------------------------------------------------------------- */

static SUNLinearSolver_Type get_type(SUNLinearSolver S)
{
    (void)S;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID get_id(SUNLinearSolver S)
{
    (void)S;
    return SUNLINEARSOLVER_CUSTOM;
}

static sunindextype last_flag(SUNLinearSolver S)
{
    const dae_sundials_linear *l = S->content;
    return l->flag;
}

static int setup(SUNLinearSolver S, SUNMatrix A)
{
    const dae_sundials_linear *l = S->content;
    (void)A;
    return l->flag;
}

/* x := A^-1 x; a code of SUNDIALS. */
static int solve_in_place(dae_sundials_linear *l, double *x)
{
    return l->flag = dae_pencil_solve_real(l->of.pencil, x) ? SUNLS_PACKAGE_FAIL_REC : SUN_SUCCESS;
}

static int solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)
{
    dae_sundials_linear *l = S->content;
    const int n = l->of.jac->pair.pattern.n;
    const double over = l->over, *restrict from = NV_DATA_S(b);
    double *restrict to = NV_DATA_S(x);
    (void)A, (void)tolerance;
    for (int i = 0; i < n; i++)
        to[i] = over * from[i];
    const int flag = solve_in_place(l, to);
    if (l->components) {
        dae_components_of(l->components, to, l->components->y);
        memcpy(to, l->components->y, (size_t)n * sizeof *to);
    }
    return flag;
}

static int solve_ode(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, double tolerance)
{
    dae_sundials_linear *l = S->content;
    const size_t n = (size_t)l->of.jac->pair.pattern.n, length = (size_t)NV_LENGTH_S(b);
    double *left = l->left, *right = left + n;
    (void)A, (void)tolerance;
    memcpy(left, NV_DATA_S(b), length * sizeof *left);
    memset(left + length, 0, (n - length) * sizeof *left);
    dae_system_mass(l->of.jac->sys, left, right);
    for (size_t i = 0; i < n; i++)
        right[i] *= l->over;
    const int flag = solve_in_place(l, right);
    memcpy(NV_DATA_S(x), right, length * sizeof *right);
    return flag;
}

static int initialize(SUNLinearSolver S)
{
    (void)S;
    return SUN_SUCCESS;
}

/* The pencil is freed with the run. */
static int release(SUNLinearSolver S)
{
    SUNLinSolFreeEmpty(S);
    return SUN_SUCCESS;
}

static SUNLinearSolver create_solver(dae_sundials_linear *l, int of_ode, SUNContext context)
{
    SUNLinearSolver S = SUNLinSolNewEmpty(context);
    if (!S)
        return NULL;
    S->content = l;
    S->ops->gettype = get_type;
    S->ops->getid = get_id;
    S->ops->initialize = initialize;
    S->ops->lastflag = last_flag;
    S->ops->setup = setup;
    S->ops->solve = of_ode ? solve_ode : solve;
    S->ops->free = release;
    return S;
}

/* ---- creation ----------------------------------------------------------------------------- */

dae_status dae_sundials_linear_create(dae_sundials_linear *l, dae_solver *s, int of_ode, SUNContext context)
{
    const dae_status status = dae_linearised_create(s, &l->of);
    if (status)
        return status;
    l->A = create_matrix(context);
    l->solver = create_solver(l, of_ode, context);
    l->left = of_ode ? calloc(2 * (size_t)s->n, sizeof *l->left) : NULL;
    if (l->A && l->solver && (l->left || !of_ode))
        return DAE_OK;
    return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for a linear solver of %d unknowns", s->n);
}

void dae_sundials_linear_free(dae_sundials_linear *l)
{
    if (l->solver)
        SUNLinSolFree(l->solver);
    if (l->A)
        SUNMatDestroy(l->A);
    dae_linearised_free(&l->of);
    free(l->left);
}

/* ---- factors ------------------------------------------------------------------------------ */

int dae_sundials_linear_factor(dae_sundials_linear *l, double a, double b)
{
    const dae_matrix_pair *pair = &l->of.jac->pair;
    l->over = 1 / a;
    const dae_status status = dae_pencil_factor_real(l->of.pencil, b / a).status;
    l->flag = status ? SUNLS_LUFACT_FAIL : SUN_SUCCESS;
    if (status == DAE_NO_MEMORY)
        return -1;
    return status && !dae_vector_finite(pair->pattern.nnz, pair->J);
}
