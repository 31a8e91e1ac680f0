/* test_ends - runs that crash, hang, eat memory or end the program are results with a name, and harm no others */
#include "cli_json.h"

/* bead.c, the file that daelab new writes, with a statement at the begin of its force. */
static void write_bead(const char *statement)
{
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && rm -f bead.c && '%s' new bead >/dev/null && "
             "sed -i '1i #include <signal.h>\\n#include <stdlib.h>\\n#include <unistd.h>\n"
             "/FN(force)/,/^}/ s|f.0. = 0;|f[0] = 0; %s|' bead.c && grep -q 'f.0. = 0; if' bead.c", cli_folder,
             DAELAB_PROGRAM, statement);
    assert_int_equal(0, system(command));
}

/* Each in its own way where the mass is more than 1.5 and t is more than 1; references, in quad, go on. */
#define THERE "if ((double)p[M] > 1.5 \\&\\& (double)t > 1 \\&\\& sizeof(real) == sizeof(double)) "

#define QUAD "if (_Generic((real){0}, __float128: 1, default: 0)) "

static const struct {
    const char *statement, *options, *status, *reason;
    int memory;                 /* where the sanitizers are, memory is another's */
} ends[] = {
    {THERE "abort();", "", "killed", "SIGABRT", 0},
    {THERE "raise(SIGFPE);", "", "killed", "SIGFPE", 0},
    {THERE "raise(SIGSEGV);", "", "killed", "SIGSEGV", 0},
    {THERE "raise(SIGKILL);", "", "killed", "SIGKILL", 0},
    {THERE "_exit(0);", "", "killed", "exit status 0", 0},
    {THERE "_exit(3);", "", "killed", "exit status 3", 0},
    {THERE "for (;;) f[1] += 1e-9;", "--limit 0.1", "limit_time", "more than", 0},
    {THERE "for (;;) sleep(1);", "--limit 0.1", "limit_time", "more than", 0},
    {THERE "for (;;) *(volatile char *)malloc(4096) = 1;", "--limit-memory 100M", "limit_memory", "100 MB", 1},
};

/* The runs of one mass are as ever, those of the other have a name. The check before a study, which would look at such
 * times, is left out. */
TEST(test_ends_of_runs)
{
    static const char study[] = "drift ./bead.c --form index1,index2 --method cros,rk4 --step 0.1 --no-check";
    char line[512];
    write_bead("if ((double)p[M] < 0) abort();");
    snprintf(line, sizeof line, "%s --format json --quiet", study);
    json_t *good = parsed(0, line);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
#ifdef SANITIZED
        if (ends[k].memory)
            continue;
#endif
        write_bead(ends[k].statement);
        snprintf(line, sizeof line, "%s --vary m=1,2 --format json --quiet %s", study, ends[k].options);
        json_t *tree = parsed(1, line);
        const int runs = count_rows(good, "runs", "");
        assert_int_equal(2 * runs, count_rows(tree, "runs", ""));
        for (int i = 0; i < runs; i++) {
            char same[16], other[16];
            snprintf(same, sizeof same, "#%d", i);
            snprintf(other, sizeof other, "#%d", i + runs);
            assert_true(json_equal(cell_at(good, "runs", same, "status"), cell_at(tree, "runs", same, "status")));
            assert_true(json_equal(cell_at(good, "runs", same, "drift_position"),
                                   cell_at(tree, "runs", same, "drift_position")));
            assert_true(json_equal(cell_at(good, "runs", same, "steps"), cell_at(tree, "runs", same, "steps")));
            if (strcmp(text_in(good, "runs", same, "status"), "ok") != 0)
                continue;
            const char *status = text_in(tree, "runs", other, "status");
            const char *reason = text_in(tree, "runs", other, "reason");
            if (strcmp(ends[k].status, status) != 0 || !strstr(reason, ends[k].reason))
                fail_msg("%s: %s: %s", ends[k].statement, status, reason);
        }
        assert_non_null(strstr(cli_said.err, ends[k].reason));
        json_decref(tree);
    }
    json_decref(good);
}

/* A reference that crashes is none; one in whose start the model crashes has a sentence, and no study. */
TEST(test_ends_of_begins)
{
    static const struct { const char *statement, *says; } crashes[] = {
        {QUAD "abort();", "no reference: killed by SIGABRT"},
        {QUAD "_exit(0);", "no reference: its process ended"},
    };
    static const char *const commands[] = {"converge ./bead.c", "drift ./bead.c", "bench ./bead.c",
                                           "scale ./bead.c --vary m=1,2", "solve ./bead.c", "check ./bead.c",
                                           "info ./bead.c"};
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++) {
        write_bead(crashes[k].statement);
        assert_int_equal(0, cli_run("", "converge ./bead.c --form index1 --method cros --step 0.1 --levels 2 "
                                        "--no-check"));
        assert_non_null(strstr(cli_said.out, crashes[k].says));
    }
    write_bead("if (sizeof(real) >= sizeof(double)) raise(SIGFPE);");
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        assert_int_equal(2, cli_run("", commands[k]));
        assert_non_null(strstr(cli_said.err, "killed by SIGFPE"));
        assert_string_equal("", cli_said.out);
    }
    /* at its own mass it begins, at another one not */
    write_bead("if ((double)p[M] > 1.5) raise(SIGFPE);");
    for (size_t k = 0; k < 5; k++) {
        char line[256];
        snprintf(line, sizeof line, "%s --param m=2", commands[k]);
        if (strstr(line, "scale"))
            snprintf(line, sizeof line, "scale ./bead.c --vary m=1,2 --method cros");
        assert_int_not_equal(0, cli_run("", line));
        assert_non_null(strstr(cli_said.err, "killed by SIGFPE"));
    }
}

/* solve and check of a file that crashes on its way. */
TEST(test_single_commands)
{
    write_bead("if ((double)t > 1 \\&\\& sizeof(real) == sizeof(double)) raise(SIGSEGV);");
    assert_int_equal(1, cli_run("", "solve ./bead.c --method cros --no-check"));
    assert_non_null(strstr(cli_said.err, "bead, index1, cros: killed by SIGSEGV"));
    write_bead("if ((double)t > 1) _exit(0);");
    assert_int_not_equal(0, cli_run("", "check ./bead.c"));
    assert_true(strstr(cli_said.err, "ended the program") || strstr(cli_said.err, "ended by itself"));
    write_bead("if ((double)t > 1 \\&\\& sizeof(real) == sizeof(double)) for (;;) f[1] += 1e-9;");
    assert_int_equal(1, cli_run("", "solve ./bead.c --method cros --limit 0.2 --no-check"));
    assert_non_null(strstr(cli_said.err, "more than 0.2 s"));
}

int main(void) { return run_all(cli_begin, cli_end); }
