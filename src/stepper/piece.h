/* piece.h - collocation by Radau IIA over a step, or over a piece of one, for dense output
 *
 * The polynomial P of degree s with P(0) = 0 and, at the nodes c_i, i = 1 .. s,
 *
 *     M P'(c_i) = h (F(t + c_i h, u + P(c_i)) - left(t + c_i h)),
 *
 * left: what u leaves of algebraic equations, with error control in index 2 and 3.
 * What P leaves of these equations between the nodes is its defect.
 */
#ifndef DAE_PIECE_H
#define DAE_PIECE_H

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "radau_tableau.h"
#include "solver.h"

enum { PIECE_TABLES = (RADAU_FINE - 1) / 2, PIECE_PLACES = 2 };

typedef struct {
    const radau_tableau *tab;   /* NULL: not in use yet */
    double D[RADAU_FINE * RADAU_FINE];  /* l_j'(c_i) at [j s + i] */
    double place[PIECE_PLACES]; /* where the defect is looked at, and there: */
    double l[PIECE_PLACES][RADAU_FINE], slope[PIECE_PLACES][RADAU_FINE];    /* l_j, l_j' */
} piece_table;

/* What the state u_0 at the begin of a piece leaves of the algebraic equations. In index 2 and 3 a solution that begins
 * at u_0, and satisfies the algebraic equations exactly soon after, has unknowns of the size of the residual r_0 over
 * that time. So dense output keeps
 *
 *     left(t) = r_0,    in constraints g of mechanics in index 3    g_0 + (t - t_0) dg/dt_0,
 *
 * which asks for no force. */
typedef struct {
    double t;                   /* the begin */
    double *residual, *rate;    /* [n], and [nl] of constraints in index 3 */
} piece_left;

typedef struct {
    double t, h;                /* from t to t + h, ... */
    const double *u;            /* [n] ... beginning at u */
    int open;                   /* 1: what M does not see of u need not be of the solution: it is that of the nodes */
    piece_left left;
    int keeps_left;
    const piece_table *table;   /* of z */
    double *z;                  /* [n x s] P at the nodes; heads the block of all that follow */
    double *F, *x, *Mx;
    double *off;                /* [n] where open: what M does not see of the nodes' polynomial at 0, beside u */
    int room;                   /* for so many stages */
    piece_table tables[PIECE_TABLES];
    dae_jacobian *jac;          /* whose J the pencils are of */
    dae_pencil *real, *pair[RADAU_PAIRS];
    dae_pencil *filter;         /* real, or that of dae_piece_look, and g of its factors: */
    double filter_g;
    const radau_tableau *factored;      /* the pencils are those of this tableau and factored_h; or NULL */
    double factored_h;
    double theta;               /* contraction of the last iteration */
} dae_piece;

void dae_piece_free(dae_piece *p);

/* The table of s stages, s odd, storage for them, and pencils of jac. */
dae_status dae_piece_choose(dae_solver *solver, dae_piece *p, dae_jacobian *jac, int stages);

/* It begins at (t, u) and is h long. */
void dae_piece_place(dae_solver *solver, dae_piece *p, double t, const double *u, double h);

/* From z on to P by Newton's iteration, with the J that jac holds; 0 where it does not lead there. With error
 * control it ends where corrections are small beside the tolerance or no longer fall, with fixed steps at rounding. */
int dae_piece_solve(dae_solver *solver, dae_piece *p);

/* u[n] := u + P(x) */
void dae_piece_at(const dae_solver *solver, const dae_piece *p, double x, double *u);

/* What the defect d of P at its places makes of u, (M - g J)^-1 g d with the g of the real pencil, in tolerances: the
 * largest of an unknown that rows show, *worst. Of differential unknowns that is the defect times the time of the
 * piece, of stiff and algebraic ones the error of P itself. Where it is above enough, less what rounding
 * errors of u + P make of it. */
double dae_piece_defect(dae_solver *solver, dae_piece *p, double enough, int *worst);

/* The same at the first place of any polynomial, given by z, with other factors of M - g J. */
double dae_piece_look(dae_solver *solver, dae_piece *p, dae_pencil *pencil, double g);

#endif
