/* ida_equations.c - residual, Newton matrix, weights and start of a system as IDA asks for them */
#include "ida.h"

#include "stepper/derivative.h"

#include <math.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* The answer to IDA: 0, or 1 where x[n] is not finite */
static int judge(dae_ida *w, const double *x, int n)
{
    const int finite = dae_all_finite(x, (size_t)n);
    w->undefined |= !finite;
    return !finite;
}

double *dae_ida_unknowns(const dae_ida *w, N_Vector v)
{
    double *x = N_VGetArrayPointer(v);
    if (!w->offset)
        return x;
    for (sunindextype i = 0; i < N_VGetLength(v); i++)
        w->whole[i] = x[i] + w->offset[i];
    return w->whole;
}

int dae_ida_residual(double t, N_Vector u, N_Vector du, N_Vector r, void *data)
{
    dae_solver *s = data;
    dae_ida *w = s->stepper;
    double *out = N_VGetArrayPointer(r);
    dae_system_rhs(s->sys, t, dae_ida_unknowns(w, u), w->F);
    dae_system_mass(s->sys, N_VGetArrayPointer(du), out);
    for (int i = 0; i < s->n; i++)
        out[i] -= w->F[i];
    return judge(w, out, s->n);
}

/* A := c M - J on the pattern, in dense or compressed columns */
static void assemble(const dae_jacobian *jac, double c, SUNMatrix A)
{
    const dae_pattern *p = &jac->pair.pattern;
    SUNMatZero(A);
    if (SUNMatGetID(A) == SUNMATRIX_DENSE) {
        for (int j = 0; j < p->n; j++)
            for (int k = p->column[j]; k < p->column[j + 1]; k++)
                SUNDenseMatrix_Column(A, j)[p->row[k]] = c * jac->pair.M[k] - jac->pair.J[k];
        return;
    }
    for (int j = 0; j <= p->n; j++)
        SUNSparseMatrix_IndexPointers(A)[j] = p->column[j];
    for (int k = 0; k < p->nnz; k++) {
        SUNSparseMatrix_IndexValues(A)[k] = p->row[k];
        SUNSparseMatrix_Data(A)[k] = c * jac->pair.M[k] - jac->pair.J[k];
    }
}

/* Where the pattern has grown A and its factors are made again; 0 where there is no memory. And
 * where the last A was singular with the pivots of those before it, new ones are chosen. */
static int follow_pattern(const dae_solver *s, dae_ida *w, SUNMatrix A)
{
    const int grown = w->generation != w->jac->pair.generation;
    w->generation = w->jac->pair.generation;
    if (s->linear != DAE_LINEAR_KLU
        || (!grown && SUNLinSol_KLUGetCommon(w->linear)->status != KLU_SINGULAR))
        return 1;
    return !SUNLinSol_KLUReInit(w->linear, A, w->jac->pair.pattern.nnz,
                                grown ? SUNKLU_REINIT_FULL : SUNKLU_REINIT_PARTIAL);
}

int dae_ida_newton_matrix(double t, double c, N_Vector u, N_Vector du, N_Vector r, SUNMatrix A,
                          void *data, N_Vector a, N_Vector b, N_Vector d)
{
    dae_solver *s = data;
    dae_ida *w = s->stepper;
    (void)du, (void)r, (void)a, (void)b, (void)d;
    dae_linearise(w->jac, t, dae_ida_unknowns(w, u), w->F, NULL);
    if (w->jac->pair.lost || !follow_pattern(s, w, A))
        return -1;
    assemble(w->jac, c, A);
    return judge(w, w->jac->pair.J, w->jac->pair.pattern.nnz);
}

int dae_ida_weights(N_Vector u, N_Vector out, void *data)
{
    const dae_solver *s = data;
    const dae_ida *w = s->stepper;
    const double *x = dae_ida_unknowns(w, u);
    const double h = dae_index_scale(s, w->h);
    double *weight = N_VGetArrayPointer(out);
    for (int i = 0; i < s->n; i++) {
        weight[i] = 1 / (s->options.rtol * dae_usual_size(s, i, fabs(x[i])) + s->atol[i]);
        for (int k = s->variable_index[i]; k > 1; k--)
            weight[i] *= h;
    }
    return 0;
}

dae_status dae_ida_derivative(dae_solver *s, dae_ida *w)
{
    double *du = N_VGetArrayPointer(w->du);
    dae_system_rhs(s->sys, s->t, s->u, w->F);
    const dae_status status = dae_solver_check_finite(s, w->F, "F at the start", s->t);
    if (status)
        return status;
    dae_derivative_at(s, s->t, s->u, du);
    for (int i = 0; i < s->n; i++)
        if (dae_system_is_algebraic(s->sys, i) && s->variable_index[i] > 1)
            du[i] = 0;
    return DAE_OK;
}

double dae_ida_first_step(const dae_solver *s, const dae_ida *w, double t_stop)
{
    const double *du = N_VGetArrayPointer(w->du);
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        const double rate = du[i] / (s->options.rtol * fabs(s->u[i]) + s->atol[i]);
        sum += rate * rate;
    }
    const double norm = sqrt(sum / s->n), h = 1e-3 * (t_stop - s->t);
    return norm * h > 0.5 ? 0.5 / norm : h;
}
