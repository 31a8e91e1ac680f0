#include "host/synced.h"

#include "host/platform.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { WITHIN_US = 90000 };

static volatile sig_atomic_t waiting = -1;      /* the file, or -1 */

/* platform_sync is one of the functions that a handler may call. */
static void sync_file(int number)
{
    const int before = errno, file = waiting;
    (void)number;
    waiting = -1;
    if (file >= 0 && platform_sync(file))
        errno = before;                                 /* a pipe or the like: there is no disk */
    errno = before;
}

void synced_later(int file)
{
    const struct itimerval soon = {.it_value = {0, WITHIN_US}};
    struct sigaction action = {.sa_handler = sync_file, .sa_flags = SA_RESTART};
    if (waiting == file)
        return;
    sync_file(0);
    sigemptyset(&action.sa_mask);
    waiting = file;
    if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &soon, NULL))
        sync_file(0);
}

void synced_now(int file)
{
    const struct itimerval never = {{0, 0}, {0, 0}};
    if (waiting != file)
        return;
    setitimer(ITIMER_REAL, &never, NULL);
    sync_file(0);
}
