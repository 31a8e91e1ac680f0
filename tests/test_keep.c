/* test_keep.c - what the file of a study keeps: nothing is computed twice, what was changed is, other files are left;
 * two processes, a full disk, a cache that cannot be had */
#include "fake_cells.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { CELLS = 3 };

/* A study of three cells. */
static void study(int complete)
{
    runner *r = fake_runner(1);
    for (int i = 0; i < CELLS; i++)
        fake_answered(r, i);
    assert_int_equal(runner_kept(r), CELLS);
    fake_finish(r, complete);
}

static int computed(void)
{
    int sum = 0;
    for (int i = 0; i < FAKE_CELLS; i++)
        sum += fake_count[i];
    return sum;
}

TEST(test_nothing_twice)
{
    study(0);
    assert_int_equal(computed(), CELLS);
    study(1);
    study(1);
    assert_int_equal(computed(), CELLS);
    assert_string_equal(fake_words, "");
}

/* An answer or a question in which a digit was changed is told of, and computed again. */
TEST(test_changed)
{
    static const char *const changes[] = {"UPDATE entries SET text=replace(text,'0.3','0.4') WHERE id=1",
                                          "UPDATE entries SET key=replace(key,':0',':7') WHERE id=1"};
    study(0);
    char *lines = kept_lines(fake_path);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        sqlite3 *db;
        const int before = computed();
        assert_int_equal(sqlite3_open(fake_path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, changes[k], NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_changes(db), 1);
        sqlite3_close(db);
        runner *r = fake_runner(1);
        for (int i = 0; i < CELLS; i++)
            fake_answered(r, i);
        fake_finish(r, 1);
        assert_int_equal(computed(), before + 1);
        assert_non_null(strstr(fake_words, "is no longer what was kept"));
        if (k == 0) {
            char *again = kept_lines(fake_path);
            assert_string_equal(again, lines);
            free(again);
        }
    }
    free(lines);
}

/* Other files are left as they are, also by one that begins anew. */
TEST(test_other_files)
{
    for (int fresh = 0; fresh < 2; fresh++) {
        const runner_options options = {.file = fake_path, .fresh = fresh};
        dae_report why = {0};
        runner *r;
        fake_write(fake_path, "dear diary\n", 11);
        assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
        assert_null(r);
        assert_non_null(strstr(why.message, "is no store of daelab"));
        char *after = fake_text(fake_path);
        assert_string_equal(after, "dear diary\n");
        free(after);
    }
}

TEST(test_fresh)
{
    study(0);
    const runner_options anew = {.file = fake_path, .fresh = 1, .jobs = 1};
    runner *r;
    assert_int_equal(runner_create(&r, &anew, NULL), DAE_OK);
    fake_answered(r, 0);
    assert_int_equal(runner_kept(r), 1);
    fake_finish(r, 1);
    assert_int_equal(fake_count[0], 2);
}

/* A second process is told; its own children do not keep the file from the next one. */
TEST(test_two_processes)
{
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
    const runner_options options = {.file = fake_path};
    dae_report why = {0};
    runner *r;
    assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "another process works on"));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    runner *next = fake_runner(1);
    fake_answered(next, 0);
    fake_finish(next, 1);
    assert_int_equal(fake_count[0], 1);
    close(ready[0]);
    close(ready[1]);
}

/* A process whose files may have so many bytes runs the study; 0: it could, 3: it was told that there is no room. */
static int study_within(rlim_t bytes)
{
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {bytes, bytes};
        const runner_options options = {.file = fake_path, .jobs = 1};
        dae_report why = {0};
        runner *r;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        if (runner_create(&r, &options, &why))
            _exit(why.status == DAE_FILE ? 3 : 4);
        for (int i = 0; i < CELLS; i++) {
            const fake f = {.number = i};
            json_decref(fake_ask(r, &f).answer);
        }
        const dae_status status = runner_finish(r, 1, &why);
        _exit(!status ? 0 : status == DAE_FILE ? 3 : 4);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* The disk is full: it says so, and with room again it goes on. */
TEST(test_full_disk)
{
    int full = 0;
    study(0);
    char *lines = kept_lines(fake_path);
    for (rlim_t room = 1; room < (1 << 16); room += 3000) {
        fake_clear(NULL);
        const int ended = study_within(room);
        assert_true(ended == 0 || ended == 3);
        full += ended == 3;
        study(1);
        char *again = kept_lines(fake_path);
        assert_string_equal(again, lines);
        free(again);
    }
    assert_true(full > 3);
    free(lines);
}

TEST(test_no_place)
{
    char path[200];
    snprintf(path, sizeof path, "%s/nowhere/study.db", fake_folder);
    const runner_options options = {.file = path};
    dae_report why = {0};
    runner *r;
    assert_int_equal(runner_create(&r, &options, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "No such file"));
}

/* Of the cache: gone when the study is complete, there when it is not; without it the study goes on. */
TEST(test_cached)
{
    runner_options options = {.file = fake_path, .cached = 1, .jobs = 1, .say = fake_say};
    runner *r;
    for (int complete = 0; complete < 2; complete++) {
        assert_int_equal(runner_create(&r, &options, NULL), DAE_OK);
        fake_answered(r, 0);
        fake_finish(r, complete);
        assert_int_equal(access(fake_path, F_OK) == 0, !complete);
    }
    assert_int_equal(fake_count[0], 1);
    options.file = "/nowhere/at/all";
    assert_int_equal(runner_create(&r, &options, NULL), DAE_OK);
    fake_answered(r, 1);
    fake_finish(r, 1);
}

/* A study without a run is no file. */
TEST(test_empty)
{
    fake_finish(fake_runner(1), 0);
    assert_int_not_equal(access(fake_path, F_OK), 0);
}

int main(void) { return run_tests_of(__FILE__, fake_clear, fake_begin, fake_end); }
