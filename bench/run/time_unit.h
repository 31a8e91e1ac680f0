/* time_unit.h - the unit of time of a problem, which its record does not name */
#ifndef DAELAB_TIME_UNIT_H
#define DAELAB_TIME_UNIT_H

#include <daelab/problem.h>

enum { TIME_UNIT = 24 };

/* unit := that by which the unit of the first velocity divides that of its coordinate: "s" of m and m/s, "h" of km and
 * km/h; "" where no variable has a unit; else "s". Answers unit. */
const char *time_unit(const dae_problem *problem, char unit[TIME_UNIT]);

/* title := what is measured in it, "t [s]"; "t" where it has none. Answers title. */
enum { TIME_TITLE = TIME_UNIT + 16 };
const char *time_title(const dae_problem *problem, const char *what, char title[TIME_TITLE]);

#endif
