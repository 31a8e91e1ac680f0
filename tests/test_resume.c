/* test_resume - only what changed is run again, and a reference that two want is computed once */
#include "cli_json.h"

#include "kept.h"

static int shell(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && %s", cli_folder, command);
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *before;            /* what was kept before */

/* So many runs of the folder are not those of before, which are those of now from here on. */
static int new_runs(const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%sstudy.db", cli_folder, folder);
    char *now = kept_lines(path);
    assert_true(kept_new(now, "", "\"cell\":\"run\"") > 0);
    const int count = kept_new(now, before ? before : now, "\"cell\":\"run\"");
    free(before);
    before = now;
    return count;
}

static int forget(void **state)
{
    (void)state;
    free(before);
    before = NULL;
    return 0;
}

/* A problem whose source changes is run again, and the other one not; a comment changes nothing. */
static void test_changed_source(void **state)
{
    static const char both[] = "drift ./bead.c,pendulum --form index1,index2 --method cros --quiet --output bead/";
    (void)state;
    assert_int_equal(0, shell("'" DAELAB_PROGRAM "' new bead >/dev/null"));
    assert_int_equal(0, shell("sed -i 's/conservative = 1/conservative = 0/' bead.c"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_runs("bead/"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_runs("bead/"));
    assert_int_equal(0, shell("echo '/* a word more */' >>bead.c"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_runs("bead/"));
    assert_int_equal(0, shell("sed -i 's|f.0. = 0;|f[0] = 1e-3;|' bead.c"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(2, new_runs("bead/"));            /* the two formulations of the bead */
    assert_int_equal(0, new_runs("bead/"));
    assert_int_equal(0, cli_run("", "drift ./bead.c,pendulum --form index1,index2 --method cros --t-end 1 --quiet "
                                    "--output bead/"));
    assert_int_equal(4, new_runs("bead/"));
}

/* What an object of a model was linked with is a part of it: the restoring force comes from a second library. */
static void test_changed_library(void **state)
{
    static const char both[] = "drift ./linked.so --form index1 --method cros --quiet --output linked/",
        build[] = "'" COMPILER "' -shared -fPIC -o libpull.so pull.c";
    (void)state;
    assert_int_equal(0, shell("'" DAELAB_PROGRAM "' new linked >/dev/null && "
                              "sed -i 's|#include <daelab/model.h>|double pull(void);\\n&|; "
                              "s|f.0. = 0;|f[0] = pull();|; s/conservative = 1/conservative = 0/' linked.c && "
                              "grep -q 'pull()' linked.c && "
                              "echo 'double pull(void) { return 0; }' >pull.c"));
    assert_int_equal(0, shell(build));
    assert_int_equal(0, shell("'" COMPILER "' -w -shared -fPIC -I'" DAELAB_SOURCE_DIR "/include' -I. "
                              "-o linked.so linked.c -L. -lpull -Wl,-rpath,. -lm"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_runs("linked/"));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(0, new_runs("linked/"));
    assert_int_equal(0, shell("echo 'double pull(void) { return 1e-3; }' >pull.c"));
    assert_int_equal(0, shell(build));
    assert_int_equal(0, cli_run("", both));
    assert_int_equal(1, new_runs("linked/"));
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
        cmocka_unit_test_teardown(test_changed_source, forget),
        cmocka_unit_test_teardown(test_changed_library, forget), cmocka_unit_test(test_one_reference),
    };
    return cmocka_run_group_tests(tests, cli_begin_undrawn, cli_end);
}
