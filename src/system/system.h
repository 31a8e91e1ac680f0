/* system.h - a problem in one formulation, M u' = F(t, u), with its work arrays */
#ifndef DAE_SYSTEM_H
#define DAE_SYSTEM_H

#include "daelab/daelab.h"
#include "daelab/problem.h"
#include "daelab/study.h"
#include "base/sizes.h"
#include "schur.h"
#include "state_mass.h"

#include <math.h>

typedef enum { DAE_FORM_MECHANICAL, DAE_FORM_MINIMAL, DAE_FORM_FIRST_ORDER } dae_form_kind;

/* F(t, u) [n], J = dF/du [n x n] column-major, F_t = dF/dt [n] */
typedef void dae_analytic(dae_system *sys, double t, const double *u, double *F, double *J, double *F_t);

/* y' = f(t, y[ny]) -> dy[ny] with z = z(t, y), as dae_system_explicit_rhs */
typedef dae_status dae_explicit_map(dae_system *sys, double t, const double *y, double *dy, double *z);

/* How unknowns are laid out and how F is composed of a model's functions. */
typedef struct {
    dae_form_kind kind;
    int on_positions;           /* needs each constraint as 0 = g(t, q): not for nonholonomic ones */
    unsigned levels;            /* those of the constraint's derivatives that stand in its row: bit k, dg^k/dt^k */
    int auxiliary;              /* sets of nl auxiliary multipliers behind lambda */
    int eliminates;             /* explicit methods may solve d2g/dt2 = 0 for lambda at each
                                   stage */
    void (*rhs)(dae_system *sys, double t, const double *u, double *F);
    void (*rhs_dual)(dae_system *sys, dae_dual t, const dae_dual *u, dae_dual *F);
    void (*rhs_quad)(dae_system *sys, dae_quad t, const dae_quad *u, dae_quad *F);
    void (*rhs_tangent)(dae_system *sys, dae_dual t, const dae_dual *u, dae_dual *F);
    /* From the model's analytic derivatives, for each size [DAE_BODIES], or NULL. It writes only entries
     * that can be nonzero; the caller sets J and F_t to zero once. */
    dae_analytic *const *linearise;
} dae_composition;

/* A formulation. rhs is NULL for a kind of problem that it does not apply to. */
struct dae_formulation {
    dae_formulation_info info;
    dae_composition mechanical, first_order;
};

/* Nothing; an observer looks between two steps; functions of the model are called, with its work arrays. */
typedef enum { DAE_RESTS, DAE_SHOWS, DAE_WORKS } dae_use;

struct dae_system {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_composition *compose;
    dae_formulation_options options;
    int parameters;             /* how many values */
    double *p;                  /* [parameters] for evaluation in double and in dual numbers of u */
    dae_quad *p_quad;           /* the same values for evaluation in quad */
    dae_dual *p_tangent;        /* the same values for derivatives with respect to parameters */
    int n, nq, nl, index;
    int holonomic;              /* constraints on positions, the first of nl; the others are nonholonomic */
    dae_body body;              /* kernels compiled for nq and nl, or those for any; */
    dae_analytic *linearise;    /* compose->linearise for it, or NULL */
    dae_explicit_map *explicit_map;     /* where the system has the explicit form y' = f(t, y) */
    /* 1: M is not both diagonal and constant. The accelerations a are then the last unknowns of u, from
     * acceleration_at on: v' = a, 0 = f - M(q) a - G^T lambda. */
    int general_mass, acceleration_at;
    /* First order: P u' = w and M(t, u) E w = F with w behind u, or NULL where M is constant. */
    dae_state_mass *carried;
    dae_class *classes;         /* [n] */
    double *inverse_mass;       /* [nq] of the diagonal of the mechanical M */
    int mass_checked;           /* 1: M is assumed constant, and the run verifies it (mass.c) */
    double *diagonal;           /* [n] diagonal of the system's M */
    int nondiagonal_mass;                /* 1: M has entries off its diagonal. Then: */
    int nulls;                  /* n - rank M; computed for at most DAE_SMALL_MASS unknowns */
    double *right_null;         /* [nulls x n] rows z with M z = 0: components of u that have no derivative;
                                   orthogonal in units, ... */
    double *unit;               /* ... [n] of the unknowns, by the columns of M */
    double *kernel;             /* [nulls x n] the same reduced: row k has 1 at kernel_unknown[k], the others 0 */
    int *kernel_unknown;        /* [nulls] */
    double *a;                  /* [nq + 2 nl] work array of rhs: accelerations, constraints; [3 n] of a
                                   problem of first order with w */
    dae_quad *a_quad;           /* the same of rhs_quad, then [nq] the diagonal of M^-1; allocated while quad
                                   steps run (dae_system_open_quad) */
    /* G and S = G M^-1 G^T of dae_system_accelerate; dense, or stored as plan says.
     * They are those of the first ng constraints: all nl, or the holonomic ones. */
    int ng;
    double *gradient, *schur;
    dae_schur_plan plan;
    int sparse_schur;           /* 1: plan is in use, with many constraints or where it is less work */
    int redundant;              /* the constraint that made S singular; DAE_SCHUR_GROWN: G has an entry
                                   outside of plan's pattern, and memory for a larger one was missing */
    double *state;              /* [3 nq + nl] a copy of (q, v, lambda), and accelerations */
    double *start;              /* [max(n, 2 nq + nl)] initial values of the problem */
    double *charted;            /* [n] the same in minimal coordinates */
    dae_start_change start_moved;       /* the change that made start consistent, for charted */
    double *rows;               /* [6 nl] work array of projection/project.c */
    /* projection/project.c evaluates g in quad at a q in double, where cancellation in g loses more digits
     * than the rounding of q explains. */
    dae_quad *quad;             /* [nq + nl] q and g */
    int exact;                  /* 1: g is evaluated in quad */
    long projections;           /* number of projections since dae_project_reset */
    double *seen;               /* [nl] |G| |q| of each row when its rounding error was last estimated */
    const double *open;         /* [n] is subtracted from F during a step of stepper/cut.c; or NULL */
    dae_use use;                /* what goes on in it */
    const char *refused;        /* the function that was to free what is in use; or NULL */
    long generation;            /* counts calls that set parameters; a solver compares it with its own copy */
    struct {                    /* what no other folder sees (tests/test_layers.c) */
        int copies;             /* a problem with a DAE_COUNT parameter has copies times nq and nl */
        double *full_mass;      /* [nq x nq] M(t, q) = L D L^T */
        double *weighted;       /* [nl x nq] rows M^-1 G_k */
        double *mass;           /* [nq] diagonal of the mechanical M */
        double *mass_x, *mass_product, *mass_size, *mass_now;       /* [nq], or [n] of a first-order problem with
                                                                       M: a vector x, M x at the start,
                                                                       sum_j |M_ij x_j|, M(t, q) x now */
        double *left_null;      /* [nulls x n] rows z with z^T M = 0: z^T F = 0 is an algebraic equation */
        dae_dual *tangent;      /* [nq] the diagonal of M^-1, then work array of tangent.c; or NULL */
        dae_dual *a_dual;       /* [3 nq + 2 nl], or as a: work array of rhs_dual, and (q, v) for the energy */
        dae_schur_rows aside;   /* of many constraints, where not all are holonomic: those of the other ng */
        double *work;           /* [2 nq + nl] work array of the plan */
        dae_partials partials;  /* blocks of the analytic Jacobian; entries never written are zero */
        dae_partials mu_partials;       /* the same with lambda replaced by mu, for formulations with mu; small
                                           systems only */
        void *memory;           /* one block for most arrays */
    } inner;
};

/* The composition of a mechanical problem without constraints, in every formulation with multipliers. */
extern const dae_composition dae_unconstrained;

/* The largest number of unknowns for which null spaces of M are computed. For more, only zero rows and
 * columns of M are recognised. */
enum { DAE_SMALL_MASS = 100 };

/* With more constraints than the first, no array has n^2 entries, and S is stored as a band matrix. A full
 * M(q) is factored for at most DAE_MANY_POSITIONS positions. */
enum { DAE_MANY_CONSTRAINTS = 12, DAE_MANY_POSITIONS = 256 };
static inline int dae_system_has_many(const dae_system *s) { return s->nl > DAE_MANY_CONSTRAINTS; }

/* DAE_OK where the record of a problem, or of a mode, is complete; else DAE_BAD_ARGUMENT with what is
 * missing. check_quad: the functions in quad that reference solutions need. check_tangent: the functions
 * for derivatives with respect to parameters. */
dae_status dae_check_problem(const dae_problem *problem, dae_report *report);

/* The same in parts, 0, 1, ..., each by the name of what it looks at in *what ("variables"); NULL past the
 * last. */
dae_status dae_check_problem_part(const dae_problem *problem, int part, const char **what,
                                  dae_report *report);
dae_status dae_check_quad(const dae_problem *problem, dae_report *report);
dae_status dae_check_tangent(const dae_problem *problem, dae_report *report);

/* The function dae_system_start without its checks. */
dae_status dae_system_unknowns_at_start(dae_system *sys, double *u, dae_report *report);

/* sys->start := the problem's initial values for the present parameters, not made consistent. */
void dae_system_evaluate_start(dae_system *sys);

/* 1 where analytic derivatives exist for this problem in this formulation. */
int dae_system_has_analytic(const dae_system *sys);

/* The accelerations of u: part of u where they are unknowns, else the array in which rhs leaves them. */
static inline double *dae_system_accelerations(const dae_system *s, double *u)
{
    return s->general_mass ? u + s->acceleration_at : s->state;
}

/* 1 where constraints bind velocities only. */
static inline int dae_system_is_nonholonomic(const dae_system *s) { return s->holonomic < s->nl; }

/* Unknown i has no error of its own: an auxiliary multiplier, which is 0, or w = P u', whose error is that of u
 * and counts in it times the step. No norm looks at it. */
static inline int dae_system_follows(const dae_system *s, int i)
{
    return s->nq ? i >= 2 * s->nq + s->nl && i < s->acceleration_at : s->carried && i >= s->carried->n;
}

/* The work array of rhs_quad; 0 where there is no memory. It is freed with the system. */
int dae_system_open_quad(dae_system *sys);

/* x[nq] := M(t, q)^-1 x; 0 where M is not positive definite. */
int dae_system_divide_by_mass(dae_system *sys, double t, const double *q, double *x);

/* Mechanical systems, at (t, q): sys->gradient := G, sys->schur := the factors of S = G M^-1 G^T. 0 where S
 * is singular or not finite. The functions below use G and S of the last call: solve_schur c := S^-1 c;
 * add_reaction x -= M^-1 G^T c; balance a, lambda as dae_system_accelerate computes them.
 * take_rows: G, S and c of later calls are those of the first ng constraints, all of them or the holonomic
 * ones, and have to be factored; returns ng of before, which is to be taken again. */
int dae_system_factor_schur(dae_system *sys, double t, const double *q);
int dae_system_take_rows(dae_system *sys, int ng);

/* The norm of projections: x^T M x, with S = G M^-1 G^T, or the Euclidean norm, with S = G G^T.
 * take_euclidean_norm selects the second and returns the first, which take_norm restores. */
typedef struct {
    double *inverse_mass;
    int general_mass;
} dae_system_norm;
dae_system_norm dae_system_take_euclidean_norm(dae_system *sys);
void dae_system_take_norm(dae_system *sys, dae_system_norm norm);

/* The function for explicit_map that fits the system. */
dae_explicit_map *dae_system_explicit_map(const dae_system *sys);

void dae_system_solve_schur(const dae_system *sys, double *c);
void dae_system_add_reaction(const dae_system *sys, const double *c, double *x);
void dae_system_balance(dae_system *sys, double t, const double *q, const double *v, double *a,
                        double *lambda);

/* First-order problems have the algebraic equations z_k^T F = 0, for each z_k with z_k^T M = 0.
 * algebraic_equations: their number. algebraic_weights: z[n] := z_k. remove_algebraic: change one row of F
 * for each k so that z_k^T F = 0. first_order_rows: out := z_k^T F for all k; returns their number.
 * first_order_constraint: out := z_k^T of the right-hand side (level 0), or of the problem's reduced
 * right-hand side (level 1), at (t, u); returns their number. */
int dae_system_algebraic_equations(const dae_system *sys);
void dae_system_algebraic_weights(const dae_system *sys, int k, double *z);
void dae_system_remove_algebraic(const dae_system *sys, double *F);
/* F := its part in the algebraic equations, without M a = f - G^T lambda, which has index 1; work[n] */
void dae_system_keep_algebraic(const dae_system *sys, double *F, double *work);
int dae_first_order_rows(const dae_system *sys, const double *F, double *out);
int dae_first_order_constraint(dae_system *sys, int level, double t, const double *u, double *out);

/* Of the problem: n - nx where w is carried, whose equations are the system's, else all of the above. */
int dae_first_order_constraints(const dae_system *sys);

/* F[n] := rhs, a right-hand side of the problem, in the rows of the system, at (t, u) */
void dae_first_order_rhs_double(dae_system *sys, const dae_map1 *rhs, double t, const double *u, double *F);
void dae_first_order_rhs_dual(dae_system *sys, const dae_map1 *rhs, dae_dual t, const dae_dual *u, dae_dual *F);
void dae_first_order_rhs_quad(dae_system *sys, const dae_map1 *rhs, dae_quad t, const dae_quad *u, dae_quad *F);
void dae_first_order_rhs_tangent(dae_system *sys, const dae_map1 *rhs, dae_dual t, const dae_dual *u,
                                 dae_dual *F);

/* w of a state of the problem whose M(t, u) varies, behind u[n + nx]; 0 where M has lost its rank. */
int dae_system_set_slopes(dae_system *sys, double t, double *u);

/* Verify at (t, u) that M is constant, and diagonal for mechanical systems, as the system assumes. If not,
 * try_mass returns DAE_BAD_ARGUMENT with a report of what the problem has to declare; mass_changed
 * returns 1. */
dae_status dae_system_check_mass(dae_system *sys, double t, const double *u, dae_report *report);
int dae_system_mass_changed(dae_system *sys, double t, const double *u);

/* The same of a mechanical M = diag(m), in coordinates q: |M x - m x|_i <= DAE_MASS_ROUNDING |m x|_i. */
#define DAE_MASS_ROUNDING 1e-12
static inline int dae_system_diagonal_changed(const dae_system *s, double t, const double *q)
{
    int same = 1;
    s->problem->mechanical.inertia.f(s->p, t, q, s->inner.mass_x, s->inner.mass_now);
    for (int i = 0; i < s->nq; i++)
        same &= !(fabs(s->inner.mass_now[i] - s->inner.mass_product[i]) > DAE_MASS_ROUNDING * s->inner.mass_size[i]);
    return !same;
}

/* When a system is created. mass_is_simple: 1 where M is constant and diagonal at sample points near q0[nq];
 * work[4 nq]. mass_remember, mass_remember_column: store the M that later calls compare with, of mechanical
 * systems, and column j of a first-order problem (column[n]). */
int dae_mass_is_simple(const dae_system *sys, const double *q0, double *work);
void dae_mass_record(dae_system *sys);
void dae_mass_record_column(dae_system *sys, int j, const double *column);

/* The name that unknown i has in common with those of the other copies of the problem, without its number;
 * "" where there is one copy. */
void dae_unknown_kind(const dae_system *sys, int i, char *kind, int length);

/* classes, diagonal and, of an M that is not diagonal, the null spaces; kernel from right_null, with the largest entry
 * of each column of M. */
void dae_system_reduce_kernel(dae_system *sys, const double *size);
dae_status dae_system_classify(dae_system *sys, dae_report *report);

/* 1 where unknown i has no derivative in M u'. */
int dae_system_is_algebraic(const dae_system *sys, int i);

/* A state is (M u, its part in the kernel of M), and that is what the unknowns are that lead in the kernel, or have no
 * derivative. in_kernel: is unknown i one of these? take_kernel: u[n] := the state with the M u of u and the part of
 * from[n] in the kernel. split: in place of all unknowns i that are none of these u_i - sum_k kernel_ki u_k, which M
 * sees alone, k the unknowns that lead; join: the inverse. */
int dae_system_in_kernel(const dae_system *sys, int i);
void dae_system_take_kernel(const dae_system *sys, const double *from, double *u);
void dae_system_take_kernel_quad(const dae_system *sys, const dae_quad *from, dae_quad *u);
void dae_system_split_quad(const dae_system *sys, dae_quad *u);
void dae_system_join_quad(const dae_system *sys, dae_quad *u);

/* X[n x n], by rows: X F is the u' that has M u' = F for z^T F = 0, and no part in the kernel; NULL without kernel, or
 * memory. It is freed by free. */
double *dae_system_mass_inverse(const dae_system *sys);

/* analytic.c: F and its Jacobian in each formulation from a model's analytic derivatives. One for each size; those that
 * have no kernels of their own have one for all. */
extern dae_analytic *const dae_analytic_index3[DAE_BODIES], *const dae_analytic_index2[DAE_BODIES],
    *const dae_analytic_index1[DAE_BODIES], *const dae_analytic_baumgarte[DAE_BODIES],
    *const dae_analytic_ggl[DAE_BODIES], *const dae_analytic_native[DAE_BODIES];

#endif
