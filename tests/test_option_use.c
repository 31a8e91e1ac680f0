/* test_option_use.c - no option is ignored: each command line here has one that nothing would
 * take, or asks for what does not exist, and is refused before anything runs or is written */
#include "cli_json.h"

typedef struct {
    const char *arguments;
    const char *says[2];        /* on standard error */
} refusal;

static const refusal refusals[] = {
    /* steps and tolerances */
    {"solve pendulum --rtol 1e-6 --step 0.1", {"--rtol 1e-6 is not used", "--step"}},
    {"drift pendulum --method cros --atol 1e-6", {"--atol 1e-6 is not used", "give --rtol"}},
    {"solve pendulum --method ida --step 0.1", {"--step 0.1 is not used", "give --rtol"}},
    {"drift pendulum --method cros,radau --rtol 1e-6 --step 0.1", {"--rtol 1e-6 is not used"}},
    {"drift pendulum --method cros,radau --atol 1e-6 --step 0.1", {"--atol 1e-6 is not used"}},
    {"converge pendulum --step 0.1 --error-test all", {"--error-test all is not used"}},
    {"converge pendulum --method cros --rtol 1e-3 --step 0.1", {"--rtol 1e-3 is not used"}},
    {"converge pendulum --levels 1 --ratio 3", {"--ratio 3 is not used", "--levels 1"}},
    {"bench pendulum --method ida --step 0.1", {"--step 0.1 is not used"}},
    {"bench pendulum --rtol 1e-3:1e-6 --levels 3 --ratio 2", {"1e-3:1e-6", "one of the three"}},
    {"scale chain --method cros --vary N=2,3 --rtol 1e-3 --step 0.1", {"--rtol 1e-3 is not used"}},
    {"scale chain --method ida --vary N=2,3 --step 0.1", {"--step 0.1 is not used"}},
    {"animate pendulum --output a.png --step 0.1 --rtol 1e-6", {"--rtol 1e-6 is not used"}},
    {"solve pendulum --method ida --error-test all", {"--error-test all is not used"}},
    {"drift pendulum --method dop853,ida --rtol 1e-3 --error-test all", {"--error-test all is"}},
    {"solve pendulum --step 0.01 --max-step 0.1", {"--max-step 0.1 is not used", "--step makes"}},
    {"drift pendulum --method cros,radau --first-step 0.1 --step 0.1", {"--first-step 0.1 is not used"}},
    {"animate pendulum --output a.png --step 0.1 --max-step 0.1", {"--max-step 0.1 is not used"}},
    {"solve pendulum --rtol 1e-6 --max-step 1e3", {"--max-step 1e3 is larger than the interval"}},
    {"converge pendulum --rtol 1e-3 --first-step 0.2 --max-step 0.10",
     {"--first-step 0.2 is longer than --max-step 0.10"}},
    {"bench pendulum --max-step -1", {"--max-step -1: a finite number above 0"}},
    {"scale chain --method ida --vary N=2,3 --first-step nan", {"--first-step nan"}},
    {"solve pendulum --step 0.1 --atol T=1e-3", {"--atol T=1e-3 is not used", "--step makes"}},
    {"solve pendulum --rtol 1e-6 --atol Tt=1e-3", {"atol of Tt: pendulum in form index1", "mean T?"}},
    {"solve pendulum --rtol 1e-6 --atol zero=1e-3", {"no unknown of this name, and its classes are"}},
    {"drift pendulum --form index1,ode --rtol 1e-6 --atol Tension=1", {"Tension", "nor has any other"}},
    {"solve pendulum --rtol 1e-6 --atol T=1,T=2", {"--atol: T is given twice"}},
    {"solve pendulum --rtol 1e-6 --atol 1e-3 --atol x=2,1e-4", {"--atol 1e-4: it is given twice"}},
    {"solve pendulum --rtol 1e-6 --atol x=-1", {"--atol -1: a finite number above 0"}},
    {"solve pendulum --rtol 1e-6 --atol x=2*atol", {"--atol 2*atol: a finite number"}},
    {"solve pendulum --rtol 1e-6 --atol =2", {"--atol =2: NAME=A is needed"}},
    {"solve string_pendulum --atol velocty=2", {"velocty", "did you mean velocity?"}},
    {"bench pendulum,robertson --rtol 1e-3 --atol y5=2", {"atol of y5", "nor has any other"}},
    /* what belongs to some formulations, methods and problems */
    {"solve pendulum --form index1 --beta 3", {"--beta 3 is not used", "baumgarte"}},
    {"drift pendulum --form index1,ggl --alpha 3", {"--alpha 3 is not used"}},
    {"solve pendulum --method rk4 --linear klu", {"--linear klu is not used", "implicit"}},
    {"solve pendulum --method rk4 --jacobian fd", {"--jacobian fd is not used"}},
    {"solve pendulum --form ode --start as-given", {"--start as-given is not used"}},
    {"solve pendulum --max-events 3", {"--max-events 3 is not used", "no events"}},
    {"animate pendulum --output a.png --accumulation 1e-3", {"--accumulation", "no events"}},
    {"animate pendulum --output a.png --fps 20", {"--fps 20 is not used"}},
    {"bench pendulum --of velocity", {"--of velocity is not used", "--at"}},
    {"bench pendulum --time smallest", {"--time smallest is not used", "--at"}},
    {"bench pendulum --baseline ida", {"--baseline", "--at"}},
    {"drift pendulum --no-cache", {"--no-cache is not used", "give --reference"}},
    /* derivatives */
    {"converge pendulum --sensitivity Lx", {"no parameter 'Lx'", "did you mean L?"}},
    {"converge chain --sensitivity N", {"--sensitivity N: it counts copies"}},
    {"converge pendulum --method cvode --form ode --sensitivity L", {"cvode has no sensitivities"}},
    {"solve pendulum --sensitivity L", {"no option --sensitivity", "converge, bench"}},
    {"bench pendulum --sensitivity L --digits", {"--sensitivity L is not used", "--digits"}},
    /* given twice, or beside what excludes it */
    {"solve pendulum --step 0.1 --step 0.2", {"--step is given twice, 0.1 and 0.2"}},
    {"solve pendulum --param L=1 --param L=2", {"L is given twice"}},
    {"converge pendulum --param L=5 --vary L=4,5", {"--vary gives its values"}},
    {"list --json --format csv", {"--json and --format csv exclude"}},
    /* combinations that do not exist */
    {"drift pendulum --project invariant", {"no invariants"}},
    {"drift pendulum --project none --project invariant", {"no invariants"}},
    {"drift linear_dae --method dop853", {"dop853 is explicit", "implicit"}},
    {"converge pendulum --form index3 --method rk4", {"rk4 is explicit", "choose form index1 or ode"}},
    {"drift andrews --form index3 --method rk4", {"rk4 is explicit", "choose form index1"}},
    {"bench pendulum --form ode --method radau,ida --jacobian analytic", {"analytic"}},
    {"scale chain --form index2 --method rk4 --vary N=2,4", {"rk4 is explicit"}},
    {"bench pendulum,linear_dae --of position --at 1e-3", {"linear_dae has no such variables"}},
    {"bench pendulum,kepler --form index1 --beta 3", {"--beta 3 is not used"}},
    {"bench kepler,pendulum --t-end -1", {"--t-end -1", "after the start"}},
    /* values as they were typed, and none cut */
    {"solve pendulum --method ida --rtol 1.0000000000000002", {"1.0000000000000002 must be below"}},
    {"solve pendulum --output ''", {"--output ''", "name of a file"}},
    {"solve pendulum --form foo,bar", {"'foo'", "known are index3, index2"}},
    {"drift pendulum --method cros,foo", {"'foo'", "known are cros, cros4"}},
    {"solve pendulum --param foo=2", {"'foo'", "known are"}},
};

TEST(test_refusals)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *r = &refusals[i];
        char arguments[512];
        snprintf(arguments, sizeof arguments, "%s --quiet%s", r->arguments,
                 strstr(r->arguments, "--output") ? "" : " --output result");
        const int status = cli_run("", arguments);
        if (status != 2 || cli_exists("result") || cli_exists("a.png"))
            fail_msg("daelab %s: status %d, %s\n%s", arguments, status,
                     cli_exists("result") ? "a result" : "no result", cli_said.err);
        for (int k = 0; k < 2 && r->says[k]; k++)
            if (!strstr(cli_said.err, r->says[k]))
                fail_msg("daelab %s: \"%s\" is not in: %s", arguments, r->says[k], cli_said.err);
        if (strchr(cli_said.err, '\n') != strrchr(cli_said.err, '\n'))
            fail_msg("daelab %s: more than a sentence: %s", arguments, cli_said.err);
    }
}

/* Where some method of a study takes an option, the table says which. */
TEST(test_studies)
{
    json_t *tree = parsed(0, "drift pendulum --method cros,ida --step 0.01 --rtol 1e-5 --atol 1e-7 "
                             "--format json");
    assert_close(number_in(tree, "runs", "method=cros", "step"), 0.01, 0);
    assert_true(isnan(number_in(tree, "runs", "method=cros", "rtol")));
    assert_close(number_in(tree, "runs", "method=ida", "rtol"), 1e-5, 0);
    assert_true(isnan(number_in(tree, "runs", "method=ida", "step")));
    json_decref(tree);
    static const char *const fine[] = {
        "drift pendulum --form index1,baumgarte --beta 3",
        "drift linear_dae --reference --no-cache",
        "solve pendulum --method ida --atol 1e-7",
        "drift pendulum --method cros,rk4 --linear dense", "solve box --max-events 3000",
        "drift pendulum --form all,index1 --method all --step 0.1",
        "bench pendulum,kepler --time smallest --rtol 1e-3 --levels 1 --runs 1 --seconds 1e-9"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (cli_run("", fine[i]) || strstr(cli_said.err, "not used"))
            fail_msg("daelab %s: %d, %s", fine[i], cli_said.status, cli_said.err);
}

/* A method that goes with no chosen formulation is said on the terminal, too. */
TEST(test_remarks)
{
    assert_int_equal(0, cli_run("", "drift linear_dae --method cros,dop853 --output d.txt"));
    assert_non_null(strstr(cli_said.err, "there is no run by dop853"));
    assert_int_equal(0, cli_run("", "drift pendulum --form index1,index3 --method rk4 --output "
                                    "d.txt"));
    assert_non_null(strstr(cli_said.err, "there is no run of index3"));
    assert_int_equal(0, cli_run("", "drift pendulum --form all --method rk4 --quiet --step 0.1"));
    assert_string_equal("", cli_said.err);
}

/* Values of any length are read whole: this one is 7 only by its last character. */
TEST(test_long_values)
{
    char zeros[130], arguments[512];
    memset(zeros, '0', sizeof zeros - 1);
    zeros[sizeof zeros - 1] = 0;
    snprintf(arguments, sizeof arguments, "converge pendulum --form ode --levels 2 --vary L=5,%s7 "
             "--format json --quiet", zeros);
    json_t *tree = parsed(0, arguments);
    assert_close(number_at(tree, "parameters/L/1"), 7, 0);
    json_decref(tree);
    snprintf(arguments, sizeof arguments, "bench pendulum --form ode --method ida --rtol %s.1:0.01 "
             "--at 1,%s2 --runs 1 --seconds 1e-9 --format json", zeros, zeros);
    tree = parsed(0, arguments);
    assert_close(number_in(tree, "targets", "#1", "error"), 2, 0);
    json_decref(tree);
}

/* Levels that no run can reach are refused before the reference is computed. */
TEST(test_levels)
{
    assert_int_equal(2, cli_run("DAELAB_CACHE=fresh", "converge pendulum --method ida --levels 60"));
    assert_non_null(strstr(cli_said.err, "too fine"));
    assert_false(cli_exists("fresh"));
    assert_int_equal(0, cli_run("DAELAB_CACHE=fresh", "converge pendulum --method ida --levels 2"));
    assert_true(cli_exists("fresh"));
}

TEST(test_any_order)
{
    static const char *const lines[] = {"solve pendulum --step 0.1", "solve --step 0.1 pendulum",
                                        "solve --step 0.1 -- pendulum"};
    for (int k = 0; k < 6; k++) {
        assert_int_equal(0, cli_run(k % 2 ? "POSIXLY_CORRECT=1" : "", lines[k / 2]));
        assert_non_null(strstr(cli_said.out, "20 steps"));
    }
    assert_int_equal(2, cli_run("POSIXLY_CORRECT=1", "solve pendulum linear_dae --step 0.1"));
    assert_non_null(strstr(cli_said.err, "what is linear_dae?"));
}

int main(void) { return run_all(cli_begin, cli_end); }
