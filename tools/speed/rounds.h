/* rounds.h - programs that do the same work, timed in turn
 *
 * In every round all subjects run, one after the other, so that a change of the processor's clock meets them
 * alike; a ratio of times is taken inside a round. Rounds go forth and back, so that a drift of the clock
 * favours no place. A run that is short is repeated until it is long against the clock.
 */
#ifndef DAELAB_SPEED_ROUNDS_H
#define DAELAB_SPEED_ROUNDS_H

typedef struct {
    const char *name;
    void *data;
    int (*run)(void *data);             /* the whole work once; 0: failed */
} speed_subject;

typedef struct {
    double median, smallest;            /* processor time of one run [s] */
    double ratio, low, high;            /* to the first subject in the same round: median and quartiles */
} speed_time;

/* What a run took. */
typedef struct {
    long steps, rejected, rhs, jacobians, factorisations;
} speed_counts;

/* Runs all subjects once to warm up, then in `rounds` rounds; times[count] :=. 0 where a run failed, which is named
 * on standard error. */
int speed_rounds(int count, const speed_subject *subjects, int rounds, speed_time *times);

/* A table on standard output: times of one of the `per` equal parts of a run (1: of the run), ratios to the first
 * subject with their quartiles, and counts[count] of a run, where it is not NULL. */
void speed_show(int count, const speed_subject *subjects, const speed_time *times, double per,
                const speed_counts *counts);

/* The time for this error along the points[count], fastest first, that are better than all before, straight in
 * logarithms; NAN outside. */
typedef struct { double error, time; } speed_point;
double speed_time_at(const speed_point *points, int count, double error);

#endif
