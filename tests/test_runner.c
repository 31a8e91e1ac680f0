/* test_runner.c - cells are answered the same by any number of processes */
#include "fake_cells.h"

#include <time.h>

enum { GROUPS = 4, OF_GROUP = 5 };

typedef struct {
    runner *r;
    int from, to;               /* cells */
} range;

/* The first of all comes after some others where there are several processes. */
static void nap(int number)
{
    const struct timespec moment = {.tv_nsec = number == 0 ? 60000000 : 5000000};
    nanosleep(&moment, NULL);
}

static void ask_range(void *context)
{
    const range *w = context;
    for (int i = w->from; i < w->to; i++) {
        const fake f = {.number = i, .act = nap};
        json_decref(fake_ask(w->r, &f).answer);
    }
}

/* Groups of single cells and one job that asks for all of its group; then all of them in order. */
static void study(int jobs)
{
    range work[GROUPS][OF_GROUP];
    runner *r = fake_runner(jobs);
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < OF_GROUP; i++) {
            const int cell = OF_GROUP * g + i, last = i == OF_GROUP - 1;
            work[g][i] = (range){r, last ? OF_GROUP * g : cell, cell + 1};
            runner_expect(r, work, g, ask_range, &work[g][i]);
        }
    for (int i = 0; i < GROUPS * OF_GROUP; i++)
        fake_answered(r, i);
    runner_settle(r, work);
    fake_finish(r, 1);
}

/* By one process or by three: each cell once, and the journal holds the same. */
static void test_any_number(void **state)
{
    (void)state;
    char *serial = NULL;
    for (int jobs = 1; jobs <= 3; jobs++) {
        fake_clear(NULL);
        study(jobs);
        for (int i = 0; i < GROUPS * OF_GROUP; i++)
            if (fake_count[i] != 1)
                fail_msg("%d processes computed cell %d %d times", jobs, i, fake_count[i]);
        char *lines = fake_lines(fake_path);
        if (serial)
            assert_string_equal(lines, serial);
        free(serial);
        serial = lines;
    }
    free(serial);
}

/* Without a journal, and without a runner. */
static void test_without(void **state)
{
    (void)state;
    const runner_options none = {.jobs = 1};
    runner *r;
    assert_int_equal(runner_create(&r, &none, NULL), DAE_OK);
    fake_answered(r, 0);
    fake_answered(r, 0);
    assert_int_equal(fake_count[0], 1);
    fake_finish(r, 1);
    fake_answered(NULL, 1);
    runner_expect(NULL, NULL, 0, ask_range, NULL);
    runner_settle(NULL, NULL);
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

typedef struct {
    runner *r;
    fake f;
} single;

static void ask_single(void *context)
{
    const single *s = context;
    json_decref(fake_ask(s->r, &s->f).answer);
}

/* Two processes are there at the same time: each waits for the other. */
static void test_two_at_once(void **state)
{
    (void)state;
    together = fake_count + FAKE_CELLS - 1;
    runner *r = fake_runner(2);
    single work[2];
    for (int i = 0; i < 2; i++) {
        work[i] = (single){r, {.number = i, .act = meet}};
        runner_expect(r, work, i, ask_single, &work[i]);
    }
    fake_answered(r, 0);
    fake_answered(r, 1);
    assert_int_equal(*together, 2);
    fake_finish(r, 1);
}

/* Computed by two at once, it has one answer. */
static void test_twice_at_once(void **state)
{
    (void)state;
    int lines = 0;
    together = fake_count + FAKE_CELLS - 1;
    runner *r = fake_runner(2);
    single work = {r, {.number = 0, .act = meet}};
    for (int i = 0; i < 2; i++)
        runner_expect(r, &work, i, ask_single, &work);
    fake_answered(r, 1);                                /* not expected: after both */
    assert_int_equal(fake_count[0], 2);
    fake_finish(r, 0);
    char *text = fake_text(fake_path);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    free(text);
    assert_int_equal(lines, 3);
}

/* A timed cell is not computed by a job, while others may run, unless jobs were chosen. */
static void test_timed(void **state)
{
    (void)state;
    for (int chosen = 0; chosen < 2; chosen++) {
        const runner_options options = {.jobs = 2, .jobs_chosen = chosen};
        runner *r;
        fake_clear(NULL);
        assert_int_equal(runner_create(&r, &options, NULL), DAE_OK);
        single timed = {r, {.number = 0, .timed = 1}};
        runner_expect(r, &timed, 0, ask_single, &timed);
        fake_answered(r, 1);                            /* not expected: after the job */
        assert_int_equal(fake_count[0], chosen);
        const runner_reply reply = fake_ask(r, &timed.f);
        assert_int_equal(reply.end, RUNNER_ANSWERED);
        assert_int_equal(fake_count[0], 1);
        json_decref(reply.answer);
        fake_finish(r, 1);
    }
}

/* Jobs of the owner who came last go first, and settling one leaves the others'. */
static void test_owners(void **state)
{
    (void)state;
    runner *r = fake_runner(1);
    range plan = {r, 0, 1}, item = {r, 1, 2}, dropped = {r, 2, 3};
    runner_expect(r, &plan, 0, ask_range, &plan);
    runner_expect(r, &item, 0, ask_range, &item);
    runner_expect(r, &item, 1, ask_range, &dropped);
    fake_answered(r, 1);
    assert_int_equal(fake_count[0], 0);
    runner_settle(r, &item);
    fake_answered(r, 3);
    assert_int_equal(fake_count[0], 1);
    assert_int_equal(fake_count[2], 0);
    fake_finish(r, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_any_number), FAKE_TEST(test_without), FAKE_TEST(test_two_at_once),
        FAKE_TEST(test_twice_at_once), FAKE_TEST(test_timed), FAKE_TEST(test_owners),
    };
    return cmocka_run_group_tests(tests, fake_begin, fake_end);
}
