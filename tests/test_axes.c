/* test_axes - bench --plot in any pair of axes: the points are those of the result */
#include "cli_json.h"

/* The points of the curve that is drawn, as the data of the picture have them; how many. */
enum { MOST = 64 };
static int points_of(const char *name, double x[MOST], double y[MOST])
{
    static char text[CLI_TEXT];
    int count = 0;
    cli_read(name, text);
    for (const char *from = text; count < MOST && (from = strstr(from, ",radau,line,")) != NULL; from++)
        if (sscanf(from, ",radau,line,%lf,%lf\n", &x[count], &y[count]) == 2)
            count++;
    return count;
}

/* What an axis shows, and where the JSON of the result has it. */
static const struct { const char *name, *label, *table, *column; } axes[] = {
    {"time", "time [s]", "work", "wall"},
    {"cpu", "CPU time [s]", "work", "cpu"},
    {"steps", "steps", "work", "steps"},
    {"F", "evaluations of F", "work", "rhs"},
    {"J", "Jacobians", "work", "jacobians"},
    {"LU", "factorisations", "work", "factorizations"},
    {"solves", "solutions of linear systems", "work", "solves"},
    {"rtol", "relative tolerance", "work", "rtol"},
    {"position", "error, position [m]", "work", "error_position"},
    {"multiplier", "error, multiplier [N]", "work", "error_multiplier"},
    {"recovered", "error, recovered [N]", "work", "error_recovered"},
    {"scd", "correct digits, relative (scd)", "work", "scd"},
    {"mescd", "correct digits, mixed (mescd)", "work", "mescd"},
    {"drift-position", "largest |g|", "runs", "drift_position"},
    {"drift-velocity", "largest |dg/dt|", "runs", "drift_velocity"},
    {"energy", "largest energy balance", "runs", "drift_energy"},
};
enum { AXES = sizeof axes / sizeof *axes };

/* The value of level i. */
static double of_level(const json_t *tree, const char *table, int i, const char *column)
{
    char where[16];
    snprintf(where, sizeof where, "#%d", i);
    return number_in(tree, table, where, column);
}

TEST(test_pairs)
{
    static char svg[CLI_TEXT];
    if (!cli_can_draw())
        skip();
    for (int k = 0; k < AXES; k += 3) {
        const int up = (k + 5) % AXES;
        char arguments[256];
        double x[MOST], y[MOST];
        snprintf(arguments, sizeof arguments,
                 "bench pendulum --form index1 --method radau --rtol 1e-3:1e-6 --runs 1 --seconds 1e-9 "
                 "--axes %s:%s --plot a.svg --plot-data --format json", axes[k].name, axes[up].name);
        json_t *tree = parsed(0, arguments);
        assert_int_equal(points_of("a.svg.csv", x, y), 4);
        for (int i = 0; i < 4; i++) {
            assert_close(x[i] / of_level(tree, axes[k].table, i, axes[k].column), 1, 1e-12);
            assert_close(y[i] / of_level(tree, axes[up].table, i, axes[up].column), 1, 1e-12);
        }
        cli_read("a.svg.csv", svg);
        assert_non_null(strstr(svg, axes[k].label));
        if (!strstr(svg, axes[up].label)) fail_msg("no %s", axes[up].label);
        json_decref(tree);
    }
}

/* Drift is looked at where it is asked for, and nowhere else; the counts are the same. */
TEST(test_drift_is_apart)
{
    static const char run[] = "bench pendulum --form index1 --method radau --rtol 1e-4 --levels 1 --runs 1 --seconds "
                              "1e-9 --format json";
    char with[256];
    snprintf(with, sizeof with, "%s --axes rhs:drift-position --plot a.svg", run);
    json_t *plain = parsed(0, run), *watched = parsed(0, with);
    assert_true(number_in(plain, "work", "", "rhs") == number_in(watched, "work", "", "rhs"));
    assert_true(number_in(plain, "work", "", "error_position") == number_in(watched, "work", "", "error_position"));
    assert_true(number_in(watched, "runs", "", "drift_position") > 0);
    json_decref(plain);
    json_decref(watched);
}

TEST(test_mistakes)
{
    static const char *const mistakes[][2] = {
        {"bench pendulum --axes steps --plot a.svg", "X:Y is needed"},
        {"bench pendulum --axes steps: --plot a.svg", "there is no --axes ''"},
        {"bench pendulum --axes setps:position --plot a.svg", "did you mean steps"},
        {"bench pendulum --axes time:positon --plot a.svg", "did you mean position"},
        {"bench kepler --axes rhs:drift-position --plot a.svg", "kepler has no drift-position"},
        {"bench kepler --axes rhs:position --plot a.svg", "kepler has no position"},
        {"bench pendulum --axes rhs:position", "there is no plot"},
        {"bench pendulum --digits --axes rhs:mescd", "takes no times"},
        {"converge pendulum --axes rhs:position --plot a.svg", "no option"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (cli_run("", mistakes[i][0]) != 2 || !strstr(cli_said.err, mistakes[i][1]))
            fail_msg("daelab %s: exit status %d: %s", mistakes[i][0], cli_said.status, cli_said.err);
}

int main(void) { return run_all(cli_begin, cli_end); }
