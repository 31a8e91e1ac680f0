/* ida.h - the state of an IDA run, and the equations as IDA asks for them */
#ifndef DAE_IDA_H
#define DAE_IDA_H

#include "sundials.h"

#include "jacobian/jacobian.h"
#include "stepper/solver.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

typedef struct {
    dae_jacobian *jac;
    SUNContext context;
    void *ida;
    N_Vector u, du;
    N_Vector id;                /* 1: the unknown is in the error test, else 0 */
    N_Vector dense;             /* u between steps */
    /* With projections (options.project) u = w + d: IDA, whose history cannot be moved from outside,
     * integrates w, and a move of u is added to d, which moves the history as a whole. */
    double *offset;             /* [n] d; NULL: none */
    double *whole;              /* [n] w + d */
    SUNMatrix A;
    SUNLinearSolver linear;
    SUNLinearSolver scaled;     /* linear as IDA sees it: ida_linear.c */
    double *row_scale, *column_scale;   /* [n] each, one block */
    SUNNonlinearSolver newton;  /* NULL: IDA's own */
    double first_correction;    /* of the iteration, its norm */
    double *F;                  /* [n] */
    double *ends;               /* [3 x n] of IDA's last step, and the start */
    double reached, last;       /* by IDA's own steps, or the root where it stopped; its last step, or 0 */
    double t_start;
    int rooted;                 /* reached is a root */
    double h;                   /* of the next step, as far as it is known before it */
    dae_statistics before;      /* counted before IDA began, here or anew after a step undone */
    int generation;             /* of the pattern that A has */
    int unordered;              /* KLU's ordering is still to be chosen */
    int begun;                  /* a step was tried since the start */
    int undefined;              /* in the present step F or J was not finite somewhere */
    dae_words words;
} dae_ida;

/* u[n] of IDA's vector w: w + d. Valid until the next call. */
double *dae_ida_unknowns(const dae_ida *w, N_Vector v);

/* r := M u' - F(t, u), the Newton matrix A := c M - J, and the weights of IDA's norms; data is the
 * dae_solver. Positive answers mean not finite: IDA shall try a smaller step. */
int dae_ida_residual(double t, N_Vector u, N_Vector du, N_Vector r, void *data);
int dae_ida_newton_matrix(double t, double c, N_Vector u, N_Vector du, N_Vector r, SUNMatrix A,
                          void *data, N_Vector a, N_Vector b, N_Vector d);
int dae_ida_weights(N_Vector u, N_Vector out, void *data);

/* w->scaled from w->linear; 0: no memory. */
int dae_ida_scale_linear(dae_ida *w);

/* watch: pass the solver's event functions to IDA. take_roots: after a step, pass the roots that IDA found to
 * the watcher. */
dae_status dae_ida_watch(dae_solver *s);
int dae_ida_take_roots(dae_solver *s, dae_ida *w);

/* The failure of a step, with IDA's message. */
dae_status dae_ida_explain(dae_solver *s, int flag);

/* Newton's iteration with a test of convergence of its own; a flag of IDA. */
int dae_ida_newton(dae_ida *w, double rtol);

/* w->du := u'(t0); 0 for variables that have none in M u' and an index above 1. */
dae_status dae_ida_derivative(dae_solver *s, dae_ida *w);

/* The first step: a thousandth of the way, or where u moves by half its tolerance. */
double dae_ida_first_step(const dae_solver *s, const dae_ida *w, double t_stop);

#endif
