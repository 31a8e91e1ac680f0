/* usage.h - options that nothing of what was chosen would take: a mistake, and said before anything
 * runs */
#ifndef DAELAB_USAGE_H
#define DAELAB_USAGE_H

#include "cli/options.h"

/* An exit status, having complained, or 0: is every option that was given used by some run of some
 * of these items, the options of one problem each? Forms and methods are chosen, defaults filled in. common: only
 * what parts of a file share is looked at, of the items of all of them; else only the rest. */
int usage_check(const cli_options *const *item, int items, int common);

#endif
