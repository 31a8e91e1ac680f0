/* pass_path.h - a map of a model at a point, and in quad precision along a path through it: is it one and the same
 * function for each kind of number?
 */
#ifndef DAE_PASS_PATH_H
#define DAE_PASS_PATH_H

#include "findings.h"
#include "model_maps.h"

#include <stdint.h>

/* A state, and by how much it changes in a run. */
typedef struct {
    const dae_problem *problem;
    const double *p;            /* with the data of a user before them */
    double t, span;             /* span > 0 of a run */
    const double *state, *size; /* [places.count] */
    int rough;                  /* 1: few evaluations of the map, which differ by less than 1e-9 where they agree */
} dae_model_point;

/* For each row of the map at the point and at points next to it:
 *
 *     f in doubles      = f in quad, as far as rounding of f shows in its arguments and from point to point
 *     f(s) - f(-s)      = 2 s f' in quad for s so small that doubles do not see it
 *     f' of dual        = f' by differences in quad, along a random direction of t and the state
 *     f' of tangent     = the same, and along a random direction of the parameters
 *
 * where what is beside a kink counts as rounding, and what has no number shows nothing. Failures name the
 * column of the argument, or the parameter. */
void dae_check_passes(const dae_model_point *at, const dae_model_map *map, dae_comparison *found);

enum { DAE_PASS_POINTS = 6 };   /* the point itself, and those next to it */

/* Room behind a result, for a function that writes more numbers than it has. */
enum { DAE_PASS_MARGIN = 16 };

/* What its checks work on. */
typedef struct dae_pass_path {
    const dae_model_point *at;
    const dae_model_map *map;
    dae_comparison *found;
    int n, m, parameters;
    int timed;                  /* it is a function of t */
    int points_seen;            /* of DAE_PASS_POINTS */
    uint64_t random, shake;     /* shake: of the parts by which arguments are off */
    double *x, *size;           /* [n] arguments, and their sizes */
    double *w;                  /* [n] the path: x + s w, */
    double tau;                 /* t + s tau, */
    int counting;               /* the parameter that counts copies, which is left alone; -1: none */
    double *pi;                 /* [parameters] p + s pi */
    dae_quad *p_quad;           /* [parameters] */
    dae_dual *p_dual;           /* [parameters] */
    double *points;             /* [DAE_PASS_POINTS x n] */
    double *value;              /* [m] */
    double *apart;              /* [DAE_PASS_POINTS x m] of doubles and quad at each point */
    double *derivative;         /* [m] */
    double *scatter;            /* [m] of the derivative between near points */
    dae_quad *quad, *F, *other; /* [n], [m], [m] */
    dae_quad *slope, *error, *rounding, *kink;  /* [m] */
    dae_quad *way;              /* [m] over which the slope was found; 0: it was not, or its kinks are known */
    dae_quad *reach;            /* [m] the way of f over a part of the path: of the size of its terms */
    dae_quad *terms;            /* [m] the largest of f, of its way and slope so far: of the size of its terms */
    dae_quad *work;             /* of dae_quad_slope */
    dae_dual *dual, *out;       /* [n], [m] */
    void *context;              /* of whoever looks at it */
    void *memory;
} dae_pass_path;

/* All that is in it, and its memory; 0 where there is none. It is to be destroyed in either case. */
int dae_pass_create(dae_pass_path *c, const dae_model_point *at, const dae_model_map *map, dae_comparison *found);
void dae_pass_destroy(dae_pass_path *c);

/* out[m] := the map in quad at s on the path from (t, x), with t, x and p off by a part of themselves; 0: it has no
 * such function. dae_pass_along: from the point itself, with a path as the context. */
int dae_pass_quad(dae_pass_path *c, const double *x, dae_quad s, double part, dae_quad *out);
void dae_pass_along(void *context, dae_quad s, dae_quad *out);

/* F := in quad at x, rounding := what the rounding of all of its arguments to doubles makes of it */
void dae_pass_set_rounding(dae_pass_path *c);

/* The path := along count of the directions, from number first on: 0 ... n - 1 are arguments, n is t; or they are
 * parameters. F, rounding, and slope, error, kink, reach, terms on it. */
void dae_pass_look(dae_pass_path *c, int of_parameters, int first, int count, const double *along_all);

/* By so much differences in quad may be off in row i; infinite where they have no number. Is a slope of row i of this
 * size more than what is left of terms that cancel? */
double dae_pass_uncertain(const dae_pass_path *c, int i);
int dae_pass_shows(const dae_pass_path *c, int i, double size);

/* What states the derivative of a map: dual numbers, or a matrix. */
typedef struct dae_stated_slope dae_stated_slope;
struct dae_stated_slope {
    int of_parameters, first, count;    /* directions of dae_pass_look */
    int (*along)(const dae_stated_slope *d, dae_pass_path *c, const double *x, double *out);
                                /* out[m] := its derivative at x along the path; 0: it states none */
    void (*blame)(const dae_stated_slope *d, const dae_pass_path *c, int row, int direction, double found,
                  double expected, double part);
    const void *own;
};

/* It is the slope of the map along all of its directions, of these lengths; else the row that is off most is blamed, in
 * the one direction that shows it best. */
void dae_pass_check_slope(dae_pass_path *c, const dae_stated_slope *d, const double *along_all);

#endif
