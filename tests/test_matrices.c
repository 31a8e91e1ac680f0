/* test_matrices.c - M and J for methods with a linear algebra of their own: full, in bands, compressed
 *
 * Against dae_system_jacobian and M x, on systems with every kind of M; a chain of few links has a band.
 */
#include "support.h"

#include <daelab/matrices.h>

static int compared;

static double entry_of(const dae_matrix_view *v, const double *values, int i, int j)
{
    for (int k = v->column[j]; k < v->column[j + 1]; k++)
        if (v->row[k] == i)
            return values[k];
    return 0;
}

static void compare(dae_solver *s, const dae_matrices *m, const double *J, const double *M)
{
    const dae_matrix_view v = dae_matrices_view(m);
    const size_t n = (size_t)s->n, rows = (size_t)(v.lower + v.upper + 1);
    double *full = calloc(2 * n * n + 2 * n * rows, sizeof *full), *band = full + 2 * n * n;
    assert_non_null(full);
    assert_int_equal(v.n, s->n);
    dae_matrices_full(m, full, full + n * n);
    dae_matrices_band(m, band, band + n * rows);
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            const int in_band = i - j <= v.lower && j - i <= v.upper;
            const size_t at = (size_t)i + (size_t)j * n;
            const size_t in = (size_t)(v.upper + i - j) + (size_t)j * rows;
            assert_close(full[at], M[at], 1e-14 * fabs(M[at]));
            assert_close(full[n * n + at], J[at], 1e-12 * (1 + fabs(J[at])));
            assert_true(entry_of(&v, v.M, i, j) == full[at] && entry_of(&v, v.J, i, j) == full[n * n + at]);
            assert_true(in_band || (full[at] == 0 && full[n * n + at] == 0));
            if (in_band)
                assert_true(band[in] == full[at] && band[n * rows + in] == full[n * n + at]);
            compared++;
        }
    free(full);
}

/* A method that looks, and makes no step. */
static dae_status look(dae_solver *s)
{
    const size_t n = (size_t)s->n;
    dae_matrices *m = NULL;
    double *J = calloc(2 * n * n + 4 * n, sizeof *J), *M = J + n * n, *x = M + n * n, *F = x + n;
    assert_non_null(J);
    assert_int_equal(DAE_OK, dae_matrices_create(&m, s));
    const long before = s->count.jacobians;
    assert_int_equal(DAE_OK, dae_matrices_evaluate(m, s->t, s->u, F, F + n));
    assert_int_equal(before + 1, s->count.jacobians);
    assert_true(s->linear == s->options.linear && s->jacobian != DAE_JACOBIAN_BEST);
    assert_int_equal(DAE_OK, dae_system_jacobian(s->sys, DAE_JACOBIAN_DUAL, s->t, s->u, J, x, NULL));
    for (size_t i = 0; i < n; i++)
        assert_close(F[n + i], x[i], 1e-12 * (1 + fabs(x[i])));
    for (size_t j = 0; j < n; j++) {
        memset(x, 0, n * sizeof *x);
        x[j] = 1;
        dae_system_mass(s->sys, x, M + j * n);
    }
    dae_system_rhs(s->sys, s->t, s->u, x);
    assert_memory_equal(F, x, n * sizeof *x);
    compare(s, m, J, M);
    dae_matrices_free(m);
    free(J);
    return DAE_OK;
}

static dae_status no_step(dae_solver *s, double h, double t_stop)
{
    return dae_fail(&s->report, DAE_UNSUPPORTED, "it only looks");
}

static const dae_method looks = {
    .info = {.name = "looks", .fixed = 1, .adaptive = 1, .implicit = 1}, .start = look, .step = no_step};

TEST(forms_of_storage)
{
    static const char *const where[][2] = {
        {"pendulum", "index3"}, {"pendulum", "ggl"}, {"slider_crank", "index1"}, {"transistor_amplifier", "native"},
        {"akzo_nobel", "native"}, {"chain", "index2"}, {"hires", "native"}};
    for (size_t k = 0; k < sizeof where / sizeof *where; k++)
        for (dae_linear_kind linear = DAE_LINEAR_DENSE; linear <= DAE_LINEAR_KLU; linear++) {
            double u[4 * MOST_UNKNOWNS];
            dae_options options = tolerance(1e-6);
            OWNED(dae_system) *sys = system_at_start(where[k][0], where[k][1], 0, u);
            options.linear = linear;
            options.jacobian = DAE_JACOBIAN_DUAL;
            OWNED(dae_solver) *solver = solver_of(sys, &looks, &options, dae_system_problem(sys)->t0, u);
        }
    assert_true(compared > 1000);
}

TEST(no_values)
{
    dae_matrices_free(NULL);
}
