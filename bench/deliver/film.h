/* film.h - a run as pictures at equidistant times, and the way of its bodies
 *
 * Frame k of n shows the state at t0 + k (t_end - t0)/(n - 1). Between frames the ways of the
 * bodies are followed more closely, and at every event.
 */
#ifndef DAELAB_FILM_H
#define DAELAB_FILM_H

#include "run/setting.h"

#include <jansson.h>

static const double film_trail = 0.5;       /* s of the way of what moves that a frame shows */

typedef struct {
    int count;                  /* frames */
    double t0, t_end;           /* of the first and the last one */
    json_t *units;              /* of positions, as the unknowns have them */
    json_t *frames;             /* [t, bodies, links, walls]: [x, y, radius] and twice [x0, y0, x1, y1] of each */
    json_t *samples;            /* [t, points]: [x, y] of the bodies with a trail */
    char ended[320];            /* why the run ended before its time; "" where it did not */
} film;

/* Solve a problem that has a draw function to t_end, and draw count >= 2 frames; where an event ends the run, count
 * frames up to there. The film has to be freed in any case. DAE_NOT_FINITE where a picture has a shape that is not. */
dae_status film_shoot(film *f, const run_setting *setting, const dae_formulation *form, const dae_method *method,
                      double t_end, int count, dae_report *report);
void film_free(film *f);

#endif
