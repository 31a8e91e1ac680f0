/* test_result_files.c - where results go: pipes, what the shell has opened, files that replace
 * others; and what a run leaves that is ended from outside: a sentence, a clean line, no file */
#include "on_terminal.h"

#include "host/atomic_file.h"
#include "host/interrupt.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

/* Run a line of the shell in the test's folder, with $D the program; its exit status. */
static int shell(const char *line)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && D='%s' && { %s\n}", cli_folder, DAELAB_PROGRAM,
             line);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(test_pipes)
{
    static const char *const lines[] = {
        "$D solve pendulum --step 0.005 --output /dev/stdout | grep -q '400 steps'",
        "$D solve pendulum --step 0.005 --output /proc/self/fd/1 | grep -q '400 steps'",
        "$D list methods --output /dev/stdout | grep -q radau13",
        "$D info pendulum --output /dev/stdout | grep -q citation",
        "bash -c '\"$0\" solve pendulum --step 0.005 --output >(grep -q \"400 steps\" && >found)' $D && "
        "while [ ! -e found ]; do sleep 0.01; done",
        /* a pipe with a name waits for its reader, who waits for the result */
        "mkfifo pipe; $D solve pendulum --step 0.005 --output pipe & grep -q '400 steps' pipe; wait $!",
        "grep -q '400 steps' pipe & $D solve pendulum --step 0.005 --output pipe; wait $!",
        /* what the shell appends to is appended to */
        "echo first >both; $D list methods --output /dev/stdout >>both; grep -q first both && "
        "grep -q radau13 both",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (shell(lines[i]) != 0)
            fail_msg("%s: failed", lines[i]);
}

/* A file that replaces another, also by a link, keeps the mode of a new file and leaves nothing. */
TEST(test_replaced)
{
    assert_int_equal(0, shell("mkdir r; cd r; echo old >a; ln -s a b; umask 027; "
                              "$D list --output b && [ -L b ] && grep -q pendulum a && "
                              "[ $(stat -c %a a) = 640 ] && [ $(ls -A | wc -l) = 2 ]"));
    assert_int_equal(0, shell("cd r; rm a b; $D list --output c && [ $(ls -A) = c ]"));
    assert_int_equal(3, shell("cd r; $D list --output . 2>/dev/null"));
    assert_int_equal(3, shell("cd r; echo x >d; chmod 000 .; $D list --output d 2>/dev/null; s=$?; "
                              "chmod 700 .; [ $(id -u) = 0 ] && exit 3; exit $s"));
}

static int files_in(const char *folder)
{
    DIR *list = opendir(folder);
    int count = 0;
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

/* A process that is ended while it writes leaves neither the file nor anything beside it. */
TEST(test_killed_while_writing)
{
    char folder[300], path[320];
    snprintf(folder, sizeof folder, "%s/killed", cli_folder);
    snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(0, mkdir(folder, 0700));
    for (int k = 0; k < 2; k++) {
        const pid_t child = fork();
        if (child == 0) {
            atomic_file f;
            if (freopen("/dev/null", "w", stderr) && atomic_open(&f, path, NULL) == DAE_OK) {
                interrupt_begin();
                fputs("half", f.stream);
                fflush(f.stream);
                raise(f.nameless && k ? SIGKILL : SIGTERM);
            }
            _exit(0);
        }
        int ended;
        assert_true(waitpid(child, &ended, 0) == child && WIFSIGNALED(ended));
        assert_int_equal(0, files_in(folder));
    }
}

/* Start `daelab ARGUMENTS` with standard error on a terminal, *master its other side. */
static pid_t on_terminal(char *const *arguments, int *master)
{
    const int terminal = terminal_open(80, master);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);                        /* a test begun in the background ignores it */
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0 && dup2(terminal, 2) == 2 && dup2(nowhere, 1) == 1 && !close(terminal))
            execv(DAELAB_PROGRAM, arguments);
        _exit(127);
    }
    close(terminal);
    return child;
}

/* The line of progress is cleared and a sentence said; then the study ends, with the status of the signal. */
TEST(test_signals)
{
    static const struct { int number; const char *says; } signals[] = {
        {SIGINT, "SIGINT: the study ends"}, {SIGTERM, "SIGTERM: the study ends"}};
    static char text[1 << 16];
    for (int k = 0; k < 2; k++) {
        char *const arguments[] = {"daelab",   "converge", "chain", "--form", "all",
                                   "--method", "all",      NULL};
        size_t length = 0;
        int master, ended, sent = 0;
        const pid_t child = on_terminal(arguments, &master);
        for (;;) {
            const ssize_t n = read(master, text + length, sizeof text - 1 - length);
            if (n <= 0)
                break;                                  /* the other side is closed */
            length += (size_t)n;
            text[length] = 0;
            if (!sent && strchr(text, ']') && kill(child, signals[k].number) == 0)
                sent = 1;
        }
        assert_true(waitpid(child, &ended, 0) == child);
        assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 128 + signals[k].number);
        const char *said = strstr(text, signals[k].says);
        assert_non_null(said);
        const char *line = said - strlen("daelab: ");
        assert_true(line > text && line[-1] == '\r' && line[-2] == ' ');
        close(master);
    }
    assert_int_equal(143, shell("$D converge chain --form all --method all --quiet 2>err & "
                                "while ! grep -q 'SigCgt:.*[4-7c-f]...$' /proc/$!/status; do "
                                "sleep 0.01; done; "
                                "kill $!; wait $!"));
}

int main(void) { return run_all(cli_begin, cli_end); }
