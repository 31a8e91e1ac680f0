/* test_pencil_transposed.c - (M - gamma J)^T x = b, and several right sides at once, in every solver:
 * the residual of what is solved, and the bits of each right side alone
 *
 * Elimination with rows compared by R_i = max_j |a_ij| s_j, s of the unknowns, is exact for a matrix
 * within c n eps R_i/s_j of each entry; so
 *
 *     |A^T x - b|_j s_j <= c n eps (max_i R_i |x_i| + |b_j| s_j).
 */
#include "pencils.h"
#include "support.h"

#include "jacobian/jacobian.h"

OWNED_BY_POINTER(dae_jacobian)

enum { MOST_RIGHT_SIDES = 9 };
static const double complex gammas[] = {0.35 + 0.6 * I, 5e-4 + 5e-4 * I, 0.9};
enum { GAMMAS = sizeof gammas / sizeof *gammas };

typedef struct {
    const char *name;
    dae_matrix_pair *pair;
    dae_linear_kind linear;
    arithmetic kind;
    double complex gamma;
    double growth;
} test_case;

/* A column-major, from its entries. */
static void form(const test_case *c, double complex *A)
{
    const dae_pattern *p = &c->pair->pattern;
    memset(A, 0, (size_t)p->n * (size_t)p->n * sizeof *A);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            A[j * p->n + p->row[k]] = c->pair->M[k] - c->gamma * c->pair->J[k];
}

/* The largest column of the above over n eps, A and b given. */
static double residual_transposed(int n, const double complex *A, const double *size,
                                  const double complex *x, const double complex *b)
{
    double worst = 0, most = 0;
    for (int i = 0; i < n; i++) {
        double R = 0;
        for (int j = 0; j < n; j++)
            R = fmax(R, cabs(A[j * n + i]) * size[j]);
        most = fmax(most, R * cabs(x[i]));
    }
    for (int j = 0; j < n; j++) {
        double complex sum = -b[j];
        for (int i = 0; i < n; i++)
            sum += A[j * n + i] * x[i];
        const double scale = n * DBL_EPSILON * (most + cabs(b[j]) * size[j]);
        const double ratio = cabs(sum) * size[j] / scale;
        worst = ratio <= worst ? worst : ratio;         /* a NaN is kept */
    }
    return worst;
}

static dae_status solve(const test_case *c, dae_pencil *pencil, int transposed, int count, double *re,
                        double *im)
{
    if (c->kind == REAL)
        return transposed ? dae_pencil_solve_transposed_real(pencil, count, re)
                          : dae_pencil_solve_block_real(pencil, count, re);
    return transposed ? dae_pencil_solve_transposed(pencil, count, re, im)
                      : dae_pencil_solve_block(pencil, count, re, im);
}

static dae_status solve_one(const test_case *c, dae_pencil *pencil, double *re, double *im)
{
    return c->kind == REAL ? dae_pencil_solve_real(pencil, re) : dae_pencil_solve(pencil, re, im);
}

/* The right side of A alone by the function for one, of A^T by a block of one. */
static void assert_same_bits(const test_case *c, dae_pencil *pencil, int transposed, int count)
{
    static double b[2][MOST_RIGHT_SIDES * LARGEST], x[2][MOST_RIGHT_SIDES * LARGEST];
    const int n = c->pair->pattern.n;
    for (int part = 0; part < 2; part++) {
        fill(count * n, b[part]);
        memcpy(x[part], b[part], sizeof b[part]);
    }
    assert_int_equal(DAE_OK, solve(c, pencil, transposed, count, x[0], x[1]));
    for (int k = 0; k < count; k++) {
        double *re = b[0] + k * n, *im = b[1] + k * n;
        assert_int_equal(DAE_OK, transposed ? solve(c, pencil, 1, 1, re, im)
                                            : solve_one(c, pencil, re, im));
    }
    for (int part = 0; part < (c->kind == REAL ? 1 : 2); part++)
        if (memcmp(b[part], x[part], (size_t)(count * n) * sizeof *b[part]))
            fail_msg("%s, n = %d: %d right sides together are others than one by one", c->name, n,
                     count);
}

static void assert_transposed(const test_case *c, dae_pencil *pencil)
{
    static double complex A[LARGEST * LARGEST];
    const int n = c->pair->pattern.n;
    double re[LARGEST], im[LARGEST] = {0};
    double complex x[LARGEST], b[LARGEST];
    form(c, A);
    fill(n, re);
    if (c->kind == COMPLEX)
        fill(n, im);
    for (int i = 0; i < n; i++)
        b[i] = (re[i] + I * im[i]) / c->pair->size[i];
    for (int i = 0; i < n; i++) {
        re[i] = creal(b[i]);
        im[i] = cimag(b[i]);
    }
    assert_int_equal(DAE_OK, solve(c, pencil, 1, 1, re, im));
    for (int i = 0; i < n; i++)
        x[i] = re[i] + I * im[i];
    const double ratio = residual_transposed(n, A, c->pair->size, x, b);
    if (!(ratio <= c->growth))
        fail_msg("%s, n = %d, gamma = %g + %g i: residual %g n eps", c->name, n, creal(c->gamma),
                 cimag(c->gamma), ratio);
}

/* In both arithmetics; nothing but the transposed solve comes after a factorization, and again. */
static void try(const char *name, dae_matrix_pair *pair, dae_linear_kind linear, double complex gamma,
                double growth)
{
    for (arithmetic kind = COMPLEX; kind <= REAL; kind++) {
        const double complex g = kind == REAL ? creal(gamma) : gamma;
        const test_case c = {name, pair, linear, kind, g, growth};
        OWNED(dae_pencil) *pencil = NULL;
        dae_report why = {0};
        assert_int_equal(DAE_OK, dae_pencil_create(&pencil, pair, linear, &why));
        assert_int_equal(DAE_OK, factor_with(pencil, kind, g).status);
        assert_transposed(&c, pencil);
        for (int count = 1; count <= MOST_RIGHT_SIDES; count += count < 5 ? 1 : 4) {
            assert_same_bits(&c, pencil, 0, count);
            assert_same_bits(&c, pencil, 1, count);
        }
        assert_transposed(&c, pencil);
    }
}

/* ---- random pencils ------------------------------------------------------------------------ */

static int everywhere(int n, int i, int j) { return n > i && n > j; }

static int scattered(int n, int i, int j) { return i == (j + 1) % n || (i != j && uniform() > 0.6); }

static int tridiagonal(int n, int i, int j) { return n > 0 && abs(i - j) <= 1; }

static const dae_linear_kind solvers[] = {DAE_LINEAR_DENSE, DAE_LINEAR_KLU, DAE_LINEAR_BAND};

TEST(random_pencils)
{
    int (*const patterns[])(int, int, int) = {everywhere, scattered, tridiagonal};
    static const char *const names[] = {"full", "scattered", "tridiagonal"};
    for (int n = 1; n <= LARGEST; n += n < 12 ? 1 : 5)  /* kernels of one size, of any, and LAPACK */
        for (int p = 0; p < 3; p++)
            for (int k = 0; k < 3; k++) {
                dae_matrix_pair *pair = create_pair(n, patterns[p]);
                for (int j = 0; j < n; j++)
                    pair->size[j] = ldexp(1, (int)(10 * uniform()));
                for (int j = 0; j < n; j++)
                    for (int i = pair->pattern.column[j]; i < pair->pattern.column[j + 1]; i++) {
                        pair->M[i] /= pair->size[j];
                        pair->J[i] /= pair->size[j];
                    }
                try(names[p], pair, solvers[k], gammas[0], 100 * GROWTH);
                free_pair(pair);
            }
}

/* ---- pencils with q' = v --------------------------------------------------------------------- */

static int positions;           /* of the pattern that is made */

/* Rows (0, I, 0) beside M = diag(1, m, 0); others full, or where velocities are apart. */
static int with_motion(int n, int i, int j)
{
    return n > i && (i < positions ? j == i || j == positions + i : 1);
}

static int apart(int n, int i, int j)
{
    const int nq = positions, block = i >= nq && i < 2 * nq && j < 2 * nq;
    return with_motion(n, i, j) && (!block || i == nq + j || i == j);
}

static dae_matrix_pair *create_motion(int nq, int others, int full, int diagonal)
{
    const int n = 2 * nq + others;
    positions = nq;
    dae_matrix_pair *pair = create_pair(n, full ? everywhere : diagonal ? apart : with_motion);
    for (int j = 0; j < n; j++)
        for (int k = pair->pattern.column[j]; k < pair->pattern.column[j + 1]; k++) {
            const int i = pair->pattern.row[k];
            pair->M[k] = i != j || j >= 2 * nq ? 0 : j < nq ? 1 : 1.5 + uniform();
            if (i < nq)
                pair->J[k] = j == nq + i;
            else if (diagonal && !apart(n, i, j))
                pair->J[k] = 0;
        }
    pair->identities = nq;
    return pair;
}

TEST(eliminated_pencils)
{
    for (int nq = 1; nq <= 10; nq++)
        for (int others = 0; others <= 4 && others <= nq; others++)
            for (int how = 0; how < 8; how++) {         /* dense and KLU; sparse: KLU and a band */
                const int full = how < 4, diagonal = how % 2;
                const dae_linear_kind linear = solvers[(how >= 2) + (how >= 6)];
                dae_matrix_pair *pair = create_motion(nq, others, full, diagonal);
                for (int g = 0; g < GAMMAS; g++)
                    try("q' = v", pair, linear, gammas[g], 100 * GROWTH);
                free_pair(pair);
            }
}

/* ---- the problems ---------------------------------------------------------------------------- */

/* Near the start, in sizes of the unknowns; the solvers differ in what they call large in a row. */
static void solve_near_start(const dae_problem *problem, const dae_formulation *form, int solver)
{
    OWNED(dae_system) *sys = NULL;
    OWNED(dae_jacobian) *jac = NULL;
    dae_report why = {0};
    double u[LARGEST], F[LARGEST];
    if (dae_system_create(&sys, problem, form, NULL, NULL, &why))
        fail_msg("%s", why.message);
    if (sys->n > LARGEST)
        return;
    assert_int_equal(DAE_OK, dae_system_start(sys, u, &why));
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, DAE_JACOBIAN_BEST, solver > 0, &why));
    for (int i = 0; i < sys->n; i++)
        u[i] += 0.05 * fabs(uniform());                 /* upwards: concentrations have roots */
    dae_linearise(jac, problem->t0, u, F, NULL);
    for (int g = 0; g < GAMMAS; g++)
        try(problem->name, &jac->pair, solvers[solver], gammas[g], 1e3 * GROWTH);
}

TEST(problems)
{
    int tried = 0;
    for (int p = 0; dae_problems[p]; p++)
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_problem *problem = dae_problems[p];
            const dae_formulation *form = dae_formulation_at(f);
            const dae_mechanical *m = &problem->mechanical;
            if (3 * m->nq + 2 * m->nl > LARGEST || !dae_formulation_applies(form, problem))
                continue;
            for (int solver = 0; solver < 3; solver++)
                solve_near_start(problem, form, solver);
            tried++;
        }
    assert_true(tried > 20);
}
