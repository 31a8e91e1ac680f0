/* rank_watch.h - minima of the smallest eigenvalue of G M^-1 G^T along a run, and whether one is a loss of rank */
#ifndef DAE_RANK_WATCH_H
#define DAE_RANK_WATCH_H

#include "base/no_fast_math.h"
#include "system/system.h"

/* Positions and constraints together at most; minima that are kept. */
enum { DAE_RANK_MOST = 400, DAE_RANK_KEPT = 8 };

/* s at t in a step of h, with (q, v) there and the multipliers y of it. */
typedef struct {
    double t, s, slope, h;      /* h: the length of the step that it lies in */
    long step;                  /* its number, from 1 */
    double *q, *v, *y;
} dae_rank_point;

struct dae_rank_watch {
    dae_system *sys;
    int nq, nl;
    int known, held;            /* lengths are; there is a last point */
    int chosen;                 /* steps are, by tolerances */
    double rtol, *atols;        /* [nq] */
    dae_rank_point at, last, begin, end;    /* looked at now, and before; ends of a step */
    dae_rank_point kept[DAE_RANK_KEPT];     /* the smallest minima */
    double *lambda, *c, *length;            /* length[nl] of the rows at the start of a piece */
    double *r, *z, *moved, *beside, *root, *u;          /* root[nq] of the diagonal of M */
    double *p;                  /* [parameters] */
    long steps;
    int count;                  /* of kept */
    dae_rank_loss lost;         /* of minima that are kept no longer */
    int failed;
    double *points;             /* of all points */
};

static inline double dae_rank_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* r[nq] := G(t, q)^T y */
static inline void dae_rank_react(const dae_rank_watch *w, double t, const double *q, const double *y, double *r)
{
    w->sys->problem->mechanical.reaction.f(w->p, t, q, y, r);
}

/* "2, 5": the numbers, from 1, of the n rows that z[place[n]], or z[n] where place is NULL, does not leave out, as many
 * as there is room for; how many there are, and the first. */
int dae_rank_name_rows(int n, const double *z, const int *place, char *text, size_t length, int *first);

/* The minima that are kept become w->lost where they are a loss, and are kept no longer. Parameters are those they
 * were found with. */
void dae_rank_judge(dae_rank_watch *w);

#endif
