/* schur.h - S = G M^-1 G^T of many constraints, in a band: assembled, factored and solved
 *
 * G^T is kept by columns, one for each multiplier, and its values come from the reaction G^T e to a
 * few vectors e: multipliers that act on no common position share one (Curtis, Powell, Reid 1974,
 * IMA J. Appl. Math. 13, 117-119). S is symmetric and positive definite where the constraints are
 * independent; in the order of Cuthill and McKee, reversed, its band is narrow for chains and
 * trees, and L D L^T needs no pivots. A row of S as wide as the band b costs b^2: a star of
 * constraints on one position is dense, and costs as much.
 *
 * Where G has entries is found at random points near the start, and tried in every factorisation:
 * G^T d for one random d, computed at once and from the entries. Where they differ the plan is made
 * again.
 */
#ifndef DAE_SCHUR_H
#define DAE_SCHUR_H

#include "base/sparsity.h"
#include "base/no_fast_math.h"
#include "daelab/problem.h"

typedef struct {
    int nq, nl;
    int multipliers;            /* what the model's reaction takes: at least nl, 0 behind them */
    dae_pattern pattern;        /* of G^T: nq rows, nl columns */
    dae_groups colours;         /* of the columns */
    int *place;                 /* [nl] of each multiplier in the band */
    int band;                   /* entries of a row of L before its diagonal */
    int pairs;
    int *first, *second, *target;       /* [pairs] S[target] += G[first] G[second]/m */
    double *direction;          /* [nl] d */
    double *rounding;           /* [nq] part of sum_k |G_ki d_k| that G^T d may be off by */
} dae_schur_plan;

/* A plan, and what is stored as it says. */
typedef struct {
    dae_schur_plan plan;
    double *gradient, *schur;
} dae_schur_rows;

/* The pattern of the first nl rows of G, of so many multipliers, from reactions at random points near q. The
 * second frees it, after a failure too. */
dae_status dae_schur_plan_create(dae_schur_plan *plan, const dae_mechanical *m, const double *p, int nq,
                                 int nl, int multipliers, double t, const double *q, dae_report *report);
void dae_schur_plan_free(dae_schur_plan *plan);

/* 1 where G and S by the plan are fewer operations than G in full, S from all of its rows, and its factors. */
int dae_schur_saves_work(const dae_schur_plan *plan);

/* Lengths of the arrays G and S below. */
static inline size_t dae_schur_entries(const dae_schur_plan *plan)
{
    return (size_t)plan->pattern.nnz;
}

static inline size_t dae_schur_band(const dae_schur_plan *plan)
{
    return (size_t)plan->nl * (size_t)(plan->band + 1);
}

/* For double and quad.
 * make_room: G and S, in one block from *G on that is to be freed, as the plan says; 0: no memory.
 * renew: G[entries] and S = L D L^T [band] at (t, q), with w = 1/m [nq] and work[multipliers + 2 nq], by a plan and
 * room that are made again where G has an entry outside of its pattern. Returns -1; or the multiplier whose constraint
 * depends on others; or DAE_SCHUR_GROWN where memory is missing.
 * solve: c[nl] := S^-1 c, with work[nl].  add: x[nq] -= M^-1 G^T c. */
enum { DAE_SCHUR_GROWN = -2 };
#define DAE_SCHUR(scalar, suffix)                                                                 \
    int dae_schur_make_room_##suffix(const dae_schur_plan *plan, scalar **G, scalar **S);         \
    int dae_schur_renew_##suffix(dae_schur_plan *plan, const dae_mechanical *m, const scalar *p,  \
                                 scalar t, const scalar *q, const scalar *w, scalar **G,          \
                                 scalar **S, scalar *work);                                       \
    void dae_schur_solve_##suffix(const dae_schur_plan *plan, const scalar *S, scalar *c,         \
                                  scalar *work);                                                  \
    void dae_schur_add_##suffix(const dae_schur_plan *plan, const scalar *G, const scalar *w,     \
                                const scalar *c, scalar *x);
DAE_SCHUR(double, double)
DAE_SCHUR(dae_quad, quad)
#undef DAE_SCHUR

#endif
