/* least_squares.h - the least sum of squares within bounds: Levenberg-Marquardt of MINPACK (lmder, by cminpack)
 *
 * Bounds are kept by projection: a trial outside of the box is made at the nearest point of it. A step that is taken
 * there fixes the numbers that have reached a bound, and the search goes on with the others; where it has ended, a
 * number whose sum of squares falls towards the inside is let go. Of numbers that are determined together only some
 * stay where they are, and the others are searched: identify.h says which, anew for each search.
 */
#ifndef DAELAB_LEAST_SQUARES_H
#define DAELAB_LEAST_SQUARES_H

/* r[count] and J[count x numbers], column-major, of r at x, and size[numbers] of the numbers. evaluate answers not 0
 * where there are none: such a trial is a bad one, and a shorter step is tried. */
typedef struct {
    int count, numbers;
    const double *low, *high;   /* [numbers], may be infinite */
    double noise, least;        /* of J (identify.h) */
    int (*evaluate)(void *context, const double *x, double *r, double *J, double *size);
    void *context;
} least_squares;

typedef struct {
    int *side;                  /* [numbers], the caller's: -1 at the lower bound, 1 at the upper one, else 0 */
    int trials, failed;         /* so many, and of them without a value */
    int searched;               /* numbers that the last search has moved */
    int ended;                  /* 1: by itself; 0: after too many trials */
} least_squares_end;

/* x[numbers] := the least from x on, moved into the box; r, J: those at x. 0 where there is none at the begin. */
int least_squares_find(const least_squares *of, double *x, double *r, double *J, least_squares_end *end);

#endif
