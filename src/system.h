/* system.h - a problem in one formulation: M u' = F(t, u), and the scratch it computes in */
#ifndef DAE_SYSTEM_H
#define DAE_SYSTEM_H

#include "daelab/daelab.h"

typedef enum { DAE_FORM_MECHANICAL, DAE_FORM_MINIMAL, DAE_FORM_FIRST_ORDER } dae_form_kind;

/* How unknowns are laid out and how F is composed of a model's functions. */
typedef struct {
    dae_form_kind kind;
    int auxiliary;              /* sets of nl auxiliary multipliers behind lambda */
    int eliminates;             /* explicit methods may solve d2g/dt2 = 0 for lambda at each stage */
    void (*rhs)(dae_system *sys, double t, const double *u, double *F);
    void (*rhs_dual)(dae_system *sys, dae_dual t, const dae_dual *u, dae_dual *F);
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
    double *p;                  /* [number of parameters] */
    int n, nq, nl, index;
    dae_class *classes;         /* [n] */
    double *mass, *inverse_mass;/* [nq] diagonal of the mechanical M and of its inverse */
    double *diagonal;           /* [n] diagonal of the system's M, ... */
    int coupled;                /* ... which has entries off it, too */
    double *a;                  /* [nq + 2 nl] scratch inside F: accelerations, constraints */
    dae_dual *a_dual;           /* [3 nq + 2 nl] the same for duals, and (q, v) of the energy */
    double *gradient;           /* [nl x nq] rows of G    \                                   */
    double *schur;              /* [nl x nl] S = G M^-1 G^T| scratch of dae_system_accelerate  */
    double *state;              /* [3 nq + nl] a copy of (q, v, lambda), and accelerations     */
    double *start;              /* [max(n, 2 nq + nl)] the problem's start                     */
    dae_partials partials;      /* blocks for the analytic Jacobian, zero where never written  */
    dae_partials mu_partials;   /* the same at lambda := mu, for ggl */
    double *memory;             /* one block for all arrays of double above */
};

/* The analytic derivative exists for this problem in this formulation. */
int dae_system_has_analytic(const dae_system *sys);

/* Explicit form y' = f(t, y), z = z(t, y) with y[ny] the leading unknowns of u and z[n - ny] the
 * multipliers behind them. explicit_size: ny, or 0 where the system has none. */
int dae_system_explicit_size(const dae_system *sys);
dae_status dae_system_explicit_rhs(dae_system *sys, double t, const double *y, double *dy,
                                   double *z);

/* Mechanical, at (t, q): G and S = G M^-1 G^T into sys->gradient and, factored, sys->schur; 0 where
 * S is singular or not finite. The next three use both as they were left: c := S^-1 c;
 * x -= M^-1 G^T c; the rest of dae_system_accelerate. */
int dae_system_factor_schur(dae_system *sys, double t, const double *q);
void dae_system_solve_schur(const dae_system *sys, double *c);
void dae_system_add_reaction(const dae_system *sys, const double *c, double *x);
void dae_system_balance(dae_system *sys, double t, const double *q, const double *v, double *a,
                        double *lambda);

/* 1 where unknown i has no derivative in M u'. */
int dae_system_is_algebraic(const dae_system *sys, int i);

#endif
