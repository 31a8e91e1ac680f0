/* grid_fit.h - a table as wide as the terminal
 *
 * What is too wide loses, in this order and only as far as needed: columns without a value; columns with the same
 * value in all rows, which is told above the table; long texts that only some rows have, which go below it; long
 * texts of all rows, which are broken; what exponents do not need; digits behind the third. What is too wide then is
 * printed in parts, one below the other. What was left out is said; a table of one row stands upright.
 */
#ifndef DAELAB_GRID_FIT_H
#define DAELAB_GRID_FIT_H

#include "output/grid.h"

/* width 0: as grid_print_table does, which this is where memory is short, too. */
void grid_print_fitted(const grid *g, size_t width, FILE *out);

#endif
