/* test_timed_rounds - times of a study are taken in rounds, ratios inside them; a run that dies when it is timed takes
 * no other with it; a study that goes on has the times that it had. Nothing here depends on how fast anything is */
#include "cli_json.h"

#include "numbers/ratio_spread.h"

/* ---- ratios ---- */

TEST(test_ratio)
{
    double a[] = {2, 4.4, 3, 8, 2.2, 100, 3, NAN, 0}, b[] = {1, 2, 1.5, 4, 1, 50, 1, 1, 1};    /* 2 2.2 2 2 2.2 2 3 */
    char words[RATIO_WORDS];
    ratio_spread r = ratio_spread_of(a, b, 9);
    assert_true(r.rounds == 7 && r.ratio == 2 && r.low == 2 && fabs(r.high - 2.2) < 1e-15 && r.differs);
    assert_string_equal("2 (2 .. 2.2)", ratio_spread_words(&r, words));
    r = ratio_spread_of(a, b, 5);                       /* too few to be sure of anything */
    assert_true(r.ratio == 2 && !r.differs);
    b[0] = b[1] = b[2] = 10;                            /* four above 1 and three below */
    r = ratio_spread_of(a, b, 9);
    assert_true(r.rounds == 7 && !r.differs);
    assert_non_null(strstr(ratio_spread_words(&r, words), "not told from 1"));
    r = ratio_spread_of(a, a, 7);
    assert_string_equal("1", ratio_spread_words(&r, words));
    r = ratio_spread_of(a + 7, b + 7, 2);
    assert_true(isnan(r.ratio) && !r.differs && r.rounds == 0);
    assert_string_equal("", ratio_spread_words(&r, words));
}

/* ---- what a study shows ---- */

enum { ROUNDS = 7 };
static const char run[] = "bench pendulum --form index1 --method dopri5,radau --rtol 1e-6 --levels 1 --at 1 "
                          "--baseline radau --runs 7 --seconds 1e-9 -q ";

/* "median" or "smallest" of a run in a round; both count from 1. */
static double time_in(const json_t *tree, int number, const char *which, int round)
{
    char where[40], column[32];
    snprintf(where, sizeof where, "run=%d round=%d", number, round);
    snprintf(column, sizeof column, "wall_%s", which);
    return number_in(tree, "rounds", where, column);
}

/* The ratio is the median of those of the rounds, and the times are those of the rounds. */
TEST(test_study)
{
    char arguments[256];
    for (int smallest = 0; smallest < 2; smallest++) {
        const char *which = smallest ? "smallest" : "median";
        double a[ROUNDS], b[ROUNDS], least = INFINITY;
        snprintf(arguments, sizeof arguments, "%s --time %s --fresh --format json", run, which);
        json_t *tree = parsed(0, arguments);
        for (int r = 0; r < ROUNDS; r++) {
            char where[40];
            snprintf(where, sizeof where, "run=1 round=%d", r + 1);
            a[r] = time_in(tree, 2, which, r + 1);
            b[r] = time_in(tree, 1, which, r + 1);
            least = fmin(least, time_in(tree, 1, "smallest", r + 1));
            assert_true(time_in(tree, 1, "smallest", r + 1) <= time_in(tree, 1, "median", r + 1));
            assert_true(number_in(tree, "rounds", where, "wall") == b[r]);
        }
        const ratio_spread x = ratio_spread_of(a, b, ROUNDS);
        assert_close(number_in(tree, "targets", "", "ratio"), x.ratio, 1e-12 * x.ratio);
        assert_close(number_in(tree, "targets", "", "ratio_lower"), x.low, 1e-12 * x.ratio);
        assert_close(number_in(tree, "targets", "", "ratio_upper"), x.high, 1e-12 * x.ratio);
        assert_string_equal(x.differs ? "yes" : "no", text_in(tree, "targets", "", "ratio_differs"));
        assert_true(number_in(tree, "targets", "method=radau", "ratio") == 1);
        assert_true(number_in(tree, "work", "", "wall_smallest") == least);
        assert_true(number_in(tree, "work", "", "repeats") >= ROUNDS);
        assert_true(number_in(tree, "work", "", "rounds") == ROUNDS);
        json_decref(tree);
    }
}

/* What was timed is not timed again. */
TEST(test_again)
{
    char arguments[256], first[4096];
    snprintf(arguments, sizeof arguments, "%s --output kept/", run);
    assert_int_equal(0, cli_run("", arguments));
    static char text[CLI_TEXT];
    cli_read("kept/rounds.csv", text);
    assert_true(strlen(text) > 100 && strlen(text) < sizeof first);
    strcpy(first, text);
    assert_int_equal(0, cli_run("", arguments));
    cli_read("kept/rounds.csv", text);
    assert_string_equal(first, text);
}

/* ---- on a page ---- */

enum { MOST_POINTS = 16 };

/* times[points][ROUNDS] of all points of a result; how many. */
static int all_times(const json_t *tree, double times[MOST_POINTS][ROUNDS])
{
    const int points = count_rows(tree, "work", "");
    for (int i = 0; i < points && i < MOST_POINTS; i++)
        for (int r = 0; r < ROUNDS; r++)
            times[i][r] = time_in(tree, i + 1, "median", r + 1);
    return points;
}

static int is_of_a_pair(const char *cell_text, double times[MOST_POINTS][ROUNDS], int points)
{
    char words[RATIO_WORDS];
    for (int i = 0; i < points; i++)
        for (int k = 0; k < points; k++) {
            const ratio_spread x = ratio_spread_of(times[i], times[k], ROUNDS);
            if (i != k && strcmp(ratio_spread_words(&x, words), cell_text) == 0)
                return 1;
        }
    return 0;
}

/* The ratios of the fastest runs are those of two runs of the result in the same rounds. */
TEST(test_page)
{
    double times[MOST_POINTS][ROUNDS];
    int found = 0;
    assert_int_equal(0, cli_run("", "bench pendulum --form index1 --method dopri5,radau --rtol 1e-3:1e-9 --levels 7 "
                                    "--runs 7 --seconds 1e-9 -q --output page.json"));
    assert_int_equal(0, cli_run("", "report page.json --output page.md"));
    static char text[CLI_TEXT];
    cli_read("page.json", text);
    json_t *tree = json_loads(text, 0, NULL);
    const int points = all_times(tree, times);
    assert_int_equal(points, 14);
    json_decref(tree);
    cli_read("page.md", text);
    char *begin = strstr(text, "The fastest run that reaches an error");
    assert_non_null(begin);
    for (char *line = strtok(begin, "\n"); line && strncmp(line, "##", 2); line = strtok(NULL, "\n")) {
        char *open = strchr(line, '('), *cell_text = open ? open : line;
        if (!open)
            continue;
        while (cell_text[-1] != '|')
            cell_text--;
        cell_text++;
        *strstr(cell_text, " |") = 0;
        if (!is_of_a_pair(cell_text, times, points))
            fail_msg("%s: of no two runs", cell_text);
        found++;
    }
    assert_true(found >= 3);
}

/* ---- one that dies ---- */

static void write_model(long most)
{
    char path[256];
    snprintf(path, sizeof path, "%s/tired.c", cli_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#ifndef DAE_PASS\n"
            "#include <daelab/model.h>\n"
            "#include <stdlib.h>\n"
            "const dae_problem dae_tired = {.name = \"tired\", .title = \"an oscillator\", .citation = \"none\",\n"
            "    .equations = \"a' = b, b' = -a\", .variables = \"a b\", .units = \"m m\",\n"
            "    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)}, .start = DAE_MODEL(start), .t_end = 2};\n"
            "DAE_PLUGIN_PROBLEMS(&dae_tired);\n"
            "#else\n"
            "static void FN(start)(const param *p, real *u) { (void)p; u[0] = 1; u[1] = 0; }\n"
            "static void FN(rhs)(const param *p, real t, const real *u, real *F)\n"
            "{ static long calls; (void)p; (void)t; if (++calls > %ldL) abort(); F[0] = u[1]; F[1] = -u[0]; }\n"
            "#endif\n", most);
    assert_int_equal(0, fclose(file));
}

/* The finer run can be made once, and not twice in one process: it has no time and says why; the other one has all. */
TEST(test_death)
{
    static const char study[] = "bench ./tired.c --method rk4 --step 0.1 --levels 2 --ratio 100 --runs 2 --seconds "
                                "1e-9 -q --no-check --format json";
    write_model(1000000000);
    json_t *tree = parsed(0, study);
    const double F = number_in(tree, "work", "run=2", "rhs");
    assert_true(F > 50 * number_in(tree, "work", "run=1", "rhs"));
    json_decref(tree);
    write_model(lround(1.5 * F));
    tree = parsed(1, study);
    assert_true(count_rows(tree, "rounds", "run=1") == 2);
    for (int r = 1; r <= 2; r++)
        assert_true(time_in(tree, 1, "median", r) > 0);
    assert_true(isnan(time_in(tree, 2, "median", 1)));
    assert_true(isnan(number_in(tree, "work", "run=2", "wall_median")));
    assert_string_equal("ok", text_in(tree, "work", "run=2", "status"));
    assert_non_null(strstr(text_in(tree, "work", "run=2", "reason"), "SIGABRT"));
    assert_true(number_in(tree, "work", "run=2", "rhs") == F);
    json_decref(tree);
}

int main(void) { return run_all(cli_begin, cli_end); }
