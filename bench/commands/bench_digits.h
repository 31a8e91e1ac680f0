/* bench_digits.h - daelab bench --digits: the correct digits of one problem or many in one table */
#ifndef DAELAB_BENCH_DIGITS_H
#define DAELAB_BENCH_DIGITS_H

#include "cli/options.h"

/* Run each prepared problem once by each method; of `all` those with events have a row, too. The result in
 * *doc, NULL where there is none; an exit status. */
int bench_digits(const cli_options *given, const cli_options *each, int count, document **doc);

#endif
