/* excros.h - the weights of extrapolated CROS */
#ifndef DAE_EXCROS_H
#define DAE_EXCROS_H

enum { DAE_EXCROS_COLUMNS = 10 };       /* most columns of the tableau */

/* w[0 .. k-1] for n_j = n_0 + j: sum w_j = 1 and sum w_j n_j^-m = 0 for m = p .. p + k - 2, where
 * the expansion begins with h^p, p = 1 or 2. */
void dae_excros_weights(int p, int n0, int k, double *w);

#endif
