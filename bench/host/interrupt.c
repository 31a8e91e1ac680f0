#include "host/interrupt.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t line, writing, inside, holding, waiting, deferring, noted;
static volatile pid_t child_of;
static char file[PATH_MAX], folder[PATH_MAX];

static void put(const char *text)
{
    const size_t length = strlen(text);
    if (write(STDERR_FILENO, text, length) < 0)
        return;                                         /* nobody to tell */
}

static const char *name_of(int number)
{
    return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

static void clear_line(void)
{
    if (line)
        put("\r                                                                        \r");
}

static void note(int number)
{
    noted = number;
    clear_line();
    put("daelab: ");
    put(name_of(number));
    put(": the study ends with what it has; another signal ends it at once\n");
}

void interrupt_clean(void)
{
    clear_line();
    if (child_of > 0)
        kill(child_of, SIGTERM);
    if (writing)
        unlink(file);
    if (inside)
        rmdir(folder);
}

static void sentence(int number)
{
    put("daelab: ended by ");
    put(name_of(number));
    put(noted ? "\n" : ", before there was a result\n");
}

/* Only what a handler may call; any thread may run it. */
static void handle(int number)
{
    if (holding) {
        waiting = number;
        if (holding)
            return;
    }
    if (deferring && !noted) {
        note(number);
        return;
    }
    interrupt_clean();
    sentence(number);
    signal(number, SIG_DFL);
    raise(number);                                      /* when the handler has returned */
}

static void set(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (int i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

void interrupt_begin(void) { set(handle); }

void interrupt_defer(int on) { deferring = on; }
int interrupt_noted(void) { return noted; }

void interrupt_hold(void) { holding = 1; }

void interrupt_release(void)
{
    holding = 0;
    const int number = waiting;
    waiting = 0;
    if (number)
        raise(number);
}

void interrupt_line(int drawn) { line = drawn; }
void interrupt_child(pid_t child) { child_of = child; }

static void note_path(const char *path, volatile sig_atomic_t *there, char place[PATH_MAX])
{
    *there = 0;
    if (path && strlen(path) < PATH_MAX) {
        strcpy(place, path);
        *there = 1;
    }
}

void interrupt_file(const char *path) { note_path(path, &writing, file); }
void interrupt_folder(const char *path) { note_path(path, &inside, folder); }
