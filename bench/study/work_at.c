/* work_at.c - reading work-precision curves: quartiles, and the time to reach an error */
#include "study/work.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

work_spread work_spread_of(double *samples, int count)
{
    if (count < 1)
        return (work_spread){NAN, NAN, NAN, NAN, NAN};
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    const double middle = (samples[count / 2] + samples[(count - 1) / 2]) / 2;
    return (work_spread){middle, samples[(count - 1) / 4], samples[count - 1 - (count - 1) / 4],
                         samples[0], samples[count - 1]};
}

static int usable(const double *error, const double *seconds, int i)
{
    return isfinite(error[i]) && error[i] > 0 && isfinite(seconds[i]) && seconds[i] > 0;
}

/* Is another point at least as accurate and as fast, and better in one of both? Of equals the first
 * stays. */
static int beaten(const double *error, const double *seconds, int count, int i)
{
    for (int k = 0; k < count; k++)
        if (k != i && usable(error, seconds, k) && error[k] <= error[i]
            && seconds[k] <= seconds[i]
            && (error[k] < error[i] || seconds[k] < seconds[i] || k < i))
            return 1;
    return 0;
}

double work_time_at(const double *error, const double *seconds, int count, double target)
{
    int above = -1, below = -1;         /* the neighbours of the target on the envelope */
    for (int i = 0; i < count; i++) {
        if (!usable(error, seconds, i) || beaten(error, seconds, count, i))
            continue;
        if (error[i] > target && (above < 0 || error[i] < error[above]))
            above = i;
        if (error[i] <= target && (below < 0 || error[i] > error[below]))
            below = i;
    }
    if (below < 0)
        return NAN;
    if (above < 0)
        return seconds[below];
    const double part = log(error[above] / target) / log(error[above] / error[below]);
    return seconds[above] * pow(seconds[below] / seconds[above], part);
}

double work_seconds(const study_specification *o, const work_point *p)
{
    return o->smallest ? p->wall.smallest : p->wall.median;
}

/* Of a point in a round; in all of them where round < 0. */
static double seconds_in(const study_specification *o, const work_point *p, int round)
{
    if (round < 0)
        return work_seconds(o, p);
    return round >= p->rounds ? NAN : o->smallest ? p->round[round].smallest : p->round[round].median;
}

double work_curve_in(const study_specification *o, const work_curve *c, double target, int round)
{
    double *error = malloc((2 * (size_t)c->levels + 1) * sizeof *error), time = NAN;
    if (!error)
        return NAN;
    double *seconds = error + c->levels;
    for (int i = 0; i < c->levels; i++) {
        const work_point *p = &c->point[i];
        error[i] = p->run.status ? NAN : p->run.error[o->of];
        seconds[i] = seconds_in(o, p, round);
    }
    time = work_time_at(error, seconds, c->levels, target);
    free(error);
    return time;
}

double work_curve_at(const study_specification *o, const work_curve *c, double target)
{
    return work_curve_in(o, c, target, -1);
}

static double best_in(const study_specification *o, const work_curve *curves, int count, double target, int round)
{
    double best = NAN;
    for (int i = 0; i < count; i++)
        if (curves[i].method == o->baseline)
            best = fmin(best, work_curve_in(o, &curves[i], target, round));
    return best;
}

double work_baseline(const study_specification *o, const work_curve *curves, int count, double target)
{
    return best_in(o, curves, count, target, -1);
}

static int rounds_of(const work_curve *c)
{
    int rounds = 0;
    for (int i = 0; i < c->levels; i++)
        rounds = c->point[i].rounds > rounds ? c->point[i].rounds : rounds;
    return rounds;
}

ratio_spread work_curve_ratio(const study_specification *o, const work_curve *curves, int count, int curve, double target)
{
    const int rounds = o->baseline ? rounds_of(&curves[curve]) : 0;
    double *baseline = malloc((2 * (size_t)rounds + 1) * sizeof *baseline);
    for (int r = 0; baseline && r < rounds; r++) {
        baseline[r] = best_in(o, curves, count, target, r);
        baseline[rounds + r] = work_curve_in(o, &curves[curve], target, r);
    }
    const ratio_spread spread = ratio_spread_of(baseline, baseline ? baseline + rounds : NULL, baseline ? rounds : 0);
    free(baseline);
    return spread;
}
