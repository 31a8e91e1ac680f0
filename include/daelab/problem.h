/* problem.h - the record that states a DAE: its equations, parameters, start and events
 *
 * For authors of problems, who include model.h, and for programs that read or write records. In C.
 *
 * Two kinds of equations.
 *
 *   mechanical    q' = v,  M v' = f(t, q, v) - G(t, q)^T lambda,  0 = g(t, q),   G = dg/dq
 *                 every formulation (index 3, 2, 1, Baumgarte, GGL, minimal coordinates) is composed
 *                 by the library from the functions given here. M is constant and diagonal, or
 *                 symmetric and positive definite, M(t, q), for up to 256 positions and 12
 *                 constraints: then the accelerations are unknowns, too. Which of them it is is tried
 *                 at a few points of the interval near the start; a run tries it again in every step,
 *                 and fails where M is no longer what it was taken for: such a problem says
 *                 .mass = DAE_MASS_VARIES. With such an M neither `partials` nor `sparse_partials`
 *                 are used, but dual numbers; with more than 256 positions `partials` are not.
 *                 Without constraints, nl = 0, inertia and force are enough, and every formulation
 *                 but minimal coordinates is the same ODE.
 *                 Nonholonomic constraints, 0 = A(t, q) v + b(t, q), which no g has for its dg/dt (a
 *                 disc that rolls, a skate), stand behind the others: what is said of dg/dt holds for
 *                 them, with A for G. They have index 2, index 1 and Baumgarte's form,
 *                 0 = d(A v + b)/dt + 2 alpha (A v + b); there is no g for index 3 and GGL, and
 *                 positions and velocities have not the same number of minimal coordinates.
 *   first order   M u' = F(t, u),  M constant, possibly singular; a run fails where M changes. Or
 *                 M(t, u) u' = F(t, u), and .mass_kind = DAE_MASS_VARIES says so: of up to 256
 *                 unknowns, or of any number where M is diagonal. What M does not see of u', its
 *                 kernel, is the same at all (t, u), {0} where M has an inverse. With P, rows that
 *                 have this kernel, the run has the unknowns (u, w) of
 *
 *                     P u' = w,   0 = F(t, u) - M(t, u) E w,   M = M E P,
 *
 *                 of index 1 where the problem is of index 0 or 1, else of that of the problem, and
 *                 fails where the kernel, or the rank of M, changes. `jacobian` is not used then,
 *                 but dual numbers.
 *
 * All of it may depend on the parameters p, M and the start, too.
 *
 * Where a system is solved with sparse matrices, the places where dF/du has entries are those found
 * at random points near the start. A coupling that begins elsewhere is noticed in the next
 * Jacobian, which is tried in a random direction; then they are found again. So are those of G
 * where there are more than 12 constraints.
 *
 * Equations, start and events are compiled once for each pass (double, dual, quad, tangent); see
 * model.h for how one source serves them all. Analytic derivatives and drawings are of doubles. A
 * function that is called outside its domain answers NaN.
 */
#ifndef DAELAB_PROBLEM_H
#define DAELAB_PROBLEM_H

#include "description.h"
#include "scalar.h"

/* A record need not fill all fields: what it leaves out is 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Functions of a model in one pass: parameters p, time t, up to three vectors, the result. A start has
 * no time. An event function answers a number; what it does, an action, changes the state x and the
 * parameters p_new, which it finds equal to p, and answers 1 to stop the run, else 0. Both are told
 * the number k of the event, 0, 1, ..., where one entry of the record stands for many. */
#define DAE_MAP_TYPES(param, scalar, suffix)                                                      \
    typedef void dae_map0_##suffix(const param *p, scalar t, scalar *out);                        \
    typedef void dae_map1_##suffix(const param *p, scalar t, const scalar *x, scalar *out);       \
    typedef void dae_map2_##suffix(const param *p, scalar t, const scalar *x, const scalar *y,    \
                                   scalar *out);                                                  \
    typedef void dae_map3_##suffix(const param *p, scalar t, const scalar *x, const scalar *y,    \
                                   const scalar *z, scalar *out);                                 \
    typedef void dae_start_##suffix(const param *p, scalar *u);                                   \
    typedef scalar dae_event_function_##suffix(const param *p, scalar t, const scalar *x, int k); \
    typedef int dae_action_##suffix(const param *p, scalar t, scalar *x, scalar *p_new, int k);
DAE_MAP_TYPES(double, double, double)
DAE_MAP_TYPES(double, dae_dual, dual)
DAE_MAP_TYPES(dae_quad, dae_quad, quad)
DAE_MAP_TYPES(dae_dual, dae_dual, tangent)
#undef DAE_MAP_TYPES

/* The same function in all passes; DAE_MODEL(name) of model.h fills one in. A function of doubles, f,
 * is needed wherever a function is, .dual by the six maps of a mechanical problem, by a right-hand
 * side and a mass; .quad by references, .tangent by derivatives with respect to parameters. */
#define DAE_IN_ALL_PASSES(name)                                                                   \
    typedef struct {                                                                              \
        name##_double *f;                                                                         \
        name##_dual *dual;                                                                        \
        name##_quad *quad;                                                                        \
        name##_tangent *tangent;                                                                  \
    } name;
DAE_IN_ALL_PASSES(dae_map0)
DAE_IN_ALL_PASSES(dae_map1)
DAE_IN_ALL_PASSES(dae_map2)
DAE_IN_ALL_PASSES(dae_map3)
DAE_IN_ALL_PASSES(dae_start)
DAE_IN_ALL_PASSES(dae_event_function)
DAE_IN_ALL_PASSES(dae_action)
#undef DAE_IN_ALL_PASSES

/* Analytic derivatives of a mechanical model, row-major blocks. They arrive filled with zeros once
 * and keep what was written, so a model writes only the entries that are not identically zero.
 *
 * Two ways to save time, both optional. What lies above `level` is not read: 0 leaves out the rate
 * and the acceleration, 1 the acceleration. And a model that writes all of f (it arrives as NaN)
 * spares the library a call of its force; sin and cos of one angle cost little more than one. */
typedef struct {
    int level;                  /* 0: f, r and g; 1: and dg/dt; 2: and d2g/dt2 are wanted */
    double *f;                  /* f(t, q, v) [nq] */
    double *f_q, *f_v, *f_t;    /* df/dq [nq x nq], df/dv [nq x nq], df/dt [nq] */
    double *r_q, *r_t;          /* d(G^T lambda)/dq [nq x nq], /dt [nq], lambda held */
    double *G, *g_t;            /* dg/dq, and A [nl x nq], dg/dt [nl], q held (not of A v + b) */
    double *rate_q, *rate_t;    /* of dg/dt(t, q, v): /dq [nl x nq], /dt [nl], v held */
    double *acc_q, *acc_v, *acc_t;      /* of d2g/dt2(t, q, v, a): [nl x nq] twice, [nl], a held */
} dae_partials;

/* The same derivatives entry by entry, for models of any size. A model calls dae_put for each entry of a block that is
 * not identically zero, with its row and column there; what is put twice is added. In calls of the same level
 * the places and their order are the same. What lies above level may be put or not. Blocks arrive without
 * entries, and the derivatives by time filled with zeros once, as above. */
typedef struct {
    int count, room;            /* entries that were put, and that there is room for */
    int moved;                  /* not 0: one stands at another place than in the call before */
    int *row, *column;
    double *value;
} dae_entries;

typedef struct {
    int level;
    dae_entries f_q, f_v, r_q, G, rate_q, acc_q, acc_v;
    double *f_t, *r_t;          /* [nq] */
    double *g_t, *rate_t, *acc_t;       /* [nl] */
} dae_sparse_partials;

static inline void dae_put(dae_entries *block, int row, int column, double value)
{
    const int k = block->count++;
    if (k >= block->room)       /* they are counted first, and put in a second call */
        return;
    block->moved |= (block->row[k] ^ row) | (block->column[k] ^ column);
    block->row[k] = row;
    block->column[k] = column;
    block->value[k] = value;
}

/* Minimal coordinates s of a mechanical problem: s'' = acceleration(t, s, s'). */
typedef struct {
    int n;                      /* number of coordinates; 0 where the problem gives none */
    dae_map2 acceleration;      /* s''(t, s, s')                    [n] */
    dae_map2 embed;             /* (q, v) from (s, s')              [2 nq] */
    dae_map2 chart;             /* (s, s') from (q, v)              [2 n] */
    const char *names;          /* "theta omega" */
    const char *units;
} dae_minimal;

/* What is known of a mass matrix. */
typedef enum {
    DAE_MASS_TRIED,             /* mechanical: constant and diagonal, if a few points near the start
                                   say so; first order: constant, and a run fails where it is not */
    DAE_MASS_VARIES             /* M(t, q), or with entries off its diagonal, wherever it begins;
                                   first order: M(t, u) */
} dae_mass_kind;

typedef struct {
    int nq, nl;                 /* number of positions, of multipliers; of one copy (DAE_COUNT) */
    int nonholonomic;           /* of the nl constraints the last so many, of one copy, bind velocities
                                   only: 0 = A(t, q) v + b(t, q). Of several copies those on positions
                                   come first, of all copies, then these */
    dae_mass_kind mass;
    dae_map2 inertia;           /* M a at (t, q, a)                 [nq] */
    dae_map2 force;             /* f(t, q, v)                       [nq]; the next four: nl > 0
                                   only */
    dae_map1 constraint;        /* g(t, q)                          [nl - nonholonomic]; where that is
                                   0 it is left out */
    dae_map2 rate;              /* dg/dt at (t, q, v), and A v + b  [nl] */
    dae_map3 acceleration;      /* d/dt of rate at (t, q, v, a)     [nl] */
    dae_map2 reaction;          /* (G; A)^T lambda at (t, q)        [nq] */
    dae_map2 energy;            /* optional, unless conservative: H(t, q, v) [1] */
    int conservative;           /* 1: along every motion dH/dt is its explicit part, and the power of
                                   constraints that move; else it is wrong. 0: friction and drives
                                   may change it, too */
    dae_minimal minimal;        /* optional */
    /* Optional: a proof, in a sentence, that what is added to v along M^-1 G^T enters the
     * multipliers of the acceleration level by its square only (v^T g_qq v, and a force that does
     * not see it). In index 3 the error of v is of that direction but for terms of the order of q,
     * so that multipliers recovered there have the order min(q, 2 v) of the method, which converge
     * then takes for the declared one where it is higher. */
    const char *square;
    void (*partials)(const double *p, double t, const double *q, const double *v, const double *a,
                     const double *lambda, dae_partials *out);          /* optional */
    void (*sparse_partials)(const double *p, double t, const double *q, const double *v, const double *a,
                            const double *lambda, dae_sparse_partials *out);    /* optional; one of
                                   the two */
} dae_mechanical;

typedef struct {
    int n;                      /* number of unknowns */
    int index;                  /* differential index of the DAE as it is written; a solver finds
                                   that of each unknown, and says where the largest is another */
    dae_mass_kind mass_kind;
    dae_map2 mass;              /* M x at (t, u, x) [n]; none: M = I */
    dae_map1 rhs;               /* F(t, u)       [n] */
    dae_map1 reduced;           /* optional: F with the constraint differentiated, index 1 */
    dae_map0 exact;             /* optional: u(t) [n] */
    void (*jacobian)(const double *p, double t, const double *u, double *J, double *F_t);
                                /* optional: dF/du column-major [n x n], dF/dt [n]; of rhs.
                                   As with dae_partials, entries never written stay zero. */
} dae_first_order;

/* Quantities that stay constant along every solution; P = dI/dx comes from dual numbers. */
typedef struct {
    int n;                      /* how many; 0: none are stated */
    dae_map1 value;             /* I(t, x) [n] with x = (q, v), or u */
    const char *names, *units;  /* "energy momentum", "J kg.m^2/s" */
} dae_invariants;

/* An event is where value(p, t, x, k) passes zero. x = (q, v, lambda) with lambda from the
 * acceleration level, whatever the formulation, or u. What it does is done in this order: action,
 * mode, stop.
 *
 * One entry may stand for many events, 36 diodes of a rectifier, say, or the links of a chain that
 * may break: value, action and measure are then called with k = 0, 1, ..., count - 1, times the
 * copies of the problem (DAE_COUNT) where it says per_copy. They differ in nothing but what these
 * functions make of k, and are named "diode[0]", "diode[1]", ...; events of the same time act in this
 * order, each on what the one before has left. Where an action turns dg/dt, that of a contact, it acts
 * while it is approached: not where others have turned it before, and again where they drive it on.
 *
 * A function that is zero where a run begins, or goes on after an event, waits until it has left
 * zero. If it leaves in its direction, it happens there, as for a ball thrown down from the floor, or
 * at rest on it; not so the event that has just happened. That one, where its action did not lead away from zero
 * (a plastic impact), or led away by less than the state resolves, is taken to accumulate. In the
 * mode that an event enters, another event with a mode to go to (a guard) happens at once where its
 * function is already past zero (of direction DAE_ANY: was taken across on the way there), and so
 * does any event whose function an action has taken across. */
typedef struct {
    const char *name;           /* "floor" */
    const char *title;          /* "the ball hits the floor" */
    int count;                  /* events of this entry, at most DAE_MOST_EVENTS; 0 means 1 */
    int per_copy;               /* 1: so many of each copy of the problem, numbered through */
    dae_event_function value;
    dae_direction direction;
    int terminal;               /* the run stops here */
    /* Optional: changes (q, v) or u, a jump, and parameters, in p_new, which then hold in all modes
     * for the rest of the run (lambda is only read); answers 1 to stop the run, else 0. */
    dae_action action;
    const char *mode;           /* the mode to enter; NULL: none. On entry positions must be on the
                                   constraints of the mode, as far as errors of the run in what each
                                   depends on leave them, or it ends DAE_INCONSISTENT; velocities
                                   are brought onto them by an impulse, v+ = v- - M^-1 G^T kappa,
                                   and algebraic unknowns of a first-order mode are solved for */
    /* Optional: what this event, and those of other modes that say the same, are a passage of, "kick". Such an
     * event is no guard: past zero where its mode is entered, it waits until it has left zero; and where one
     * of them has just happened, so have all. For what is done at the same passage in every mode, but leads
     * to different ones. */
    const char *passage;
    const char *limit;          /* the mode to enter where such events accumulate (Zeno), at the
                                   limits of their times and states; NULL: the run stops there */
    dae_event_function measure;
    const char *measures, *unit;/* optional: a number worth reporting, "distance from the nail"
                                   "m" */
} dae_event;

enum { DAE_MOST_EVENTS = 1000000 };     /* of one entry, of all copies */

/* How a state is drawn, in a plane with y upwards; drawing.h has functions for it. */
enum { DAE_MAX_SHAPES = 256 };
typedef struct {
    double x, y, radius;        /* radius 0: a dot that leaves no trail */
    const char *name;           /* of its trail, "bob", which stays where it is; several of one name are
                                   numbered; NULL: none */
} dae_disc;
typedef struct { double x0, y0, x1, y1; } dae_segment;
typedef struct {
    int bodies, links, walls;                   /* how many of each; set by draw, which finds 0 */
    dae_disc body[DAE_MAX_SHAPES];              /* what moves, and leaves a trail */
    dae_segment link[DAE_MAX_SHAPES];           /* rods, strings, springs */
    dae_segment wall[DAE_MAX_SHAPES];           /* what stands still */
} dae_picture;

/* What stands before p[0] in each pass: the data of a user, the pointer that was given when the system
 * was created (dae_formulation_options), NULL where none was. Functions of a model reach it by
 * dae_user_data(p), in every pass and in every mode. A reference asks them in quad: tables and
 * callbacks of doubles make it as wrong as they are, and what they depend on is not followed by
 * derivatives. */
typedef struct {
    _Alignas(16) const void *user_data;         /* and the alignment of quad numbers */
} dae_parameters_front;

static inline const void *dae_user_data(const void *p)
{
    return ((const dae_parameters_front *)p)[-1].user_data;
}

DAE_API_BEGIN

/* Parameters p[count] of so many bytes each, zeros, with these data before them: for who calls the
 * functions of a record without a system. NULL where memory is short. What lies behind the last is NaN
 * as far as count reaches again, here and in systems: a model that counts farther than its record has
 * parameters answers NaN. */
void *dae_parameters_new(int count, size_t size, const void *user_data);
void dae_parameters_free(void *p);

DAE_API_END

enum { DAE_PARAMETER_ENTRIES = 64 };

/* A record states one kind of problem, its start, and each function it has for doubles and dual
 * numbers; those for quad numbers are asked for by references. Lists of names and units have a word
 * for each unknown, or are left out: then positions are q1, q2, ..., velocities v1, ...,
 * multipliers lambda1, ..., minimal coordinates s1, ... with ds1, ..., unknowns of first order u1,
 * ..., and the unit is "-". No other text of a record but its name is needed. */
struct dae_problem {
    const char *name, *title, *citation;
    const char *equations;      /* in words and formulas, for people */
    const char *variables;      /* "x y vx vy T": (q, v, lambda) or u */
    const char *units;          /* "m m m/s m/s N" */
    /* In the order of p, where an array takes as many places as it has elements: of "a", an array "k"
     * of 36 and "b" the names are enum { A, K, B = K + 36 }, and k[3] is p[K + 3]. The list ends with
     * an entry without a name, and so does that of those which follow: of more parameters than fit
     * here, or of a list that several records share. Values are doubles in every pass, as the times
     * and the start of a run are: a reference is the solution for these doubles. */
    dae_parameter parameters[DAE_PARAMETER_ENTRIES + 1];
    const dae_parameter *more_parameters;       /* optional */
    dae_mechanical mechanical;  /* one of the two: nq > 0 ... */
    dae_first_order first_order;/* ... or n > 0 */
    dae_start start;            /* (q, v, lambda) or u at t0; u arrives zeroed */
    double t0, t_end;           /* the interval of a study */
    double rtol;                /* optional: the relative tolerance of one run that chooses its steps, where
                                   nobody says another; 0: 1e-6 */
    dae_invariants invariants;  /* optional */
    const dae_event *events;    /* optional: those of this mode; ends with one without a name */
    /* A hybrid problem is a set of modes: this one, where it starts, whose name is mode, and
     * others. A mode is a record of its own with a name, a title, equations, variables, units,
     * functions, events and a start: a typical state, near which its Jacobian has its pattern. All
     * have the same positions, or the same u, and may share functions. Citation, parameters,
     * interval, invariants and drawing, where it has none, are those of the problem. An event of
     * one mode is not heard in another, which may repeat it. */
    const char *mode;
    const dae_problem *const *modes;    /* the others; ends with NULL */
    void (*draw)(const double *p, double t, const double *x, dae_picture *out);     /* optional */
};

#endif
