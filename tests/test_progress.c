/* test_progress.c - the line that shows how far studies are: counts that never fall, a time left that means
 * something */
#include "cli_says.h"
#include "on_terminal.h"

#include "progress/progress.h"

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

/* Studies of all kinds, with levels that are added and left out. */
TEST(test_never_shrinks)
{
    uint64_t seed = 1969;
    char line[PROGRESS_LINE];
    for (int plan = 0; plan < 200; plan++) {
        progress p;
        const int items = 1 + draw(&seed, 20);
        int done = 0, total = 0;
        progress_start(&p, 1);
        for (int i = 0; i < items; i++) {
            const int runs = draw(&seed, 40);
            progress_item(&p, (i + 1.0) / items, "a_problem_with_a_name_that_is_too_long_for_any_line");
            progress_begin(&p, 0);
            progress_run(&p, "reference", "in quad precision to t =", 1);
            progress_end(&p);
            progress_begin(&p, runs);
            progress_work(&p, runs);
            for (int k = 0; k < runs; k++) {
                progress_next(&p, 1);
                progress_run(&p, "baumgarte", "rodas5p", 1e-3);
                progress_part(&p, 0.5);
                assert_true(p.done >= done && p.total >= total && p.done <= p.total);
                done = p.done;
                total = p.total;
                assert_in_range(strlen(progress_line(&p, line)), 1, PROGRESS_LINE - 1);
                if (draw(&seed, 8) == 0)
                    progress_skip(&p, -draw(&seed, 3));
                if (draw(&seed, 12) == 0 && k + 1 < runs) {
                    progress_skip(&p, runs - k - 1);
                    break;
                }
            }
            progress_end(&p);
        }
        assert_true(p.done <= p.total);
    }
}

TEST(test_line)
{
    progress p;
    char line[PROGRESS_LINE];
    progress_start(&p, 1);
    progress_item(&p, 1, "");
    progress_begin(&p, 0);
    progress_run(&p, "reference", "in quad precision to t =", 2);
    progress_part(&p, 0.37);
    assert_string_equal(progress_line(&p, line), "reference in quad precision to t = 2  37 %");
    progress_begin(&p, 3);
    progress_run(&p, "index3", "cros", 0.005);
    assert_string_equal(progress_line(&p, line), "[1/3] index3 cros 0.005");
    progress_at_once(&p, 2, 1);
    progress_skip(&p, 1);
    progress_run(&p, "index3", "cros", 0.0025);
    assert_string_equal(progress_line(&p, line), "[3/3] index3 cros 0.0025, 2 at once");
    progress_item(&p, 0.5, "kepler");
    progress_begin(&p, 5);
    progress_run(&p, "native", "rk4", 1);
    assert_string_equal(progress_line(&p, line), "[4/16] kepler native rk4 1, 2 at once");
    progress_at_once(&p, 2, 9);                         /* cells before their turn */
    assert_string_equal(progress_line(&p, line), "[8/16] kepler native rk4 1, 2 at once");     /* one was a reference */
    progress_at_once(&p, 0, 99);
    assert_string_equal(progress_line(&p, line), "[16/16] kepler native rk4 1");
}

/* Serial runs of a second: the time left stands there, with the cell of a reference before them. */
TEST(test_time_is_told)
{
    progress p;
    char line[PROGRESS_LINE];
    progress_start(&p, 1);
    progress_begin(&p, 0);
    progress_run(&p, "reference", "in quad precision to t =", 2);
    progress_at_once(&p, 1, 1);
    progress_begin(&p, 20);
    progress_work(&p, 20);
    for (int i = 0; i < 5; i++) {
        progress_next(&p, 1);
        progress_run(&p, "native", "ida", 1e-3);
        p.begun -= 2000;                                /* it began two seconds ago */
        progress_at_once(&p, 1, 2 + i);
    }
    progress_next(&p, 1);
    progress_run(&p, "native", "ida", 1e-3);
    assert_string_equal(progress_line(&p, line), "[6/20] native ida 0.001, about 30 s left");
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

int main(void) { return run_all(cli_begin, cli_end); }
