/* time_left.h - how long a study will go on, from what its runs took so far
 *
 * A run of work w takes about a + b w, with a and b by least squares of those that were made: work is a number of
 * steps, or whatever grows as the time of a long run does, and a what a short one takes. Where cells were answered at
 * once, as those of a study that goes on, they say nothing until one takes its time.
 */
#ifndef DAELAB_TIME_LEFT_H
#define DAELAB_TIME_LEFT_H

typedef struct {
    int runs;                   /* that count */
    double seconds, work, squares, products;    /* sums over them: t, w, w^2, w t */
} time_left;

/* A run of this work has taken so long. */
void time_left_add(time_left *t, double work, double seconds);

/* What so many more runs of so much work together will take [s]; NaN where that does not mean anything yet. */
double time_left_of(const time_left *t, double runs, double work);

/* "about 5 min left", or "" for what is too short to be told. */
enum { TIME_LEFT = 40 };
const char *time_left_words(double seconds, char words[TIME_LEFT]);

#endif
