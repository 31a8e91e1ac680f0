/* description.h - what a problem says of itself: names, equations, parameters, sizes
 *
 * For programs that show problems or let their parameters be chosen, in C and C++; problem.h, the record
 * with the functions, is for those who write one.
 */
#ifndef DAELAB_DESCRIPTION_H
#define DAELAB_DESCRIPTION_H

#include "api.h"

DAE_API_BEGIN

typedef struct dae_problem dae_problem;

/* What a parameter may be. DAE_COUNT: a whole number from 1 to 1000000 that says how many copies of
 * nq and nl a mechanical problem has; its unknowns are then numbered, x1 y1 x2 y2 ... */
typedef enum { DAE_ANY_VALUE, DAE_POSITIVE, DAE_NONNEGATIVE, DAE_COUNT } dae_range;

/* One parameter, or an array of them with one name: its elements are called "k[0]", "k[1]", ..., and stand
 * in p one behind the other. */
typedef struct {
    const char *name;
    double value;               /* default */
    const char *unit;
    const char *description;
    dae_range range;            /* of each element; an array is no DAE_COUNT */
    int count;                  /* elements; 0 means 1, which is no array */
    const double *values;       /* [count] defaults of the elements, or NULL: value for all of them */
} dae_parameter;

/* Which passages of a function through zero are an event. */
typedef enum { DAE_FALLING = -1, DAE_ANY = 0, DAE_RISING = 1 } dae_direction;

/* What a record states; texts that it does not give are NULL. */
typedef struct {
    const char *name, *title, *citation;
    const char *equations;      /* in words and formulas, for people */
    const char *variables;      /* "x y vx vy T": (q, v, lambda) or u; of one copy (DAE_COUNT) */
    const char *units;          /* "m m m/s m/s N" */
    double t0, t_end;           /* the interval of a study */
    int parameters;             /* values: elements of arrays are counted one by one */
    int positions, multipliers; /* nq, nl of a mechanical problem, of one copy; else 0 */
    int nonholonomic;           /* how many of its constraints, the last of nl, bind velocities only */
    int unknowns, index;        /* n and the index of a first-order problem; else 0 */
    int coordinates;            /* minimal ones that it gives, 0: none */
    int invariants;
    int events;                 /* of the mode that it starts in; those per copy of one copy */
    int modes;                  /* 1: it has no others */
    double rtol;                /* of one run that chooses its steps, where nobody says another */
} dae_problem_info;
dae_problem_info dae_problem_describe(const dae_problem *problem);

/* Values of parameters are numbered i = 0, 1, ... in the order of dae_system_create, each element of an array
 * by itself: how many there are; what the record says of value i, of an array as a whole, NULL past the
 * last; its default, NaN past the last; its name, "L" or "k[3]", written into name[length], "" past the last.
 * The position of a value by its name, that of the first for the name of an array; -1 where there is
 * none. */
int dae_parameter_count(const dae_problem *problem);
const dae_parameter *dae_parameter_at(const dae_problem *problem, int i);
double dae_parameter_default(const dae_problem *problem, int i);
void dae_parameter_name(const dae_problem *problem, int i, char *name, int length);
int dae_parameter_index(const dae_problem *problem, const char *name);

/* The copies of nq and nl with parameters p: the value of the parameter that is a DAE_COUNT, or
 * 1. */
int dae_problem_copies(const dae_problem *problem, const double *p);

DAE_API_END

#endif
