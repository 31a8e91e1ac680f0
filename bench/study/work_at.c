/* work_at.c - reading work-precision curves: quartiles, and the time to reach an error */
#include "host/allocate.h"
#include "numbers/quantile.h"
#include "study/work.h"

#include <math.h>
#include <stdlib.h>

work_spread work_spread_of(double *samples, int count)
{
    if (count < 1)
        return (work_spread){NAN, NAN, NAN, NAN, NAN};
    quantile_sort(samples, count);
    const double middle = (samples[count / 2] + samples[(count - 1) / 2]) / 2;
    return (work_spread){middle, samples[(count - 1) / 4], samples[count - 1 - (count - 1) / 4],
                         samples[0], samples[count - 1]};
}

/* ---- the time to reach an error ---- */

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

/* Where a target is met on a curve: a part of the way from one of its points to another, log-log; below < 0:
 * nowhere. */
typedef struct { int above, below; double part; } reading;

static reading read_at(const double *error, const double *seconds, int count, double target)
{
    reading at = {-1, -1, 1};           /* the neighbours of the target on the envelope */
    for (int i = 0; i < count; i++) {
        if (!usable(error, seconds, i) || beaten(error, seconds, count, i))
            continue;
        if (error[i] > target && (at.above < 0 || error[i] < error[at.above]))
            at.above = i;
        if (error[i] <= target && (at.below < 0 || error[i] > error[at.below]))
            at.below = i;
    }
    if (at.above < 0)
        at.above = at.below;
    else if (at.below >= 0)
        at.part = log(error[at.above] / target) / log(error[at.above] / error[at.below]);
    return at;
}

static double time_of(const reading *at, const double *seconds)
{
    return at->below < 0 ? NAN : at->above == at->below ? seconds[at->below]
           : seconds[at->above] * pow(seconds[at->below] / seconds[at->above], at->part);
}

double work_time_at(const double *error, const double *seconds, int count, double target)
{
    const reading at = read_at(error, seconds, count, target);
    return time_of(&at, seconds);
}

double work_seconds(const study_specification *o, const work_point *p)
{
    return o->smallest ? p->wall.smallest : p->wall.median;
}

int work_class(const study_specification *o) { return (int)o->of + (o->run.sensitivities ? RUN_DERIVATIVES : 0); }

/* Of a point in a round; in all of them where round < 0. */
static double seconds_in(const study_specification *o, const work_point *p, int round)
{
    if (round < 0)
        return work_seconds(o, p);
    return round >= p->timed.rounds ? NAN
           : o->smallest ? p->timed.round[round].smallest : p->timed.round[round].median;
}

/* The points between which a target lies are those of all rounds together: which of two that are equally fast is the
 * faster in one round is chance. */
double work_curve_in(const study_specification *o, const work_curve *c, double target, int round)
{
    double *error = allocate(3 * (size_t)c->levels, sizeof *error);
    double *seconds = error + c->levels, *here = seconds + c->levels;
    for (int i = 0; i < c->levels; i++) {
        const work_point *p = &c->point[i];
        error[i] = p->run.status ? NAN : p->run.error[work_class(o)];
        seconds[i] = work_seconds(o, p);
        here[i] = seconds_in(o, p, round);
    }
    const reading at = read_at(error, seconds, c->levels, target);
    const double time = time_of(&at, here);
    free(error);
    return time;
}

double work_curve_at(const study_specification *o, const work_curve *c, double target)
{
    return work_curve_in(o, c, target, -1);
}

/* NULL: none reaches it. */
static const work_curve *best_of_baseline(const study_specification *o, const work_curve *curves, int count,
                                          double target)
{
    const work_curve *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double time = curves[i].method == o->baseline ? work_curve_at(o, &curves[i], target) : NAN;
        if (time < least) {
            least = time;
            best = &curves[i];
        }
    }
    return best;
}

static int rounds_of(const work_curve *c)
{
    int rounds = 0;
    for (int i = 0; i < c->levels; i++)
        rounds = c->point[i].timed.rounds > rounds ? c->point[i].timed.rounds : rounds;
    return rounds;
}

ratio_spread work_curve_ratio(const study_specification *o, const work_curve *curves, int count, int curve,
                              double target)
{
    const work_curve *best = o->baseline ? best_of_baseline(o, curves, count, target) : NULL;
    const int rounds = best ? rounds_of(&curves[curve]) : 0;
    double *baseline = allocate(2 * (size_t)rounds, sizeof *baseline);
    for (int r = 0; r < rounds; r++) {
        baseline[r] = work_curve_in(o, best, target, r);
        baseline[rounds + r] = work_curve_in(o, &curves[curve], target, r);
    }
    const ratio_spread spread = ratio_spread_of(baseline, baseline + rounds, rounds);
    free(baseline);
    return spread;
}
