/* axis.h - the range of an axis, and its ticks */
#ifndef DAELAB_AXIS_H
#define DAELAB_AXIS_H

typedef struct {
    int log;
    int count;                  /* of values seen */
    double low, high;           /* decimal logarithms where log */
} axis;

axis axis_begin(int log);

/* Widen to hold x; what is not finite, or not positive on a logarithmic axis, is not looked at. */
void axis_take(axis *a, double x);

/* Round the ends: to decades, or to ticks. */
void axis_end(axis *a);

/* Where x lies: 0 at the low end, 1 at the high one; what is not positive on a logarithmic axis at 0, NaN
 * where x is not finite. */
double axis_place(const axis *a, double x);

enum { AXIS_TICKS = 16, AXIS_LABEL = 32 };
int axis_ticks(const axis *a, double tick[AXIS_TICKS]);

/* "10⁻⁶", "0.25" */
void axis_label(const axis *a, double tick, char text[AXIS_LABEL]);

#endif
