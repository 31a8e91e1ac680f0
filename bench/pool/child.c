#include "pool/child.h"

#include "host/allocate.h"
#include "host/apart.h"
#include "host/interrupt.h"
#include "host/platform.h"
#include "host/timing.h"
#include "pool/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, PIECE = 1 << 16, PATIENCE_MS = 1000 };

/* What a process says last where it has no memory left to say more. */
static const char OVER[] = "{\"over\":true}\n";

/* ---- the process itself ---------------------------------------------------------------------- */

static void say(int pipe, const char *line)
{
    const size_t length = strlen(line);
    for (size_t sent = 0; sent < length;) {
        const ssize_t count = write(pipe, line + sent, length - sent);
        if (count < 0 && errno != EINTR)
            return;
        sent += count > 0 ? (size_t)count : 0;
    }
}

/* What came of it. A timer of CPU time makes its clock coarse: where
 * time is measured the parent alone looks at the limit. */
static char *compute(const child *c, const runner_question *q, int pipe)
{
    record one = {0};
    allocate_last_words(pipe, OVER);
    limits_begin((runner_limits){q->timed ? 0 : c->limits.seconds, c->limits.bytes}, pipe);
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    json_t *answer = q->compute(q->context);
    limits_end();
    one.seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
    one.result = answer;
    return record_came(&one);
}

static _Noreturn void live(const child *c, const runner_question *q, int pipe)
{
    platform_offer_itself();
    interrupt_line(0);
    interrupt_file(NULL);
    if (q->timed)
        platform_stay_on_core();
    char *came = compute(c, q, pipe);
    say(pipe, came);
    say(pipe, "\n");
    free(came);
    fflush(stdout);                                     /* what foreign code has printed */
    _exit(0);
}

static void end(child *c)
{
    if (c->pipe >= 0)
        close(c->pipe);
    free(c->text);
    free(c->cell);
    *c = (child){.pipe = -1};
}

int child_start(child *c, const runner_question *q, const char *cell, runner_limits limits)
{
    int ends[2] = {-1, -1};
    *c = (child){.pipe = -1, .cell = allocate_text(cell), .limits = limits, .work = q->work};
    if (platform_pipe(ends)) {
        end(c);
        return 0;
    }
    platform_widen_pipe(ends[1], PIPE_BYTES);           /* it need not wait for its listener */
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    c->process = apart_fork(SIGNALS_NOT_OF_TERMINAL, SIGKILL);      /* who ends the study ends its processes */
    if (c->process == 0) {
        close(ends[0]);
        live(c, q, ends[1]);
    }
    const int error = errno;
    close(ends[1]);
    c->pipe = ends[0];
    c->begun = seconds_of(CLOCK_MONOTONIC);
    if (c->process > 0 && limits.seconds > 0)
        supervise_begin(&c->clock, c->process);
    if (c->process > 0)
        return 1;
    end(c);
    errno = error;
    return 0;
}

/* ---- what it says ------------------------------------------------------------------------------ */

/* -1: nothing now, 0: the end, else there is more. */
static int hear(child *c)
{
    if (c->room - c->have < PIECE) {
        c->room = 2 * c->room + PIECE;
        c->text = allocate_again(c->text, c->room, 1);
    }
    const ssize_t count = read(c->pipe, c->text + c->have, c->room - c->have);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    c->have += (size_t)count;
    return count > 0;
}

/* It has closed its pipe, so it ends now; if not it is ended. */
static int reap(const child *c, int said_all)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int state = 0, waited = 0;
    pid_t which;
    while ((which = waitpid(c->process, &state, said_all ? 0 : WNOHANG)) <= 0) {
        if (which < 0 && errno != EINTR)
            break;
        nanosleep(&pause, NULL);
        if (++waited == PATIENCE_MS)
            kill(c->process, SIGKILL);
    }
    return state;
}

static int has_said(const child *c, const char *line)
{
    const size_t length = strlen(line);
    return c->have >= length && memcmp(c->text + c->have - length, line, length) == 0;
}

static int ends_a_line(const child *c) { return c->have > 0 && c->text[c->have - 1] == '\n'; }

static void explain_death(int state, record *came)
{
    char name[SIGNAL_NAME];
    if (WIFSIGNALED(state)) {
        snprintf(came->reason, sizeof came->reason, "killed by %s%s", apart_signal_name(WTERMSIG(state), name),
                 WTERMSIG(state) == SIGKILL ? " (was the system short of memory?)" : "");
    } else {
        snprintf(came->reason, sizeof came->reason, "its process ended by itself, with exit status %d",
                 WEXITSTATUS(state));
    }
    came->end = RUNNER_KILLED;
    came->passing = WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL;    /* nothing does that to itself */
}

/* How it ended that has no answer. */
static void explain(const child *c, int state, record *came)
{
    static const double MB = 1 << 20;
    came->limits = c->limits;
    if (c->late || has_said(c, LIMITS_OF_TIME)) {
        came->end = RUNNER_TIME;
        snprintf(came->reason, sizeof came->reason, "more than %g s", c->limits.seconds);
    } else if (has_said(c, LIMITS_OF_MEMORY)) {
        came->end = RUNNER_MEMORY;
        snprintf(came->reason, sizeof came->reason, "more than %g MB of memory", c->limits.bytes / MB);
    } else if (has_said(c, OVER)) {
        came->end = RUNNER_MEMORY;
        came->limits.bytes = 0;
        came->passing = 1;
        snprintf(came->reason, sizeof came->reason, RUNNER_NO_MEMORY);
    } else {
        explain_death(state, came);
    }
}

/* Has it died, though somebody that it started holds its pipe? */
static int is_dead(const child *c)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->process;
}

int child_listen(child *c, record *came)
{
    const int dead = is_dead(c);                        /* before its last words are read */
    int more;
    while ((more = hear(c)) > 0)
        continue;
    *came = (record){.cell = NULL};
    if (more < 0 && !dead)
        return 1;
    const int whole = ends_a_line(c), answered = whole && record_of(c->cell, c->text, c->have - 1, came);
    const int state = reap(c, whole);
    if (!answered) {
        *came = (record){.cell = c->cell, .seconds = seconds_of(CLOCK_MONOTONIC) - c->begun};
        c->cell = NULL;
        explain(c, state, came);
    }
    end(c);
    return 0;
}

void child_supervise(child *c)
{
    static const double GRACE = 1.05, LEAST = 0.2;      /* its own timer comes first */
    if (c->limits.seconds <= 0 || c->late)
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
