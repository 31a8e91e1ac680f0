/* plot_script.h - a picture, laid out, as a script for gnuplot */
#ifndef DAELAB_PLOT_SCRIPT_H
#define DAELAB_PLOT_SCRIPT_H

#include "picture/plot.h"

#include <stdio.h>

enum { PANEL_WIDTH = 430, PANEL_HEIGHT = 340, TITLE_HEIGHT = 36, KEY_LINE = 19 };     /* pixels */

typedef struct {
    const char *title;          /* not NULL */
    const plot_panel *panels;
    int count, columns, rows;
    const plot_curve **label;   /* the first curve of every label, in order */
    int labels, key_columns, key_rows;
    double width, height;
} picture;

static inline const char *plot_text(const char *s)
{
    return s ? s : "";
}

/* Does a curve lie below the others, without a colour of its own? */
static inline int plot_guides(const plot_curve *c)
{
    return c->style >= PLOT_GUIDE;
}

/* Can a coordinate, point i of a curve be drawn; how many points of a curve, of all curves but
 * times can. */
int plot_drawable(double x, int logarithmic);
int plot_point(const plot_panel *p, const plot_curve *c, int i);
int plot_points(const plot_panel *p, const plot_curve *c);
int plot_panel_points(const plot_panel *p);

/* A curve's place in label, or -1. A guide and a curve of the same name are two labels. */
int plot_label(const picture *p, const plot_curve *c);

/* A string of gnuplot, quoted. */
void plot_put_text(FILE *out, const char *s);

void plot_script(const picture *p, int png, FILE *out);

#endif
