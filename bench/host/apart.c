#include "host/apart.h"

#include "host/interrupt.h"
#include "host/platform.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *apart_signal_name(int number, char name[SIGNAL_NAME])
{
    static const struct { int number; const char *name; } known[] = {
        {SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"}, {SIGCHLD, "SIGCHLD"},
        {SIGCONT, "SIGCONT"}, {SIGFPE, "SIGFPE"}, {SIGHUP, "SIGHUP"}, {SIGILL, "SIGILL"},
        {SIGINT, "SIGINT"}, {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"}, {SIGPROF, "SIGPROF"},
        {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSTOP, "SIGSTOP"}, {SIGSYS, "SIGSYS"},
        {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGTSTP, "SIGTSTP"}, {SIGTTIN, "SIGTTIN"},
        {SIGTTOU, "SIGTTOU"}, {SIGURG, "SIGURG"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
        {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGWINCH, "SIGWINCH"}, {SIGVTALRM, "SIGVTALRM"}};
    snprintf(name, SIGNAL_NAME, "signal %d", number);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].number == number)
            snprintf(name, SIGNAL_NAME, "%s", known[i].name);
    return name;
}

/* How a process ended that was started here. */
static int wait_for(pid_t child)
{
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return state;
}

static void set_signals(apart_signals signals)
{
    struct sigaction action;
    for (int i = 1; signals != SIGNALS_AS_HERE && i < NSIG; i++)
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL)
            signal(i, SIG_DFL);
    if (signals != SIGNALS_NOT_OF_TERMINAL)
        return;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

pid_t apart_fork(apart_signals signals, int number)
{
    const pid_t parent = getpid();
    sigset_t all, mask;
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    const pid_t child = fork();
    const int error = errno;
    if (child == 0) {
        set_signals(signals);
        if (platform_end_with_parent(number) || getppid() != parent)
            _exit(1);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = error;
    return child;
}

/* ---- a status and a report ---------------------------------------------------------------- */

typedef struct {
    dae_status status;
    dae_report report;
} outcome;

static void work_and_tell(apart_work *work, void *context, int seconds, int pipe)
{
    outcome out = {.status = DAE_OK};
    alarm((unsigned)seconds);
    out.status = work(context, &out.report);
    const ssize_t written = write(pipe, &out, sizeof out);      /* less than PIPE_BUF: all or nothing */
    fflush(stdout);
    _exit(written != sizeof out);
}

static int hear(int pipe, outcome *out)
{
    ssize_t count;
    while ((count = read(pipe, out, sizeof *out)) < 0 && errno == EINTR)
        continue;
    return count == sizeof *out;
}

static dae_status explain(int state, int seconds, dae_report *report)
{
    char name[SIGNAL_NAME];
    if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM)
        return dae_fail(report, DAE_BACKEND, "more than %d s", seconds);
    if (WIFSIGNALED(state))
        return dae_fail(report, DAE_BACKEND, "killed by %s", apart_signal_name(WTERMSIG(state), name));
    return dae_fail(report, DAE_BACKEND, "its process ended by itself, with exit status %d", WEXITSTATUS(state));
}

dae_status apart_do(apart_work *work, void *context, int seconds, dae_report *report)
{
    int ends[2];
    outcome out;
    if (platform_pipe(ends))
        return dae_fail(report, DAE_BACKEND, "no process: %s", strerror(errno));
    const pid_t child = apart_fork(SIGNALS_OF_SYSTEM, SIGKILL);
    if (child == 0) {
        close(ends[0]);
        work_and_tell(work, context, seconds, ends[1]);
    }
    close(ends[1]);
    interrupt_child(child > 0 ? child : 0);
    const int heard = child > 0 && hear(ends[0], &out);
    close(ends[0]);
    if (child < 0)
        return dae_fail(report, DAE_BACKEND, "no process: %s", strerror(errno));
    const int state = wait_for(child);
    interrupt_child(0);
    if (!heard)
        return explain(state, seconds, report);
    if (report)
        *report = out.report;
    return out.status;
}

/* ---- a whole command ---------------------------------------------------------------------- */

enum { UNWRITTEN = 3 };         /* the exit status where standard output takes nothing */

/* Signals that end a program are handed on until the child is over. */
static int stand_by(pid_t child, const sigset_t *ends)
{
    int state = 0;
    for (;;) {
        int number;
        if (sigwait(ends, &number) == 0 && number != SIGCHLD)
            kill(child, number);
        else if (waitpid(child, &state, WNOHANG) == child)
            return state;
    }
}

int apart_run(int (*work)(void *context), void *context)
{
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    volatile int *over = mmap(NULL, sizeof *over, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (over == MAP_FAILED)
        return work(context);
    sigprocmask(SIG_BLOCK, &ends, &before);
    const pid_t child = apart_fork(SIGNALS_AS_HERE, SIGTERM);
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        const int status = work(context);
        *over = fflush(stdout) == 0 && !ferror(stdout);
        _exit(*over ? status : UNWRITTEN);
    }
    const int state = child > 0 ? stand_by(child, &ends) : 0;
    const int done = *over;
    sigprocmask(SIG_SETMASK, &before, NULL);
    munmap((void *)over, sizeof *over);
    if (child < 0)
        return work(context);                           /* no process for it: here, then */
    if (WIFSIGNALED(state))
        return -WTERMSIG(state);
    return done || WEXITSTATUS(state) == UNWRITTEN ? WEXITSTATUS(state) : APART_ENDED;
}
