/* test_ranks.c - a study by the processes of mpirun: the file holds what one process alone would have written,
 * the others have done their part, a crash is an end there as here
 *
 * This program starts itself by mpirun. Without mpirun, or built without MPI, it says so and is skipped.
 */
#include "fake_cells.h"

#include "pool/ranks.h"
#include "pool/record.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { GROUPS = 3, OF_GROUP = 6, CRASHES = 7, STUDY_CELLS = GROUPS * OF_GROUP };

/* MPI itself does not free all that it has. */
static const char *const mpirun = "ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe";

static const char *rank_of_this(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return rank ? rank : "-";
}

/* Who computed what: "RANK CELL" in a file beside the file of the study. One of them crashes. */
static void note(int number)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    char path[300];
    snprintf(path, sizeof path, "%s.ranks", fake_path);
    FILE *file = fopen(path, "a");
    fprintf(file, "%s %d\n", rank_of_this(), number);
    fclose(file);
    nanosleep(&moment, NULL);
    if (number == CRASHES)
        abort();
}

/* Rounds of ladders, then one that is timed. How many of the last round have an answer. */
static int ask_all(runner *r)
{
    for (;;) {
        const long open = runner_open(r);
        int answered = 0;
        for (int g = 0; g < GROUPS; g++)
            for (int i = 0; i < OF_GROUP; i++) {
                const fake f = {.number = OF_GROUP * g + i, .act = note};
                const runner_reply reply = fake_ask_once(r, &f);
                answered += reply.end == RUNNER_ANSWERED;
                json_decref(reply.answer);
                if (reply.end == RUNNER_LATER && i % 3 == 2)
                    break;                              /* those behind it follow from it */
            }
        for (int timed = 0; timed < 2; timed++) {
            const fake f = {.number = STUDY_CELLS + timed, .act = note, .timed = timed};
            const runner_reply reply = fake_ask_once(r, &f);
            answered += reply.end == RUNNER_ANSWERED;
            json_decref(reply.answer);
        }
        if (runner_open(r) == open)
            return answered;
        runner_next_round(r);
    }
}

/* One of the processes: 0 where all is as it should be. */
static int study(const char *path)
{
    const runner_options options = {.file = path, .jobs = 1};
    dae_report why = {0};
    runner *r;
    fake_count = calloc(FAKE_CELLS, sizeof *fake_count);
    snprintf(fake_path, sizeof fake_path, "%s", path);
    if (runner_create(&r, &options, &why)) {
        fprintf(stderr, "%s\n", why.message);
        return why.status == DAE_UNSUPPORTED ? 77 : 1;
    }
    const int answered = ask_all(r);
    return runner_finish(r, 1, &why) || answered != STUDY_CELLS + 1;
}

/* One of the processes: the last one tells the first, who leaves at once, more than MPI sends unasked. */
static int leave(void)
{
    const size_t length = 1 << 22;
    const rank_link *link;
    rank_place place;
    char *text = malloc(length + 1);
    if (!text || ranks_join(&link, &place, NULL) || !link)
        return 1;
    memset(text, 'x', length);
    text[length] = 0;
    const int sent = place.rank == 0 || link->send(0, text);
    link->end();
    free(text);
    return !sent;
}

/* Run it by so many processes; its exit status. */
static int run(int processes)
{
    char command[1024], program[512];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = 0;
    if (processes > 1)
        snprintf(command, sizeof command, "%s -n %d '%s' '%s'", mpirun, processes, program, fake_path);
    else
        snprintf(command, sizeof command, "'%s' '%s'", program, fake_path);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int computed_by(char rank)
{
    char path[300];
    int count = 0;
    snprintf(path, sizeof path, "%s.ranks", fake_path);
    char *text = fake_text(path);
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        count += line[0] == rank || rank == '*';
    free(text);
    return count;
}

static void forget(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s.ranks", fake_path);
    unlink(path);
    fake_clear(NULL);
}

static int there_is_mpi(void)
{
    struct stat object;
    if (system("mpirun --version >/dev/null 2>&1") == 0 && stat("daelab_mpi.so", &object) == 0)
        return 1;
    print_message("skipped: there is no mpirun, or this was built without MPI\n");
    return 0;
}

static void test_same_journal(void **state)
{
    (void)state;
    if (!there_is_mpi())
        skip();
    forget();
    assert_int_equal(run(1), 0);
    char *alone = kept_lines(fake_path);
    assert_int_equal(computed_by('*'), STUDY_CELLS + 2);
    for (int processes = 2; processes <= 3; processes++) {
        forget();
        assert_int_equal(run(processes), 0);
        char *together = kept_lines(fake_path);
        assert_string_equal(alone, together);
        free(together);
        assert_int_equal(computed_by('*'), STUDY_CELLS + 2);
        for (int rank = 0; rank < processes; rank++)
            assert_true(computed_by((char)('0' + rank)) > 0);
    }
    forget();
    free(alone);
}

/* What stands in the file all ranks know. */
static void test_goes_on(void **state)
{
    (void)state;
    if (!there_is_mpi())
        skip();
    forget();
    assert_int_equal(run(1), 0);
    char *lines = kept_lines(fake_path);
    store *s;
    assert_int_equal(store_open(&s, fake_path, (store_use){.wait = 0}, NULL), DAE_OK);
    for (int i = 0; i < STUDY_CELLS; i += 2) {
        char key[64];
        snprintf(key, sizeof key, "{\"kind\":\"fake\",\"number\":%d}", i);
        assert_int_equal(store_remove(s, "runs", key, NULL), DAE_OK);
    }
    store_close(s);
    assert_int_equal(run(2), 0);
    assert_int_equal(computed_by('*'), STUDY_CELLS + 2 + STUDY_CELLS / 2);
    char *again = kept_lines(fake_path);
    assert_string_equal(again, lines);
    free(again);
    free(lines);
    forget();
}

/* That a process was killed from outside is true today only, also for the rank that has the file. */
static void test_says_what_passes(void **state)
{
    (void)state;
    for (int passing = 0; passing < 2; passing++) {
        char cell[] = "{}";
        record heard;
        const record said = {.cell = cell, .end = RUNNER_KILLED, .reason = "killed by SIGKILL", .passing = passing};
        char *line = record_line(&said);
        json_t *tree = json_loads(line, 0, NULL);
        assert_true(record_from(tree, &heard));
        json_decref(tree);
        assert_int_equal(heard.end, RUNNER_KILLED);
        assert_int_equal(heard.passing, passing);
        record_free(&heard);
        free(line);
    }
}

/* Who is told something while it leaves, as after a signal, does not keep the other from leaving. */
static void test_leaves_while_told(void **state)
{
    char command[1024], program[512];
    (void)state;
    if (!there_is_mpi())
        skip();
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = 0;
    snprintf(command, sizeof command, "timeout 60 env %s -n 2 '%s' --leave", mpirun, program);
    assert_int_equal(system(command), 0);
}

/* Ranks that cannot speak with each other would each do everything. */
static void test_without_mpi(void **state)
{
    dae_report why = {0};
    const runner_options options = {.jobs = 1};
    runner *r;
    struct stat object;
    (void)state;
    if (stat("daelab_mpi.so", &object) == 0)
        skip();
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    assert_int_equal(runner_create(&r, &options, &why), DAE_UNSUPPORTED);
    assert_non_null(strstr(why.message, "2 processes were started together"));
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

int main(int argc, char **argv)
{
    char program[512];
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_same_journal), FAKE_TEST(test_goes_on), FAKE_TEST(test_leaves_while_told),
        FAKE_TEST(test_says_what_passes),
        FAKE_TEST(test_without_mpi),
    };
    if (argc > 1 && strcmp(argv[1], "--leave") == 0)
        return leave();
    if (argc > 1)
        return study(argv[1]);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return 1;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    return chdir(program) ? 1 : cmocka_run_group_tests(tests, fake_begin, fake_end);
}
