/* radau_tableau.c - Radau IIA: coefficients, and the polynomial through the stages
 *
 * The numbers are those of the definition, computed in quad precision and rounded: tests/radau_definition.h,
 * which writes radau_tableaux.def (make daelab-tableaux), and with which a test compares it.
 *
 * Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.5 and IV.8.
 */
#include "radau_tableau.h"

static const radau_tableau tableaux[] = {
#include "radau_tableaux.def"
};

const radau_tableau *dae_radau_tableau(int s)
{
    return &tableaux[(s - 3) / 2];
}

void dae_radau_basis(const radau_tableau *tableau, double tau, double *l)
{
    const int s = tableau->s;
    double before = tau, behind = 1;                    /* products left and right of j */
    for (int j = 0; j < s; j++) {
        l[j] = before * tableau->lagrange[j];
        before *= tau - tableau->c[j];
    }
    for (int j = s - 1; j >= 0; j--) {
        l[j] *= behind;
        behind *= tau - tableau->c[j];
    }
}

void dae_radau_combine(int rows, int s, int n, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < rows; k++, y += n) {
        for (int i = 0; i < n; i++)
            y[i] = 0;
        for (int j = 0; j < s; j++)
            for (int i = 0; i < n; i++)
                y[i] += a[j * rows + k] * x[j * n + i];
    }
}
