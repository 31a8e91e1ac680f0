#include "progress/progress.h"

#include "host/interrupt.h"
#include "host/screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_MS = 100 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static double seconds_since(int64_t ms) { return (double)(now_ms() - ms) / 1000; }

void progress_start(progress *p, int quiet)
{
    void *shared = mmap(NULL, sizeof *p->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *p = (progress){.shown = !quiet && isatty(STDERR_FILENO), .last = now_ms(), .begun = now_ms(), .process = getpid(),
                    .told = shared == MAP_FAILED ? NULL : shared};
}

void progress_item(progress *p, double share, const char *name)
{
    p->share = share;
    snprintf(p->name, sizeof p->name, "%s", name);
}

/* As much for the studies to come as for those that have begun, each by its share. */
static double factor_of(const progress *p) { return p->share > 0 && p->share < 1 ? 1 / p->share : 1; }

static void count_all(progress *p)
{
    const int guess = (int)fmin(ceil(p->known * factor_of(p) - 1e-6), 1e9);
    p->total = guess > p->total ? guess : p->total;
}

/* The run under way is over. */
static void settle(progress *p)
{
    if (p->counted) {
        time_left_add(&p->times, p->work_next, seconds_since(p->begun));
        p->work_done += p->work_next;
    }
    p->counted = 0;
    p->fraction = 0;
    if (p->told)
        *p->told = 0;
    p->work_next = 0;
}

void progress_begin(progress *p, int runs)
{
    settle(p);
    p->known += runs;
    p->aside = runs == 0;
    p->not_runs += p->aside;
    count_all(p);
}

void progress_work(progress *p, double work) { p->work_known += work; }

void progress_next(progress *p, double work)
{
    settle(p);
    p->work_next = work;
}

void progress_run(progress *p, const char *form, const char *method, double level)
{
    const double work = p->work_next;
    settle(p);
    p->work_next = work;
    p->counted = !p->aside;
    p->done += p->counted;
    p->known = p->done > p->known ? p->done : p->known;
    count_all(p);
    p->begun = now_ms();
    snprintf(p->what, sizeof p->what, "%s %s %g", form, method, level);
    progress_part(p, 0);
}

/* Those that are left out count as made: the total stays. */
void progress_skip(progress *p, int runs)
{
    settle(p);
    if (runs < 0)
        p->known -= runs;
    else
        p->done += runs;
    count_all(p);
}

void progress_at_once(progress *p, int processes, int computed)
{
    p->at_once = processes;
    p->ahead = computed - p->not_runs > p->ahead ? computed - p->not_runs : p->ahead;
}

/* With what others have computed ahead, as far as cells tell. */
static int done_of(const progress *p)
{
    const int ahead = p->ahead < p->total ? p->ahead : p->total;
    return p->done > ahead ? p->done : ahead;
}

/* With what the run under way has taken already. */
static double left(const progress *p)
{
    enum { A_FEW = 2 };
    if (done_of(p) > p->done + A_FEW)
        return NAN;                                     /* it is not known of which runs that was the work */
    const int runs = p->total - p->done + p->counted;
    const double work = fmax(p->work_known * factor_of(p) - p->work_done, 0);
    const double whole = time_left_of(&p->times, runs, work);
    return p->counted ? fmax(whole - seconds_since(p->begun), 0) : whole;
}

/* Text behind a line, where it has room for all of it. */
static void add(char line[PROGRESS_LINE], const char *before, const char *text)
{
    const size_t length = strlen(line);
    if (*text && length + strlen(before) + strlen(text) < PROGRESS_LINE)
        snprintf(line + length, PROGRESS_LINE - length, "%s%s", before, text);
}

const char *progress_line(const progress *p, char line[PROGRESS_LINE])
{
    char text[TIME_LEFT];
    snprintf(text, sizeof text, "[%d/%d]", done_of(p), p->total);
    *line = 0;
    add(line, "", p->total ? text : "");
    add(line, *line ? " " : "", p->name);
    add(line, *line ? " " : "", p->what);
    snprintf(text, sizeof text, "%.0f %%", 100 * p->fraction);
    add(line, "  ", p->fraction > 0 ? text : "");
    snprintf(text, sizeof text, "%d at once", p->at_once);
    add(line, ", ", p->at_once > 1 ? text : "");
    add(line, ", ", time_left_words(left(p), text));
    return line;
}

static void draw(progress *p)
{
    char line[PROGRESS_LINE];
    const size_t width = screen_width(stderr);
    const int room = width && width < PROGRESS_LINE ? (int)width - 1 : PROGRESS_LINE - 1;
    p->last = now_ms();
    p->drawn = 1;
    interrupt_line(1);
    fprintf(stderr, "\r%-*.*s", room, room, progress_line(p, line));
    fflush(stderr);
}

void progress_part(progress *p, double fraction)
{
    p->fraction = fraction;
    if (now_ms() - p->last < EVERY_MS)
        return;
    if (p->process == getpid()) {
        progress_now(p);
        return;
    }
    p->last = now_ms();
    if (p->told)
        *p->told = fraction;
}

void progress_hear(progress *p)
{
    if (p->told && p->at_once < 2 && *p->told > 0)
        p->fraction = *p->told;
    progress_part(p, p->fraction);
}

void progress_now(progress *p)
{
    if (p->shown && p->process == getpid())
        draw(p);
}

void progress_end(progress *p)
{
    settle(p);
    if (p->drawn && p->process == getpid()) {
        const size_t width = screen_width(stderr);
        fprintf(stderr, "\r%*s\r", width && width < PROGRESS_LINE ? (int)width - 1 : PROGRESS_LINE - 1, "");
        fflush(stderr);
    }
    p->drawn = 0;
    interrupt_line(0);
}
