/* plot_pen.h - which colour, mark and dashes a curve has, and where its marks stand */
#ifndef DAELAB_PLOT_PEN_H
#define DAELAB_PLOT_PEN_H

#include "picture/plot_axis.h"

/* The labels of a document, each with the first curve that has it: curves first, then guides. A guide and a curve of
 * the same name are two labels. */
typedef struct {
    const plot_curve **first;
    int count;
} plot_labels;

/* 0 where memory is short. */
int plot_collect(plot_labels *labels, const plot_figure *figures, int count);

/* The place of a curve's label; -1 where none of its kind is drawn. */
int plot_label(const plot_labels *labels, const plot_curve *c);

/* Does a curve lie below the others, without a colour of its own; is it interrupted where a point is left out? */
int plot_guides(const plot_curve *c);
int plot_interrupted(const plot_curve *c);

typedef enum { PEN_DOT, PEN_SQUARE, PEN_UP, PEN_DIAMOND, PEN_DOWN, PEN_RING, PEN_FRAME, PEN_OPEN_UP, PEN_OPEN_DIAMOND,
               PEN_OPEN_DOWN, PEN_MARKS } pen_mark;
enum { PEN_COLOURS = 7 };

typedef struct {
    int colour;                 /* of plot_colours; -1: grey */
    int grey;                   /* 0 ... 255 */
    double width;               /* of the line, in px */
    const double *dashes;       /* px on and off, ends with 0; NULL: solid */
    pen_mark mark;
} plot_pen;

extern const char *const plot_colours[PEN_COLOURS];     /* "0072b2" */

plot_pen plot_choose_pen(const plot_labels *labels, const plot_curve *c);

/* The points of a curve that have a mark, in order: all of few, else some at equal distances along the
 * curve, which begin elsewhere for its neighbours in the key. marks[MOST_MARKS]; how many. */
enum { MOST_MARKS = 32 };
int plot_marks(const plot_labels *labels, const plot_panel *p, const plot_curve *c, const plot_axis *x,
               const plot_axis *y, double aspect, int *marks);

#endif
