/* excros_weights.c - weights of an extrapolation from order conditions
 *
 * Sequences j = 0 .. k-1 of n_j = n_0 + j steps, whose errors expand in 1/n_j from power p on:
 *
 *     sum_j w_j = 1,    sum_j w_j n_j^-m = 0 for m = p .. p + k - 2
 *
 * p = 1: the w_j are l_j(0), with the Lagrange polynomials of the nodes x_j = 1/n_j,
 *
 *     w_j = prod_{i != j} n_j/(n_j - n_i)
 *
 * p = 2: w_j q(1/n_j) sums to q(0) for polynomials q of degree k without a linear term. With the
 * node polynomial o that is w_j = l_j(0) - l_j'(0) o(0)/o'(0), and as o'(0)/o(0) = -sum_i n_i and
 * l_j'(0)/l_j(0) = -sum_{i != j} n_i,
 *
 *     w_j = n_j/(sum_i n_i) prod_{i != j} n_j/(n_j - n_i)
 */
#include "excros.h"

void dae_excros_weights_quad(int p, int n0, int k, dae_quad *w)
{
    const dae_quad sum = k * (dae_quad)(2 * n0 + k - 1) / 2;
    for (int j = 0; j < k; j++) {
        const dae_quad n = n0 + j;
        w[j] = p == 1 ? 1 : n / sum;
        for (int i = 0; i < k; i++)
            if (i != j)
                w[j] *= n / (j - i);
    }
}

void dae_excros_weights(int p, int n0, int k, double *w)
{
    dae_quad exact[DAE_EXCROS_COLUMNS];
    dae_excros_weights_quad(p, n0, k, exact);
    for (int j = 0; j < k; j++)
        w[j] = (double)exact[j];
}
