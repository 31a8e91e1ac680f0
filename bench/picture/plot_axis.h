/* plot_axis.h - ranges of axes and their tics */
#ifndef DAELAB_PLOT_AXIS_H
#define DAELAB_PLOT_AXIS_H

#include "picture/plot.h"

/* In the coordinate that is drawn: log10 of a logarithmic one. */
typedef struct {
    double lo, hi;
    int log;
} plot_axis;

/* Can a coordinate, point i of a curve be drawn; how many points of a curve, and of all curves but
 * times and crosses, can. */
int plot_drawable(double x, int logarithmic);
int plot_point(const plot_panel *p, const plot_curve *c, int i);
int plot_points(const plot_panel *p, const plot_curve *c);
int plot_panel_points(const plot_panel *p);

static inline const char *plot_text(const char *s)
{
    return s ? s : "";
}

/* The range of an axis of several panels: curves as a whole, guides as far as they stay near. */
plot_axis plot_choose_axis(const plot_panel *const *panels, int count, int vertical);

/* Is there a path; then one unit is to be as long on both axes of width x height: the finer scale gives way about its
 * middle. */
int plot_in_plane(const plot_panel *p);
void plot_make_equal(plot_axis *x, plot_axis *y, double width, double height);

/* A tic at z, of the value mantissa 10^exponent. */
typedef enum { TIC_POWER, TIC_PLAIN, TIC_BARE } plot_tic_label;
typedef struct {
    double z;
    double mantissa;
    int exponent;
    plot_tic_label label;       /* as a power of ten, as a number, none */
} plot_tic;

/* The tics of an axis that has room for `most` labels; how many there are. */
enum { MOST_TICS = 400 };
int plot_tics(const plot_axis *a, int most, plot_tic tic[MOST_TICS]);

#endif
