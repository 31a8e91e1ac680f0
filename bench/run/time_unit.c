#include "run/time_unit.h"

#include <stdio.h>
#include <string.h>

/* Word i of a list, its length; NULL where there is none. */
static const char *word_at(const char *list, int i, size_t *length)
{
    for (const char *word = list ? list + strspn(list, " ") : ""; *word; word += strspn(word, " ")) {
        *length = strcspn(word, " ");
        if (i-- == 0)
            return word;
        word += *length;
    }
    return NULL;
}

static int has_units(const char *list)
{
    size_t length;
    const char *word;
    for (int i = 0; (word = word_at(list, i, &length)); i++)
        if (strncmp(word, "-", length) != 0)
            return 1;
    return 0;
}

/* What stands behind "Q/" in the unit of the first velocity, Q that of its coordinate; NULL: it is not so. */
static const char *divisor(const dae_problem *p, size_t *length)
{
    size_t q, v;
    const char *coordinate = word_at(p->units, 0, &q), *velocity = word_at(p->units, p->mechanical.nq, &v);
    if (!p->mechanical.nq || !coordinate || !velocity || v < q + 2 || strncmp(coordinate, velocity, q) != 0
        || velocity[q] != '/')
        return NULL;
    *length = v - q - 1;
    return velocity + q + 1;
}

const char *time_unit(const dae_problem *p, char unit[TIME_UNIT])
{
    size_t length = 0;
    const char *found = divisor(p, &length);
    if (found && length < TIME_UNIT && !memchr(found, '/', length) && !memchr(found, '.', length))
        snprintf(unit, TIME_UNIT, "%.*s", (int)length, found);
    else
        snprintf(unit, TIME_UNIT, "%s", has_units(p->units) ? "s" : "");
    return unit;
}

const char *time_title(const dae_problem *p, const char *what, char title[TIME_TITLE])
{
    char unit[TIME_UNIT];
    snprintf(title, TIME_TITLE, *time_unit(p, unit) ? "%.12s [%s]" : "%.12s", what, unit);
    return title;
}
