/* values.h - what stands behind a command or an option, for shells that complete it
 *
 * A specification is words with a space between them: @problems, @formulations and @methods are the names of that
 * list, which daelab list knows, with those of files; @parameters are those of the problems on the line, each with an =
 * behind it, and @parts those of the study files there; @files is a path; @list says that values are joined by commas,
 * @pair that two are by a colon; all others are values themselves. "" is a value of which nothing is known.
 */
#ifndef DAELAB_VALUES_H
#define DAELAB_VALUES_H

#include "cli/option_table.h"

/* What an option with an argument takes, written into spec[length]. */
void values_of_option(const option_row *row, char *spec, size_t length);

/* What a command takes besides options. */
void values_of_command(const cli_command *command, char *spec, size_t length);

#endif
