/* eliminate.c - the sparse matrix that is left where positions are eliminated */
#include "eliminate.h"

#include <stdlib.h>
#include <string.h>

/* The rows of q' = v hold the diagonal of M, which is 1 there, and J = I for v, and M nothing else
 * in the columns of q: so the pattern and M say; that F_q = v is known of the formulation. */
static int is_motion(const dae_jacobian *jac, int nq)
{
    const dae_pattern *p = &jac->pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int i = p->row[k];
            if (i < nq && (j >= 2 * nq || i != j % nq || jac->M[k] != (j < nq)))
                return 0;
            if (i >= nq && j < nq && jac->M[k] != 0)
                return 0;
        }
    return 1;
}

/* Of a form without auxiliary unknowns; differences round the rows of q' = v. */
static int eliminated(const dae_jacobian *jac)
{
    const dae_system *sys = jac->sys;
    if (!sys || jac->kind == DAE_JACOBIAN_FD || sys->compose->kind != DAE_FORM_MECHANICAL
        || sys->compose->auxiliary > 0 || !is_motion(jac, sys->nq))
        return 0;
    return sys->nq;
}

/* Column c of S: the rows of columns c, if it is a position's, and nq + c, in increasing order. */
static int merge(dae_elimination *e, int c, int at)
{
    const dae_pattern *p = &e->full;
    const int nq = e->nq, position = c < nq;
    int k = position ? p->column[c] : 0, k_end = position ? p->column[c + 1] : 0;
    int l = p->column[nq + c], l_end = p->column[nq + c + 1];
    while (k < k_end || l < l_end) {
        const int a = k < k_end ? p->row[k] : p->rows, b = l < l_end ? p->row[l] : p->rows;
        const int i = a < b ? a : b;
        if (a == i)
            e->place[k++] = i < nq ? -1 : at;
        if (b == i)
            e->place[l++] = i < nq ? -1 : at;
        if (i >= nq)
            e->S.row[at++] = i - nq;
    }
    return at;
}

int dae_elimination_create(dae_elimination *e, const dae_jacobian *jac, int allowed)
{
    const dae_pattern *p = &jac->pattern;
    *e = (dae_elimination){.nq = allowed ? eliminated(jac) : 0, .full = *p, .S = *p};
    if (e->nq == 0)
        return 1;
    const int m = p->n - e->nq;
    e->S = (dae_pattern){.rows = m, .n = m};
    e->S.column = calloc((size_t)m + 1, sizeof *e->S.column);
    e->S.row = malloc(((size_t)p->nnz + 1) * sizeof *e->S.row);
    e->place = malloc(((size_t)p->nnz + 1) * sizeof *e->place);
    if (!e->S.column || !e->S.row || !e->place)
        return 0;
    for (int c = 0; c < m; c++)
        e->S.column[c + 1] = e->S.nnz = merge(e, c, e->S.nnz);
    return 1;
}

void dae_elimination_free(dae_elimination *e)
{
    if (e->nq > 0)
        dae_pattern_free(&e->S);
    free(e->place);
}

void dae_eliminate(const dae_elimination *e, const dae_jacobian *jac, double gamma_re,
                   double gamma_im, double *S)
{
    const double *M = jac->M, *J = jac->J;
    const int *place = e->place, positions = e->full.column[e->nq];
    const double square_re = gamma_re * gamma_re - gamma_im * gamma_im;
    const double square_im = 2 * gamma_re * gamma_im;
    if (place)
        memset(S, 0, 2 * (size_t)e->S.nnz * sizeof *S);
    for (int k = positions; k < e->full.nnz; k++) {
        const int at = place ? place[k] : k;
        if (at < 0)
            continue;
        S[2 * at] = M[k] - gamma_re * J[k];
        S[2 * at + 1] = -gamma_im * J[k];
    }
    for (int k = 0; k < positions; k++) {
        if (place[k] < 0)
            continue;
        S[2 * place[k]] -= square_re * J[k];
        S[2 * place[k] + 1] -= square_im * J[k];
    }
}

void dae_eliminate_real(const dae_elimination *e, const dae_jacobian *jac, double gamma, double *S)
{
    const double *M = jac->M, *J = jac->J;
    const int *place = e->place, positions = e->full.column[e->nq];
    if (place)
        memset(S, 0, (size_t)e->S.nnz * sizeof *S);
    for (int k = positions; k < e->full.nnz; k++) {
        const int at = place ? place[k] : k;
        if (at >= 0)
            S[at] = M[k] - gamma * J[k];
    }
    for (int k = 0; k < positions; k++)
        if (place[k] >= 0)
            S[place[k]] -= gamma * gamma * J[k];
}
