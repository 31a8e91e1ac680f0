/* test_journal.c - what a journal keeps, whatever happens to its file: torn at every byte, foreign lines, other
 * formats, two processes, a full disk, a program that dies inside a write */
#include "fake_cells.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { CELLS = 3 };

/* In place of the C library's: how often files were brought to the disk. */
static volatile int synced;

int fdatasync(int file)
{
    (void)file;
    synced++;
    return 0;
}

/* A study of three cells. */
static void study(int complete)
{
    runner *r = fake_runner(1);
    for (int i = 0; i < CELLS; i++)
        fake_answered(r, i);
    fake_finish(r, complete);
}

static int computed(void)
{
    int sum = 0;
    for (int i = 0; i < FAKE_CELLS; i++)
        sum += fake_count[i];
    return sum;
}

static void test_nothing_twice(void **state)
{
    (void)state;
    study(0);
    assert_int_equal(computed(), CELLS);
    study(1);
    study(1);
    assert_int_equal(computed(), CELLS);
    assert_string_equal(fake_words, "");
}

/* Cut anywhere, it is read as far as its lines are whole; then it is the same again. */
/* What a process has left that was killed while it replaced the journal is removed by the next one; nothing else is. */
static void test_left_beside(void **state)
{
    (void)state;
    char left[600], other[600];
    snprintf(left, sizeof left, "%s.4711", fake_path);
    snprintf(other, sizeof other, "%s.4711x", fake_path);
    fclose(fopen(left, "w"));
    fclose(fopen(other, "w"));
    study(1);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(unlink(other), 0);
}

static void test_torn_at_every_byte(void **state)
{
    (void)state;
    study(0);
    char *whole = fake_text(fake_path), *lines = fake_lines(fake_path);
    const size_t size = strlen(whole);
    for (size_t cut = 0; cut <= size; cut++) {
        int kept = -1;
        for (size_t i = 0; i < cut; i++)
            kept += whole[i] == '\n';
        fake_clear(NULL);
        fake_write(fake_path, whole, cut);
        study(0);
        char *again = fake_lines(fake_path);
        assert_string_equal(again, lines);
        free(again);
        if (computed() != CELLS - (kept < 0 ? 0 : kept))
            fail_msg("cut at %zu: %d computed, %d lines", cut, computed(), kept);
        const int torn = cut > 0 && whole[cut - 1] != '\n' && kept >= 0;
        assert_int_equal(strstr(fake_words, "torn") != NULL, torn);
    }
    free(whole);
    free(lines);
}

/* A line in the middle that is none is told with its number, and the others stand. */
static void test_foreign_line(void **state)
{
    (void)state;
    study(0);
    char *whole = fake_text(fake_path), text[8192];
    const char *second = strchr(strchr(whole, '\n') + 1, '\n') + 1;
    static const char *const strange[] = {"{\"cell\":{\"num\n", "shopping list\n", "{\"cell\":{}}\n",
                                          "{\"cell\":{},\"end\":\"bored\",\"reason\":\"\"}\n"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        snprintf(text, sizeof text, "%.*s%s%s", (int)(second - whole), whole, strange[i], second);
        fake_write(fake_path, text, strlen(text));
        study(0);
        assert_int_equal(computed(), CELLS);
        assert_non_null(strstr(fake_words, "line 3: this is no record"));
    }
    free(whole);
}

/* A digit of an answer, or a letter of a reason, that is no longer what was written is no answer. */
static void test_changed_line(void **state)
{
    static const char *const kinds[] = {"\"result\":", "\"cell\":"};
    (void)state;
    study(0);
    char *whole = fake_text(fake_path), *lines = fake_lines(fake_path);
    const size_t size = strlen(whole);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char *digit = strstr(whole, kinds[k]);
        digit += strcspn(digit, "0123456789");
        const char before = *digit;
        *digit = before == '7' ? '8' : '7';
        fake_clear(NULL);
        fake_write(fake_path, whole, size);
        *digit = before;
        study(0);
        assert_int_equal(computed(), 1);
        assert_non_null(strstr(fake_words, "line 2: this is no record"));
        study(1);
        char *again = fake_lines(fake_path);
        assert_string_equal(again, lines);
        free(again);
    }
    free(whole);
    free(lines);
}

static void refused(const char *text, const char *says)
{
    const runner_options options = {.journal = fake_path};
    dae_report why = {0};
    runner *r;
    fake_write(fake_path, text, strlen(text));
    assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
    assert_null(r);
    if (!strstr(why.message, says))
        fail_msg("%s", why.message);
    char *after = fake_text(fake_path);
    assert_string_equal(after, text);
    free(after);
}

/* Other files and other formats are left as they are, also by one that begins anew. */
static void test_other_files(void **state)
{
    (void)state;
    refused("{\"daelab journal\":2}\n{\"cell\":{}}\n", "of format 2, this daelab writes format 1");
    refused("dear diary\n", "no journal of daelab");
    refused("d", "no journal of daelab");
    const runner_options anew = {.journal = fake_path, .fresh = 1};
    runner *r;
    assert_int_equal(runner_create(&r, &anew, NULL), DAE_FILE);
}

static void test_fresh(void **state)
{
    (void)state;
    study(0);
    const runner_options anew = {.journal = fake_path, .fresh = 1, .jobs = 1};
    runner *r;
    assert_int_equal(runner_create(&r, &anew, NULL), DAE_OK);
    fake_answered(r, 0);
    fake_finish(r, 1);
    assert_int_equal(fake_count[0], 2);
    char *text = fake_text(fake_path);
    assert_null(strstr(text, "\"number\":1"));
    free(text);
}

/* A second process is told; its own children do not keep the file from the next one. */
static void test_two_processes(void **state)
{
    (void)state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t other = fork();
    if (other == 0) {
        runner *r = fake_runner(1);
        fake_answered(r, 0);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    const runner_options options = {.journal = fake_path};
    dae_report why = {0};
    runner *r;
    assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "another process works on"));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    study(1);
    assert_int_equal(fake_count[0], 1);
    close(ready[0]);
    close(ready[1]);
}

/* A process with a limit on files of so many bytes runs the study; its wait status. */
static int study_within(rlim_t bytes, int dies)
{
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {bytes, bytes};
        dae_report why = {0};
        signal(SIGXFSZ, dies ? SIG_DFL : SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        const runner_options options = {.journal = fake_path, .jobs = 1};
        runner *r;
        if (runner_create(&r, &options, &why))
            _exit(strstr(why.message, "File too large") ? 3 : 4);
        for (int i = 0; i < CELLS; i++) {
            const fake f = {.number = i};
            json_decref(fake_ask(r, &f).answer);
        }
        const dae_status status = runner_finish(r, 1, &why);
        _exit(!status ? 0 : strstr(why.message, "File too large") ? 3 : 4);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return state;
}

/* The disk is full: it says so, and the journal holds whole lines; with room again it goes on. */
static void test_full_disk(void **state)
{
    (void)state;
    study(0);
    char *whole = fake_text(fake_path), *lines = fake_lines(fake_path);
    for (size_t room = 1; room + 60 < strlen(whole); room += 37) {
        fake_clear(NULL);
        const int ended = study_within(room, 0);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), 3);
        char *text = fake_text(fake_path);
        const size_t size = text ? strlen(text) : 0;
        assert_true(size == 0 || text[size - 1] == '\n');
        free(text);
        study(1);
        assert_string_equal(fake_words, "");
        char *again = fake_lines(fake_path);
        assert_string_equal(again, lines);
        free(again);
    }
    free(whole);
    free(lines);
}

/* Killed by the system inside the write of a line, after any number of its bytes. */
static void test_death_inside_a_write(void **state)
{
    (void)state;
    int inside = 0;
    study(0);
    char *whole = fake_text(fake_path), *lines = fake_lines(fake_path);
    for (size_t room = 1; room + 60 < strlen(whole); room += 23) {
        fake_clear(NULL);
        const int ended = study_within(room, 1);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXFSZ);
        struct stat file;
        assert_int_equal(stat(fake_path, &file), 0);
        assert_int_equal(file.st_size, room);
        inside += whole[room - 1] != '\n';
        study(1);
        char *again = fake_lines(fake_path);
        assert_string_equal(again, lines);
        free(again);
    }
    assert_true(inside > 10);
    free(whole);
    free(lines);
}

static void test_read_only(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/nowhere/journal.jsonl", fake_folder);
    const runner_options options = {.journal = path};
    dae_report why = {0};
    runner *r;
    assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "No such file"));
}

/* A line is on the disk soon, though the program does other things; more so at the end. */
static void test_synced(void **state)
{
    (void)state;
    const struct timespec moment = {.tv_nsec = 1000000};
    runner *r = fake_runner(1);
    for (int i = 0; i < 2; i++) {
        fake_answered(r, i);
        synced = 0;
        for (int k = 0; k < 10000 && !synced; k++)
            nanosleep(&moment, NULL);
        assert_int_equal(synced, 1);
    }
    fake_answered(r, 2);
    synced = 0;
    fake_finish(r, 0);
    assert_true(synced >= 1);
}

/* Of the cache: gone when the study is complete, there when it is not; without it the study goes on. */
static void test_cached(void **state)
{
    (void)state;
    runner_options options = {.journal = fake_path, .cached = 1, .jobs = 1, .say = fake_say};
    runner *r;
    for (int complete = 0; complete < 2; complete++) {
        assert_int_equal(runner_create(&r, &options, NULL), DAE_OK);
        fake_answered(r, 0);
        fake_finish(r, complete);
        assert_int_equal(access(fake_path, F_OK) == 0, !complete);
    }
    assert_int_equal(fake_count[0], 1);
    options.journal = "/nowhere/at/all";
    assert_int_equal(runner_create(&r, &options, NULL), DAE_OK);
    fake_answered(r, 1);
    fake_finish(r, 1);
}

/* A journal without a record is no file. */
static void test_empty(void **state)
{
    (void)state;
    fake_finish(fake_runner(1), 0);
    assert_int_not_equal(access(fake_path, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_nothing_twice), FAKE_TEST(test_left_beside), FAKE_TEST(test_torn_at_every_byte), FAKE_TEST(test_foreign_line),
        FAKE_TEST(test_changed_line), FAKE_TEST(test_other_files), FAKE_TEST(test_fresh), FAKE_TEST(test_two_processes),
        FAKE_TEST(test_full_disk), FAKE_TEST(test_death_inside_a_write), FAKE_TEST(test_read_only),
        FAKE_TEST(test_synced),
        FAKE_TEST(test_cached), FAKE_TEST(test_empty),
    };
    return cmocka_run_group_tests(tests, fake_begin, fake_end);
}
