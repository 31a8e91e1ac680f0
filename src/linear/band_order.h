/* band_order.h - unknowns in an order in which the entries of a sparse matrix stand near its diagonal */
#ifndef DAE_BAND_ORDER_H
#define DAE_BAND_ORDER_H

#include "base/sparsity.h"

/* order[n] := the unknowns one after the other; answers the bandwidth K, the largest distance in that
 * order between the row and the column of an entry; -1: no memory. Rows and columns of a square pattern
 * are moved together.
 *
 * Cuthill, McKee (1969), Proc. 24th Nat. Conf. ACM, 157-172: breadth first from an end of the graph (George,
 * Liu (1979), ACM Trans. Math. Softw. 5, 284-295), and then each unknown to the middle of its
 * neighbours, as long as that makes the band narrower by a part of its width. Memory O(n + entries), work that
 * times the logarithm of the bandwidth, but for sorting each unknown's neighbours. */
int dae_band_order(const dae_pattern *pattern, int *order);

#endif
