/* tableau.c - published coefficients: are they those of the declared order, and as steppers use them
 *
 * An explicit method whose last stage is f at the end of the step leaves it to the next one; of any other
 * f there is evaluated, for the first stage of the next step.
 *
 * Rosenbrock methods in U = Gamma k, Gamma = (gamma_ij) with gamma on its diagonal, are free of products
 * with J (Hairer, Wanner (1996), IV.7 (7.24), (7.25)):
 *
 *     (a_ij) = (alpha_ij) Gamma^-1,   C = 1/gamma - Gamma^-1,   m = b Gamma^-1,   e = (b - b_hat) Gamma^-1
 */
#include "tableau.h"

#include "base/no_fast_math.h"
#include "daelab/daelab.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = DAE_MOST_STAGES, MOST_R = DAE_MOST_ROSENBROCK_STAGES, STAGES = 16, MOST_ORDER = 12 };

/* Of row sums, as published, and of the sum of the absolute values of a condition's terms. */
static const double DIGITS = 1e-10;

/* ---- conditions of order, by rooted trees ---------------------------------------------------
 *
 * Trees are level sequences, the distance of each vertex from the root in preorder, in the order of Beyer,
 * Hedetniemi (1980), SIAM J. Comput. 9, 706-712; Phi and gamma as in Hairer, Norsett, Wanner (1993), Solving
 * Ordinary Differential Equations I, II.2, and for Rosenbrock methods in Hairer, Wanner (1996), II, IV.7. */

/* sum_i b_i Phi_i(tree) = 1/gamma(tree) for every rooted tree with up to `order` vertices. Phi multiplies
 * for each son of a vertex sums over a row of `many`, or of `one` where it is the only one: a_ij and a_ij for
 * Runge-Kutta methods, alpha_ij and alpha_ij + gamma_ij (gamma on the diagonal) for Rosenbrock methods. */
typedef struct {
    const char *method, *weights;       /* names for the report: "b_hat" */
    int stages, order;
    double many[STAGES][STAGES];
    double one[STAGES][STAGES];
    const double *b;            /* [stages] */
} order_conditions;

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
static void multiply(const order_conditions *c, int only, const weight *son, weight *w)
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
static void weigh(const order_conditions *c, const int *level, int begin, int end, weight *w)
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

static dae_status missed(const order_conditions *c, const int *level, int n, double sum, double due,
                         dae_report *report)
{
    char tree[4 * MOST_ORDER];
    write_tree(level, n, tree);
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: its coefficients have not the order %d: with %s the "
                    "condition of order %d of the tree %s is %.15g, not 1/%g: off by %.3g", c->method,
                    c->order, c->weights, n, tree, sum, 1 / due, sum - due);
}

static dae_status check_tree(const order_conditions *c, const int *level, int n, dae_report *report)
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

/* DAE_OK where all hold but for rounding and ten digits of published coefficients; else DAE_BAD_ARGUMENT with the first
 * that does not. */
static dae_status check_order(const order_conditions *c, dae_report *report)
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

/* ---- tableaux ----------------------------------------------------------------------------- */

/* The order declared for systems without algebraic equations. */
static int declared(const dae_method *method)
{
    double most = 0;
    for (int c = 0; c < DAE_CLASSES; c++)
        most = fmax(most, method->info.order[0][c]);
    return (int)most;
}

static dae_status wrong(const dae_method *method, dae_report *report, const char *what)
{
    return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s", method->info.name, what);
}

/* b and b_hat, where there is one, have the orders of the record. */
static dae_status check_orders(const dae_method *method, order_conditions *c, const double *b,
                               const double *b_hat, dae_report *report)
{
    double apart = 0;
    c->method = method->info.name;
    c->order = declared(method);
    c->b = b;
    c->weights = "b";
    if (c->order < 1)
        return wrong(method, report, "its record declares no order without algebraic equations");
    const dae_status status = check_order(c, report);
    if (status || method->error_order == 0)
        return status || !method->info.adaptive ? status
               : wrong(method, report, "it cannot choose steps, .adaptive, without b_hat");
    for (int i = 0; i < c->stages; i++)
        apart = fmax(apart, fabs(b[i] - b_hat[i]));
    if (apart == 0)
        return wrong(method, report, "b_hat is b: the error estimate is 0");
    c->order = method->error_order;
    c->b = b_hat;
    c->weights = "b_hat";
    return check_order(c, report);
}

/* ---- explicit methods --------------------------------------------------------------------- */

static dae_status check_rows(const dae_method *method, const dae_butcher *B, dae_report *report)
{
    for (int i = 0; i < B->stages; i++) {
        double sum = 0, size = fabs(B->c[i]);
        for (int j = 0; j < MOST; j++) {
            if (j >= i && B->A[i][j] != 0)
                return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a_%d%d = %g: it is not explicit",
                                method->info.name, i + 1, j + 1, B->A[i][j]);
            sum += B->A[i][j];
            size += fabs(B->A[i][j]);
        }
        if (!(fabs(sum - B->c[i]) <= DIGITS * size))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: c_%d = %.15g, and row %d of A sums to %.15g: "
                            "off by %.3g", method->info.name, i + 1, B->c[i], i + 1, sum,
                            sum - B->c[i]);
    }
    return DAE_OK;
}

static dae_status check_butcher(const dae_method *method, const dae_butcher *B, dae_report *report)
{
    order_conditions c = {.stages = B->stages};
    const dae_status status = check_rows(method, B, report);
    for (int i = 0; i < B->stages; i++)
        for (int j = 0; j < B->stages; j++)
            c.many[i][j] = c.one[i][j] = B->A[i][j];
    return status ? status : check_orders(method, &c, B->b, B->b_hat, report);
}

static int ends_with_f(const dae_butcher *B)
{
    const int last = B->stages - 1;
    return last > 0 && B->b[last] == 0 && memcmp(B->A[last], B->b, (size_t)last * sizeof *B->b) == 0;
}

/* Are the weights of E of all stages at one time 0 together? Then it notices nothing that f does in time alone. */
static int is_blind(const dae_tableau *T)
{
    for (int i = 0; i <= T->stages; i++) {
        double sum = 0;
        for (int j = 0; j <= T->stages; j++)
            sum += T->c[j] == T->c[i] ? T->E[0][j] : 0;
        if (fabs(sum) > 64 * DBL_EPSILON)
            return 0;
    }
    return 1;
}

/* E[1] := a twelfth of the second divided difference of the slopes at 0, c_m and the last one of E */
static void notice_changes(dae_tableau *T)
{
    const int last = T->estimate_last ? T->stages : T->stages - 1;
    int m = 1;
    while (m < last && (T->c[m] == 0 || T->c[m] == T->c[last]))
        m++;
    if (m >= last || T->c[last] == 0)
        return;
    const double b = T->c[m], c = T->c[last];
    T->coarse = 3;
    T->E[1][0] = 1 / (12 * b * c);
    T->E[1][m] = -1 / (12 * b * (c - b));
    T->E[1][last] = 1 / (12 * c * (c - b));
}

dae_status dae_tableau_derive(const dae_method *method, dae_tableau *T, dae_report *report)
{
    const dae_butcher *B = method->tableau;
    if (!B || B->stages < 1 || B->stages > MOST)
        return wrong(method, report, "its coefficients have not 1 to 15 stages");
    const dae_status status = check_butcher(method, B, report);
    if (status)
        return status;
    const int S = ends_with_f(B) ? B->stages - 1 : B->stages;
    *T = (dae_tableau){.stages = S, .last = S, .projects = B->projects};
    for (int i = 0; i < S; i++) {
        T->c[i] = B->c[i];
        T->A[S][i] = B->b[i];
        for (int j = 0; j < i; j++)
            T->A[i][j] = B->A[i][j];
    }
    T->c[S] = 1;
    for (int i = 0; i < B->stages; i++)
        T->E[0][i] = method->error_order ? B->b[i] - B->b_hat[i] : 0;
    T->estimate_last = T->E[0][S] != 0;
    if (method->error_order && is_blind(T))
        notice_changes(T);
    return DAE_OK;
}

/* ---- Rosenbrock methods ------------------------------------------------------------------- */

static dae_status check_rosenbrock(const dae_method *method, const dae_rosenbrock *B, dae_report *report)
{
    order_conditions c = {.stages = B->stages};
    for (int i = 0; i < B->stages; i++)
        for (int j = 0; j < MOST_R; j++) {
            const double *above = B->alpha[i][j] != 0 ? &B->alpha[i][j] : &B->gamma_ij[i][j];
            if (j >= i && *above != 0)
                return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %s_%d%d = %g stands not below the "
                                "diagonal; gamma is given once", method->info.name,
                                above == &B->alpha[i][j] ? "alpha" : "gamma", i + 1, j + 1, *above);
            c.many[i][j] = B->alpha[i][j];
            c.one[i][j] = B->alpha[i][j] + (i == j ? B->gamma : B->gamma_ij[i][j]);
        }
    return check_orders(method, &c, B->b, B->b_hat, report);
}

/* out := row Gamma^-1, Gamma lower triangular */
static void divide_row(const dae_rosenbrock *B, const double *row, double *out)
{
    for (int j = B->stages - 1; j >= 0; j--) {
        double sum = row[j];
        for (int k = j + 1; k < B->stages; k++)
            sum -= out[k] * B->gamma_ij[k][j];
        out[j] = sum / B->gamma;
    }
}

dae_status dae_rosenbrock_derive(const dae_method *method, dae_rosenbrock_tableau *T, dae_report *report)
{
    const dae_rosenbrock *B = method->tableau;
    double difference[MOST_R] = {0};
    if (!B || B->stages < 1 || B->stages > MOST_R)
        return wrong(method, report, "its coefficients have not 1 to 8 stages");
    if (!(B->gamma > 0 && isfinite(B->gamma)))
        return wrong(method, report, "gamma is not positive");
    const dae_status status = check_rosenbrock(method, B, report);
    if (status)
        return status;
    *T = (dae_rosenbrock_tableau){.stages = B->stages, .rows = B->stages, .gamma = B->gamma, .combines = 1};
    for (int i = 0; i < B->stages; i++) {
        double unit[MOST_R] = {0}, inverse[MOST_R];
        unit[i] = 1;
        divide_row(B, unit, inverse);
        divide_row(B, B->alpha[i], T->A[i]);
        T->d[i] = B->gamma;
        for (int j = 0; j < i; j++) {
            T->C[i][j] = -inverse[j];
            T->c[i] += B->alpha[i][j];
            T->d[i] += B->gamma_ij[i][j];
        }
        difference[i] = method->error_order ? B->b[i] - B->b_hat[i] : 0;
    }
    divide_row(B, B->b, T->m);
    divide_row(B, difference, T->e);
    return DAE_OK;
}
