#include "cli/progress.h"

#include "host/interrupt.h"
#include "host/screen.h"
#include "host/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const double EVERY = 0.1, EVERY_UNSEEN = 60;     /* [s] on a terminal, and elsewhere */

/* ---- how long it goes on ---- */

static const double AT_ONCE = 0.005, LEAST = 3;         /* [s] of a run that took its time, of all before they tell */
enum { FEWEST = 4 };

void time_left_add(time_left *t, double work, double seconds)
{
    if (t->runs == 0 && seconds < AT_ONCE)
        return;
    t->runs++;
    t->seconds += seconds;
    t->work += work;
    t->squares += work * work;
    t->products += work * seconds;
}

double time_left_of(const time_left *t, double runs, double work)
{
    if (t->runs < FEWEST || t->seconds < LEAST)
        return NAN;
    const double n = t->runs, spread = n * t->squares - t->work * t->work;
    double slope = spread > 1e-9 * n * t->squares ? (n * t->products - t->work * t->seconds) / spread : 0;
    slope = fmin(fmax(slope, 0), t->products / fmax(t->squares, 1e-300));
    const double each = fmax((t->seconds - slope * t->work) / n, 0);
    return each * runs + slope * work;
}

const char *time_left_words(double seconds, char words[TIME_LEFT])
{
    *words = 0;
    if (seconds >= 3600 * 1.5)
        snprintf(words, TIME_LEFT, "about %.1f h left", seconds / 3600);
    else if (seconds >= 90)
        snprintf(words, TIME_LEFT, "about %.0f min left", ceil(seconds / 60));
    else if (seconds >= 3)
        snprintf(words, TIME_LEFT, "about %.0f s left", 5 * ceil(seconds / 5));
    return words;
}

/* ---- the line ---- */

void progress_start(progress *p, int quiet)
{
    void *shared = mmap(NULL, sizeof *p->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int drawing = isatty(STDERR_FILENO);
    *p = (progress){.shown = !quiet, .drawing = drawing, .every = drawing ? EVERY : EVERY_UNSEEN,
                    .last = seconds_of(CLOCK_MONOTONIC), .process = getpid(),
                    .told = shared == MAP_FAILED ? NULL : shared};
}

/* As much for the studies to come as for those that were evaluated, each by its share. */
static double factor_of(const progress *p) { return p->share > 0 && p->share < 1 ? 1 / p->share : 1; }

static void count(progress *p)
{
    const int guess = (int)fmin(ceil(p->known * factor_of(p) - 1e-6), 1e9);
    p->total = guess > p->total ? guess : p->total;
    const int now = p->made + p->left_out + p->at_once, most = now < p->total ? now : p->total;
    p->done = most > p->done ? most : p->done;
}

int progress_runs(const progress *p) { return p->known - p->left_out > p->made ? p->known - p->left_out : p->made; }

void progress_item(void *shown, double share, const char *name)
{
    progress *p = shown;
    if (share <= p->share) {
        p->known = p->left_out = 0;
        p->work = 0;
    }
    p->share = share;
    snprintf(p->name, sizeof p->name, "%s", name);
}

/* Those that are left out count as made: the total stays. */
void progress_plan(void *shown, int runs, double work)
{
    progress *p = shown;
    p->known += runs > 0 ? runs : 0;
    p->left_out -= runs < 0 ? runs : 0;
    p->work += work;
    count(p);
}

/* With what so many processes at once have to do yet. */
static double left(const progress *p)
{
    const int runs = p->total - p->made - p->left_out;
    const double work = fmax(p->work * factor_of(p) - p->work_done, 0);
    return time_left_of(&p->times, fmax(runs, 0), work) / (p->at_once > 1 ? p->at_once : 1);
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
    snprintf(text, sizeof text, "[%d/%d]", p->done, p->total);
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

/* Characters of the line. */
static int room(void)
{
    const size_t width = screen_width(stderr);
    return width && width < PROGRESS_LINE ? (int)width - 1 : PROGRESS_LINE - 1;
}

static void draw(progress *p)
{
    char line[PROGRESS_LINE];
    p->last = seconds_of(CLOCK_MONOTONIC);
    if (!p->drawing) {
        fprintf(stderr, "daelab: %s\n", progress_line(p, line));
        return;
    }
    p->drawn = 1;
    interrupt_line(1);
    fprintf(stderr, "\r%-*.*s", room(), room(), progress_line(p, line));
    fflush(stderr);
}

/* A process that computes tells its parent more often than a line is written. */
static int is_time(const progress *p)
{
    return seconds_of(CLOCK_MONOTONIC) - p->last >= (p->process == getpid() ? p->every : EVERY);
}

void progress_run(void *shown, const char *what)
{
    progress *p = shown;
    snprintf(p->what, sizeof p->what, "%s", what);
    p->at_once = 1;
    p->fraction = 0;
    count(p);
    if (p->shown && p->process == getpid() && (p->drawing || is_time(p)))
        draw(p);
}

void progress_part(void *shown, double fraction)
{
    progress *p = shown;
    p->fraction = fraction;
    if (!is_time(p))
        return;
    if (p->process == getpid()) {
        if (p->shown)
            draw(p);
        return;
    }
    p->last = seconds_of(CLOCK_MONOTONIC);
    if (p->told)
        *p->told = fraction;
}

void progress_hear(progress *p, int at_once, const char *begun, double work, double seconds)
{
    p->at_once = at_once;
    if (begun) {
        snprintf(p->what, sizeof p->what, "%s", begun);
        p->fraction = 0;
        if (p->told)
            *p->told = 0;
    }
    if (work > 0) {
        p->made++;
        p->before += seconds == 0;
        p->work_done += work;
        if (seconds > 0)
            time_left_add(&p->times, work, seconds);
    }
    if (p->told && at_once < 2 && *p->told > 0)
        p->fraction = *p->told;
    count(p);
    progress_part(p, p->fraction);
}

void progress_end(void *shown)
{
    progress *p = shown;
    if (p->drawn && p->process == getpid()) {
        fprintf(stderr, "\r%*s\r", room(), "");
        fflush(stderr);
    }
    p->drawn = 0;
    interrupt_line(0);
}
