/* figure_data.h - what a script needs of a figure: its points as JSON */
#ifndef DAELAB_FIGURE_DATA_H
#define DAELAB_FIGURE_DATA_H

#include "page/figure.h"

#include <stdio.h>

/* {"quantities": [{"label", "unit", "log", "sides"}], "series": [...], "facets": [{"title", "curves":
 * [{"series", "values": [[...], ...], "notes": [...], "failed": [...]}]}]} with numbers of six digits; notes and
 * failed only where there are any. */
void figure_data(const figure *f, FILE *out);

#endif
