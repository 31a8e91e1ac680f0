/* eliminate.c - the sparse matrix that is left where positions are eliminated */
#include "eliminate.h"

#include "pivoting.h"

#include <stdlib.h>
#include <string.h>

/* The pair tells of rows q' = v. Does the pattern say so, too: entries for M = I in q, for J = I in v,
 * and none besides? A pattern that is larger may have been probed where F is not finite, or be full. */
static int is_exact(const dae_matrix_pair *pair, int nq)
{
    const dae_pattern *p = &pair->pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int i = p->row[k];
            if (i < nq && (j >= 2 * nq || i != j % nq || pair->M[k] != (j < nq)))
                return 0;
            if (i >= nq && j < nq && pair->M[k] != 0)
                return 0;
        }
    return 1;
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

int dae_elimination_create(dae_elimination *e, const dae_matrix_pair *pair)
{
    const dae_pattern *p = &pair->pattern;
    const int nq = is_exact(pair, pair->identities) ? pair->identities : 0;
    *e = (dae_elimination){.nq = nq, .full = *p, .S = *p};
    if (e->nq == 0)
        return 1;
    const int m = p->n - e->nq;
    e->S = (dae_pattern){.rows = m, .n = m};
    e->S.column = calloc((size_t)m + 1, sizeof *e->S.column);
    e->S.row = malloc(((size_t)p->nnz + 1) * sizeof *e->S.row);
    e->place = malloc(((size_t)p->nnz + 1) * sizeof *e->place);
    e->below = malloc((size_t)e->nq * sizeof *e->below);
    if (!e->S.column || !e->S.row || !e->place || !e->below)
        return 0;
    for (int c = 0; c < m; c++)
        e->S.column[c + 1] = e->S.nnz = merge(e, c, e->S.nnz);
    for (int j = 0; j < e->nq; j++)
        for (e->below[j] = p->column[j]; e->below[j] < p->column[j + 1] && p->row[e->below[j]] < e->nq;)
            e->below[j]++;
    return 1;
}

void dae_elimination_forget(dae_elimination *e)
{
    const dae_pattern S = e->S;
    if (e->nq > 0)
        dae_pattern_free(&e->S);
    free(e->place);
    e->S = (dae_pattern){.rows = S.rows, .n = S.n, .nnz = S.nnz};
    e->place = NULL;
}

void dae_elimination_free(dae_elimination *e)
{
    if (e->nq > 0)
        dae_pattern_free(&e->S);
    free(e->place);
    free(e->below);
}

void dae_eliminated_keep(const dae_elimination *e, const dae_matrix_pair *pair, double gamma_re, double gamma_im,
                         dae_eliminated *by)
{
    by->re = gamma_re;
    by->im = gamma_im;
    memcpy(by->J_q, pair->J, dae_eliminated_size(e) * sizeof *by->J_q);
}

static void add_positions(const dae_elimination *e, const dae_eliminated *by, double *restrict r)
{
    const int nq = e->nq, *restrict row = e->full.row, *restrict end = e->full.column + 1, *restrict below = e->below;
    const double gamma = by->re, *restrict J_q = by->J_q;
    for (int j = 0; j < nq; j++) {
        const double x = gamma * r[j];
        int k = below[j];
        for (; k + 1 < end[j]; k += 2) {                /* of different rows: neither waits for the other */
            const double y = r[row[k]] + J_q[k] * x, z = r[row[k + 1]] + J_q[k + 1] * x;
            r[row[k]] = y;
            r[row[k + 1]] = z;
        }
        if (k < end[j])
            r[row[k]] += J_q[k] * x;
    }
}

static void add_positions_complex(const dae_elimination *e, const dae_eliminated *by, double *restrict re,
                                  double *restrict im)
{
    const int nq = e->nq, *restrict row = e->full.row, *restrict end = e->full.column + 1, *restrict below = e->below;
    const double a = by->re, b = by->im, *restrict J_q = by->J_q;
    for (int j = 0; j < nq; j++) {
        const double x = a * re[j] - b * im[j], y = a * im[j] + b * re[j];
        for (int k = below[j]; k < end[j]; k++) {
            re[row[k]] += J_q[k] * x;
            im[row[k]] += J_q[k] * y;
        }
    }
}

/* re[n] + i im[n] += gamma (x[n] + i y[n]); im and y are NULL where gamma is real. */
static void add_times_gamma(const dae_eliminated *by, int n, const double *x, const double *y, double *restrict re,
                            double *restrict im)
{
    for (int j = 0; j < n; j++)
        add_product(by->re, by->im, x[j], im ? y[j] : 0, re + j, im ? im + j : NULL);
}

static void add_rows_transposed(const dae_elimination *e, const dae_eliminated *by, double *re, double *im)
{
    const int *row = e->full.row;
    for (int j = 0; j < e->nq; j++) {
        double x = 0, y = 0;
        for (int k = e->below[j]; k < e->full.column[j + 1]; k++) {
            x += by->J_q[k] * re[row[k]];
            y += im ? by->J_q[k] * im[row[k]] : 0;
        }
        add_product(by->re, by->im, x, y, re + j, im ? im + j : NULL);
    }
}

int dae_eliminated_solve(const dae_elimination *e, const dae_eliminated *by, int transposed,
                         dae_reduced_solution *solve, void *self, double *re, double *im)
{
    double *z_re = re + e->nq, *z_im = im ? im + e->nq : NULL;
    if (transposed)
        add_times_gamma(by, e->nq, re, im, z_re, z_im);
    else if (im)
        add_positions_complex(e, by, re, im);
    else
        add_positions(e, by, re);
    const int solved = solve(self, transposed, z_re, z_im);
    if (transposed)
        add_rows_transposed(e, by, re, im);
    else
        add_times_gamma(by, e->nq, z_re, z_im, re, im);
    return solved;
}

void dae_eliminate(const dae_elimination *e, const dae_matrix_pair *pair, double gamma_re,
                   double gamma_im, double *S)
{
    const double *M = pair->M, *J = pair->J;
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

void dae_eliminate_real(const dae_elimination *e, const dae_matrix_pair *pair, double gamma, double *S)
{
    const double *M = pair->M, *J = pair->J;
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
