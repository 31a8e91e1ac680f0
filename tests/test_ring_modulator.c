/* test_ring_modulator.c - a file of examples/ that the program is given: the published ring modulator
 *
 * The end is that of the classic Runge-Kutta method in 200 million equal steps, in a program of its own that
 * shares nothing with this. Radau at rtol 1e-13 differs from it by 7e-12 of an unknown, dop853 at 1e-12 in 14
 * million steps by 1.6e-10; the end of the test set by 2.7e-10, and another that is public, in a driver of MEBDF,
 * by 4.1e-10.
 */
#include "cli_json.h"

enum { N = 15 };
static const double end[N] = {
    -2.33905735843714e-02, -7.36748548600846e-03, 2.58295670999215e-01, -4.06446572058778e-01,
    -4.03945566445521e-01, 2.60796676612473e-01, 1.10676186127324e-01, 2.93990434243300e-07,
    -2.84002993306631e-08, 7.26719826729100e-04, 7.92948719702259e-04, -7.25528349576520e-04,
    -7.94140196854841e-04, 7.08849541687571e-05, 2.39005907527711e-05};
static const double test_set[N] = {
    -0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169, -0.4064465721283450,
    -0.4039455665149794, 0.2607966765422943, 0.1106761861269975, 0.2939904342435596e-6,
    -0.2840029933642329e-7, 0.7267198267264553e-3, 0.7929487196960840e-3, -0.7255283495698965e-3,
    -0.7941401968526521e-3, 0.7088495416976114e-4, 0.2390059075236570e-4};
static const double mebdf[N] = {
    -0.233905735842070174e-1, -0.736748548598215210e-2, 0.258295670891733276, -0.406446572164108511,
    -0.403945566551075719, 0.260796676505321678, 0.110676186126208484, 0.293990434238965346e-6,
    -0.284002993248608379e-7, 0.726719826722729682e-3, 0.792948719688146885e-3, -0.725528349561929123e-3,
    -0.794140196849026266e-3, 0.708849541688199994e-4, 0.239005907525775679e-4};

/* The largest difference of an unknown, relative. */
static double apart(const double *u, const double *v)
{
    double most = 0;
    for (int i = 0; i < N; i++) {
        const double x = fabs(u[i] - v[i]) / fabs(v[i]);
        most = x <= most ? most : x;                    /* a NaN is kept */
    }
    return most;
}

/* How far the last row of `daelab solve` is from the end. */
static double error_of(const char *options)
{
    char command[500];
    double u[N];
    snprintf(command, sizeof command, "solve '%s/examples/ring_modulator.c' --samples 1 --format json %s",
             DAELAB_SOURCE_DIR, options);
    json_t *tree = parsed(0, command);
    const json_t *row = at(tree, "tables/solution/rows/1");
    assert_true(json_number_value(json_array_get(row, 0)) == 1e-3);
    for (size_t i = 0; i < N; i++)
        u[i] = json_number_value(json_array_get(row, i + 1));
    json_decref(tree);
    return apart(u, end);
}

TEST(test_functions_agree)
{
    char command[500];
    snprintf(command, sizeof command, "check '%s/examples/ring_modulator.c'", DAELAB_SOURCE_DIR);
    if (cli_run("", command))
        fail_msg("%s%s", cli_said.out, cli_said.err);
}

TEST(test_published_values)
{
    const double of_test_set = apart(test_set, end), of_mebdf = apart(mebdf, end);
    if (!(of_test_set < 3e-10 && of_mebdf < 5e-10))
        fail_msg("the published ends are off by %g and %g", of_test_set, of_mebdf);
}

/* By two methods. Radau is nearer to the end than what is published. */
TEST(test_end)
{
    const double radau = error_of("--method radau --rtol 1e-11 --atol 1e-14");
    const double rodas = error_of("--method rodas5p --rtol 1e-7 --atol 1e-10");
    if (!(radau < fmin(apart(test_set, end), apart(mebdf, end)) && rodas < 1e-5))
        fail_msg("off by %g with radau, %g with rodas5p", radau, rodas);
}

int main(void) { return run_all(cli_begin, cli_end); }
