/* test_no_events.c - --no-events: the equations of the first mode throughout, and the result says so */
#include "catalogue/events_off.h"
#include "cli_json.h"

/* The solution of bouncing_ball falls through its floor. */
TEST(test_solve)
{
    json_t *tree = parsed(0, "solve bouncing_ball --no-events --rtol 1e-8 --samples 4 --format json");
    const double t = number_in(tree, "solution", "#4", "t"), y = number_in(tree, "solution", "#4", "y");
    assert_close(y, number_at(tree, "parameters/h") - number_at(tree, "parameters/g") * t * t / 2, 1e-6);
    assert_true(y < 0);
    assert_string_equal(text_at(tree, "options/events"), "off");
    assert_non_null(strstr(text_at(tree, "remarks/0/text"), "floor"));
    assert_non_null(strstr(text_at(tree, "remarks/0/text"), "another problem"));
    assert_non_null(strstr(cli_said.err, "events are off"));
    json_decref(tree);
}

/* Commands that compare with a reference take it, too, alone and in a list; the rope that pulls only with its
 * event pushes without it. */
TEST(test_studies)
{
    assert_int_equal(cli_run("", "scale string_pendulum --method radau5 --form index1"), 2);
    assert_non_null(strstr(cli_said.err, "--no-events"));
    json_t *tree = parsed(0, "converge string_pendulum --no-events --method cros --form index1 --format json");
    assert_string_equal(text_at(tree, "options/events"), "off");
    json_decref(tree);
    tree = parsed(0, "bench pendulum,string_pendulum --no-events --form index1 --method radau --rtol 1e-6 "
                     "--levels 1 --runs 1 --format json");
    assert_string_equal(text_in(tree, "work", "#1", "problem"), "string_pendulum");
    assert_true(number_in(tree, "work", "#1", "mescd") > 5);
    json_decref(tree);
    tree = parsed(0, "bench string_pendulum --no-events --digits --format json");
    assert_int_equal(1, json_array_size(json_object_get(tree, "remarks")));
    json_decref(tree);
    tree = parsed(0, "drift string_pendulum --no-events --form index1 --method rk4 --format json");
    assert_non_null(strstr(text_at(tree, "remarks/0/text"), "slack"));
    json_decref(tree);
}

/* An option that does nothing is a mistake. */
TEST(test_refusals)
{
    assert_int_equal(cli_run("", "solve pendulum --no-events"), 2);
    assert_non_null(strstr(cli_said.err, "no events"));
    assert_int_equal(cli_run("", "bench pendulum,kepler --no-events"), 2);
    assert_int_equal(cli_run("", "solve bouncing_ball --no-events --max-events 3"), 2);
    assert_non_null(strstr(cli_said.err, "leave one of them out"));
    assert_int_equal(cli_run("", "check bouncing_ball --no-events"), 2);
}

static const dae_event quiet[] = {{.name = "peak"}, {.name = NULL}};
static const dae_event loud[] = {{.name = "peak"}, {.name = "hit", .mode = "down"}, {.name = NULL}};

/* Events that only look are no other problem. */
TEST(test_words)
{
    const dae_problem plain = {.name = "plain"}, looks = {.name = "looks", .events = quiet},
                      acts = {.name = "acts", .events = loud};
    char words[256];
    assert_ptr_equal(events_off(&plain), &plain);
    assert_false(events_off_words(&plain, words, sizeof words));
    assert_false(events_off_words(&looks, words, sizeof words));
    const dae_problem *without = events_off(&looks);
    assert_null(without->events);
    assert_ptr_equal(events_off(&looks), without);
    assert_ptr_equal(events_off_origin(without), &looks);
    assert_true(events_off_words(without, words, sizeof words));
    assert_string_equal(words, "events are off: peak is not looked for");
    assert_true(events_off_words(events_off(&acts), words, sizeof words));
    assert_non_null(strstr(words, ": hit leaves"));
    assert_non_null(strstr(words, "another problem"));
}

int main(void) { return run_all(cli_begin, cli_end); }
