/* test_interrupt.c - a signal in the middle of a study: nothing new is begun, what is finished is kept, and the
 * study goes on another day; a second signal ends it at once */
#include "fake_cells.h"

#include "host/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { CELLS = 5, LONG_ONE = 2, WITHOUT = 40, ALIVE = 41 };

static void stay(int number)
{
    (void)number;
    for (;;)
        pause();
}

/* The study: the one in the middle does not end by itself. Its exit status is how many were not run. */
static void study(int jobs, const char *words)
{
    int left = 0;
    const int file = open(words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    interrupt_begin();
    runner *r = fake_runner(jobs);
    for (int i = 0; i < CELLS; i++) {
        const fake f = {.number = i, .act = i == LONG_ONE ? stay : NULL};
        const runner_reply reply = fake_ask(r, &f);
        left += reply.end == RUNNER_NOT_RUN;
        json_decref(reply.answer);
    }
    const int said = runner_interrupted(r);
    const dae_status status = runner_finish(r, 1, NULL);
    _exit(status || !said || !interrupt_noted() ? 100 : left);
}

static void wait_until_there(pid_t process)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < 10000 && !fake_count[LONG_ONE]; i++)
        nanosleep(&moment, NULL);
    assert_int_equal(fake_count[LONG_ONE], 1);
    assert_int_equal(waitpid(process, NULL, WNOHANG), 0);
}

static void interrupted(int number, const char *name)
{
    char words[160];
    int state = 0;
    snprintf(words, sizeof words, "%s/words.txt", fake_folder);
    const pid_t process = fork();
    if (process == 0)
        study(1, words);
    wait_until_there(process);
    kill(process, number);
    waitpid(process, &state, 0);
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), CELLS - LONG_ONE);
    char *said = fake_text(words);
    assert_non_null(strstr(said, name));
    assert_non_null(strstr(said, "ends with what it has"));
    free(said);
    runner *r = fake_runner(1);                         /* another day */
    for (int i = 0; i < CELLS; i++)
        fake_answered(r, i);
    fake_finish(r, 1);
    for (int i = 0; i < CELLS; i++)
        assert_int_equal(fake_count[i], i == LONG_ONE ? 2 : 1);
}

TEST(test_signals)
{
    interrupted(SIGINT, "SIGINT");
    fake_clear(NULL);
    interrupted(SIGTERM, "SIGTERM");
}

/* To the whole group, as a terminal does: the children leave it to their parent. */
TEST(test_group)
{
    char words[160];
    int ended = 0;
    snprintf(words, sizeof words, "%s/words.txt", fake_folder);
    const pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        study(1, words);
    }
    wait_until_there(process);
    kill(-process, SIGINT);
    waitpid(process, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), CELLS - LONG_ONE);
    char *text = kept_lines(fake_path);
    assert_null(strstr(text, "killed"));
    free(text);
}

/* After the first signal nobody asks, and the program is busy elsewhere: the second one ends it. */
TEST(test_second_signal)
{
    char words[160];
    const struct timespec moment = {.tv_nsec = 1000000};
    int ended = 0;
    snprintf(words, sizeof words, "%s/words.txt", fake_folder);
    const pid_t process = fork();
    if (process == 0) {
        const int file = open(words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, STDERR_FILENO);
        interrupt_begin();
        fake_answered(fake_runner(1), 0);
        fake_count[WITHOUT] = 1;
        while (!interrupt_noted())
            nanosleep(&moment, NULL);
        fake_count[ALIVE] = 1;
        for (;;)
            pause();
    }
    for (int number = WITHOUT; number <= ALIVE; number++) {
        for (int i = 0; i < 10000 && !fake_count[number]; i++)
            nanosleep(&moment, NULL);
        assert_int_equal(fake_count[number], 1);
        kill(process, SIGTERM);
    }
    waitpid(process, &ended, 0);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
    runner *r = fake_runner(1);
    fake_answered(r, 0);
    assert_int_equal(fake_count[0], 1);
    fake_finish(r, 1);
}

/* Without a study, and once results are written, a signal does what it does. */
TEST(test_not_deferred)
{
    for (int before = 0; before < 2; before++) {
        int ended = 0;
        const pid_t process = fork();
        if (process == 0) {
            close(STDERR_FILENO);
            interrupt_begin();
            interrupt_defer(before);
            interrupt_defer(0);
            raise(SIGINT);
            _exit(0);
        }
        waitpid(process, &ended, 0);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGINT);
    }
}

/* What has waited once is over then: the next program that is begun finds nothing that waits. */
TEST(test_waits_once)
{
    int ended = 0;
    const pid_t process = fork();
    if (process == 0) {
        close(STDERR_FILENO);
        interrupt_begin();
        interrupt_defer(1);
        interrupt_hold();
        raise(SIGINT);
        const int early = interrupt_noted();
        interrupt_release();
        interrupt_hold();
        interrupt_release();
        _exit(early || interrupt_noted() != SIGINT);
    }
    waitpid(process, &ended, 0);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

int main(void) { return run_tests_of(__FILE__, fake_clear, fake_begin, fake_end); }
