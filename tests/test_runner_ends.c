/* test_runner_ends.c - a process that crashes, hangs, eats memory or leaves is an end of its cell alone */
#include "fake_cells.h"

#include "host/allocate.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static volatile double zero;

static void divide(int number)
{
    (void)number;
    raise(SIGFPE);
}

/* Such a process is the first to be ended where memory is short. */
static void fault(int number)
{
    char text[16] = "";
    (void)number;
    FILE *file = fopen("/proc/self/oom_score_adj", "r");
    if (!file || !fgets(text, sizeof text, file) || atoi(text) != 1000)
        _exit(1);
    fclose(file);
    raise(SIGSEGV);
}

static void give_up(int number)
{
    (void)number;
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
}

static void leave(int number)
{
    (void)number;
    _exit(7);
}

static void spin(int number)
{
    (void)number;
    for (;;)
        zero += 1;
}

static void sleep_on(int number)
{
    (void)number;
    for (;;)
        pause();
}

static char *volatile eaten;            /* what nobody looks at a compiler may leave out */

static void eat(int number)
{
    (void)number;
    for (;;) {
        char *piece = malloc(1 << 20);
        if (piece)
            memset(piece, 1, 1 << 20);
        eaten = piece;
    }
}

/* More than there is. */
__attribute__((unused)) static void want_all(int number)
{
    (void)number;
    eaten = allocate(SIZE_MAX / 4, 1);
}

typedef struct {
    void (*act)(int number);
    runner_limits limits;
    runner_end end;
    const char *says;
} ending;

static const ending endings[] = {
    {divide, {0, 0}, RUNNER_KILLED, "killed by SIGFPE"},
    {fault, {0, 0}, RUNNER_KILLED, "killed by SIGSEGV"},
    {give_up, {0, 0}, RUNNER_KILLED, "killed by SIGABRT"},
    {leave, {0, 0}, RUNNER_KILLED, "with exit status 7"},
    {spin, {0.1, 0}, RUNNER_TIME, "more than 0.1 s"},
    {sleep_on, {0.1, 0}, RUNNER_TIME, "more than 0.1 s"},
#ifndef SANITIZED
    {want_all, {0, 0}, RUNNER_MEMORY, "out of memory"}, /* a sanitizer's malloc ends the process by itself */
#endif
    {eat, {0, 30 << 20}, RUNNER_MEMORY, "more than 30 MB"},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static void check_end(runner *r, int number)
{
    const ending *e = &endings[number];
    const fake f = {number, e->act, e->limits, 0};
    const runner_reply reply = fake_ask(r, &f);
    if (reply.end != e->end || !strstr(reply.reason, e->says) || reply.answer)
        fail_msg("cell %d: %s, \"%s\"", number, runner_end_names[reply.end], reply.reason);
}

/* Each is an end of its own cell; the others are unharmed. What ended is kept. */
TEST(test_ends)
{
    runner *r = fake_runner(1);
    for (int i = 0; i < ENDINGS; i++) {
        check_end(r, i);
        fake_answered(r, ENDINGS + i);
    }
    fake_finish(r, 1);
    for (int i = 0; i < 2 * ENDINGS; i++)
        if (fake_count[i] != 1)
            fail_msg("cell %d was computed %d times", i, fake_count[i]);
    r = fake_runner(1);
    for (int i = 0; i < ENDINGS; i++)
        check_end(r, i);
    fake_finish(r, 0);
    for (int i = 0; i < ENDINGS; i++)                   /* what the machine lacked it may have now */
        assert_int_equal(fake_count[i], endings[i].act == want_all ? 2 : 1);
}

/* The first time it does not end. */
static void hang_once(int number)
{
    while (fake_count[number] < 2)
        pause();
}

/* An end at a limit stands at smaller ones, and is tried again at larger ones; an answer stands always. */
TEST(test_larger_limits)
{
    const runner_limits limits[] = {{0.05, 0}, {0.04, 0}, {0.05, 1e9}, {0, 0}, {0.01, 0}};
    const runner_end ends[] = {RUNNER_TIME, RUNNER_TIME, RUNNER_TIME, RUNNER_ANSWERED, RUNNER_ANSWERED};
    const int counts[] = {1, 1, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
        runner *r = fake_runner(1);
        const fake f = {0, hang_once, limits[i], 0};
        const runner_reply reply = fake_ask(r, &f);
        assert_int_equal(reply.end, ends[i]);
        assert_int_equal(fake_count[0], counts[i]);
        json_decref(reply.answer);
        fake_finish(r, 1);
    }
}

static void die_by_kill(int number)
{
    if (fake_count[number] == 1)
        raise(SIGKILL);
}

/* Killed from outside: today that is its end; another day it is tried again. */
TEST(test_killed_from_outside)
{
    const fake f = {.act = die_by_kill};
    runner *r = fake_runner(1);
    for (int i = 0; i < 2; i++) {
        const runner_reply reply = fake_ask(r, &f);
        assert_int_equal(reply.end, RUNNER_KILLED);
        assert_non_null(strstr(reply.reason, "SIGKILL"));
    }
    fake_finish(r, 1);
    r = fake_runner(1);
    fake_answered(r, 0);
    fake_finish(r, 1);
    assert_int_equal(fake_count[0], 2);
}

static void die_with_heir(int number)
{
    const struct timespec later = {.tv_sec = 3};
    if (fork() == 0) {
        nanosleep(&later, NULL);
        fake_count[number + 1] = 1;
        _exit(0);
    }
    raise(SIGSEGV);
}

/* What it has started itself lives on, and holds its pipe: that is not waited for. */
TEST(test_heir)
{
    const fake f = {.act = die_with_heir};
    runner *r = fake_runner(1);
    assert_int_equal(fake_ask(r, &f).end, RUNNER_KILLED);
    assert_int_equal(fake_count[1], 0);
    fake_finish(r, 1);
}

/* ---- the process that asks ends ------------------------------------------------------------------ */

static void note_process(int number)
{
    fake_count[number + 1] = (int)getpid();
    sleep_on(number);
}

/* Killed, its children are, too, and what they printed before is not printed twice. */
TEST(test_killed_parent)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    const pid_t parent = fork();
    if (parent == 0) {
        runner *r = fake_runner(1);
        const fake f = {.number = 0, .act = note_process};
        fake_ask(r, &f);
        _exit(0);
    }
    for (int i = 0; i < 5000 && !fake_count[1]; i++)
        nanosleep(&moment, NULL);
    const pid_t child = (pid_t)fake_count[1];
    assert_true(child > 1);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    int alive = 1;
    for (int i = 0; i < 5000 && alive; i++) {
        char path[64], text[64] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
        FILE *file = fopen(path, "r");
        alive = file && fgets(text, sizeof text, file) && !strstr(text, ") Z");     /* nobody may reap it */
        if (file)
            fclose(file);
        nanosleep(&moment, NULL);
    }
    assert_false(alive);
}

int main(void) { return run_tests_of(__FILE__, fake_clear, fake_begin, fake_end); }
