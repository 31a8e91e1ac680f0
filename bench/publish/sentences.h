/* sentences.h - findings for the top of a page */
#ifndef DAELAB_SENTENCES_H
#define DAELAB_SENTENCES_H

#include "publish/study_view.h"

/* Errors that do not fall, orders below the declared ones, how many agree. */
void say_orders(const study_view *v);

/* Runs that no order is known of, with a small drift and a large error. */
void say_small_drifts(const study_view *v);

/* Error against drift of each problem with an error that does not fall. */
void draw_glances(const study_view *v);

#endif
