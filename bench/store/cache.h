/* cache.h - reference solutions kept on disk */
#ifndef DAELAB_CACHE_H
#define DAELAB_CACHE_H

#include <daelab/daelab.h>
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

#endif
