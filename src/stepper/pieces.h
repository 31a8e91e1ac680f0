/* pieces.h - dense output over pieces of the last step, where collocation over all of it does not tell the solution
 *
 * Collocation with 13 stages over one piece after the other, from the begin of the step to where rows are asked for.
 * Each is as long as the defect of its polynomial allows (piece.h): where it is above the tolerance, the piece is
 * tried shorter. The begins of pieces are kept, so that rows may be asked for in any order.
 *
 * A piece as short as rounding of t allows, that still has a defect, is where F jumps in time. Where there are many
 * of these, or Newton's iteration does not converge, or there are more pieces than a run may have steps, the row is
 * refused.
 */
#ifndef DAE_PIECES_H
#define DAE_PIECES_H

#include "piece.h"

typedef struct {
    dae_piece piece;            /* the one held */
    const dae_piece *guess;     /* the collocation over the whole step, where that holds half of the digits; or NULL */
    double h;                   /* the length to try next */
    long count, room;           /* pieces, and room for as many */
    long held;                  /* number of the one held; -1: none */
    double *t, *u;              /* [room + 1], [room + 1 x n]: where they begin, and where the last one ends */
    long jumps;
    int renewed;                /* 1: jac holds J at another place than that of the step, which it has put aside, ... */
    double renewed_at;          /* ... at the begin of a piece at this time, as do the factors; NAN: J of the step */
    int slow;                   /* 1: with that J Newton's iteration converged slowly */
    /* a piece that was refused: DAE_OK for none; its defect, the unknown where it is, its length */
    dae_status refused;
    double defect, shortest;
    int worst;
} dae_pieces;

/* Of the last step, whose collocation over the whole of it has this defect, INFINITY where it failed. */
dae_status dae_pieces_begin(dae_solver *solver, dae_pieces *d, const dae_piece *whole, double defect);

/* u[n] at t; or the reason why it is refused */
dae_status dae_pieces_at(dae_solver *solver, dae_pieces *d, double t, double *u);

void dae_pieces_free(dae_pieces *d);

#endif
