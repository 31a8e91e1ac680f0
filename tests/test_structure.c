/* test_structure.c - pencils of mechanical systems, whose positions are eliminated: the residual of
 * the whole system, and singular ones named in its own unknowns */
#include "pencils.h"
#include "support.h"

#include "jacobian/jacobian.h"

OWNED_BY_POINTER(dae_jacobian)

enum { MOST_POSITIONS = 12, MOST_MULTIPLIERS = 5, AUXILIARY = 1 };
static const double complex gammas[] = {5e-4 + 5e-4 * I, 0.35 + 0.6 * I, 0.9, 20 * (1 + I),
                                        1e-8 * (1 + I)};
enum { GAMMAS = sizeof gammas / sizeof *gammas };

/* ---- random mechanical Jacobians ----------------------------------------------------------- */

static void set_jacobian(dae_matrix_pair *pair, int i, int j, double value)
{
    pair->J[j * pair->pattern.n + i] = value;
}

/* Rows q' = v (- G^T mu where there is a mu), M = diag(1, m, 0), all other rows random. */
static dae_matrix_pair *create(int nq, int nl, int auxiliary)
{
    const int n = 2 * nq + nl * (1 + auxiliary);
    dae_matrix_pair *pair = create_pair(n, everywhere);
    pair->identities = auxiliary ? 0 : nq;
    memset(pair->M, 0, (size_t)n * (size_t)n * sizeof *pair->M);
    for (int i = 0; i < 2 * nq; i++)
        pair->M[i * n + i] = i < nq ? 1 : 1.5 + uniform();
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < n; j++)
            if (!auxiliary || (j >= nq && j < 2 * nq + nl))
                set_jacobian(pair, i, j, j == nq + i);
    return pair;
}

/* Both arithmetics, with transposes and without */
static void assert_all_solve(double growth, dae_matrix_pair *pair, double complex gamma, const char *what)
{
    for (int k = 0; k < 4; k++) {
        const arithmetic kind = k % 2 ? REAL : COMPLEX;
        OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_DENSE);
        pair->transposes = k / 2;
        assert_solves_to(growth, pencil, pair, kind, gamma, what);
    }
}

static void assert_solves(dae_matrix_pair *pair, double complex gamma, const char *what)
{
    assert_all_solve(GROWTH, pair, gamma, what);
}

TEST(random_pencils_solve)
{
    for (int nq = 1; nq <= MOST_POSITIONS; nq++)
        for (int nl = 0; nl <= MOST_MULTIPLIERS && nl <= nq; nl++)
            for (int auxiliary = 0; auxiliary <= AUXILIARY; auxiliary++)
                for (int g = 0; g < 4 * GAMMAS; g++) {
                    OWNED(dae_matrix_pair) *pair = create(nq, nl, auxiliary);
                    assert_solves(pair, gammas[g % GAMMAS], "random");
                }
}

/* Velocities whose block is diagonal, eliminated too; and some that may not be: a mass too
 * small. */
TEST(diagonal_velocities)
{
    for (int nq = 1; nq <= MOST_POSITIONS; nq++)
        for (int nl = 0; nl <= MOST_MULTIPLIERS && nl <= nq; nl++)
            for (int g = 0; g < 4 * GAMMAS; g++) {
                OWNED(dae_matrix_pair) *pair = create(nq, nl, 0);
                for (int i = 0; i < nq; i++)
                    for (int j = 0; j < nq; j++)
                        if (i != j) {
                            set_jacobian(pair, nq + i, j, 0);
                            set_jacobian(pair, nq + i, nq + j, 0);
                        }
                if (g >= 3 * GAMMAS)
                    pair->M[nq * (pair->pattern.n + 1)] = 0;
                assert_solves(pair, gammas[g % GAMMAS], "diagonal");
            }
}

/* More unknowns than the small kernels take. */
TEST(large_pencils_solve)
{
    for (int nq = 20; nq <= 28; nq += 4) {
        OWNED(dae_matrix_pair) *pair = create(nq, 4, 0);
        assert_solves(pair, gammas[1], "large");
    }
}

/* Of 5 m unknowns 2 m are positions; each pulls at its neighbours, and multipliers at four velocities. */
static int mechanical(int n, int i, int j)
{
    const int nq = 2 * n / 5, row = i - nq, column = j < nq ? j : j - nq;
    return i < nq ? j == i || j == nq + i : column < nq && row < nq ? abs(row - column) <= 2
                                          : abs(2 * (row % nq) - 2 * (column % nq)) <= 4;
}

/* Positions are eliminated from bands, and for KLU, too. */
TEST(sparse_pencils_solve)
{
    for (int k = 0; k < 4 * GAMMAS; k++) {
        const int nq = 20, n = 50;
        OWNED(dae_matrix_pair) *pair = create_pair(n, mechanical);
        pair->identities = nq;
        for (int j = 0; j < n; j++)
            for (int e = pair->pattern.column[j]; e < pair->pattern.column[j + 1]; e++) {
                const int i = pair->pattern.row[e];
                pair->M[e] = i != j || i >= 2 * nq ? 0 : i < nq ? 1 : 1.5 + uniform();
                pair->J[e] = i < nq ? j == nq + i : pair->J[e];
            }
        OWNED(dae_pencil) *pencil = create_pencil(pair, k % 2 ? DAE_LINEAR_KLU : DAE_LINEAR_BAND);
        assert_solves_to(100 * GROWTH, pencil, pair, k / 2 % 2 ? REAL : COMPLEX, gammas[k / 4], "sparse");
    }
}

/* Multipliers may be so large that I - gamma dF_q/dq is far from I, and even singular. */
TEST(large_mu)
{
    for (int nq = 1; nq <= MOST_POSITIONS; nq++)
        for (int size = -8; size <= 2; size++) {
            OWNED(dae_matrix_pair) *pair = create(nq, 1, 1);
            for (int k = 0; k < nq * nq; k++)
                set_jacobian(pair, k % nq, k / nq, pow(10, size) * uniform());
            assert_solves(pair, gammas[1], "mu");
            for (int k = 0; k < nq * nq; k++)
                set_jacobian(pair, k % nq, k / nq, k % nq == k / nq ? 2 : 0);
            assert_solves(pair, 0.5, "I - gamma dF_q/dq = 0");
        }
}

/* ---- singular ones ------------------------------------------------------------------------- */

static void assert_singular(dae_matrix_pair *pair, int first, int last)
{
    for (int k = 0; k < 4; k++) {
        pair->transposes = k / 2;
        OWNED(dae_pencil) *pencil = create_pencil(pair, DAE_LINEAR_DENSE);
        const int column = singular_at(pencil, (arithmetic)(k % 2), gammas[1]);
        if (column < first || column > last)
            fail_msg("singular at unknown %d, not in %d .. %d", column, first, last);
    }
}

/* A multiplier that acts on nothing. */
TEST(multipliers_without_effect)
{
    for (int nq = 1; nq <= MOST_POSITIONS; nq++)
        for (int nl = 1; nl <= MOST_MULTIPLIERS && nl <= nq; nl++)
            for (int auxiliary = 0; auxiliary <= AUXILIARY; auxiliary++)
                for (int k = 0; k < nl; k++) {
                    OWNED(dae_matrix_pair) *pair = create(nq, nl, auxiliary);
                    for (int i = 0; i < pair->pattern.n; i++)
                        set_jacobian(pair, i, 2 * nq + k, 0);
                    assert_singular(pair, 2 * nq + k, 2 * nq + k);
                }
}

/* The same constraint twice: the last unknown has no row left. */
TEST(constraints_repeated)
{
    for (int nq = 2; nq <= MOST_POSITIONS; nq++) {
        OWNED(dae_matrix_pair) *pair = create(nq, 2, 0);
        const int n = pair->pattern.n;
        for (int j = 0; j < n; j++)
            set_jacobian(pair, n - 1, j, 0);
        assert_singular(pair, n - 1, n - 1);
    }
}

/* A velocity without mass or force, whose position enters nowhere. */
TEST(velocities_without_effect)
{
    for (int nq = 1; nq <= MOST_POSITIONS; nq++)
        for (int k = 0; k < nq; k++) {
            OWNED(dae_matrix_pair) *pair = create(nq, 1, 0);
            const int n = pair->pattern.n;
            pair->M[(nq + k) * (n + 1)] = 0;
            for (int i = nq; i < n; i++) {
                set_jacobian(pair, i, k, 0);
                set_jacobian(pair, i, nq + k, 0);
            }
            assert_singular(pair, nq + k, nq + k);
        }
}

TEST(not_finite)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    for (int nq = 1; nq <= 4; nq++)
        for (int auxiliary = 0; auxiliary <= AUXILIARY; auxiliary++)
            for (int s = 0; s < 3; s++) {
                const int n = 2 * nq + 1 + auxiliary;
                for (int k = 0; k < n * n; k++) {
                    if (k % n < nq && (!auxiliary || (k / n >= nq && k / n <= 2 * nq)))
                        continue;                       /* an entry that is known */
                    OWNED(dae_matrix_pair) *pair = create(nq, 1, auxiliary);
                    pair->J[k] = strange[s];
                    assert_singular(pair, 0, n - 1);
                }
            }
}

/* ---- the problems -------------------------------------------------------------------------- */

/* At states near the start: every mechanical problem in every formulation. Masses of 5e-4 beside
 * forces of 1 make rows of different size; the smaller ones see the rounding of the larger. */
static void solve_near_start(const dae_problem *problem, const dae_formulation *form,
                             dae_jacobian_kind kind)
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
    assert_int_equal(DAE_OK, dae_jacobian_create(&jac, sys, kind, 0, &why));
    for (int trial = 0; trial < 5; trial++) {
        for (int i = 0; i < sys->n; i++)
            u[i] += 0.05 * uniform();
        dae_linearise(jac, problem->t0, u, F, NULL);
        for (int g = 0; g < GAMMAS - 1; g++)
            assert_all_solve(1e3 * GROWTH, &jac->pair, gammas[g], problem->name);
    }
}

TEST(problems_solve)
{
    for (int p = 0; dae_problems[p]; p++)
        for (int f = 0; dae_formulation_at(f); f++) {
            const dae_problem *problem = dae_problems[p];
            const int n = 2 * problem->mechanical.nq + 2 * problem->mechanical.nl;
            if (n == 0 || n > LARGEST || !dae_formulation_applies(dae_formulation_at(f), problem))
                continue;
            solve_near_start(problem, dae_formulation_at(f), DAE_JACOBIAN_BEST);
            solve_near_start(problem, dae_formulation_at(f), DAE_JACOBIAN_DUAL);
            solve_near_start(problem, dae_formulation_at(f), DAE_JACOBIAN_FD);
        }
}
