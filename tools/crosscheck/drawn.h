/* drawn.h - problems drawn at random, whose solution is known in closed form
 *
 * Classes of problems, one file for each family:
 *
 *   pencil   E u' = E phi' + B (u - phi) + E c (u_1 - phi_1)^2, whose solution is phi: stiff (Prothero, Robinson),
 *            of index 1, 2 and 3 in mixed unknowns, linear circuits                             drawn_pencil.c
 *   spring   a mass on a stiff spring that is forced along a circle                             drawn_spring.c
 *   jumps    u' = -L (u - s(t)), s constant between random times                                drawn_jumps.c
 *   impacts  a ball that meets a row of balls in contact; starts on the floor                   drawn_impacts.c
 *
 * All of them have units drawn at random, and begin at random times. The same number makes the same problem on every
 * machine.
 */
#ifndef DAELAB_DRAWN_H
#define DAELAB_DRAWN_H

#include <daelab/problem.h>
#include <stdint.h>

enum { DRAWN_MOST = 8,          /* unknowns */
       DRAWN_ROWS = 13 };

typedef struct {
    dae_problem problem;        /* its functions find data by dae_user_data */
    char title[48];             /* of the problem */
    void *data;
    int width;                  /* unknowns of a row: u, or (q, v) */
    void (*exact)(const void *data, double t, double *row);
    double time[DRAWN_ROWS];    /* of the rows, increasing; the last is t_end */
    /* What is compared: part[parts x width] row. In index 0 and 1 these are the unknowns; in index 2 x of x' = f(x, z),
     * 0 = g(x), in a circuit charges and fluxes, E u; in index 3 positions, where z acts on accelerations. */
    int parts;
    double part[DRAWN_MOST * DRAWN_MOST];
    double scale[DRAWN_MOST];   /* [width] the largest |unknown| of the solution, > 0 */
} drawn;

/* SplitMix64: Steele, Lea, Flood (2014), Fast splittable pseudorandom number generators, OOPSLA. */
typedef struct { uint64_t state; } drawn_random;
double drawn_uniform(drawn_random *r, double from, double to);
double drawn_decade(drawn_random *r, double from, double to);   /* 10^x, x uniform in from ... to */
int drawn_integer(drawn_random *r, int count);                  /* 0 ... count - 1 */

/* A unit of time: 1, or 10^x, x uniform in from ... to. A time to begin: 0, or up to 100 units from 0. */
double drawn_unit(drawn_random *r, double from, double to);
double drawn_begin(drawn_random *r, double unit);

/* A class. make draws problem, width, exact and data (one block, for free), and parts and part, or leaves them 0 where
 * all unknowns are compared. drawn_make adds the rest. */
typedef struct {
    const char *name;
    void (*make)(drawn_random *r, drawn *d);
} drawn_class;

extern const drawn_class drawn_stiff, drawn_kernel, drawn_hessenberg, drawn_circuit;
extern const drawn_class drawn_spring, drawn_jumps, drawn_row_of_balls, drawn_on_guard;

/* The classes, i = 0, 1, ...; NULL past the last. */
const drawn_class *drawn_class_at(int i);

/* Draw the problem of this number of a class; the same number draws the same problem. */
void drawn_make(drawn *d, const drawn_class *c, uint64_t number);
void drawn_free(drawn *d);

/* parts[k] := sum_i part[k width + i] row[i]; size[k] := max_i |part[k width + i]| scale[i], the unit of its error */
void drawn_parts(const drawn *d, const double *row, double *parts);
void drawn_part_sizes(const drawn *d, double *size);

#endif
