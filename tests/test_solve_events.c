/* test_solve_events.c - daelab solve of problems that switch: events, modes, stops, pictures */
#include "cli_json.h"

/* The value in a row of a table; rows count from 0. */
static double value(const json_t *tree, const char *table, int row, const char *column)
{
    char where[16];
    snprintf(where, sizeof where, "#%d", row);
    return number_in(tree, table, where, column);
}

static const char *text(const json_t *tree, const char *table, int row, const char *column)
{
    char where[16];
    snprintf(where, sizeof where, "#%d", row);
    return text_in(tree, table, where, column);
}

static int height(const json_t *tree, const char *table) { return count_rows(tree, table, ""); }

/* One column for each variable of both modes: no tension where the string is slack. Times, state
 * and speed of string_pendulum.c; the nail is the last row. */
TEST(test_union_of_modes)
{
    json_t *tree = parsed(0, "solve string_pendulum --method dopri5 --rtol 1e-11 --every 0.25 "
                          "--format json");
    const char *const names[] = {"t", "mode", "x", "y", "vx", "vy", "T", "T_recovered"};
    for (int i = 0; i < 8; i++)
        assert_int_equal(i, column_at(tree, "solution", names[i]));
    assert_string_equal("slack", text_at(tree, "provenance/problems/string_pendulum/modes/1"));
    assert_string_equal("DAE_EVENT", text_in(tree, "runs", "", "status"));
    assert_int_equal(6, height(tree, "solution"));              /* 0, 0.25, ... 1, and the nail */
    for (int r = 0; r < 6; r++) {
        const int taut = value(tree, "solution", r, "t") < 0.5045;
        assert_string_equal(taut ? "taut" : "slack", text(tree, "solution", r, "mode"));
        assert_int_equal(taut, isfinite(value(tree, "solution", r, "T")));
        assert_int_equal(taut, isfinite(value(tree, "solution", r, "T_recovered")));
    }
    assert_int_equal(2, height(tree, "events"));
    assert_string_equal("slack", text(tree, "events", 0, "event"));
    assert_string_equal("taut", text(tree, "events", 0, "mode_before"));
    assert_string_equal("slack", text(tree, "events", 0, "mode_after"));
    assert_close(value(tree, "events", 0, "t"), 0.504538550666297457, 1e-9);
    assert_close(value(tree, "events", 1, "t"), 1.12183197981094096, 1e-9);
    assert_close(hypot(value(tree, "events", 1, "vx_before"), value(tree, "events", 1, "vy_before")),
                 4.36492369730075009, 1e-9);
    assert_close(value(tree, "events", 1, "measure"), 0, 1e-9);
    assert_true(value(tree, "solution", 5, "t") == value(tree, "events", 1, "t"));
    assert_true(value(tree, "solution", 5, "vy") == value(tree, "events", 1, "vy_after"));
    assert_true(number_in(tree, "runs", "", "t_reached") == value(tree, "events", 1, "t"));
    json_decref(tree);
}

/* In minimal coordinates the angle exists while the string is taut, x and y while it is not. */
TEST(test_union_of_formulations)
{
    json_t *tree = parsed(0, "solve string_pendulum --form ode --method dop853 --rtol 1e-10 "
                          "--every 0.25 --format json");
    assert_true(column_at(tree, "solution", "theta") < column_at(tree, "solution", "omega"));
    assert_true(column_at(tree, "solution", "x") < column_at(tree, "solution", "omega"));
    assert_true(isfinite(value(tree, "solution", 0, "theta")) && isnan(value(tree, "solution", 0, "x")));
    assert_true(isnan(value(tree, "solution", 5, "theta")) && isfinite(value(tree, "solution", 5, "x")));
    assert_close(value(tree, "solution", 5, "t"), 1.12183197981094096, 1e-8);
    json_decref(tree);
}

/* With too much speed the bob misses the nail, and the run says by how much: the least distance on
 * the parabola from where the tension v0^2/L - 2 g + 3 g cos(theta) is zero. */
TEST(test_misses_the_nail)
{
    const double L = 1.1, g = 10, v0 = 6.6, c = -(v0 * v0 / L - 2 * g) / (3 * g);
    const double s = sqrt(1 - c * c), v = sqrt(v0 * v0 - 2 * g * L * (1 - c));
    double miss = L;
    for (double flight = 0.3; flight < 0.8; flight += 1e-6)
        miss = fmin(miss, hypot(L * s + v * c * flight,
                                -L * c + (v * s - g * flight / 2) * flight));
    json_t *tree = parsed(0, "solve string_pendulum --param v0=6.6 --method dopri5 --rtol 1e-11 "
                          "--format json");
    assert_string_equal("nail", text(tree, "events", 1, "event"));
    assert_string_equal("m", text(tree, "events", 1, "measure_unit"));
    assert_close(value(tree, "events", 1, "measure"), miss, 1e-8);
    assert_true(number_in(tree, "runs", "", "t_reached") > value(tree, "events", 1, "t"));
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve string_pendulum --param v0=6.6 --method dopri5 "
                                "--rtol 1e-11"));
    const char *said = strstr(cli_said.out, "nail at t = ");
    said = said ? strstr(said, "distance from the nail ") : NULL;
    assert_non_null(said);
    assert_close(strtod(said + strlen("distance from the nail "), NULL), miss, 1e-7);
}

/* The hits of box.c, of which the table shows forty; csv and json hold all, bit for bit. */
TEST(test_event_tables)
{
    json_t *tree = parsed(0, "solve box --method dopri5 --rtol 1e-12 --t-end 20 --samples 4 "
                          "--format json");
    const int count = height(tree, "events");
    assert_string_equal("ok", text_in(tree, "runs", "", "status"));
    assert_string_equal("ceiling", text(tree, "events", 0, "event"));
    assert_close(value(tree, "events", 0, "t"), 0.386356204334508288, 1e-10);
    assert_close(value(tree, "events", 19, "t"), 12.1992793290270791, 1e-10);
    assert_close(value(tree, "events", 19, "x_after"), 0.11330158528426386, 1e-9);
    assert_close(value(tree, "events", 19, "vy_after"), 2.9300789605394273, 1e-9);
    int limit = 20;
    while (limit + 1 < count && value(tree, "events", limit, "accumulated") == 0)
        limit++;
    assert_close(value(tree, "events", limit, "t"), 18.1747641063074449, 1e-9);
    assert_string_equal("sliding", text(tree, "events", limit, "mode_after"));
    assert_close(value(tree, "solution", 4, "N"), 9.807, 1e-9);
    assert_true(isnan(value(tree, "solution", 3, "N")));
    assert_int_equal(0, cli_run("", "solve box --method dopri5 --rtol 1e-12 --t-end 20 --samples 4 "
                                "--format csv --table events"));
    const char *line = cli_said.out;
    for (int i = 0; i < count; i++) {
        char *end;
        line = strstr(line, ",on,,,,,,") + strlen(",on,,,,,,");               /* behind the settings */
        assert_true(strtod(line, &end) == i + 1 && *end == ',');
        assert_true(strtod(end + 1, NULL) == value(tree, "events", i, "t"));
    }
    assert_null(strstr(line, ",on,,,,,,"));
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve box --method dopri5 --rtol 1e-12 --t-end 20"));
    assert_non_null(strstr(cli_said.out, "\n40  "));
    assert_null(strstr(cli_said.out, "\n41  "));
    assert_non_null(strstr(cli_said.out, "more events"));
    assert_non_null(strstr(cli_said.out, "vy- [m/s]"));
    assert_non_null(strstr(cli_said.out, "events accumulate at t = 18.1747641"));
    assert_non_null(strstr(cli_said.out, "mode sliding"));
}

/* Hits at 0.5, 1 and 1.25 s exactly: the row of that time shows the state after, the one before it
 * that of the arc before. Then they accumulate at 1.5 s, and that is no failure. */
TEST(test_rows_at_events)
{
    json_t *tree = parsed(0, "solve bouncing_ball --param g=8 --param e=0.5 --param h=1 --method "
                          "radau5 --rtol 1e-10 --every 0.25 --format json");
    const int last = height(tree, "solution") - 1;
    assert_int_equal(6, last);
    assert_int_equal(column_at(tree, "solution", "run"), 3);            /* behind t, y, w */
    const double w[] = {0, -2, 2, 0, 1, 0.5};
    for (int r = 0; r < 6; r++) {
        assert_close(value(tree, "solution", r, "t"), 0.25 * r, 1e-9);
        assert_close(value(tree, "solution", r, "w"), w[r], 1e-8);
    }
    assert_close(value(tree, "solution", 3, "y"), 0.25, 1e-9);
    assert_string_equal("DAE_ACCUMULATION", text_in(tree, "runs", "", "status"));
    assert_true(value(tree, "solution", last, "t") == number_in(tree, "runs", "", "t_reached"));
    assert_close(number_in(tree, "runs", "", "t_reached"), 1.5, 1e-3);
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve bouncing_ball --param g=8 --method radau5 "
                                "--rtol 1e-10"));
    assert_non_null(strstr(cli_said.out, "accumulate at t = 1.5"));
}

/* The first of the stops ends the run, whichever way it is passed: y = h - g t^2/2 is half of h. */
TEST(test_stop)
{
    json_t *tree = parsed(0, "solve bouncing_ball --method dopri5 --rtol 1e-10 --stop w=3 --stop "
                          "y=0.5 --format json");
    const double t = sqrt(1 / 9.81);
    assert_string_equal("DAE_EVENT", text_in(tree, "runs", "", "status"));
    assert_close(number_in(tree, "runs", "", "t_reached"), t, 1e-12);
    assert_int_equal(1, height(tree, "events"));
    assert_string_equal("y=0.5", text(tree, "events", 0, "event"));
    assert_close(value(tree, "solution", height(tree, "solution") - 1, "y"), 0.5, 1e-12);
    json_decref(tree);
    assert_int_equal(0, cli_run("", "solve bouncing_ball --method dopri5 --stop y=0.5"));
    assert_non_null(strstr(cli_said.out, "stopped by --stop y=0.5 at t = 0.31927"));
    assert_int_equal(0, cli_run("", "solve bouncing_ball --method dopri5 --stop y=7 --t-end 1"));
    assert_null(strstr(cli_said.out, "stopped"));
}

/* Multipliers and minimal coordinates may be asked for in any formulation; a problem without events
 * has some then. T = m (v0^2/L - 2 g + 3 g cos(theta)), y = -L cos(theta). */
TEST(test_stop_of_others)
{
    json_t *tree = parsed(0, "solve string_pendulum --method radau5 --rtol 1e-10 --stop T=20 "
                          "--format json");
    const double v0 = 6.40722708222969496, cosine = (20 - v0 * v0 / 1.1 + 20) / 30;
    assert_close(value(tree, "events", 0, "y_before"), -1.1 * cosine, 1e-9);
    json_decref(tree);
    for (int k = 0; k < 2; k++) {
        tree = parsed(0, k ? "solve pendulum --form ode --method dopri5 --rtol 1e-9 --stop "
                      "theta=0.1 --format json"
                      : "solve pendulum --form index2 --method radau5 --rtol 1e-9 --stop "
                      "theta=0.1 --format json");
        assert_close(value(tree, "events", 0, "x_after"), 5 * sin(0.1), 1e-7);
        json_decref(tree);
    }
    tree = parsed(0, "solve chain --param N=3 --method dop853 --rtol 1e-8 --stop y3=-1 "
                  "--format json");
    assert_close(value(tree, "events", 0, "y3_before"), -1, 1e-9);
    json_decref(tree);
}

/* An angle goes on past pi: a pendulum that turns over passes 4 rad. */
TEST(test_stop_of_an_angle)
{
    json_t *tree = parsed(0, "solve string_pendulum --param v0=12 --method dopri5 --rtol 1e-9 "
                          "--stop theta=4 --format json");
    assert_string_equal("theta=4", text(tree, "events", 0, "event"));
    assert_close(value(tree, "events", 0, "x_before"), 1.1 * sin(4), 1e-7);
    assert_close(value(tree, "events", 0, "y_before"), -1.1 * cos(4), 1e-7);
    json_decref(tree);
}

/* Too many events is a failure that keeps what came before. */
TEST(test_limits)
{
    json_t *tree = parsed(1, "solve box --method dopri5 --rtol 1e-9 --max-events 5 --samples 700 "
                          "--format json");
    assert_int_equal(5, height(tree, "events"));
    assert_close(number_at(at(tree, "options"), "max_events"), 5, 0);
    assert_string_equal("DAE_MAX_EVENTS", text_in(tree, "runs", "", "status"));
    assert_close(number_in(tree, "runs", "", "t_reached"), 3.02921053174977767, 1e-8);      /* of the sixth */
    assert_int_equal(5, height(tree, "solution"));  /* 0, 1, 2, 3 and there */
    json_decref(tree);
    json_t *early = parsed(0, "solve bouncing_ball --method dopri5 --accumulation 0.1 "
                           "--format json");
    json_t *late = parsed(0, "solve bouncing_ball --method dopri5 --accumulation 1e-6 "
                          "--format json");
    assert_true(height(early, "events") < height(late, "events"));
    json_decref(early);
    json_decref(late);
}

/* With events steps are chosen whatever the method, unless a step is given. */
TEST(test_chosen_steps)
{
    json_t *tree = parsed(0, "solve string_pendulum --method dopri5 --format json");
    assert_true(isnan(number_in(tree, "runs", "", "step")));
    assert_true(number_in(tree, "runs", "", "rtol") == 1e-6);
    assert_close(number_in(tree, "runs", "", "t_reached"), 1.121831979810940956, 1e-6);
    json_decref(tree);
    tree = parsed(0, "solve string_pendulum --method dopri5 --step 0.01 --format json");
    assert_true(number_in(tree, "runs", "", "step") == 0.01);
    json_decref(tree);
}

TEST(test_wrong_stops)
{
    static const struct { const char *arguments, *said; } wrong[] = {
        {"solve string_pendulum --stop xx=1", "no unknown 'xx'"},
        {"solve string_pendulum --stop thta=1", "did you mean theta"},
        {"solve box --stop Nn=1", "did you mean N"},
        {"solve box --stop x", "NAME=VALUE"},
        {"solve box --stop =1", "NAME=VALUE"},
        {"solve box --stop x=", "NAME=VALUE"},
        {"solve box --stop x=1m", "finite number"},
        {"solve box --stop x=inf", "finite number"},
        {"solve box --max-events 0", "--max-events 0"},
        {"solve box --accumulation -1", "--accumulation -1"},
        {"solve box --accumulation 1", "between 0 and 1"},
        {"solve box --stop x=1 --stop x=1 --stop x=1 --stop x=1 --stop x=1 --stop x=1 --stop x=1 "
         "--stop x=1 --stop x=1", "more than 8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "%s --method dopri5", wrong[i].arguments);
        assert_int_equal(2, cli_run("", arguments));
        assert_string_equal("", cli_said.out);
        if (!strstr(cli_said.err, wrong[i].said))
            fail_msg("%s: '%s' does not say %s", arguments, cli_said.err, wrong[i].said);
    }
}

TEST(test_told_by_info)
{
    json_t *tree = parsed(0, "info box --json");
    assert_string_equal("flight", text_at(tree, "modes/0/mode"));
    assert_string_equal("sliding", text_at(tree, "modes/1/mode"));
    assert_string_equal("floor", text_at(tree, "modes/0/events/0/event"));
    assert_string_equal("falling", text_at(tree, "modes/0/events/0/direction"));
    assert_string_equal("sliding", text_at(tree, "modes/0/events/0/limit"));
    json_decref(tree);
    tree = parsed(0, "info bouncing_ball --json");
    assert_string_equal("floor", text_at(tree, "events/0/event"));
    json_decref(tree);
    assert_int_equal(0, cli_run("", "info box"));
    assert_non_null(strstr(cli_said.out, "-> sliding"));
    assert_int_equal(0, cli_run("", "list problems --format csv"));
    assert_non_null(strstr(cli_said.out, "taut slack"));
}

int main(void) { return run_all(cli_begin, cli_end); }
