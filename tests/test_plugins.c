/* test_plugins - problems and methods from files: what is right runs, what is wrong gets a sentence */
#include "cli_json.h"
#include "cli_says.h"

#include "catalogue/catalogue.h"

/* tests/ring.c under another name in the test's folder, changed by sed ("" leaves it as it is). */
static void write_ring(const char *name, const char *change)
{
    char command[1024];
    snprintf(command, sizeof command, "sed -e '%s' '%s/tests/ring.c' >'%s/%s'", change, DAELAB_SOURCE_DIR,
             cli_folder, name);
    assert_int_equal(system(command), 0);
}

/* ---- what works --------------------------------------------------------------------------- */

TEST(test_path_takes_the_place_of_a_name)
{
    static const char *const commands[] = {
        "info ./ring.c", "check ./ring.c", "solve ./ring.c --samples 2", "converge ring.c --form index2",
        "drift ./ring.c --form index1", "bench ./ring.c --form index1 --method dopri5 --levels 2 --seconds 1e-6",
        "scale ./ring.c --vary m=1,2 --form index1 --method dopri5 --seconds 1e-6"};
    write_ring("ring.c", "");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (cli_run("", commands[i]) != DONE)
            fail_msg("%s: %s", commands[i], cli_said.err);
        says(cli_said.out, "ring");
    }
}

TEST(test_orders_are_those_of_the_tables)
{
    write_ring("ring.c", "");
    assert_true(agreeing_orders("converge ./ring.c --method cros --format json") > 0);
}

TEST(test_plugin_joins_by_name)
{
    write_ring("ring.c", "");
    in_folder("mkdir -p models && sed 's/\"ring\"/\"hoop\"/; s/dae_ring/dae_hoop/' ring.c >models/hoop.c");
    assert_int_equal(cli_run("", "list problems --plugin ./ring.c"), DONE);
    says(cli_said.out, "\nring ");
    assert_int_equal(cli_run("DAELAB_PLUGINS=models", "list problems --plugin ring.c"), DONE);
    says(cli_said.out, "\nring ");
    says(cli_said.out, "\nhoop ");
    assert_int_equal(cli_run("DAELAB_PLUGINS=:models:", "info hoop --plugin ring.c --plugin ./ring.c"), DONE);
    assert_int_equal(cli_run("DAELAB_PLUGINS=models", "info models/hoop.c"), DONE);
    assert_int_equal(cli_run("DAELAB_PLUGINS=models", "bench hoop,pendulum --form index1 --method dopri5 "
                             "--levels 1 --seconds 1e-6"), DONE);
    refused("", "info hoop", USAGE, "hoop");
    in_folder("echo 'int broken(' >models/broken.c");               /* one bad file spoils no other */
    assert_int_equal(cli_run("DAELAB_PLUGINS=models", "info hoop"), DONE);
    says(cli_said.err, "broken.c does not compile");
    says(cli_said.err, "this file is left out");
    in_folder("rm models/broken.c");
    refused("DAELAB_PLUGINS=nowhere", "list", SYSTEM, "nowhere: No such file");
}

/* An edited file is another problem, with references of its own; the old one is still known. */
TEST(test_edited_file_is_compiled_again)
{
    write_ring("edited.c", "s/ring/edited/");
    assert_int_equal(cli_run("", "drift ./edited.c --form index1 --method dopri5 --reference --rtol 1e-9"), DONE);
    write_ring("edited.c", "s/ring/edited/; s/f\\[0\\] = 0;/f[0] = 3;/");
    assert_true(agreeing_orders("converge ./edited.c --form index1 --method cros --format json") > 0);
}

/* The same source gives the same object, wherever it lies: what was computed with it is found again. Where a folder is
 * named for objects it is there, and can be loaded as it is. */
TEST(test_objects)
{
    write_ring("kept.c", "s/ring/kept/");
    in_folder("mkdir -p one two other && cp kept.c other/kept.c");
    assert_int_equal(cli_run("DAELAB_OBJECTS=one", "info ./kept.c"), DONE);
    assert_int_equal(cli_run("DAELAB_OBJECTS=two", "info other/kept.c"), DONE);
#ifndef SANITIZED                       /* a sanitizer's object holds the path of its source */
    in_folder("cmp one/kept.so two/kept.so");
#endif
    in_folder("test $(ls one | wc -l) = 1");
    assert_int_equal(cli_run("", "info one/kept.so"), DONE);
    says(cli_said.out, "problem: kept");
    refused("DAELAB_OBJECTS=nowhere", "info ./kept.c", SYSTEM, "./kept.c does not compile");
}

/* Two files in one object, each with its line: both are there, and a result says where they came from. */
TEST(test_shared_object_of_two)
{
    write_ring("one.c", "s/ring/one/");
    write_ring("two.c", "s/ring/two/");
    in_folder("'" COMPILER "' " SANITIZER_FLAGS " -shared -fPIC -I'" DAELAB_SOURCE_DIR "/include' -I. -o both.so "
                                                                                       "two.c one.c -lm");
    assert_int_equal(cli_run("", "list ./both.so"), DONE);
    says(cli_said.out, "\none ");
    says(cli_said.out, "\ntwo ");
    assert_null(strstr(cli_said.out, "pendulum"));
    assert_int_equal(cli_run("", "drift one --plugin ./both.so --form index1 --format json"), DONE);
    says(cli_said.out, "\"one\": \"./both.so\"");
    assert_int_equal(cli_run("", "drift one --plugin ./both.so --form index1"), DONE);
    says(cli_said.out, "drift one of ./both.so, t = 0 ... 2");
    refused("", "drift ./both.so", USAGE, "offers ");
}

/* What anybody may put there is not run; and a path that no compiler takes is said to be one. */
TEST(test_places_of_others)
{
    in_folder("mkdir open");
    write_ring("open/ring.c", "");
    in_folder("chmod 777 open && cp open/ring.c 'a\"b.c'");
    refused("DAELAB_PLUGINS=open", "list problems", SYSTEM, "everybody may write in open");
    in_folder("chmod 755 open");
    runs("DAELAB_PLUGINS=open", "info ring");
    refused("", "info './a\"b.c'", USAGE, "quotation mark");
}

TEST(test_no_place_for_a_cache)
{
    write_ring("ring.c", "");
    in_folder("mkdir -p empty && touch flat");
    assert_int_equal(cli_run("DAELAB_CACHE=flat/below TMPDIR=empty", "info ./ring.c"), DONE);
    in_folder("rmdir empty");                               /* nothing is left behind */
}

/* A compiler that has its caller ended, and is ended by that. */
TEST(test_compile_is_interrupted)
{
    write_ring("ring.c", "");
    in_folder("mkdir -p empty && echo 'kill -TERM $PPID; exec sleep 10' >endless");
    assert_int_not_equal(cli_run("TMPDIR=empty CC='sh endless'", "info ./ring.c"), DONE);
    says(cli_said.err, "ended by SIGTERM");
    in_folder("rmdir empty");                               /* nothing is left behind */
}

TEST(test_own_header)
{
    write_ring("headed.c", "s/ring/headed/; s/^enum { M, G };/&\\n#include \"push.h\"/; s/f\\[0\\] = 0;/f[0] = PUSH;/");
    in_folder("echo '#define PUSH 1' >push.h");
    assert_int_equal(cli_run("", "solve ./headed.c --t-end 0.5 --format csv --method dopri5 --rtol 1e-9"), DONE);
    static char first[CLI_TEXT];
    strcpy(first, cli_said.out);
    assert_int_equal(cli_run("", "solve ./headed.c --t-end 0.5 --format csv --method dopri5 --rtol 1e-9"), DONE);
    assert_string_equal(first, cli_said.out);
    in_folder("echo '#define PUSH 5' >push.h");
    assert_int_equal(cli_run("", "solve ./headed.c --t-end 0.5 --format csv --method dopri5 --rtol 1e-9"), DONE);
    assert_string_not_equal(first, cli_said.out);
}

/* A header that comes to stand before another of its name is the one that counts. */
TEST(test_own_header_in_front)
{
    static char first[CLI_TEXT];
    static const char run[] = "solve sub/front.c --t-end 0.5 --format csv --method dopri5 --rtol 1e-9";
    in_folder("mkdir -p sub && rm -f sub/push.h && echo '#define PUSH 1' >push.h");
    write_ring("sub/front.c", "s/ring/front/; s/^enum { M, G };/&\\n#include \"push.h\"/; s/f\\[0\\] = 0;/f[0] = "
                              "PUSH;/");
    assert_int_equal(cli_run("", run), DONE);
    strcpy(first, cli_said.out);
    in_folder("echo '#define PUSH 5' >sub/push.h");
    assert_int_equal(cli_run("", run), DONE);
    assert_string_not_equal(first, cli_said.out);
}

TEST(test_many_at_once)
{
    write_ring("many.c", "s/ring/many/");
    in_folder("rm -rf fresh; for i in 1 2 3 4; do (DAELAB_CACHE=fresh '" DAELAB_PROGRAM "' info ./many.c >/dev/null "
              "|| touch failed) & done; wait; test ! -e failed");
}

/* Of a file whose second problem cannot be taken the first is not there, either. */
TEST(test_all_or_none)
{
    static const dae_problem fresh = {.name = "fresh"}, taken = {.name = "pendulum"};
    static const dae_problem *const both[] = {&fresh, &taken};
    const int before = catalogue_problems();
    dae_report why;
    assert_int_equal(catalogue_add(both, 2, NULL, 0, "a file", &why), DAE_BAD_ARGUMENT);
    says(why.message, "called pendulum");
    assert_int_equal(catalogue_problems(), before);
    assert_null(catalogue_find_problem("fresh"));
    assert_int_equal(catalogue_add(both, 1, NULL, 0, "a file", &why), DAE_OK);
    assert_ptr_equal(catalogue_find_problem("fresh"), &fresh);
    assert_string_equal(catalogue_file(&fresh), "a file");
    assert_null(catalogue_file(catalogue_problem(0)));
}

/* ---- what does not ------------------------------------------------------------------------ */

TEST(test_broken_sources)
{
    static const struct { const char *change; int status; const char *words; } broken[] = {
        {"s/a\\[0\\];/a[0]/", SYSTEM, "broken.c:22:23: error"},
        {"s/p\\[G\\]/p[H]/", SYSTEM, "broken.c:29:22: error"},
        {"s/f\\[0\\] = 0;/double z = v[0]; f[0] = z;/", SYSTEM, "conversion"},
        {"s/f\\[0\\] = 0;/f[0] = lgamma(v[0]);/", SYSTEM, "broken.c:28:12: error: static"},
        {"/DAE_PLUGIN/d", USAGE, "DAE_PLUGIN_PROBLEMS(&RECORD); or"},
        {"s/(&dae_ring)/(\\&dae_ring, NULL)/", USAGE, "problem 2 of its list is NULL"},
        {"s/\"ring\"/\"pendulum\"/", USAGE, "called pendulum, as is a problem of daelab"},
        {"s/\"ring\"/\"cros\"/", USAGE, "called cros, as is a method of daelab"},
        {"s/\"ring\"/\"index2\"/", USAGE, "called index2, as is a formulation of daelab"},
        {"s/\"ring\"/\"all\"/", USAGE, "'all' is no name"},
        {"s/\"ring\"/\"a,b\"/", USAGE, "'a,b' is no name"},
        {"s/\"ring\"/\"\"/", USAGE, "'' is no name"},
        {"s/\"ring\"/NULL/", USAGE, "no name"},
        {"s/u\\[0\\] = 1;/u[0] = sqrt(p[M] - 2);/", USAGE, "the start of x is NaN"},
        {"s/f\\[0\\] = 0;/f[0] = log(-p[M]);/", USAGE, "not finite"},
        {"s/vx vy N/vx vx N/", USAGE, "vx"},
        {"s/\\.nl = 1/&, .conservative = 1/", USAGE, "the record has no energy"},
        {"s/^{$/{ nobody();/; s/^enum/void nobody(void);\\n&/", SYSTEM, "nobody"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        write_ring("broken.c", broken[i].change);
        refused("LC_ALL=C.UTF-8", "info ./broken.c", broken[i].status, broken[i].words);
        const char *error = strstr(cli_said.err, ": error: ");
        assert_true(!error || !strstr(error + 1, ": error: "));         /* once, not in each pass */
    }
}

TEST(test_broken_files)
{
    in_folder("echo text >text.so; : >empty.c; mkdir -p folder.so; mkfifo pipe.c; cp '" BROKEN_PLUGIN_5 "' cut.so; "
              "truncate -s 9000 cut.so; head -c 100 '" BROKEN_PLUGIN_5 "' >head.so; ln -s nowhere.c dangling.c");
    refused("", "info ./text.so", SYSTEM, "no shared object");
    refused("", "info ./empty.c", SYSTEM, "empty");
    refused("", "info ./folder.so", SYSTEM, "folder");
    refused("", "info ./pipe.c", SYSTEM, "no regular file");
    refused("", "info ./dangling.c", SYSTEM, "No such file");
    refused("", "info ./cut.so", SYSTEM, "cut short");
    refused("", "info ./head.so", SYSTEM, "cut short");
    refused("", "info ./missing.c", SYSTEM, "No such file");
    refused("", "info ./ring.f90", SYSTEM, "No such file");
    refused("", "info '" DAELAB_PROGRAM "'", USAGE, "ends in .c or .so");
    refused("", "solve pendulum --plugin ./missing.so", SYSTEM, "No such file");
    refused("", "solve -- -minus.c", USAGE, "./-minus.c");
}

/* Cut anywhere, an object is refused, and ends nothing: of pages that are not there the loader would die. */
TEST(test_cut_objects)
{
    int cuts = 0;
    for (int length = 64; length < 16384; length += 1020) {
        char command[700];
        snprintf(command, sizeof command, "head -c %d '%s' >some.so", length, BROKEN_PLUGIN_5);
        in_folder(command);
        const int status = cli_run("", "info ./some.so");
        if (status != SYSTEM && status != USAGE)
            fail_msg("cut to %d bytes: status %d", length, status);
        cuts += strstr(cli_said.err, "cut short") != NULL;
    }
    assert_true(cuts >= 8);
    in_folder("head -c 30000 '" BROKEN_PLUGIN_5 "' >some.so");      /* within the last segment */
    refused("", "info ./some.so", SYSTEM, "cut short: 30000 bytes");
}

TEST(test_broken_objects)
{
    static const struct { const char *path; int status; const char *words; } broken[] = {
        {BROKEN_PLUGIN_1, USAGE, "an older daelab"}, {BROKEN_PLUGIN_2, USAGE, "a newer daelab"},
        {BROKEN_PLUGIN_3, USAGE, "a descriptor of"}, {BROKEN_PLUGIN_4, USAGE, "a descriptor of"},
        {BROKEN_PLUGIN_5, USAGE, "offers nothing"}, {BROKEN_PLUGIN_6, USAGE, "0 problems and 0 methods"},
        {BROKEN_PLUGIN_7, USAGE, "without its list of problems"}, {BROKEN_PLUGIN_8, USAGE, "is NULL"},
        {BROKEN_PLUGIN_9, USAGE, "dae_problem has"}, {BROKEN_PLUGIN_10, USAGE, "dae_event has"},
        {BROKEN_PLUGIN_11, USAGE, "dae_method has"}, {BROKEN_PLUGIN_12, USAGE, "dae_solver has"},
        {BROKEN_PLUGIN_13, USAGE, "neither"}, {BROKEN_PLUGIN_14, USAGE, "inertia"},
        {BROKEN_PLUGIN_15, USAGE, "has no step"}, {BROKEN_PLUGIN_16, USAGE, "neither fixed steps nor"},
        {BROKEN_PLUGIN_17, USAGE, "has no name"}, {BROKEN_PLUGIN_18, SYSTEM, "undefined symbol: nobody_defines"},
    };
    char arguments[600];
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        snprintf(arguments, sizeof arguments, "list --plugin '%s'", broken[i].path);
        refused("", arguments, broken[i].status, broken[i].words);
    }
}

TEST(test_compilers)
{
    write_ring("other.c", "s/ring/other/");
    refused("CC=nowhere-cc", "info ./other.c", SYSTEM, "nowhere-cc is not installed");
    refused("CC=false", "info ./other.c", SYSTEM, "false says nothing");
    in_folder("printf '#!/bin/sh\\nkill -SEGV $$\\n' >crashes && chmod +x crashes");
    refused("CC=./crashes", "info ./other.c", SYSTEM, "signal");
    assert_int_equal(cli_run("CC='" COMPILER " -O1'", "info ./other.c"), DONE);
    assert_int_equal(cli_run("CC=' '", "info ./other.c"), DONE);
}

/* The tableau of docs/own_methods.md is a method; with a slip in a coefficient it is refused where it is loaded. */
TEST(test_tableau)
{
    in_folder("sed -n '/<!-- tableau -->/,/^```$/p' '" DAELAB_SOURCE_DIR "/docs/own_methods.md' | "
              "sed '/```/d; /<!--/d' >bs32.c");
    in_folder("sed 's|7[.] / 24|7. / 25|' bs32.c >slip.c && ! cmp -s bs32.c slip.c");
    assert_int_equal(cli_run("", "list methods --plugin ./bs32.c"), DONE);
    says(cli_said.out, "\nbs32 ");
    refused("", "list methods --plugin ./slip.c", USAGE, "with b_hat the condition of order 1");
}

TEST(test_mistakes)
{
    write_ring("ring.c", "");
    write_ring("two.c", "s/(&dae_ring)/(\\&dae_ring, \\&second)/; s/^const dae_problem/extern const dae_problem "
               "second;\\n&/; s/^DAE_PLUGIN/const dae_problem second = {.name = \"second\", .mechanical = {.nq = 2, "
               ".inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force)}, .start = DAE_MODEL(start), .t_end = 1, "
               ".parameters = {{\"m\", 1}, {\"g\", 9}}};\\n&/");
    refused("", "solve ./ring.c --param q=1", USAGE, "no parameter 'q'");
    refused("", "solve ./ring.c --method ./ring.c", USAGE, "offers no method, but problem ring");
    refused("", "solve ./two.c", USAGE, "offers ring, second");
    refused("", "list --plugin ./ring.c --plugin ./two.c", USAGE, "called ring, as is a problem of ./ring.c");
    refused("", "solve ring", USAGE, "no problem 'ring'");
    refused("", "bench ./ring.c,./missing.c", SYSTEM, "missing.c");
}

int main(void) { return run_all(cli_begin, cli_end); }
