/* cache.h - reference solutions kept on disk, and as texts */
#ifndef DAELAB_CACHE_H
#define DAELAB_CACHE_H

#include <daelab/daelab.h>
#include <daelab/event_reference.h>
#include <daelab/quad_reference.h>

/* As dae_reference_solve_watched, but looked up first, and kept afterwards, in $DAELAB_CACHE, else
 * $XDG_CACHE_HOME/daelab, else $HOME/.cache/daelab, under a key of all that the numbers depend on, the
 * object code of the model among it. Links, and files of others, are not read. A cache that cannot be
 * read or written is no error. The reference of a system with user_data is neither looked up nor kept: no
 * command has such a system, and what its functions find there is in no key. *from_cache (may be NULL)
 * says whether nothing had to be computed. */
dae_status dae_cached_reference(dae_reference *reference, dae_system *sys, double t0,
                                const double *u0, const double *times, int count,
                                const dae_reference_watch *watch, int *from_cache,
                                dae_report *report);

/* The same from a start in quad precision. */
dae_status dae_cached_reference_quad(dae_reference *reference, dae_system *sys, double t0, const dae_quad *u0,
                                     const double *times, int count, const dae_reference_watch *watch,
                                     int *from_cache, dae_report *report);

/* The same of references through events, as dae_event_reference_solve; sys is a system of the problem with these
 * parameters. */
dae_status dae_cached_event_reference(dae_event_reference *reference, dae_system *sys, const double *times,
                                      int count, const dae_reference_watch *watch, int *from_cache,
                                      dae_report *report);

/* References in quad precision as texts, which bring each number back exactly (36 digits):
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

/* Of count rows; to be freed. */
char *reference_text(const dae_reference *r, int count);
char *event_reference_text(const dae_event_reference *r);

/* *r := what the text says, of count rows, or of at most so many; to be freed. 0 where it is no such text. */
int reference_read(const char *text, int count, dae_reference *r);
int event_reference_read(const char *text, int count, dae_event_reference *r);

#endif
