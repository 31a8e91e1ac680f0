/* test_resume - a study that is killed, interrupted or shared by processes ends with the results of one that was left
 * alone; only what changed is run again */
#include "cli_json.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static const char study[] = "converge pendulum,kepler --form all --method cros,rk4,radau5 --step 0.05 --levels 5 "
                            "--quiet --output ";

/* A file of the test's folder, without when, how long, and the sums that hold these; to be freed. */
static char *without_times(const char *name)
{
    char command[512], *text = NULL;
    size_t length = 0;
    snprintf(command, sizeof command, "cd '%s' && sed 's/\"seconds\":[^,}]*//g; s/\"at\":\"[^\"]*\"//g; "
             "s/\"sum\":\"[^\"]*\"//g' %s", cli_folder, name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const ssize_t size = getdelim(&text, &length, 0, pipe);
    pclose(pipe);
    assert_true(size > 0);
    return text;
}

static int shell(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && %s", cli_folder, command);
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The study into a folder; its exit status. */
static int run_into(const char *folder, const char *options)
{
    char line[512];
    snprintf(line, sizeof line, "%s%s %s", study, folder, options);
    return cli_run("", line);
}

static void same_as_one(const char *folder)
{
    static const char *const files[] = {"journal.jsonl", "orders.csv"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[128], of_one[128];
        snprintf(name, sizeof name, "%s%s", folder, files[i]);
        snprintf(of_one, sizeof of_one, "one/%s", files[i]);
        char *one = without_times(of_one), *other = without_times(name);
        size_t at = 0;
        while (one[at] && one[at] == other[at])
            at++;
        if (one[at] || other[at])
            fail_msg("%s: \"%.300s\" instead of \"%.300s\"", name, other + at, one + at);
        free(one);
        free(other);
    }
}

static int make_one(void **state)
{
    const int begun = cli_begin(state);
    return begun ? begun : !(run_into("one/", "--jobs 1") >= 0 && run_into("one/", "--fresh --jobs 1") >= 0);
}

static void test_jobs(void **state)
{
    (void)state;
    run_into("two/", "--jobs 2");
    same_as_one("two/");
    run_into("three/", "--jobs 3");
    same_as_one("three/");
}

static long size_of(const char *name)
{
    char path[256];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", cli_folder, name);
    return stat(path, &about) ? 0 : (long)about.st_size;
}

/* The study is killed as soon as its journal has so many bytes; 0: it was over before. */
static int kill_at(long size)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && exec '%s' %skilled/ --jobs 2 >/dev/null 2>&1", cli_folder, DAELAB_PROGRAM,
             study);
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    int state = 0;
    while (size_of("killed/journal.jsonl") < size && waitpid(child, &state, WNOHANG) == 0)
        usleep(200);
    kill(child, SIGKILL);
    if (state == 0)
        waitpid(child, &state, 0);
    return WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL;
}

/* At ten moments, each second time within a line. */
static void test_killed(void **state)
{
    const long whole = size_of("one/journal.jsonl");
    int killed = 0;
    (void)state;
    assert_true(whole > 0);
    for (int k = 1; k <= 10; k++) {
        killed += kill_at(k * whole / 12);
        const long size = size_of("killed/journal.jsonl");
        char path[256];
        snprintf(path, sizeof path, "%s/killed/journal.jsonl", cli_folder);
        if (k % 2 && size > 400)
            assert_int_equal(0, truncate(path, size - 1 - 37 * k));
    }
    assert_true(killed > 3);
    run_into("killed/", "");
    same_as_one("killed/");
}

/* SIGINT in the middle: what there is is written, 130; then the rest. */
static void test_interrupted(void **state)
{
    (void)state;
    const int status = shell("rm -rf part; mkdir part; { "
                             "while [ $(cat part/journal.jsonl 2>/dev/null | wc -l) -lt 20 ]; do sleep 0.002; done; "
                             "kill -INT $(cat pid); } & "
                             "sh -c 'echo $$ >pid; exec env DAELAB_CACHE=. " DAELAB_PROGRAM " converge pendulum,kepler "
                             "--form all --method cros,rk4,radau5 --step 0.05 --levels 5 --quiet --output part/' "
                             ">out.txt 2>err.txt");
    assert_true(status == 130 || status == 1);          /* 1: it was faster */
    if (status == 130) {
        assert_int_equal(0, shell("grep -q not_run part/runs.csv"));
        assert_int_equal(0, shell("grep -q '\"interrupted\": true' part/study.json"));
    }
    run_into("part/", "");
    same_as_one("part/");
}

/* The lines of the journal that are not those of before. */
static int new_lines(const char *folder)
{
    char command[512];
    snprintf(command, sizeof command, "test $(grep -c '\"cell\":\"run\"' %sjournal.jsonl) -gt 0", folder);
    assert_int_equal(0, shell(command));
    snprintf(command, sizeof command, "exit $(grep -vxFf before.jsonl %sjournal.jsonl | grep -c '\"cell\":\"run\"')",
             folder);
    return shell(command);
}

/* A problem whose source changes is run again, and the other one not; a comment changes nothing. */
static void test_changed_source(void **state)
{
    static const char both[] = "drift ./bead.c,pendulum --form index1,index2 --method cros --quiet --output bead/";
    (void)state;
    assert_int_equal(0, shell("'" DAELAB_PROGRAM "' new bead >/dev/null"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, shell("cp bead/journal.jsonl before.jsonl"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_lines("bead/"));
    assert_int_equal(0, shell("echo '/* a word more */' >>bead.c"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_lines("bead/"));
    assert_int_equal(0, shell("sed -i 's|f.0. = 0;|f[0] = 1e-3;|' bead.c"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(2, new_lines("bead/"));            /* the two formulations of the bead */
    assert_int_equal(0, shell("cp bead/journal.jsonl before.jsonl"));
    assert_int_equal(0, cli_run("", "drift ./bead.c,pendulum --form index1,index2 --method cros --t-end 1 --quiet "
                                    "--output bead/"));
    assert_int_equal(4, new_lines("bead/"));
}

/* What an object of a model was linked with is a part of it: the restoring force comes from a second library. */
static void test_changed_library(void **state)
{
    static const char both[] = "drift ./linked.so --form index1 --method cros --quiet --output linked/",
        build[] = "'" COMPILER "' -shared -fPIC -o libpull.so pull.c";
    (void)state;
    assert_int_equal(0, shell("'" DAELAB_PROGRAM "' new linked >/dev/null && "
                              "sed -i 's|#include <daelab/model.h>|double pull(void);\\n&|; "
                              "s|f.0. = 0;|f[0] = pull();|' linked.c && grep -q 'pull()' linked.c && "
                              "echo 'double pull(void) { return 0; }' >pull.c"));
    assert_int_equal(0, shell(build));
    assert_int_equal(0, shell("'" COMPILER "' -w -shared -fPIC -I'" DAELAB_SOURCE_DIR "/include' -I. -o linked.so linked.c "
                              "-L. -lpull -Wl,-rpath,. -lm"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, shell("cp linked/journal.jsonl before.jsonl"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_lines("linked/"));
    assert_int_equal(0, shell("echo 'double pull(void) { return 1e-3; }' >pull.c"));
    assert_int_equal(0, shell(build));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(1, new_lines("linked/"));
}

/* Two commands that want the same reference at once: one computes it, the other waits for it. */
static void test_one_reference(void **state)
{
    static const char both[] =
        "for k in 1 2; do env DAELAB_CACHE=. '" DAELAB_PROGRAM "' drift double_pendulum --reference --t-end 8 --form "
        "index1 --method radau --format json --quiet >at$k.json & done; wait; "
        "test $(cat at1.json at2.json | grep -c 'quad precision, .* digits') = 2 && "
        "test $(cat at1.json at2.json | grep -c 'digits (from the cache)') = 1";
    (void)state;
    assert_int_equal(0, shell(both));
    assert_int_not_equal(0, shell("ls *.lock 2>/dev/null"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_changed_source),
        cmocka_unit_test(test_changed_library),
        cmocka_unit_test(test_one_reference),
    };
    return cmocka_run_group_tests(tests, make_one, cli_end);
}
