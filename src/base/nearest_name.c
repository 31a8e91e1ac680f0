/* nearest_name.c - the known name nearest to a mistyped one */
#include "daelab/study.h"
#include "no_fast_math.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63, EDIT = 2, CASE = 1 };              /* costs: any edit; only the case differs */

static int replace_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE : EDIT;
}

/* Levenshtein distance of a and b, both of at most 63 characters; d holds one row of the table. */
static int edit_distance(const char *a, const char *b)
{
    int d[LONGEST + 1];
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return EDIT * LONGEST;
    for (int j = 0; j <= nb; j++)
        d[j] = EDIT * j;
    for (int i = 1; i <= na; i++) {
        int diagonal = d[0];
        d[0] = EDIT * i;
        for (int j = 1; j <= nb; j++) {
            const int replace = diagonal + replace_cost(a[i - 1], b[j - 1]);
            const int skip = EDIT + (d[j] < d[j - 1] ? d[j] : d[j - 1]);
            diagonal = d[j];
            d[j] = replace < skip ? replace : skip;
        }
    }
    return d[nb];
}

/* Near: at most three edits, and fewer than six in ten characters. */
const char *dae_nearest(const char *typed, const char *const *names, int count)
{
    const char *best = NULL;
    int nearest = 3 * EDIT + 1;
    for (int i = 0; typed && names && i < count; i++) {
        const size_t a = strlen(typed), b = strlen(names[i]), longer = a > b ? a : b;
        const int d = edit_distance(typed, names[i]);
        if (d < nearest && 10 * d < 6 * EDIT * (int)longer) {
            best = names[i];
            nearest = d;
        }
    }
    return best;
}
