#include "pool/limits.h"

#include "host/platform.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { LOOK_US = 10000 };

static int pipe_of = -1, looks;
static double most_bytes;

static void last_words(const char *words)
{
    const ssize_t sent = write(pipe_of, words, strlen(words));
    _exit(sent < 0);
}

static void late(int number)
{
    (void)number;
    last_words(LIMITS_OF_TIME);
}

static void look(int number)
{
    (void)number;
    if (platform_resident() > most_bytes)
        last_words(LIMITS_OF_MEMORY);
}

static void on(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static struct timeval of_seconds(double seconds)
{
    const double whole = (double)(time_t)(seconds < 1e9 ? seconds : 1e9);
    const suseconds_t rest = (suseconds_t)(1e6 * (seconds < 1e9 ? seconds - whole : 0));
    return (struct timeval){(time_t)whole, whole > 0 || rest > 0 ? rest : 1};
}

void limits_begin(runner_limits limits, int pipe)
{
    const struct itimerval time = {.it_value = of_seconds(limits.seconds)};
    const struct itimerval memory = {{0, LOOK_US}, {0, LOOK_US}};
    pipe_of = pipe;
    if (limits.seconds > 0) {
        on(SIGPROF, late);
        setitimer(ITIMER_PROF, &time, NULL);
    }
    if (limits.bytes > 0) {
        looks = 1;
        most_bytes = platform_resident() + limits.bytes;
        on(SIGALRM, look);
        setitimer(ITIMER_REAL, &memory, NULL);
    }
}

void limits_end(void)
{
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    if (!looks)
        return;
    setitimer(ITIMER_REAL, &never, NULL);
    looks = 0;
}
