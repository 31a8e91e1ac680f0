/* system.h - a problem in one formulation: M u' = F(t, u), and the scratch it computes in */
#ifndef DAE_SYSTEM_H
#define DAE_SYSTEM_H

#include "daelab/daelab.h"
#include "daelab/problem.h"
#include "daelab/study.h"
#include "schur.h"

typedef enum { DAE_FORM_MECHANICAL, DAE_FORM_MINIMAL, DAE_FORM_FIRST_ORDER } dae_form_kind;

/* How unknowns are laid out and how F is composed of a model's functions. */
typedef struct {
    dae_form_kind kind;
    int auxiliary;              /* sets of nl auxiliary multipliers behind lambda */
    int eliminates;             /* explicit methods may solve d2g/dt2 = 0 for lambda at each
                                   stage */
    void (*rhs)(dae_system *sys, double t, const double *u, double *F);
    void (*rhs_dual)(dae_system *sys, dae_dual t, const dae_dual *u, dae_dual *F);
    void (*rhs_quad)(dae_system *sys, dae_quad t, const dae_quad *u, dae_quad *F);
    void (*rhs_tangent)(dae_system *sys, dae_dual t, const dae_dual *u, dae_dual *F);
    /* F[n], and J[n x n] column-major and F_t[n] from the model's analytic derivatives; entries of
     * them that are never written stay zero */
    void (*linearise)(dae_system *sys, double t, const double *u, double *F, double *J,
                      double *F_t);
} dae_composition;

/* A formulation: what it makes of a mechanical and of a first-order problem (no rhs: nothing). */
struct dae_formulation {
    dae_formulation_info info;
    dae_composition mechanical, first_order;
};

struct dae_system {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_composition *compose;
    dae_formulation_options options;
    double *p;                  /* [number of parameters] in the passes double and dual, ... */
    dae_quad *p_quad;           /* ... the same numbers in quad, ... */
    dae_dual *p_tangent;        /* ... and in tangent, where one of them may have a derivative */
    int n, nq, nl, index;
    int copies;                 /* of the problem's nq and nl */
    /* A mass matrix that is not diagonal and constant: the accelerations are unknowns, behind all
     * others, v' = a, 0 = f - M(q) a - G^T lambda */
    int carries, acceleration_at;
    double *full_mass;          /* [nq x nq] M(t, q) = L D L^T */
    double *weighted;           /* [nl x nq] rows M^-1 G_k */
    dae_class *classes;         /* [n] */
    double *mass, *inverse_mass;/* [nq] diagonal of the mechanical M and of its inverse */
    int mass_tried;             /* M is taken for constant: M x against M x of the start, ... */
    double *mass_x, *mass_product, *mass_size, *mass_now;       /* [nq], or [n] where M is given:
                                                                   x, M x, sum_j |M_ij x_j|, and
                                                                   M(t, q) x */
    double *diagonal;           /* [n] diagonal of the system's M, ... */
    int coupled;                /* ... which has entries off it, too; then: */
    int nulls;                  /* rank deficiency of M, where it was asked for (small systems), */
    double *left_null;          /* [nulls x n] z^T M = 0: z^T F = 0 is an algebraic equation */
    double *right_null;         /* [nulls x n] M z = 0: directions without a derivative */
    double *a;                  /* [nq + 2 nl] scratch inside F: accelerations, constraints */
    dae_quad *a_quad;           /* [nq + 2 nl] the same for quad numbers, and [nq] the inverse of the
                                   mass, while quad_steps.c runs */
    dae_dual *tangent;          /* tangent.c, where it was asked for: [nq] the inverse of the mass, scratch */
    dae_dual *a_dual;           /* [3 nq + 2 nl] the same for duals, and (q, v) of the energy */
    /* scratch of dae_system_accelerate: G and S = G M^-1 G^T, whose rows are dense, or with many
     * constraints what the plan says */
    double *gradient, *schur;
    dae_schur_plan plan;
    int planned;                /* many constraints: the plan holds */
    int redundant;              /* the constraint that made S singular; DAE_SCHUR_GROWN: the plan of
                                   S lacks an entry, and there was no memory for another one */
    double *work;               /* [2 nq + nl] for the plan */
    double *state;              /* [3 nq + nl] a copy of (q, v, lambda), and accelerations */
    double *start;              /* [max(n, 2 nq + nl)] the problem's start */
    double *charted;            /* [n] minimal coordinates of it, ... */
    dae_start_change start_moved;       /* ... and how far it had to be moved to have them */
    double *rows;               /* [5 nl] scratch of project.c */
    /* project.c: g in quad, at a q in double. Where the terms of g are much larger than what
     * rounding of q makes of it, in double nothing but noise is left of it. */
    dae_quad *quad;             /* [nq + nl] q and g */
    int exact;                  /* g is taken in quad */
    long projections;           /* since dae_project_reset */
    double *seen;               /* [nl] |G| |q| of each row when its rounding was last looked at */
    dae_partials partials;      /* blocks for the analytic Jacobian, zero where never written;
                                   ... */
    dae_partials mu_partials;   /* ... the same at lambda := mu, for ggl; of small systems only */
    const double *open;         /* [n] in steps that leave equations open, F is less by it; or
                                   NULL */
    double *memory;             /* one block for all arrays of double above */
    long generation;            /* how often parameters have been set; a solver knows those of others */
    dae_parameters_double block;                /* what p, ... */
    dae_parameters_quad block_quad;             /* ... p_quad ... */
    dae_parameters_dual block_tangent;          /* ... and p_tangent point to */
};

/* What every formulation with multipliers makes of a mechanical problem that has no constraints. */
extern const dae_composition dae_unconstrained;

/* Null spaces of M are found up to so many unknowns; beyond, its zero rows and columns serve. */
enum { DAE_SMALL_MASS = 100 };

/* Above so many constraints S is kept in a band, and nothing of size n^2 is allocated; up to so
 * many positions a full M(q) is factored. */
enum { DAE_MANY_CONSTRAINTS = 12, DAE_MANY_POSITIONS = 256 };

/* DAE_OK where the record of a problem, or of a mode, is complete; else what it lacks. And the same
 * of the functions of quad numbers that a reference needs. */
dae_status dae_check_problem(const dae_problem *problem, dae_report *report);
dae_status dae_check_quad(const dae_problem *problem, dae_report *report);
dae_status dae_check_tangent(const dae_problem *problem, dae_report *report);

/* sys->start := the problem's start at its parameters, as it is given. */
void dae_system_evaluate_start(dae_system *sys);

/* The analytic derivative exists for this problem in this formulation. */
int dae_system_has_analytic(const dae_system *sys);

/* Where F and the methods put the accelerations of u. */
static inline double *dae_system_accelerations(const dae_system *s, double *u)
{
    return s->carries ? u + s->acceleration_at : s->state;
}

/* x[nq] := M(t, q)^-1 x; 0 where M is not positive definite. */
int dae_system_divide_by_mass(dae_system *sys, double t, const double *q, double *x);

/* Mechanical, at (t, q): G and S = G M^-1 G^T into sys->gradient and, factored, sys->schur; 0 where
 * S is singular or not finite. The next three use both as they were left: c := S^-1 c;
 * x -= M^-1 G^T c; the rest of dae_system_accelerate. */
int dae_system_factor_schur(dae_system *sys, double t, const double *q);

/* The norm in which S = G M^-1 G^T and the moves by reactions are taken: that of M, or until the other one
 * is taken again the Euclidean one (G G^T). */
typedef struct {
    double *inverse_mass;
    int carries;
} dae_system_norm;
dae_system_norm dae_system_take_euclidean_norm(dae_system *sys);
void dae_system_take_norm(dae_system *sys, dae_system_norm norm);

/* Room for G and S as the plan says; 0 where there is none. */
int dae_system_make_room(dae_system *sys);
void dae_system_solve_schur(const dae_system *sys, double *c);
void dae_system_add_reaction(const dae_system *sys, const double *c, double *x);
void dae_system_balance(dae_system *sys, double t, const double *q, const double *v, double *a,
                        double *lambda);

/* First order: the number of algebraic equations z^T F = 0, where z^T M = 0; z[n] of number k; F
 * with z^T F = 0, for which one row of each is changed; and their values, of the right-hand side
 * (level 0) or of the reduced one (level 1), returning how many. */
int dae_system_algebraic_equations(const dae_system *sys);
void dae_system_algebraic_weights(const dae_system *sys, int k, double *z);
void dae_system_remove_algebraic(const dae_system *sys, double *F);
int dae_first_order_rows(const dae_system *sys, const double *F, double *out);
int dae_first_order_constraint(dae_system *sys, int level, double t, const double *u, double *out);

/* Is M at (t, u) what the system takes it for? DAE_BAD_ARGUMENT, and in words what to declare,
 * where it is not. */
dae_status dae_system_try_mass(dae_system *sys, double t, const double *u, dae_report *report);
int dae_system_mass_changed(dae_system *sys, double t, const double *u);        /* is it not? */

/* At creation: does M seem constant and diagonal near q0[nq]? work[4 nq]. And what the function
 * above compares with: of a mechanical M, and column[n] number j of that of a first-order
 * problem. */
int dae_mass_is_simple(const dae_system *sys, const double *q0, double *work);
void dae_mass_remember(dae_system *sys);
void dae_mass_remember_column(dae_system *sys, int j, const double *column);

/* 1 where unknown i has no derivative in M u'. */
int dae_system_is_algebraic(const dae_system *sys, int i);

#endif
