/* test_derive_command - models in words in the place of problems: derived once, kept, and what goes wrong
 *
 * What derives is a program of the test's own, in the place of Python: it notes each call, and answers with
 * what it finds in a file. test_models_in_words.c has the real one.
 */
#include "cli_says.h"

/* With python, the test's own, and the cache in a folder that the test empties. */
#define DERIVING "DAELAB_CACHE=cache DAELAB_PYTHON=./python"

/* Nothing but these files: a model, what it becomes, and the program that makes it. */
static int begin_anew(void **state)
{
    in_folder("rm -rf * && printf '# a ring\\n\\nmodel: ring\\n' >ring.yaml && "
              "cp '" DAELAB_SOURCE_DIR "/tests/ring.c' made.c && "
              "printf '#!/bin/sh\\necho \"$@\" >>calls\\ncat made.c\\n' >python && chmod +x python");
    return 0;
}

/* It answers with words on standard error and a status. */
static void answer_with(const char *words, int status)
{
    char shell[512];
    snprintf(shell, sizeof shell, "printf '#!/bin/sh\\nprintf \"%s\" >&2\\nexit %d\\n' >python", words, status);
    in_folder(shell);
}

/* ---- a model in the place of a problem ------------------------------------------------------ */

TEST(test_every_command_takes_it)
{
    static const char *const commands[] = {
        "info ./ring.yaml", "list ring.yaml", "check ./ring.yaml", "solve ring.yaml --samples 2",
        "converge ./ring.yaml --form index2", "drift ./ring.yaml --form index1",
        "bench ./ring.yaml,pendulum --form index1 --method dopri5 --levels 1 --seconds 1e-6",
        "scale ./ring.yaml --vary m=1,2 --form index1 --method dopri5 --seconds 1e-6",
        "list problems --plugin ./ring.yaml", "info ring --plugin ring.yaml"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        runs(DERIVING, commands[i]);
        says(cli_said.out, "ring");
    }
    in_folder("test $(wc -l <calls) = 1");
}

/* Its text is the file that is named, not what was derived of it. */
TEST(test_it_is_named)
{
    runs(DERIVING, "info ./ring.yaml");
    says(cli_said.out, "\nfile: ./ring.yaml\n");
    runs(DERIVING, "solve ./ring.yaml --samples 2 --format json");
    says(cli_said.out, "\"ring\": \"./ring.yaml\"");
    in_folder("echo 'int broken(' >made.c && echo '# other' >>ring.yaml");
    refused(DERIVING, "info ./ring.yaml", SYSTEM, "daelab: ./ring.yaml does not compile");
}

TEST(test_folders)
{
    in_folder("mkdir models && mv ring.yaml models/ && "
              "printf -- '---\\n# a study\\nstudy: ring\\n' >models/study.yaml && "
              ": >models/empty.yaml && echo 'models: 3' >models/more.yaml");
    runs(DERIVING " DAELAB_PLUGINS=models", "info ring");
    assert_string_equal(cli_said.err, "");
    in_folder("test $(wc -l <calls) = 1");
    for (int i = 0; i < 4; i++) {
        static const char *const first[] = {"\\357\\273\\277model: ring", "%%YAML 1.2\\n---\\nmodel : ring",
                                            "\\n  # x\\n--- # y\\nmodel:", "model:\\n  ring"};
        char shell[256];
        snprintf(shell, sizeof shell, "rm models/*.yaml && printf '%s\\n' >models/a%d.yaml", first[i], i);
        in_folder(shell);
        runs(DERIVING " DAELAB_PLUGINS=models", "info ring");
    }
    answer_with("models/a3.yaml, line 1: no\\n", 2);
    in_folder("echo >>models/a3.yaml");
    runs(DERIVING " DAELAB_PLUGINS=models", "info pendulum");
    says(cli_said.err, "daelab: models/a3.yaml, line 1: no\ndaelab: of $DAELAB_PLUGINS this file is left out\n");
}

/* A pipe among them, which nobody writes to, is not waited for; neither is one that is named. */
TEST(test_pipes)
{
    in_folder("mkdir models && mv ring.yaml models/ && mkfifo models/pipe.yaml");
    runs("timeout 60 env " DERIVING " DAELAB_PLUGINS=models", "info ring");
    refused("timeout 60 env " DERIVING, "info models/pipe.yaml", SYSTEM, "it is no regular file");
}

/* ---- kept ----------------------------------------------------------------------------------- */

/* Where it is kept nothing is started that derives. */
TEST(test_from_the_cache_nothing_is_started)
{
    runs(DERIVING, "info ./ring.yaml");
    in_folder("rm python calls");
    runs(DERIVING, "check ./ring.yaml");
    in_folder("echo >>ring.yaml");
    refused("DAELAB_CACHE=cache DAELAB_PYTHON=python0", "info ./ring.yaml", SYSTEM,
            "python0 is not installed; it derives");
    says(cli_said.err, "apt-get install python3-sympy python3-yaml");
    refused(DERIVING, "info ./ring.yaml", SYSTEM, "./python is not installed");
}

TEST(test_what_was_damaged_is_derived_again)
{
    static const char *const how[] = {
        "truncate -s 5000 cache/kept.db", "sed -i s/9.81/9.82/ cache/kept.db", ": >cache/kept.db",
        "echo >cache/kept.db"};
    runs(DERIVING, "info ./ring.yaml");
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        in_folder("rm calls");
        in_folder(how[i]);
        runs(DERIVING, "info ./ring.yaml");
        says(cli_said.out, "9.81");
        runs(DERIVING, "info ./ring.yaml");
        says(cli_said.out, "9.81");
        runs(DERIVING, "info ./ring.yaml");
        in_folder("test $(wc -l <calls) -le 2");
    }
}

/* An edited text is another problem, and the one before is still known. */
TEST(test_edited_text_is_derived_again)
{
    runs(DERIVING, "info ./ring.yaml");
    in_folder("cp ring.yaml first && sed -i 's/9.81/1.62/' made.c && echo '# on the moon' >>ring.yaml");
    runs(DERIVING, "info ./ring.yaml");
    says(cli_said.out, "1.62");
    in_folder("cp first ring.yaml && test $(wc -l <calls) = 2");
    runs(DERIVING, "info ./ring.yaml");
    says(cli_said.out, "9.81");
    in_folder("test $(wc -l <calls) = 2");
}

/* A text that changes while it is derived is not kept under what it held before. */
TEST(test_text_that_changes_meanwhile)
{
    in_folder("printf '#!/bin/sh\\necho x >>calls\\necho >>ring.yaml\\ncat made.c\\n' >python && cp ring.yaml first");
    runs(DERIVING, "info ./ring.yaml");
    in_folder("cp first ring.yaml && rm calls");
    runs(DERIVING, "info ./ring.yaml");
    in_folder("test -s calls");
}

TEST(test_without_a_cache)
{
    const char *nowhere[] = {"DAELAB_CACHE= XDG_CACHE_HOME= HOME= TMPDIR=temporary DAELAB_PYTHON=./python",
                             "DAELAB_CACHE=python/cache TMPDIR=temporary DAELAB_PYTHON=./python"};
    in_folder("mkdir temporary");
    for (int i = 0; i < 2; i++) {
        runs(nowhere[i], "check ./ring.yaml");
        runs(nowhere[i], "solve ./ring.yaml --samples 2");
    }
    in_folder("test $(wc -l <calls) = 4 && test $(ls temporary | wc -l) = 0 && test ! -e cache");
}

/* ---- at the same time, and interrupted ------------------------------------------------------ */

TEST(test_two_at_once)
{
    in_folder("for i in 1 2 3; do " DERIVING " '" DAELAB_PROGRAM "' info ./ring.yaml >out$i 2>&1 & all=\"$all $!\"; "
              "done; "
              "for one in $all; do wait $one || exit 1; done; cmp out1 out2 && cmp out1 out3");
}

/* Nothing of a derivation that was ended stays behind, and neither does what derives. */
TEST(test_interrupted)
{
    in_folder("printf '#!/bin/sh\\necho $$ >child\\nexec sleep 100\\n' >python && mkdir temporary");
    for (int i = 0; i < 2; i++) {
        static const char *const ends[] = {"TERM", "HUP"};
        char shell[1024];
        snprintf(shell, sizeof shell,
                 "rm -f child; TMPDIR=temporary " DERIVING " '" DAELAB_PROGRAM "' info ./ring.yaml 2>said & "
                 "while ! test -s child; do sleep 0.01; done; kill -%s $!; wait $! 2>/dev/null; "
                 "grep -q 'ended by SIG%s' said && test -z \"$(find temporary -type f)\" && "
                 "for k in $(seq 500); do grep -q '^State:.[^Z]' /proc/$(cat child)/status 2>/dev/null || exit 0; "
                 "sleep 0.01; done; exit 1",
                 ends[i], ends[i]);
        in_folder(shell);
    }
}

/* ---- what goes wrong ------------------------------------------------------------------------ */

TEST(test_faults)
{
    answer_with("./ring.yaml, line 3: the model has no coordinates\\n", 2);
    refused(DERIVING, "solve ./ring.yaml", USAGE, "daelab: ./ring.yaml, line 3: the model has no coordinates\n");
    answer_with("derive: python3 has no sympy\\n", 3);
    refused(DERIVING, "solve ./ring.yaml", SYSTEM, "daelab: derive: python3 has no sympy\n");
    answer_with("Traceback\\n  a line\\n", 1);
    refused(DERIVING, "info ./ring.yaml", SYSTEM,
            "daelab: ./ring.yaml: no problem file can be derived of it:\nTraceback\n  a line\n");
    answer_with("", 1);
    refused(DERIVING, "info ./ring.yaml", SYSTEM, "ended with status 1, without a word");
    in_folder("printf '#!/bin/sh\\nkill -9 $$\\n' >python");
    refused(DERIVING, "info ./ring.yaml", SYSTEM, "ended by signal 9");
    refused(DERIVING, "info ./none.yaml", SYSTEM, "./none.yaml: No such file");
    in_folder(": >empty.yaml && mkdir folder.yaml");
    refused(DERIVING, "info ./empty.yaml", SYSTEM, "the file is empty");
    refused(DERIVING, "info ./folder.yaml", SYSTEM, "it is a folder");
    refused(DERIVING, "info ./ring.yml", SYSTEM, "./ring.yml: No such file");
    in_folder("cp ring.yaml ring.yml");
    refused(DERIVING, "info ./ring.yml", USAGE, "a model in words in .yaml");
}

/* ---- daelab derive -------------------------------------------------------------------------- */

TEST(test_derive_writes)
{
    runs(DERIVING, "derive ring.yaml");
    in_folder("cmp out.txt made.c");
    runs(DERIVING, "derive ring.yaml --output ring.c --minimal --latex");
    in_folder("cmp ring.c made.c && tail -1 calls | grep -q -e ' --latex --minimal -- ring.yaml$'");
    answer_with("ring.yaml, line 1: no\\n", 2);
    in_folder("echo old >ring.c");
    refused(DERIVING, "derive ring.yaml --output ring.c", USAGE, "daelab: ring.yaml, line 1: no\n");
    in_folder("test \"$(cat ring.c)\" = old");
}

TEST(test_derive_refuses)
{
    static const struct { const char *arguments; int status; const char *says; } mistakes[] = {
        {"derive", USAGE, "derive what?"}, {"derive pendulum", USAGE, "ends in .yaml"},
        {"derive made.c", USAGE, "ends in .yaml"},
        {"derive ring.yaml --output ring.yaml", USAGE, "is the model itself"},
        {"derive ring.yaml --output ./link.yaml", USAGE, "is the model itself"},
        {"derive ring.yaml --output no/ring.c", SYSTEM, "no/ring.c: No such file"},
        {"derive ring.yaml --output ''", USAGE, "the name of a file"},
        {"derive ring.yaml --latx", USAGE, "did you mean --latex?"}, {"derive a.yaml b.yaml", USAGE, "takes one name"},
        {"derive ring.yaml --output a --output b", USAGE, "given twice"},
        {"solve ring.yaml --latex", USAGE, "no option"}};
    in_folder("ln -s ring.yaml link.yaml && cp ring.yaml before");
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        refused(DERIVING, mistakes[i].arguments, mistakes[i].status, mistakes[i].says);
    in_folder("cmp ring.yaml before");
}

int main(void) { return run_tests_of(__FILE__, begin_anew, cli_begin, cli_end); }
