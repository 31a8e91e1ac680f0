/* test_study_folder.c - a study that is killed, interrupted, runs out of disk, or is run by several processes ends with
 * the files of one that was left alone */
#include "cli_json.h"
#include "kept.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

static const char study[] = "converge pendulum --form index1,index2,ode --method cros,rk4,ida --levels 4 -q";

static char *text_of(const char *name)
{
    char path[300];
    char *text = calloc(1, CLI_TEXT);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    FILE *file = fopen(path, "r");
    if (file && fread(text, 1, CLI_TEXT - 1, file) == 0)
        text[0] = 0;
    if (file)
        fclose(file);
    return text;
}

/* What the file of a folder keeps; to be freed. */
static char *kept_in(const char *folder)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s/study.db", cli_folder, folder);
    return kept_lines(path);
}

static int runs_in(const char *folder)
{
    char *lines = kept_in(folder);
    const int runs = kept_count(lines);
    free(lines);
    return runs;
}

/* Both folders hold the same orders and keep the same, but for times. */
static void same(const char *one, const char *other)
{
    char names[2][64];
    snprintf(names[0], sizeof names[0], "%s/orders.csv", one);
    snprintf(names[1], sizeof names[1], "%s/orders.csv", other);
    char *a = text_of(names[0]), *b = text_of(names[1]);
    assert_true(strlen(a) > 1000);
    assert_string_equal(a, b);
    free(a);
    free(b);
    a = kept_in(one);
    b = kept_in(other);
    assert_true(strlen(a) > 1000);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

/* daelab with these arguments and an output, begun; its process. */
static pid_t begin(const char *arguments, const char *output)
{
    char line[512], *words[40] = {(char[]){"daelab"}};
    int count = 1;
    snprintf(line, sizeof line, "%s --output %s", arguments, output);
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    const pid_t process = fork();
    if (process == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        signal(SIGINT, SIG_DFL);
        if (chdir(cli_folder) || dup2(nowhere, 1) < 0 || dup2(open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2) < 0)
            _exit(98);
        execv(DAELAB_PROGRAM, words);
        _exit(97);
    }
    return process;
}

/* After a moment: whether the process has not ended. */
static int goes_on(pid_t process)
{
    const struct timespec moment = {.tv_nsec = 500000};
    siginfo_t info = {.si_pid = 0};
    nanosleep(&moment, NULL);
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

/* Until its file has so many bytes, or the process has ended. */
static void wait_for_bytes(pid_t process, const char *folder, long bytes)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s/study.db", cli_folder, folder);
    while (kept_bytes(path) < bytes && goes_on(process))
        ;
}

static int run_to(const char *folder, const char *more)
{
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s --output %s %s", study, folder, more);
    return cli_run("", arguments);
}

static int alone(void **state)
{
    return cli_begin_undrawn(state) || run_to("alone/", "--jobs 1");
}

/* Killed again and again, and the same in the end; the last time there is nothing to do. */
static void test_killed(void **state)
{
    (void)state;
    int killed = 0;
    for (long part = 1; part <= 7; part++) {
        int status = 0;
        const pid_t process = begin(study, "killed/");
        wait_for_bytes(process, "killed", part * 40000);
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        killed += WIFSIGNALED(status);
    }
    assert_true(killed >= 3);
    assert_int_equal(run_to("killed/", ""), 0);
    same("alone", "killed");
    char *before = text_of("killed/runs.csv");
    assert_int_equal(run_to("killed/", ""), 0);
    char *after = text_of("killed/runs.csv");
    assert_string_equal(before, after);                 /* times, too */
    free(before);
    free(after);
}

/* How many processes made the results of a folder, and whether timed runs had company. */
static void made_by(const char *folder, int jobs, const char *timed)
{
    char name[64];
    snprintf(name, sizeof name, "%s/study.json", folder);
    char *text = text_of(name);
    json_t *tree = json_loads(text, 0, NULL);
    const json_t *provenance = json_object_get(tree, "provenance");
    assert_int_equal(json_integer_value(json_object_get(provenance, "jobs")), jobs);
    assert_string_equal(json_string_value(json_object_get(provenance, "timed")), timed);
    json_decref(tree);
    free(text);
}

static void test_two_jobs(void **state)
{
    (void)state;
    assert_int_equal(run_to("two/", "--jobs 2"), 0);
    same("alone", "two");
    made_by("alone", 1, "alone");
    made_by("two", 2, "beside other runs");
}

static int runs_after(const char *more)
{
    char line[256];
    snprintf(line, sizeof line, "bench pendulum --form index1 --method ida --rtol 1e-4 --levels 1 -q --output timed/ "
                                "%s", more);
    assert_int_equal(cli_run("", line), 0);
    return runs_in("timed");
}

enum { ROUNDS = 9 };     /* in which a study takes times, where --runs does not say; each of them is kept */

/* A time that was taken beside other runs is not given for one that is alone, nor the other way. */
static void test_times_alone(void **state)
{
    (void)state;
    const int beside = runs_after("--jobs 2");
    made_by("timed", 2, "beside other runs");
    assert_int_equal(runs_after("--jobs 1"), beside + ROUNDS);
    made_by("timed", 1, "alone");
    assert_int_equal(runs_after(""), beside + ROUNDS);
    assert_int_equal(runs_after("--jobs 2"), beside + ROUNDS);
}

/* The number behind these words of what the latest process said; -1: it said nothing like that. */
static int number_behind(const char *words)
{
    int number = -1;
    char *said = text_of("said"), *at = strstr(said, words);
    if (at)
        sscanf(at + strlen(words), "%d of", &number);
    free(said);
    return number;
}

static void end(pid_t process)
{
    int status = 0;
    kill(process, SIGTERM);
    waitpid(process, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 143);
}

/* The partial result, the exit status, and how many runs are kept; the same command finds so many. */
static void test_interrupted(void **state)
{
    static const char *const line = "converge pendulum --form all --method all";
    (void)state;
    pid_t process = begin(line, "part/");
    wait_for_bytes(process, "part", 60000);
    end(process);
    const int finished = number_behind("not complete; ");
    assert_true(finished >= 3);
    char *text = text_of("part/study.json");
    json_t *tree = json_loads(text, 0, NULL);
    assert_true(json_is_true(json_object_get(tree, "interrupted")));
    assert_non_null(strstr(text, "not_run"));
    json_decref(tree);
    free(text);
    assert_true(runs_in("part") >= 3);
    process = begin(line, "part/");
    while (number_behind("daelab: ") < 0 && goes_on(process))
        ;
    assert_int_equal(finished, number_behind("daelab: "));  /* "daelab: 17 of 530 runs were there" */
    end(process);
}

/* Another process has the file: a sentence, and nothing is touched. */
static void test_taken(void **state)
{
    char path[300];
    store *held;
    (void)state;
    snprintf(path, sizeof path, "%s/alone/study.db", cli_folder);
    char *before = kept_in("alone");
    assert_int_equal(store_open(&held, path, (store_use){.wait = 0}, NULL), DAE_OK);
    assert_int_equal(run_to("alone/", ""), 3);
    assert_non_null(strstr(cli_said.err, "another process works on alone/study.db"));
    store_close(held);
    char *after = kept_in("alone");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* The disk is full after 64 kB: a sentence, and the runs before are kept; then there is room. */
static void test_full(void **state)
{
    char command[1024];
    (void)state;
    snprintf(command, sizeof command, "cd '%s' && trap '' XFSZ && ulimit -f 128 && '%s' %s --output full/ >/dev/null "
             "2>full.txt", cli_folder, DAELAB_PROGRAM, study);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    char *said = text_of("full.txt");
    assert_non_null(strstr(said, "full/study.db: "));
    assert_true(runs_in("full") > 2);
    free(said);
    assert_int_equal(run_to("full/", ""), 0);
    same("alone", "full");
}

static void test_no_folder(void **state)
{
    (void)state;
    assert_int_equal(run_to("/proc/nowhere/", ""), 3);
    assert_non_null(strstr(cli_said.err, "daelab: the folder /proc/nowhere/"));
    assert_int_equal(run_to("/dev/null/", ""), 3);
    assert_non_null(strstr(cli_said.err, "Not a directory"));
    assert_int_equal(cli_run("", "converge pendulum --form ode --t-end -1 --output none/a/b/"), 2);
    assert_false(cli_exists("none"));
}

static void test_fresh(void **state)
{
    (void)state;
    char *before = text_of("alone/runs.csv");
    assert_int_equal(run_to("alone/", "--fresh --jobs 1"), 0);
    char *after = text_of("alone/runs.csv");
    assert_string_not_equal(before, after);             /* times */
    free(before);
    free(after);
}

/* By the processes of mpirun, where there is one and MPI was found. */
static void test_ranks(void **state)
{
    char command[1024], object[512];
    (void)state;
    snprintf(object, sizeof object, "%.480s", DAELAB_PROGRAM);
    strcpy(strrchr(object, '/'), "/daelab_mpi.so");
    if (access(object, F_OK) || system("mpirun --version >/dev/null 2>&1")) {
        print_message("skipped: there is no mpirun, or this was built without MPI\n");
        skip();
    }
    snprintf(command, sizeof command, "cd '%s' && ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root "
             "--oversubscribe -n 2 '%s' %s --output ranks/ >/dev/null 2>&1", cli_folder, DAELAB_PROGRAM, study);
    assert_int_equal(system(command), 0);
    same("alone", "ranks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed), cmocka_unit_test(test_two_jobs), cmocka_unit_test(test_times_alone),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_taken), cmocka_unit_test(test_full), cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_ranks), cmocka_unit_test(test_fresh),
    };
    return cmocka_run_group_tests(tests, alone, cli_end);
}
