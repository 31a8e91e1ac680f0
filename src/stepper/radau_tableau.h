/* radau_tableau.h - coefficients of Radau IIA in the form the stepper works with */
#ifndef DAE_RADAU_TABLEAU_H
#define DAE_RADAU_TABLEAU_H

#include "base/no_fast_math.h"

/* Stages of a step, and of dense output. */
enum { RADAU_STAGES = 7, RADAU_FINE = 2 * RADAU_STAGES - 1 };
enum { RADAU_PAIRS = (RADAU_FINE - 1) / 2 };

/* The stages lie on the collocation polynomial p with p(0) = 0, p(c_i) = z_i in tau = (t - t_n)/h,
 * and A^-1 z = (p'(c_1) .. p'(c_s)). With z = T w the matrix A^-1 becomes the number mu and s/2
 * complex numbers alpha + i beta: w = (w_0, Re w_1, Im w_1, Re w_2, ...). */
typedef struct {
    int s;
    double c[RADAU_FINE];
    double lagrange[RADAU_FINE];              /* l_j = lagrange_j tau prod_(m != j) (tau - c_m) */
    double slope[RADAU_FINE];                 /* l_j'(0) */
    double last[RADAU_FINE], last_but_one[RADAU_FINE];  /* the Legendre coefficients of l_j' on [0, 1] of
                                                           degrees s-1 and s-2 */
    double mu, alpha[RADAU_PAIRS], beta[RADAU_PAIRS];
    double T[RADAU_FINE * RADAU_FINE], T_inverse[RADAU_FINE * RADAU_FINE];  /* columns */
} radau_tableau;

/* The coefficients for s = 3, 5, ... RADAU_FINE stages, rounded to double. */
const radau_tableau *dae_radau_tableau(int s);

/* l[s] := l_j(tau), so that p(tau) = sum_j l_j z_j. */
void dae_radau_basis(const radau_tableau *tableau, double tau, double *l);

/* y[rows x n] := a[rows x s] x[s x n], rows of y and x one after the other, a by columns. */
void dae_radau_combine(int rows, int s, int n, const double *a, const double *x, double *y);

#endif
