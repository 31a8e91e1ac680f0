/* plain_dop853.h - DOP853 as one writes it by hand for a bare y' = f(t, y): the yardstick's other side */
#ifndef PLAIN_DOP853_H
#define PLAIN_DOP853_H

typedef void plain_rhs(double t, const double *y, double *dy);

typedef struct { long steps, rejected, rhs; } plain_counts;

enum { PLAIN_MOST = 32 };               /* unknowns */

/* y[n] from t to t_end, without dense output, n at most PLAIN_MOST. 0: a step became too small. */
typedef int plain_solver(int n, plain_rhs *f, double t, double t_end, double *y, double rtol, double atol,
                         plain_counts *count);
plain_solver plain_dop853, plain_dop853_wide;

#endif
