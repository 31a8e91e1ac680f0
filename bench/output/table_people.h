/* table_people.h - a tidy table as people read it */
#ifndef DAELAB_TABLE_PEOPLE_H
#define DAELAB_TABLE_PEOPLE_H

#include "output/table.h"

/* Without columns that hold nothing, and of several rows without those that hold the same in all: *shared is that in
 * words, "problem pendulum, t_end 2 s", to be freed. NULL where memory is short. */
grid *table_people(const table *t, char **shared);

#endif
