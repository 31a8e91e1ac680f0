/* test_stage_rows.c - sums over stages as they were compiled are those of the tableau, for every number of unknowns */
#include "methods/explicit_stepper.h"

#include "base/numbers.h"
#include "support.h"

enum { MOST = 9, STAGES = DAE_RK_STAGES };

typedef struct { double k[STAGES * MOST], x[MOST], y[MOST], atol[MOST], w[MOST], out[MOST + 1], h, rtol; } sums;

static void fill(sums *s, int n)
{
    uint64_t random = 4711;
    for (int i = 0; i < STAGES * n; i++)
        s->k[i] = dae_random(&random);
    for (int i = 0; i < n; i++) {
        s->y[i] = dae_random(&random);
        s->x[i] = i % 3 ? -s->y[i] / 3 : -3 * s->y[i];
        s->atol[i] = 1e-3 * dae_random(&random);
    }
    s->h = 0.37;
    s->rtol = 0.01;
    s->out[n] = 12345;
}

/* sum_j a_j k_ji, and the sum of sizes */
static long double row_sum(const sums *s, const double *a, int n, int i, long double *size)
{
    long double sum = 0;
    *size = 0;
    for (int j = 0; j < STAGES; j++) {
        sum += (long double)a[j] * s->k[j * n + i];
        *size += fabsl((long double)a[j] * s->k[j * n + i]);
    }
    return sum;
}

static void check_rows(const dae_tableau *T, int size, int n, sums *s)
{
    for (int row = 1; row <= T->stages; row++) {
        T->rows->sum[size](row, n, s->k, s->y, s->h, s->out);
        for (int i = 0; i < n; i++) {
            long double most, sum = row_sum(s, T->A[row], n, i, &most);
            const long double bound = 16 * DBL_EPSILON * (most + fabsl((long double)s->y[i]));
            assert_true(fabsl(s->out[i] - (s->y[i] + s->h * sum)) <= bound);
        }
        assert_true(s->out[n] == 12345);
    }
}

static void check_squares(const dae_tableau *T, int size, int n, sums *s)
{
    double square[DAE_RK_ESTIMATES];
    T->rows->squares[size](n, s->k, s->x, s->y, s->rtol, s->atol, s->w, square);
    for (int i = 0; i < n; i++)
        assert_true(fabs(s->w[i] * (s->rtol * fmax(fabs(s->x[i]), fabs(s->y[i])) + s->atol[i]) - 1) <= 4 * DBL_EPSILON);
    for (int m = 0; m < DAE_RK_ESTIMATES; m++) {
        long double sum = 0, most = 0, part;
        for (int i = 0; i < n; i++) {
            const long double e = s->w[i] * row_sum(s, T->E[m], n, i, &part);
            sum += e * e;
            most += s->w[i] * part * s->w[i] * part;
        }
        assert_true(fabsl(square[m] - sum) <= 64 * DBL_EPSILON * most);
    }
}

/* f_i = sin(t + i) - y_i until t = alpha */
static dae_status given_map(dae_system *sys, double t, const double *y, double *dy, double *z)
{
    for (int i = 0; i < sys->n; i++)
        dy[i] = sin(t + i) - y[i];
    return t < sys->options.alpha ? DAE_OK : DAE_SINGULAR;
}

/* k_row = f(t + c_row h, Y_row) for all rows that run has come to, with its k in Y_row */
static void check_stages(const dae_tableau *T, int n, int rows, sums *s, double t)
{
    for (int row = 1; row < rows; row++)
        for (int i = 0; i < n; i++) {
            long double most, sum = row_sum(s, T->A[row], n, i, &most);
            const long double Y = s->y[i] + s->h * sum, k = sinl(t + T->c[row] * s->h + i) - Y;
            assert_true(fabsl(s->k[row * n + i] - k) <= 16 * DBL_EPSILON * (2 + most + fabsl((long double)s->y[i])));
        }
}

/* All stages, and then those before the first that cannot be evaluated. */
static void check_run(const dae_tableau *T, int size, int n, sums *s)
{
    const double t = 0.5;
    dae_system sys = {.n = n, .explicit_map = given_map, .options = {.alpha = INFINITY}};
    assert_int_equal(0, T->rows->run[size](&sys, n, t, s->h, s->y, s->k, s->out));
    check_stages(T, n, T->stages, s, t);
    for (int row = 1; row < T->stages; row++) {
        int first = 1;
        sys.options.alpha = t + T->c[row] * s->h;
        while (T->c[first] < T->c[row])
            first++;
        assert_int_equal(first, T->rows->run[size](&sys, n, t, s->h, s->y, s->k, s->out));
        check_stages(T, n, first, s, t);
    }
    assert_true(s->out[n] == 12345);
}

static void check_all(const dae_tableau *T, int size, int n)
{
    sums s;
    fill(&s, n);
    check_rows(T, size, n, &s);
    check_squares(T, size, n, &s);
    check_run(T, size, n, &s);
}

TEST(test_compiled_rows)
{
    int found = 0;
    for (int m = 0; dae_method_at(m); m++) {
        const dae_tableau *T = dae_method_at(m)->tableau;
        if (dae_method_at(m)->family != DAE_FAMILY_EXPLICIT || !T->rows)
            continue;
        found++;
        assert_ptr_equal(T->rows->tableau, T);
        for (int n = 1; n <= MOST; n++) {
            check_all(T, DAE_OF_ANY, n);
            check_all(T, DAE_OF_FEW, n);
            check_all(T, dae_row_size(n), n);
        }
    }
    assert_true(found > 0);
}
