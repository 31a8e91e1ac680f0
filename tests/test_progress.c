/* test_progress.c - the line that shows how far studies are: counts that never fall, a time left that means
 * something */
#include "cli_says.h"
#include "on_terminal.h"

#include "cli/progress.h"

/* ---- time left */

TEST(test_linear)
{
    time_left t = {0};
    char words[TIME_LEFT];
    for (int i = 0; i < 8; i++) {
        const double work = pow(2, i);
        time_left_add(&t, work, 0.3 + 0.01 * work);
        assert_int_equal(!isnan(time_left_of(&t, 3, 100)), t.runs >= 4 && t.seconds >= 3);
    }
    assert_close(time_left_of(&t, 5, 4000), 5 * 0.3 + 0.01 * 4000, 1e-9);
    assert_close(time_left_of(&t, 0, 0), 0, 0);
    assert_string_equal(time_left_words(time_left_of(&t, 5, 4000), words), "about 45 s left");
    assert_string_equal(time_left_words(2, words), "");
    assert_string_equal(time_left_words(NAN, words), "");
    assert_string_equal(time_left_words(600, words), "about 10 min left");
    assert_string_equal(time_left_words(9000, words), "about 2.5 h left");
}

/* All of one size: the mean. Neither part is below 0, whatever the scatter. */
TEST(test_scatter)
{
    time_left even = {0}, falling = {0}, steep = {0};
    for (int i = 0; i < 6; i++) {
        time_left_add(&even, 1, i % 2 ? 1 : 3);
        time_left_add(&falling, i, 7 - i);
        time_left_add(&steep, 10 + i, 1 + 2 * i);
    }
    assert_close(time_left_of(&even, 10, 10), 20, 1e-9);
    assert_close(time_left_of(&falling, 2, 0), 9, 1e-9);
    assert_true(time_left_of(&falling, 0, 10) >= 0);
    assert_true(time_left_of(&steep, 10, 0) >= 0);
    assert_true(time_left_of(&steep, 0, 100) > 0);
}

/* What was answered at once before is not what runs take. */
TEST(test_resumed)
{
    time_left t = {0};
    for (int i = 0; i < 100; i++)
        time_left_add(&t, 1, 1e-5);
    for (int i = 0; i < 5; i++)
        time_left_add(&t, 1, 2);
    assert_close(time_left_of(&t, 10, 10), 20, 1e-9);
}

/* ---- counts */

/* 0 to less than so many, from a seed (Knuth's MMIX generator). */
static int draw(uint64_t *seed, int below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((*seed >> 33) % (uint64_t)below);
}

/* Rounds of studies of all kinds, with levels that are added and left out. */
TEST(test_never_shrinks)
{
    uint64_t seed = 1969;
    char line[PROGRESS_LINE];
    for (int plan = 0; plan < 200; plan++) {
        progress p;
        const int items = 1 + draw(&seed, 20), runs = draw(&seed, 40);
        int done = 0, total = 0;
        progress_start(&p, 1);
        for (int round = 0; round < 4; round++)
            for (int i = 0; i < items; i++) {
                progress_item(&p, (i + 1.0) / items, "a_problem_with_a_name_that_is_too_long_for_any_line");
                progress_plan(&p, runs + round, runs);
                if (draw(&seed, 4) == 0)
                    progress_plan(&p, -draw(&seed, 3), 0);
                for (int k = 0; k < draw(&seed, 10); k++) {
                    progress_hear(&p, 1 + draw(&seed, 4), "baumgarte rodas5p 0.001", 0, 0);
                    progress_hear(&p, draw(&seed, 4), NULL, 1, 0.5);
                    progress_part(&p, 0.5);
                    assert_true(p.done >= done && p.total >= total && p.done <= p.total);
                    done = p.done;
                    total = p.total;
                    assert_in_range(strlen(progress_line(&p, line)), 1, PROGRESS_LINE - 1);
                }
                progress_end(&p);
            }
    }
}

TEST(test_line)
{
    progress p;
    char line[PROGRESS_LINE];
    progress_start(&p, 1);
    progress_item(&p, 1, "");
    progress_hear(&p, 1, "reference in quad precision to t = 2", 0, 0);
    progress_part(&p, 0.37);
    assert_string_equal(progress_line(&p, line), "reference in quad precision to t = 2  37 %");
    progress_hear(&p, 0, NULL, 0, 0);
    progress_item(&p, 1, "");                           /* the next round */
    progress_plan(&p, 3, 3);
    progress_hear(&p, 1, "index3 cros 0.005", 0, 0);
    assert_string_equal(progress_line(&p, line), "[1/3] index3 cros 0.005");
    progress_hear(&p, 2, "index3 cros 0.0025", 0, 0);
    assert_string_equal(progress_line(&p, line), "[2/3] index3 cros 0.0025, 2 at once");
    progress_hear(&p, 0, NULL, 1, 0.1);
    progress_hear(&p, 0, NULL, 1, 0.1);
    progress_item(&p, 1, "");
    progress_plan(&p, 3, 3);
    progress_plan(&p, -1, -1);                          /* the third is left out */
    assert_string_equal(progress_line(&p, line), "[3/3] index3 cros 0.0025");
    progress_item(&p, 0.25, "kepler");
    progress_plan(&p, 5, 5);
    progress_hear(&p, 1, "native rk4 1", 0, 0);
    assert_string_equal(progress_line(&p, line), "[3/20] kepler native rk4 1");
    for (int i = 0; i < 8; i++)
        progress_hear(&p, 2, NULL, 1, 0);               /* known from before */
    assert_string_equal(progress_line(&p, line), "[12/20] kepler native rk4 1, 2 at once");
}

/* The time left stands there, for so many processes. */
TEST(test_time_is_told)
{
    progress p;
    char line[PROGRESS_LINE];
    progress_start(&p, 1);
    progress_hear(&p, 1, "reference in quad precision to t = 2", 0, 0);
    progress_hear(&p, 0, NULL, 0, 3);
    progress_plan(&p, 20, 20);
    for (int i = 0; i < 5; i++)
        progress_hear(&p, 1, "native ida 0.001", 1, 2);
    assert_string_equal(progress_line(&p, line), "[6/20] native ida 0.001, about 30 s left");
    progress_hear(&p, 3, "native ida 0.001", 1, 2);
    assert_string_equal(progress_line(&p, line), "[9/20] native ida 0.001, 3 at once, about 10 s left");
}

/* ---- the program */

/* The counts on the line, one after another, never fall; how many of them there were. */
static int counts(const char *text)
{
    int seen = 0, done = 0, total = 0;
    for (; (text = strchr(text, '[')); text++) {
        int now, all;
        if (sscanf(text, "[%d/%d]", &now, &all) != 2)
            continue;
        if (now < done || all < total || now > all)
            fail_msg("[%d/%d] behind [%d/%d]", now, all, done, total);
        done = now;
        total = all;
        seen++;
    }
    return seen;
}

TEST(test_on_terminal)
{
    assert_int_equal(0, terminal_run(60, 1, "", "converge pendulum,kepler,predator_prey --method cros,radau5 --jobs "
                                                "1"));
    assert_true(counts(cli_said.out) > 3);
    assert_in_range(terminal_widest(cli_said.out), 30, 60);
    says(cli_said.out, "reference in quad");
    assert_int_equal(0, terminal_run(80, 1, "", "converge pendulum --method cros,radau9 --jobs 2 --fresh"));
    assert_true(counts(cli_said.out) > 2);
    says(cli_said.out, "2 at once");
    assert_int_equal(0, terminal_run(60, 1, "", "converge pendulum --method cros,radau5 -q --no-cache"));
    assert_int_equal(counts(cli_said.out), 0);
    assert_null(strstr(cli_said.out, "reference in quad precision to"));
}

int main(void) { return run_all(cli_begin_empty_cache, cli_end); }
