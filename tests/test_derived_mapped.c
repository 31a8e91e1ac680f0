/* test_derived_mapped.c - models in words in other coordinates than those written by hand: the same accelerations
 * and forces at the same states
 *
 * The string in polar and in Cartesian coordinates, taut and slack; a pendulum and the ladder in the angle that
 * remains of two and three coordinates (derive --minimal).
 */
#include "derived.h"

#include "base/numbers.h"

enum { MOST = 8, STATES = 20 };
static const double most_apart = 1e-11;

/* ---- M a = f - G^T lambda, 0 = d2g/dt2 ---------------------------------------------------- */

/* b := A^-1 b, by elimination with row exchanges; A is [n x n] of rows of MOST numbers. */
static void eliminate(int n, double A[MOST][MOST], double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        for (int j = 0; j < n; j++) {
            const double swap = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= A[k][k];
}

/* x := (a, lambda) of a mode at (t, q, v) */
static void accelerations(const dae_problem *mode, const double *p, double t, const double *q, const double *v,
                          double *x)
{
    const dae_mechanical *m = &mode->mechanical;
    const int nq = m->nq, nl = m->nl;
    double A[MOST][MOST] = {{0}}, column[MOST], zero[MOST] = {0}, at_rest[MOST] = {0};
    m->force.f(p, t, q, v, x);
    if (nl)
        m->acceleration.f(p, t, q, v, zero, at_rest);
    for (int j = 0; j < nq; j++) {
        double unit[MOST] = {0};
        unit[j] = 1;
        m->inertia.f(p, t, q, unit, column);
        for (int i = 0; i < nq; i++)
            A[i][j] = column[i];
        if (nl)
            m->acceleration.f(p, t, q, v, unit, column);
        for (int i = 0; i < nl; i++)
            A[nq + i][j] = column[i] - at_rest[i];
    }
    for (int j = 0; j < nl; j++) {
        double unit[MOST] = {0};
        unit[j] = 1;
        m->reaction.f(p, t, q, unit, column);
        for (int i = 0; i < nq; i++)
            A[i][nq + j] = column[i];
        x[nq + j] = -at_rest[j];
    }
    eliminate(nq + nl, A, x);
}

static void close_of(const char *what, int k, double x, double y, double size)
{
    if (!(fabs(x - y) <= most_apart * size))
        fail_msg("state %d: %s = %.17g, expected %.17g", k, what, x, y);
}

/* Random parameters of a record, within a third of their defaults; zeros stay. */
static void set_parameters(const dae_problem *problem, double *p, uint64_t *random)
{
    for (int i = 0; i < dae_parameter_count(problem); i++)
        p[i] = dae_parameter_default(problem, i) * (1 + dae_random(random) / 3);
}

/* p := of the parameters of problem those of the same names, else the default */
static void take_parameters(const dae_problem *problem, const dae_problem *from, const double *values, double *p)
{
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        const int same = dae_parameter_index(from, dae_parameter_at(problem, i)->name);
        p[i] = same < 0 ? dae_parameter_default(problem, i) : values[same];
    }
}

/* ---- the string --------------------------------------------------------------------------- */

/* (x, y), its velocity, and its acceleration, of (r, phi) and theirs */
static void to_cartesian(const double *q, const double *v, const double *a, double *x, double *vx, double *ax)
{
    const double s = sin(q[1]), c = cos(q[1]), across = q[0] * v[1];
    const double inwards = q[0] * v[1] * v[1] - a[0], along = q[0] * a[1] + 2 * v[0] * v[1];
    x[0] = q[0] * s;
    x[1] = -q[0] * c;
    vx[0] = v[0] * s + across * c;
    vx[1] = across * s - v[0] * c;
    ax[0] = along * c - inwards * s;
    ax[1] = along * s + inwards * c;
}

TEST(test_string)
{
    static const char *const modes[] = {"taut", "slack"};
    const dae_problem *words = example("string"), *by_hand = problem_named("string_pendulum");
    uint64_t random = 15;
    for (int k = 0; k < 2 * STATES; k++) {
        const int taut = k % 2 == 0;
        const dae_problem *polar = mode_named(words, modes[!taut]), *cartesian = mode_named(by_hand, modes[!taut]);
        double p[MOST_PARAMETERS], same[MOST_PARAMETERS], a[MOST], b[MOST], x[2], v[2], mapped[2];
        set_parameters(words, p, &random);
        take_parameters(by_hand, words, p, same);
        const double L = p[dae_parameter_index(words, "L")];
        const double q[2] = {taut ? L : L * (0.5 + 0.4 * dae_random(&random)), 3 * dae_random(&random)};
        const double w[2] = {taut ? 0 : 3 * dae_random(&random), 5 * dae_random(&random)};
        accelerations(polar, p, 0, q, w, a);
        to_cartesian(q, w, a, x, v, mapped);
        accelerations(cartesian, same, 0, x, v, b);
        const double size = hypot(b[0], b[1]);
        close_of("x''", k, mapped[0], b[0], size);
        close_of("y''", k, mapped[1], b[1], size);
        if (taut)
            close_of("S", k, a[2], b[2], fabs(b[2]) + p[dae_parameter_index(words, "m")] * size);
    }
}

/* ---- minimal coordinates ------------------------------------------------------------------ */

/* What derive --minimal makes of a text. */
static const dae_problem *reduced_from(const char *path, const char *name)
{
    char command[1024], c_file[256];
    need_sympy();
    snprintf(c_file, sizeof c_file, "%s/%s.c", cli_folder, name);
    snprintf(command, sizeof command, "'%s/scripts/derive' '%s' --minimal --output '%s'", DAELAB_SOURCE_DIR, path,
             c_file);
    assert_int_equal(system(command), 0);
    return loaded_from(c_file);
}

/* One coordinate s, of a mechanical problem without constraints: s'' is that of the minimal coordinate of another. */
static void same_acceleration(const dae_problem *words, const dae_problem *by_hand)
{
    uint64_t random = 16;
    assert_int_equal(words->mechanical.nq, 1);
    assert_int_equal(words->mechanical.nl, 0);
    for (int k = 0; k < STATES; k++) {
        double p[MOST_PARAMETERS], same[MOST_PARAMETERS], a[MOST], b[MOST];
        set_parameters(by_hand, same, &random);
        take_parameters(words, by_hand, same, p);
        const double t = dae_random(&random), s = 3 * dae_random(&random), w = 3 * dae_random(&random);
        accelerations(words, p, t, &s, &w, a);
        by_hand->mechanical.minimal.acceleration.f(same, t, &s, &w, b);
        close_of("s''", k, a[0], b[0], fabs(b[0]));
    }
}

static const char in_polar_coordinates[] =
    "model: angle_of_two\n"
    "parameters:\n"
    "  m: 1 kg, mass, positive\n"
    "  L: 5 m, length of the rope, positive\n"
    "  g0: 9.81 m/s^2\n"
    "  g1: 0.05 m/s^2\n"
    "  frequency: 1 Hz\n"
    "coordinates: {r: m, phi: rad}\n"
    "masses: {bob: {mass: m, at: [r sin(phi), -r cos(phi)]}}\n"
    "gravity: [0, -g0 - g1 sin(2 pi frequency t)]\n"
    "constraints: {T: r = L}\n"
    "start: {r: L, phi: 1}\n"
    "interval: [0, 2]\n";

TEST(test_pendulum_in_its_angle)
{
    char path[256];
    snprintf(path, sizeof path, "%s/polar.yaml", cli_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(in_polar_coordinates, file) >= 0);
    assert_int_equal(fclose(file), 0);
    same_acceleration(reduced_from(path, "polar"), problem_named("pendulum"));
}

TEST(test_ladder_in_its_angle)
{
    same_acceleration(reduced_from(DAELAB_SOURCE_DIR "/examples/ladder.yaml", "angle"), problem_named("ladder"));
}

int main(void) { return run_all(cli_begin, cli_end); }
