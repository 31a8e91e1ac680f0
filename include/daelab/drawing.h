/* drawing.h - bodies, links, springs and walls for the draw function of a problem
 *
 * For authors of problems that can be drawn. In C.
 *
 * In the plane of the picture, y upwards, lengths in the unit of the problem. What does not fit
 * into a picture (DAE_MAX_SHAPES of a kind) is left out.
 */
#ifndef DAELAB_DRAWING_H
#define DAELAB_DRAWING_H

#include "problem.h"

#include <math.h>

/* A body that leaves a trail, which pictures call by its name, a literal; with radius 0 a dot that leaves none. */
static inline void dae_draw_named_body(dae_picture *out, const char *name, double x, double y, double radius)
{
    if (out->bodies < DAE_MAX_SHAPES)
        out->body[out->bodies++] = (dae_disc){x, y, radius, name};
}

static inline void dae_draw_body(dae_picture *out, double x, double y, double radius)
{
    dae_draw_named_body(out, NULL, x, y, radius);
}

static inline void dae_draw_link(dae_picture *out, double x0, double y0, double x1, double y1)
{
    if (out->links < DAE_MAX_SHAPES)
        out->link[out->links++] = (dae_segment){x0, y0, x1, y1};
}

static inline void dae_draw_wall(dae_picture *out, double x0, double y0, double x1, double y1)
{
    if (out->walls < DAE_MAX_SHAPES)
        out->wall[out->walls++] = (dae_segment){x0, y0, x1, y1};
}

/* A spring of the given width from (x0, y0) to (x1, y1): eleven links, four waves of them. */
static inline void dae_draw_spring(dae_picture *out, double x0, double y0, double x1, double y1,
                                   double width)
{
    enum { CORNERS = 12 };
    static const double along[CORNERS] = {0, 0.1, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85,
                                          0.9, 1};
    static const double aside[CORNERS] = {0, 0, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5, -0.5, 0, 0};
    const double dx = x1 - x0, dy = y1 - y0, length = sqrt(dx * dx + dy * dy);
    const double across = length > 0 ? width / length : 0;
    double x = x0, y = y0;
    for (int k = 1; k < CORNERS; k++) {
        const double to_x = x0 + along[k] * dx - aside[k] * across * dy;
        const double to_y = y0 + along[k] * dy + aside[k] * across * dx;
        dae_draw_link(out, x, y, to_x, to_y);
        x = to_x;
        y = to_y;
    }
}

#endif
