/* reference_text.h - references in quad precision as texts, which bring each number back exactly (36 digits)
 *
 *     source minimal coordinates       of a smooth motion
 *     digits 29.4
 *     shape 3 4 4 2                    rows, numbers of q, of v, of lambda in a row
 *     row -2.78... ...                 (q, v, lambda) or u, one row for each time
 *
 *     source Cartesian coordinates     through events
 *     digits 26.1
 *     shape 3 4 6 0 21                 rows, size, width, ended, events
 *     row -2.78... ...                 (q, v, lambda) or u
 *     mode 0                           in which that is
 *     event 0 -1 0 1 floor             number, direction, modes before and after, name
 *     at 4.5e-1 ...                    t, before, after
 */
#ifndef DAELAB_REFERENCE_TEXT_H
#define DAELAB_REFERENCE_TEXT_H

#include <daelab/event_reference.h>
#include <daelab/quad_reference.h>

/* Of count rows; to be freed. */
char *reference_text(const dae_reference *r, int count);
char *event_reference_text(const dae_event_reference *r);

/* *r := what the text says, of count rows, or of at most so many; to be freed. 0 where it is no such text. */
int reference_read(const char *text, int count, dae_reference *r);
int event_reference_read(const char *text, int count, dae_event_reference *r);

#endif
