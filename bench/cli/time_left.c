#include "cli/time_left.h"

#include <math.h>
#include <stdio.h>

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
