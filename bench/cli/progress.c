#include "cli/progress.h"

#include "host/interrupt.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_MS = 100 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

progress progress_begin(int total, int quiet)
{
    return (progress){.shown = !quiet && isatty(STDERR_FILENO), .total = total, .last = now_ms()};
}

void progress_part(progress *p, double fraction)
{
    if (!p->shown || now_ms() - p->last < EVERY_MS)
        return;
    p->last = now_ms();
    p->drawn = 1;
    interrupt_line(1);
    fprintf(stderr, "\r[%d/%d] %-50s %3.0f %%", p->done, p->total, p->what, 100 * fraction);
    fflush(stderr);
}

void progress_now(progress *p)
{
    p->last = 0;
    progress_part(p, 0);
}

void progress_run(progress *p, const char *form, const char *method, double level)
{
    p->done++;
    snprintf(p->what, sizeof p->what, "%s %s %g", form, method, level);
    progress_part(p, 0);
}

void progress_skip(progress *p, int runs)
{
    p->total -= runs;
}

void progress_end(progress *p)
{
    if (p->drawn)
        fprintf(stderr, "\r%*s\r", 72, "");
    p->drawn = 0;
    interrupt_line(0);
}
