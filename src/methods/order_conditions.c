/* order_conditions.c - conditions of order by rooted trees
 *
 * Trees are level sequences, the distance of each vertex from the root in preorder, in the order of Beyer,
 * Hedetniemi (1980), SIAM J. Comput. 9, 706-712; Phi and gamma as in Hairer, Norsett, Wanner (1993), Solving
 * Ordinary Differential Equations I, II.2, and for Rosenbrock methods in Hairer, Wanner (1996), II, IV.7.
 */
#include "order_conditions.h"

#include "base/no_fast_math.h"
#include "daelab/daelab.h"

#include <math.h>
#include <string.h>

enum { STAGES = DAE_MOST_CONDITION_STAGES, MOST_ORDER = 12 };

static const double DIGITS = 1e-10;     /* of the sum of the absolute values of a condition's terms */

typedef struct {
    double value[STAGES], size[STAGES]; /* Phi_i, and the same of absolute values */
    double gamma;
} weight;

/* The end of the subtree that begins at vertex k of n. */
static int end_of(const int *level, int k, int n)
{
    int end = k + 1;
    while (end < n && level[end] > level[k])
        end++;
    return end;
}

/* Multiply by the sums of a son's weights. */
static void multiply(const dae_order_conditions *c, int only, const weight *son, weight *w)
{
    for (int i = 0; i < c->stages; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < c->stages; j++) {
            const double a = only ? c->one[i][j] : c->many[i][j];
            sum += a * son->value[j];
            size += fabs(a) * son->size[j];
        }
        w->value[i] *= sum;
        w->size[i] *= size;
    }
    w->gamma *= son->gamma;
}

/* Phi and gamma of the subtree at vertex `begin`, which ends before `end`. */
static void weigh(const dae_order_conditions *c, const int *level, int begin, int end, weight *w)
{
    const int only = begin + 1 < end && end_of(level, begin + 1, end) == end;
    for (int i = 0; i < c->stages; i++)
        w->value[i] = w->size[i] = 1;
    w->gamma = end - begin;
    for (int k = begin + 1; k < end; k = end_of(level, k, end)) {
        weight son;
        weigh(c, level, k, end_of(level, k, end), &son);
        multiply(c, only, &son, w);
    }
}

/* The next tree of n vertices; 0: there is none. */
static int advance(int *level, int n)
{
    int p = n - 1;
    while (p > 0 && level[p] <= 1)
        p--;
    if (p <= 0)
        return 0;
    int q = p - 1;
    while (level[q] != level[p] - 1)
        q--;
    for (int i = p; i < n; i++)
        level[i] = level[i - (p - q)];
    return 1;
}

/* "[t[t]]": a vertex with its sons in brackets, t without. */
static void write_tree(const int *level, int n, char *text)
{
    for (int k = 0; k < n; k++) {
        const int next = k + 1 < n ? level[k + 1] : 0;
        *text++ = next > level[k] ? '[' : 't';
        for (int up = level[k]; up > next; up--)
            *text++ = ']';
    }
    *text = 0;
}

static dae_status missed(const dae_order_conditions *c, const int *level, int n, double sum, double due,
                         dae_report *report)
{
    char tree[4 * MOST_ORDER];
    write_tree(level, n, tree);
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its coefficients have not the order %d: with %s the "
                    "condition of order %d of the tree %s is %.15g, not 1/%g: off by %.3g", c->method,
                    c->order, c->weights, n, tree, sum, 1 / due, sum - due);
}

static dae_status check_tree(const dae_order_conditions *c, const int *level, int n, dae_report *report)
{
    weight w;
    double sum = 0, size = 0;
    weigh(c, level, 0, n, &w);
    for (int i = 0; i < c->stages; i++) {
        sum += c->b[i] * w.value[i];
        size += fabs(c->b[i]) * w.size[i];
    }
    return fabs(sum - 1 / w.gamma) <= DIGITS * (size + 1 / w.gamma)
               ? DAE_OK : missed(c, level, n, sum, 1 / w.gamma, report);
}

dae_status dae_check_order(const dae_order_conditions *c, dae_report *report)
{
    dae_status status = DAE_OK;
    for (int n = 1; !status && n <= c->order && n <= MOST_ORDER; n++) {
        int level[MOST_ORDER];
        for (int k = 0; k < n; k++)
            level[k] = k;
        do
            status = check_tree(c, level, n, report);
        while (!status && advance(level, n));
    }
    return status;
}
