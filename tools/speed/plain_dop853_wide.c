/* plain_dop853_wide.c - the plain loop compiled with vectors, which is faster for many unknowns */
#define PLAIN_NAME plain_dop853_wide
#include "plain_dop853.c"
