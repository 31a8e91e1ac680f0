#include "runner/child.h"

#include "host/apart.h"
#include "host/interrupt.h"
#include "host/platform.h"
#include "host/timing.h"
#include "output/json_file.h"
#include "runner/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, PIECE = 1 << 16, PATIENCE_MS = 1000 };

/* ---- the process itself ---------------------------------------------------------------------- */

/* Handlers of the parent's are not for this process. Signals of the terminal and of whoever ends the study are for
 * the parent, which ends its children. */
static void set_signals(void)
{
    struct sigaction action;
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL)
            signal(i, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

static void live(pid_t parent, const sigset_t *mask, int pipe, void (*work)(void *context, int pipe), void *context)
{
    set_signals();
    sigprocmask(SIG_SETMASK, mask, NULL);
    platform_offer_itself();
    interrupt_line(0);
    interrupt_file(NULL);
    if (platform_end_with_parent(SIGKILL) || getppid() != parent)
        _exit(1);
    work(context, pipe);
    child_say(pipe, "{\"over\":true}\n");
    fflush(stdout);                                     /* what foreign code has printed */
    _exit(0);
}

int child_start(child *c, void (*work)(void *context, int pipe), void *context)
{
    const pid_t parent = getpid();
    sigset_t all, mask;
    int ends[2];
    *c = (child){.job = -1};
    if (platform_pipe(ends))
        return 0;
    platform_widen_pipe(ends[1], PIPE_BYTES);           /* it need not wait for its listener */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(stdout);                                     /* else it would write that, too */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);              /* handlers of this process are never run in that one */
    c->process = fork();
    if (c->process == 0) {
        close(ends[0]);
        live(parent, &mask, ends[1], work, context);
    }
    const int error = errno;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    c->pipe = ends[0];
    if (c->process < 0) {
        close(ends[0]);
        c->process = 0;
    }
    errno = error;
    return c->process > 0;
}

int child_say(int pipe, const char *line)
{
    const size_t length = strlen(line);
    for (size_t sent = 0; sent < length;) {
        const ssize_t count = write(pipe, line + sent, length - sent);
        if (count < 0 && errno != EINTR)
            return 0;
        sent += count > 0 ? (size_t)count : 0;
    }
    return 1;
}

int child_say_begin(int pipe, const char *cell, runner_limits limits)
{
    char *line;
    if (asprintf(&line, "{\"begin\":%s,\"limits\":[%.17g,%.17g]}\n", cell, limits.seconds, limits.bytes) < 0)
        return 0;
    const int said = child_say(pipe, line);
    free(line);
    return said;
}

/* ---- what it says ------------------------------------------------------------------------------ */

static void begin_cell(child *c, const json_t *line)
{
    const json_t *limits = json_object_get(line, "limits");
    if (c->late)
        return;                                         /* it was ended for the one before, just too late */
    free(c->cell);
    c->cell = record_text(json_object_get(line, "begin"));
    c->limits = (runner_limits){json_number_value(json_array_get(limits, 0)),
                                json_number_value(json_array_get(limits, 1))};
    c->begun = seconds_of(CLOCK_MONOTONIC);
    if (c->limits.seconds > 0)
        supervise_begin(&c->clock, c->process);
}

static void hear_line(child *c, const char *text, size_t length, void (*take)(void *, record *), void *context)
{
    record r;
    json_t *line = json_file_read(text, length);
    const char *limit = json_string_value(json_object_get(line, "limit"));
    if (json_object_get(line, "begin")) {
        begin_cell(c, line);
    } else if (json_object_get(line, "over")) {
        c->over = 1;
    } else if (limit) {
        c->limit = strcmp(limit, runner_end_names[RUNNER_TIME]) ? RUNNER_MEMORY : RUNNER_TIME;
    } else if (record_from(line, &r)) {
        free(c->cell);
        c->cell = NULL;
        take(context, &r);
    }
    json_decref(line);
}

static void hear_lines(child *c, void (*take)(void *, record *), void *context)
{
    size_t from = 0;
    for (const char *newline; (newline = memchr(c->text + from, '\n', c->have - from));) {
        const size_t length = (size_t)(newline - c->text) - from;
        hear_line(c, c->text + from, length, take, context);
        from += length + 1;
    }
    c->have -= from;
    memmove(c->text, c->text + from, c->have);
}

/* -1: nothing now, 0: the end, else there is more. */
static int hear(child *c)
{
    if (c->room - c->have < PIECE) {
        const size_t room = 2 * c->room + PIECE;
        char *text = realloc(c->text, room);
        if (!text)
            return 0;
        c->text = text;
        c->room = room;
    }
    const ssize_t count = read(c->pipe, c->text + c->have, c->room - c->have);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    c->have += (size_t)count;
    return count > 0;
}

/* ---- how it ended ------------------------------------------------------------------------------ */

static void explain_death(int state, record *end)
{
    char name[SIGNAL_NAME];
    if (WIFSIGNALED(state)) {
        snprintf(end->reason, sizeof end->reason, "killed by %s%s", apart_signal_name(WTERMSIG(state), name),
                 WTERMSIG(state) == SIGKILL ? " (was the system short of memory?)" : "");
    } else {
        snprintf(end->reason, sizeof end->reason, "its process ended by itself, with exit status %d",
                 WEXITSTATUS(state));
    }
    end->end = RUNNER_KILLED;
    end->passing = WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL;     /* nothing does that to itself */
}

static void end_without_memory(record *end)
{
    end->limits.bytes = 0;
    end->passing = 1;
    snprintf(end->reason, sizeof end->reason, RUNNER_NO_MEMORY);
}

static void explain(const child *c, int state, record *end)
{
    static const double MB = 1 << 20;
    end->limits = c->limits;
    end->end = c->late ? RUNNER_TIME : c->over ? RUNNER_MEMORY : c->limit;
    if (c->over && !c->late)                            /* it could not even say what came of it */
        end_without_memory(end);
    else if (end->end == RUNNER_TIME)
        snprintf(end->reason, sizeof end->reason, "more than %g s", c->limits.seconds);
    else if (end->end == RUNNER_MEMORY)
        snprintf(end->reason, sizeof end->reason, "more than %g MB of memory", c->limits.bytes / MB);
    else
        explain_death(state, end);
    end->seconds = seconds_of(CLOCK_MONOTONIC) - c->begun;
}

/* It has closed its pipe, so it ends now; if not it is ended. */
static int reap(child *c)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int state = 0, waited = 0;
    pid_t which;
    while ((which = waitpid(c->process, &state, c->over ? 0 : WNOHANG)) <= 0) {
        if (which < 0 && errno != EINTR)
            break;
        nanosleep(&pause, NULL);
        if (++waited == PATIENCE_MS)
            kill(c->process, SIGKILL);
    }
    return state;
}

static void end(child *c)
{
    close(c->pipe);
    free(c->text);
    free(c->cell);
    *c = (child){.job = -1};
}

/* Has it died, though somebody that it started holds its pipe? */
static int is_dead(const child *c)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->process;
}

int child_listen(child *c, void (*take)(void *, record *), void *context, record *ended)
{
    const int dead = is_dead(c);                        /* before its last words are read */
    int more;
    *ended = (record){.cell = NULL};
    do {
        more = hear(c);
        hear_lines(c, take, context);
    } while (more > 0);
    if (more < 0 && !dead)
        return 1;
    const int state = reap(c);
    if (c->cell) {
        explain(c, state, ended);
        ended->cell = c->cell;
        c->cell = NULL;
    }
    end(c);
    return 0;
}

void child_supervise(child *c)
{
    static const double GRACE = 1.05, LEAST = 0.2;      /* its own timer comes first */
    if (!c->cell || c->limits.seconds <= 0 || c->late)
        return;
    if (supervise_look(&c->clock, c->process) < GRACE * c->limits.seconds + LEAST)
        return;
    c->late = 1;
    kill(c->process, SIGKILL);
}

void child_kill(child *c)
{
    kill(c->process, SIGKILL);
    while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR)
        continue;
    end(c);
}
