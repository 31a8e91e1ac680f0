/* test_runner.c - a study is evaluated in rounds, and is the same by any number of processes */
#include "fake_cells.h"

#include <time.h>

enum { CHAINS = 4, LEVELS = 5 };

/* The first of all comes after some others where there are several processes. */
static void nap(int number)
{
    const struct timespec moment = {.tv_nsec = number == 0 ? 60000000 : 5000000};
    nanosleep(&moment, NULL);
}

/* Ask once; is it answered? */
static int ask_once(runner *r, int number, void (*act)(int number), int timed)
{
    const fake f = {.number = number, .act = act, .timed = timed};
    const runner_reply reply = fake_ask_once(r, &f);
    json_decref(reply.answer);
    return reply.end == RUNNER_ANSWERED;
}

/* Ladders of which each level is asked for once the one before is known. The number of rounds. */
static int climb(runner *r)
{
    for (int rounds = 1;; rounds++) {
        const long open = runner_open(r);
        for (int c = 0; c < CHAINS; c++)
            for (int i = 0; i < LEVELS && ask_once(r, LEVELS * c + i, nap, 0); i++)
                continue;
        if (runner_open(r) == open)
            return rounds;
        runner_next_round(r);
    }
}

/* By one process or by three: each cell once, in as many rounds, and the file holds the same. */
TEST(test_any_number)
{
    char *serial = NULL;
    for (int jobs = 1; jobs <= 3; jobs++) {
        fake_clear(NULL);
        runner *r = fake_runner(jobs);
        assert_int_equal(climb(r), LEVELS + 1);
        fake_finish(r, 1);
        for (int i = 0; i < CHAINS * LEVELS; i++)
            if (fake_count[i] != 1)
                fail_msg("%d processes computed cell %d %d times", jobs, i, fake_count[i]);
        char *lines = kept_lines(fake_path);
        if (serial)
            assert_string_equal(lines, serial);
        free(serial);
        serial = lines;
    }
    free(serial);
}

/* Without a file, and without a runner. */
TEST(test_without)
{
    const runner_options none = {.jobs = 1};
    runner *r;
    assert_int_equal(runner_create(&r, &none, NULL), DAE_OK);
    fake_answered(r, 0);
    fake_answered(r, 0);
    assert_int_equal(fake_count[0], 1);
    fake_finish(r, 1);
    fake_answered(NULL, 1);
    assert_int_equal(runner_open(NULL), 0);
    runner_next_round(NULL);
}

static volatile int *together;

static void meet(int number)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    (void)number;
    __atomic_fetch_add(together, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 3000 && *together < 2; i++)
        nanosleep(&moment, NULL);
}

/* Two processes are there at the same time: each waits for the other. */
TEST(test_two_at_once)
{
    together = fake_count + FAKE_CELLS - 1;
    runner *r = fake_runner(2);
    assert_false(ask_once(r, 0, meet, 0));
    assert_false(ask_once(r, 1, meet, 0));
    runner_next_round(r);
    assert_true(ask_once(r, 0, meet, 0) && ask_once(r, 1, meet, 0));
    assert_int_equal(*together, 2);
    fake_finish(r, 1);
}

/* Asked for twice in a round, it is computed once, and known in the next one only, however fast it was. */
TEST(test_twice)
{
    runner *r = fake_runner(1);
    assert_false(ask_once(r, 0, NULL, 0));
    assert_false(ask_once(r, 1, nap, 0));               /* it waits until the first is over */
    assert_false(ask_once(r, 0, NULL, 0));
    assert_int_equal(runner_open(r), 3);
    runner_next_round(r);
    assert_true(ask_once(r, 0, NULL, 0));
    assert_int_equal(fake_count[0], 1);
    fake_finish(r, 1);
}

/* A timed cell is computed in a round in which nothing else is, and answered in that. */
TEST(test_timed)
{
    runner *r = fake_runner(2);
    assert_false(ask_once(r, 0, NULL, 1));
    assert_false(ask_once(r, 1, NULL, 0));
    runner_next_round(r);
    assert_int_equal(fake_count[0], 0);
    assert_false(ask_once(r, 0, NULL, 1));
    assert_true(ask_once(r, 1, NULL, 0));
    runner_next_round(r);
    assert_true(ask_once(r, 0, NULL, 1));
    assert_true(ask_once(r, 2, NULL, 1));
    assert_false(ask_once(r, 3, NULL, 0));
    assert_int_equal(fake_count[3], 0);
    runner_next_round(r);
    assert_false(ask_once(r, 3, NULL, 0));
    runner_next_round(r);
    assert_true(ask_once(r, 3, NULL, 0));
    for (int i = 0; i < 4; i++)
        assert_int_equal(fake_count[i], 1);
    fake_finish(r, 1);
}

typedef struct { int begun, runs; double work; } heard;

static void hear(void *context, const runner_news *news)
{
    heard *h = context;
    h->begun += news->begun && strcmp(news->begun, "fake") == 0;
    h->runs += news->work > 0;
    h->work += news->work;
}

/* What is told of the runs: each that is computed once, and each that was known before when it is asked for. */
TEST(test_news)
{
    for (int again = 0; again < 2; again++) {
        heard h = {0};
        runner *r = fake_runner(2);
        runner_watch(r, hear, &h);
        climb(r);
        climb(r);
        assert_int_equal(h.begun, again ? 0 : CHAINS * LEVELS);
        assert_int_equal(h.runs, CHAINS * LEVELS);
        assert_true(h.work == CHAINS * LEVELS * FAKE_WORK);
        fake_finish(r, 1);
    }
}

int main(void) { return run_tests_of(__FILE__, fake_clear, fake_begin, fake_end); }
