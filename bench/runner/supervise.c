#include "runner/supervise.h"

#include "host/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A look that comes later than this was late itself: whoever looks was stopped, too. */
static const double LONGEST = 0.5;

/* Its state, 'S' for one that sleeps, and *cpu [s]; 0 where it cannot be seen. */
static int look_at(pid_t process, double *cpu)
{
    char path[64], text[1024];
    unsigned long user, system;
    char state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *behind = strrchr(text, ')');            /* of its name, which may hold anything */
    if (!behind || sscanf(behind, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                          &system) != 3)
        return 0;
    *cpu = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return state;
}

void supervise_begin(supervision *s, pid_t process)
{
    *s = (supervision){.seen = seconds_of(CLOCK_MONOTONIC)};
    if (!look_at(process, &s->cpu))
        s->cpu = 0;
}

double supervise_look(supervision *s, pid_t process)
{
    double cpu = s->cpu;
    const double now = seconds_of(CLOCK_MONOTONIC);
    const int state = look_at(process, &cpu);
    if (state == 'S' || state == 'D')
        s->asleep += fmin(now - s->seen, LONGEST);
    s->seen = now;
    return cpu - s->cpu + s->asleep;
}
