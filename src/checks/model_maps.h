/* model_maps.h - every function of a record under one name, with the places of its arguments in a state
 *
 * A state of a mechanical problem is (q, v, lambda, a, s, s'), of others u, in one block of numbers.
 */
#ifndef DAE_MODEL_MAPS_H
#define DAE_MODEL_MAPS_H

#include "daelab/problem.h"

typedef enum { DAE_OF_TIME, DAE_OF_ONE, DAE_OF_TWO, DAE_OF_THREE, DAE_OF_START, DAE_OF_EVENT,
               DAE_OF_ACTION } dae_map_shape;

typedef struct {
    char name[48];              /* "minimal.embed", "events.floor" */
    const char *compared;       /* in words, with what: "d/dt rate; all passes" */
    dae_map_shape shape;
    const void *functions;      /* a dae_map0 ... dae_action of the record */
    int arguments, first[3], size[3];       /* places in a state */
    int n, rows;                /* numbers of all arguments; of the result */
    int parameters;             /* of the problem */
    /* The functions of an entry for many events are one map: the results of the events looked at, each of
     * `each` rows, one below the other. */
    int each, numbered;         /* numbered: they are called by numbers */
    int first_event, last_event, looked_at;
} dae_model_map;

enum { DAE_MOST_MAPS = 256 };

/* Places of a state. */
typedef struct {
    int copies;
    int nq, nl, holonomic, ns, n;       /* of all copies; n: unknowns of first order */
    int q, v, lambda, a, s, ds, count;
} dae_state_places;
dae_state_places dae_places_of(const dae_problem *problem, int copies);

/* maps[DAE_MOST_MAPS] := those that the record has; their number. */
int dae_list_maps(const dae_problem *problem, const dae_state_places *places, dae_model_map *maps);

/* The number of the event that part i, 0 ... looked_at - 1, is of, which is that of row i / each; its map alone. */
int dae_map_event(const dae_model_map *map, int i);
dae_model_map dae_map_of_part(const dae_model_map *map, int i);

/* x[n] := the arguments of the map in a state; a state has them from x[n]. */
void dae_map_arguments(const dae_model_map *map, const double *state, double *x);
void dae_map_place(const dae_model_map *map, const double *x, double *state);

/* out[rows] := the map of x[n] in one pass; 0 where the record has no function for that. p is the first
 * member of a block of parameters. */
int dae_map_double(const dae_model_map *map, const double *p, double t, const double *x, double *out);
int dae_map_dual(const dae_model_map *map, const double *p, dae_dual t, const dae_dual *x, dae_dual *out);
int dae_map_quad(const dae_model_map *map, const dae_quad *p, dae_quad t, const dae_quad *x, dae_quad *out);
int dae_map_tangent(const dae_model_map *map, const dae_dual *p, dae_dual t, const dae_dual *x,
                    dae_dual *out);

#endif
