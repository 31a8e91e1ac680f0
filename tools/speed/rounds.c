/* rounds.c - processor times of subjects that run in turn */
#include "rounds.h"

#include "host/allocate.h"
#include "numbers/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double LONG_ENOUGH = 2e-3;         /* [s]: the clock shows some 1e-7 */
enum { MOST_REPEATS = 1 << 24 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time of one of so many runs; NaN where one failed. */
static double time_runs(const speed_subject *s, int repeats)
{
    const double begin = seconds();
    for (int i = 0; i < repeats; i++)
        if (!s->run(s->data)) {
            fprintf(stderr, "%s: a run failed\n", s->name);
            return NAN;
        }
    return (seconds() - begin) / repeats;
}

/* How many runs are long enough; 0 where one failed. */
static int calibrate(const speed_subject *s)
{
    int repeats = 1;
    for (double time; repeats < MOST_REPEATS; repeats *= 2) {
        time = time_runs(s, repeats);
        if (isnan(time))
            return 0;
        if (time * repeats >= LONG_ENOUGH)
            break;
    }
    return repeats;
}

/* sample[count][rounds] */
static int take_samples(int count, const speed_subject *subjects, int rounds, const int *repeats, double *sample)
{
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < count; k++) {
            const int i = r % 2 ? count - 1 - k : k;
            sample[i * rounds + r] = time_runs(&subjects[i], repeats[i]);
            if (isnan(sample[i * rounds + r]))
                return 0;
        }
    return 1;
}

/* first[rounds] and sample[rounds], which may be the same; ratio[rounds] is room. */
static speed_time summary(const double *first, double *sample, int rounds, double *ratio)
{
    for (int r = 0; r < rounds; r++)
        ratio[r] = sample[r] / first[r];
    quantile_sort(ratio, rounds);
    speed_time t = {.ratio = quantile(ratio, rounds, 0.5), .low = quantile(ratio, rounds, 0.25),
                    .high = quantile(ratio, rounds, 0.75)};
    for (int r = 0; r < rounds; r++)
        ratio[r] = sample[r];
    quantile_sort(ratio, rounds);
    t.smallest = ratio[0];
    t.median = quantile(ratio, rounds, 0.5);
    return t;
}

int speed_rounds(int count, const speed_subject *subjects, int rounds, speed_time *times)
{
    double *sample = allocate(((size_t)count + 1) * (size_t)rounds, sizeof *sample);
    int *repeats = allocate((size_t)count, sizeof *repeats), good = 1;
    for (int i = 0; good && i < count; i++)
        good = (repeats[i] = calibrate(&subjects[i])) > 0;
    good = good && take_samples(count, subjects, rounds, repeats, sample);
    for (int i = 0; good && i < count; i++)
        times[i] = summary(sample, sample + i * rounds, rounds, sample + count * rounds);
    free(repeats);
    free(sample);
    return good;
}

/* ---- time at equal error */

double speed_time_at(const speed_point *points, int count, double error)
{
    double x = INFINITY, y = 0;
    for (int i = 0; i < count; i++) {
        const double x1 = log(points[i].error), y1 = log(points[i].time);
        if (x1 >= x)
            continue;
        if (x1 <= log(error))
            return x == INFINITY ? NAN : exp(y + (y1 - y) * (x - log(error)) / (x - x1));
        x = x1;
        y = y1;
    }
    return NAN;
}

/* ---- the table */

/* Four digits, with their unit. */
static void show_time(double t)
{
    static const struct { double size; const char *name; } units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"},
                                                                      {1, "s"}};
    int k = 0;
    while (k < 3 && t >= 1000 * units[k].size)
        k++;
    const double shown = t / units[k].size;
    printf("  %7.*f %-2s", shown < 10 ? 3 : shown < 100 ? 2 : 1, shown, units[k].name);
}

void speed_show(int count, const speed_subject *subjects, const speed_time *times, double per,
                const speed_counts *counts)
{
    int width = 0;
    for (int i = 0; i < count; i++)
        width = (int)strlen(subjects[i].name) > width ? (int)strlen(subjects[i].name) : width;
    printf("%-*s  %10s  %10s  %6s  %16s", width, "", "median", "smallest", "ratio", "its quartiles");
    if (counts)
        printf("  %9s  %9s  %9s  %9s  %9s", "steps", "rejected", "F", "J", "LU");
    printf("\n");
    for (int i = 0; i < count; i++) {
        printf("%-*s", width, subjects[i].name);
        show_time(times[i].median / per);
        show_time(times[i].smallest / per);
        printf("  %6.3f  %6.3f .. %6.3f", times[i].ratio, times[i].low, times[i].high);
        if (counts)
            printf("  %9ld  %9ld  %9ld  %9ld  %9ld", counts[i].steps, counts[i].rejected, counts[i].rhs,
                   counts[i].jacobians, counts[i].factorisations);
        printf("\n");
    }
}
