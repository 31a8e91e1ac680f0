/* test_bad_input.c - each mistake gets a sentence that says what and where, its exit status, and
 * leaves no half-written file */
#include "cli.h"

typedef struct {
    const char *arguments;
    int status;
    const char *says[3];        /* words that must stand on standard error */
    const char *environment;
} mistake;

static const mistake mistakes[] = {
    /* unknown names, the nearest suggested */
    {"", 2, {"usage"}, ""},
    {"sovle pendulum", 2, {"sovle", "did you mean solve"}, ""},
    {"solve pendulm", 2, {"pendulm", "did you mean pendulum"}, ""},
    {"solve", 2, {"which problem"}, ""},
    {"solve pendulum linear_dae", 2, {"linear_dae"}, ""},
    {"solve pendulum --form indx2", 2, {"indx2", "did you mean index2"}, ""},
    {"solve pendulum --form native", 2, {"no formulation native"}, ""},
    {"solve pendulum --method crs", 2, {"crs", "did you mean cros"}, ""},
    {"solve pendulum --stp 0.1", 2, {"--stp", "did you mean --step"}, ""},
    {"solve pendulum --plot p.svg --keep-script", 2, {"--keep-script", "--plot-data writes"}, ""},
    {"solve pendulum --param l=2", 2, {"no parameter 'l'", "did you mean L"}, ""},
    {"solve pendulum --param x=2", 2, {"unknown of pendulum", "--set x=2"}, ""},
    {"solve pendulum -rtol 1e-5", 2, {"no option -rtol", "did you mean --rtol"}, ""},
    {"solve pendulum --tolerance 1e-5", 2, {"did you mean --rtol"}, ""},
    {"bench pendulum --formulation ode", 2, {"did you mean --form"}, ""},
    {"list --tolerance 1e-5", 2, {"one of compare"}, ""},
    {"solve --help foo", 2, {"what is foo", "--help all"}, ""},
    {"solve there", 2, {"did you mean the file ./there.c?"}, ""},
    {"solve pendulum --method there", 2, {"did you mean the file ./there.c?"}, ""},
    {"info there", 2, {"did you mean the file ./there.c?"}, ""},
    {"solve pendulum --show q", 2, {"no column 'q'; it has x, y, vx, vy, T, T_recovered"}, ""},
    {"solve chain --show T99", 2, {"did you mean T9? It has x1, y1", " and 52 more"}, ""},
    {"solve pendulum --param L", 2, {"NAME=VALUE"}, ""},
    {"solve pendulum --param L=long", 2, {"finite number"}, ""},
    {"solve pendulum --jacobian dul", 2, {"did you mean dual"}, ""},
    {"solve pendulum --linear kl", 2, {"did you mean klu"}, ""},
    {"solve pendulum --format jsn", 2, {"did you mean json"}, ""},
    {"solve pendulum --start given", 2, {"--start"}, ""},
    {"list problem", 2, {"did you mean problems"}, ""},
    {"info pendulun", 2, {"did you mean pendulum"}, ""},
    {"info", 2, {"info on what"}, ""},
    /* a step that is zero, negative, not a number, larger than the interval */
    {"solve pendulum --step 0", 2, {"--step 0", "above 0"}, ""},
    {"solve pendulum --step -0.1", 2, {"--step -0.1", "above 0"}, ""},
    {"solve pendulum --step nan", 2, {"--step nan", "above 0"}, ""},
    {"solve pendulum --step 0.1x", 2, {"--step 0.1x"}, ""},
    {"solve pendulum --step", 2, {"--step", "needs a value"}, ""},
    {"solve pendulum --step 3", 2, {"--step 3", "larger than the interval"}, ""},
    {"converge pendulum --step 3", 2, {"larger than the interval"}, ""},
    {"solve pendulum --t-end -1", 2, {"--t-end -1", "after the start"}, ""},
    {"solve pendulum --t-end inf", 2, {"--t-end inf"}, ""},
    {"solve pendulum --method ida --rtol 0", 2, {"--rtol 0"}, ""},
    {"solve pendulum --method ida --rtol 2", 2, {"--rtol 2", "below 1"}, ""},
    {"solve pendulum --method ida --atol -1", 2, {"--atol -1"}, ""},
    {"converge pendulum --levels 0", 2, {"--levels 0", "whole number"}, ""},
    {"converge pendulum --levels 65", 2, {"--levels 65", "from 1 to 64"}, ""},
    {"converge pendulum --levels 60", 2, {"too fine"}, ""},
    {"converge pendulum --method ida --ratio 1e300", 2, {"too fine"}, ""},
    {"solve pendulum --every 1e-15", 2, {"--every 1e-15"}, ""},
    {"solve pendulum --every 5", 2, {"--every 5"}, ""},
    {"solve pendulum --every 0.1 --samples 3", 2, {"exclude"}, ""},
    {"solve pendulum -xy", 2, {"-x"}, ""},
    {"solve pendulum --form ''", 2, {"''"}, ""},
    {"converge pendulum --levels 2.5", 2, {"--levels 2.5"}, ""},
    {"converge pendulum --ratio 1", 2, {"--ratio 1", "above 1"}, ""},
    {"solve pendulum --samples 0", 2, {"--samples 0"}, ""},
    /* parameters and starts that make no sense */
    {"solve pendulum --param L=0", 2, {"L = 0", "positive"}, ""},
    {"converge pendulum --vary L", 2, {"--vary L", "NAME=VALUE"}, ""},
    {"converge pendulum --vary L=5,", 2, {"--vary L=5,", "one by one, as L=1,2,5"}, ""},
    {"converge pendulum --vary L=1:5", 2, {"--vary L=1:5", "one by one", "k[3]=1,2"}, ""},
    {"converge pendulum --vary L=5,-1", 2, {"L = -1", "positive"}, ""},
    {"converge pendulum --param L=0", 2, {"L = 0", "positive"}, ""},
    {"drift pendulum --param m=-1 --format json", 2, {"m = -1", "positive"}, ""},
    {"solve pendulum --param x0=0 --param y0=0", 1, {"consistent"}, ""},
    {"converge pendulum --vary L=1,2 --param L=3", 2, {"--vary gives its values"}, ""},
    {"converge pendulum --param x0=0 --param y0=0", 1, {"consistent"}, ""},
    /* combinations that do not exist */
    {"solve pendulum --form index3 --method euler", 2, {"euler", "index3"}, ""},
    {"solve pendulum --form ode --jacobian analytic", 2, {"analytic", "ode"}, ""},
    /* a singular pencil: at the pivot with a start as given */
    {"solve pendulum --form index3 --method cros --start as-given --param x0=0 --param y0=0", 1,
     {"singular", "t = 0"}, ""},
    /* files */
    {"solve pendulum --output no/such/folder/file.csv", 3, {"no/such/folder"}, ""},
    {"converge pendulum --method cros --output no/such/file", 3, {"no/such/file"}, ""},
    {"list --output no/such/file", 3, {"no/such/file"}, ""},
    {"solve pendulum --plot no/such/folder/p.svg", 3, {"no/such/folder"}, ""},
    {"solve pendulum --plot picture.bmp", 2, {"picture.bmp", ".svg or .png"}, ""},
    {"solve pendulum --plot p.svg --output p.svg", 2, {"both write"}, ""},
    {"list >/dev/full", 3, {"standard output"}, ""},
    {"info pendulum --json >/dev/full", 3, {"standard output"}, ""},
    {"--help >/dev/full", 3, {"standard output"}, ""},
    {"solve pendulum --plot p.svg", 3, {"python3 is not installed"}, "PATH=/nowhere DAELAB_PYTHON="},
    {"drift pendulum --plot p.svg", 3, {"nopython is not installed", "python3-matplotlib"}, "DAELAB_PYTHON=nopython"},
    {"solve pendulum --samples 3 --plot p.svg --plot-size 8x6", 2, {"8cmx6cm or 160mm is needed"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-size 8cmx", 2, {"8cmx6cm or 160mm is needed"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-size 9cmx9cmx9cm", 2, {"8cmx6cm or 160mm is needed"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-size nancm", 2, {"8cmx6cm or 160mm is needed"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-size 1mm", 2, {"8cmx6cm or 160mm is needed"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-font 1", 2, {"from 3 to 72"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-font Times", 2, {"a finite number"}, ""},
    {"solve pendulum --samples 3 --plot p.svg --plot-font ,9", 2, {"NAME,SIZE is needed"}, ""},
    {"solve pendulum --samples 3 --plot-size 8cm", 2, {"there is no plot"}, ""},
    {"solve pendulum --samples 3 --transparent", 2, {"there is no plot"}, ""},
    {"solve pendulum --samples 3 --plot-data", 2, {"there is no plot"}, ""},
};

TEST(test_mistakes)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        const int status = cli_run(m->environment, m->arguments);
        if (status != m->status)
            fail_msg("daelab %s: exit status %d, expected %d\n%s", m->arguments, status, m->status,
                     cli_said.err);
        for (int k = 0; k < 3 && m->says[k]; k++)
            if (!strstr(cli_said.err, m->says[k]))
                fail_msg("daelab %s: \"%s\" is not in: %s", m->arguments, m->says[k],
                         cli_said.err);
    }
}

/* Where nothing can draw, all else is written, and nothing is left behind but the cache's: references, and the
 * files of studies, which keep their runs; a folder does without pictures. */
TEST(test_nothing_half_written)
{
    assert_int_equal(3, cli_run("PATH=/nowhere DAELAB_PYTHON=", "solve pendulum --output full.csv --plot p.svg"));
    assert_true(cli_exists("full.csv"));
    assert_false(cli_exists("p.svg"));
    assert_int_equal(0, cli_run("PATH=/nowhere DAELAB_PYTHON=", "solve pendulum --output full/"));
    assert_non_null(strstr(cli_said.err, "no pictures: python3 is not installed"));
    assert_true(cli_exists("full/study.json"));
    char command[512];
    snprintf(command, sizeof command, "ls -A '%s' | grep -v -e '^out.txt$' -e '^err.txt$' "
             "-e '^pendulum' -e '^full' -e '^there.c$' -e '^study-' -e '^kept.db$' -e '^lock$' | grep .", cli_folder);
    assert_int_not_equal(0, system(command));           /* nothing else was left behind */
}

/* What is said on either stream, and what is not. */
TEST(test_said)
{
    static const struct { const char *arguments, *said, *not_said; } words[] = {
        {"solve pendulum --rtol 1e-5,1e-7 --samples 1", "t = 0 ... 2, rtol=1e-05\n", "L=5 rtol"},
        {"solve pendulum --rtol 1e-5,1e-7 --samples 1", "t = 0 ... 2, rtol=1e-07\n", NULL},
        {"solve pendulum,kepler --samples 1", "solve pendulum, t = 0 ... 2\n", "10,"},
        {"solve pendulum --vary x0=2,2.5 --samples 1", "pendulum x0=2.5: the start was not consistent", NULL},
        {"converge pendulum --vary x0=2,2.5 --form index1 --method cros --levels 2",
         "pendulum x0=2: the start was not consistent", "index 3"},
        {"scale pendulum --vary x0=2,2.5 --form index1 --method rk4", "pendulum x0=2: the start was not", NULL},
        {"scale chain --vary N=2,3 --form index1 --method rk4 --set x1=0.9", "the number of unknowns is varied", NULL},
        {"scale pendulum --vary m=1,2 --form index1 --method rk4 --set vx=1 --start as-given", "vx(t0)=1", NULL},
        {"converge pendulum --form ode --method rk4 --levels 2", "ode", "in index 3"},
        {"converge pendulum --form index3 --method cros --levels 2", "in index 3", NULL},
        {"bench pendulum --form index1 --method radau --rtol 1e-9 --runs 1 --seconds 1e-9",
         "by default: rtol 1e-09, 1e-10 .. 1e-15; --levels says otherwise", NULL},
        {"converge pendulum --form index1 --method rk4 --step 0.1",
         "by default: step 0.1, 0.05 .. 0.00625; --levels says otherwise", NULL},
        {"solve pendulum --samples 1 --output plain", "plain is written as a table for people", NULL},
        {"solve pendulum --samples 1 --output plain -q", "", "plain is"},
        {"solve pendulum --samples 1 --output plain --format csv", "", "plain is"},
        {"drift pendulum --form index3,index1 --method cros --limit-steps 20",
         "2 of 2 runs of pendulum failed, the first: index3 cros: ", NULL},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *not_said = words[i].not_said ? words[i].not_said : "\f";
        cli_run("", words[i].arguments);
        if (!(strstr(cli_said.out, words[i].said) || strstr(cli_said.err, words[i].said))
            || strstr(cli_said.out, not_said) || strstr(cli_said.err, not_said))
            fail_msg("daelab %s: %s%s", words[i].arguments, cli_said.out, cli_said.err);
    }
}

/* A start that has to be moved is said once by every command that solves, and that it was far, with the option that
 * begins where it was moved to; then nothing is said. */
TEST(test_far_start)
{
    static const char *const commands[] = {
        "solve pendulum", "solve pendulum --form ode", "drift pendulum --method cros",
        "converge pendulum --method cros --levels 3", "bench pendulum --method cros --levels 1 --runs 1",
        "animate pendulum --output far.png"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (int far = 0; far < 2; far++) {
            char arguments[256];
            snprintf(arguments, sizeof arguments, "%s --param L=%s", commands[i], far ? "6" : "5.1");
            cli_run("", arguments);
            const char *said = strstr(cli_said.out, "was not consistent");
            said = said ? said : strstr(cli_said.err, "was not consistent");
            if (!said || (strstr(said, "far from what was given") == NULL) == far
                || strstr(said + strlen("was not consistent"), "not consistent"))
                fail_msg("daelab %s: %s%s", arguments, cli_said.out, cli_said.err);
        }
    char set[256] = "solve pendulum --param L=5.1 ";
    assert_int_equal(0, cli_run("", set));
    const char *paste = strstr(cli_said.out, "--set ");
    assert_non_null(paste);
    strncat(set, paste, strcspn(paste, " ") + 1 + strcspn(paste + strlen("--set "), " "));
    assert_int_equal(0, cli_run("", set));
    assert_null(strstr(cli_said.out, "not consistent"));
    assert_null(strstr(cli_said.err, "not consistent"));
}

/* A result that exists is replaced whole or not at all. */
TEST(test_old_result_survives)
{
    assert_int_equal(0, cli_run("", "solve pendulum --output old.csv --format csv"));
    assert_int_equal(2, cli_run("", "solve pendulum --param L=0 --output old.csv"));
    char text[256];
    snprintf(text, sizeof text, "%s/old.csv", cli_folder);
    FILE *file = fopen(text, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_non_null(strstr(text, "t,x,y,vx,vy,T"));
}

/* With a file that a name without its ending is meant for. */
static int begin(void **state)
{
    char path[300];
    const int status = cli_begin(state);
    snprintf(path, sizeof path, "%s/there.c", cli_folder);
    FILE *file = status ? NULL : fopen(path, "w");
    return !file || fclose(file);
}

int main(void) { return run_all(begin, cli_end); }
