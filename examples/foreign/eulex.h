/* eulex.h - a solver for stiff problems M y' = f(t, y) in one call, as there are many; it knows nothing of
 * daelab
 *
 * The linearly implicit Euler method with 1, 2, 3 and 4 substeps, extrapolated to order 4 on ordinary
 * differential equations (Deuflhard, Nowak (1987); Hairer, Wanner (1996), IV.9).
 */
#ifndef EULEX_H
#define EULEX_H

typedef void eulex_f(int n, double t, const double *y, double *f, void *user);
typedef int eulex_matrices(int n, double t, const double *y, double *J, double *M, void *user);
                                /* dense, column by column; not 0: they have no value */
typedef int eulex_seen(double t, const double *y, void *user);
                                /* a step was accepted; not 0: return now */

enum { EULEX_DONE, EULEX_INTERRUPTED, EULEX_SMALL = -1, EULEX_MANY = -2, EULEX_SINGULAR = -3 };
enum { EULEX_STEPS, EULEX_REJECTED, EULEX_F, EULEX_FACTORED, EULEX_SOLVED, EULEX_COUNTS };

/* From *t to t_end. *h: the first step and, on return, the next one; fixed: no error is tested. A component
 * counts in the error test where tested[i] is not 0. work[3 n^2 + 8 n], pivots[n]. */
int eulex(int n, eulex_f *f, eulex_matrices *matrices, double *t, double *y, double t_end, double *h,
          int fixed, double rtol, const double *atol, const int *tested, eulex_seen *seen, double *work,
          int *pivots, long *counts, void *user);

#endif
