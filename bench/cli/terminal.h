/* terminal.h - a study on a terminal: progress and warnings on standard error, fields as options */
#ifndef DAELAB_TERMINAL_H
#define DAELAB_TERMINAL_H

#include "cli/options.h"

/* They speak of the options, which stay where they are until the study is over; quiet: no progress and
 * no warnings. */
run_front terminal_front(const cli_options *options);
run_front terminal_quiet(const cli_options *options);

/* What a runner tells goes to the line of progress. */
void terminal_watch(struct runner *r);

#endif
