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

/* Characters i-2, i-1 of a and j-2, j-1 of b are the same the other way round. */
static int are_exchanged(const char *a, int i, const char *b, int j)
{
    return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && a[i - 1] != a[i - 2];
}

/* Distance of a and b, both of at most 63 characters, by characters that are replaced, left out, put in, and
 * by two beside each other that are exchanged, none twice; d holds one row of the table, before the one above,
 * above that above. Damerau (1964), Comm. ACM 7, 171-176. */
static int edit_distance(const char *a, const char *b)
{
    int d[LONGEST + 1], before[LONGEST + 1] = {0}, above[LONGEST + 1];
    const int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return EDIT * LONGEST;
    for (int j = 0; j <= nb; j++)
        d[j] = EDIT * j;
    for (int i = 1; i <= na; i++) {
        int diagonal = d[0];
        memcpy(above, before, sizeof above);
        memcpy(before, d, sizeof before);
        d[0] = EDIT * i;
        for (int j = 1; j <= nb; j++) {
            const int replace = diagonal + replace_cost(a[i - 1], b[j - 1]);
            const int skip = EDIT + (d[j] < d[j - 1] ? d[j] : d[j - 1]);
            diagonal = d[j];
            d[j] = replace < skip ? replace : skip;
            if (are_exchanged(a, i, b, j) && above[j - 2] + EDIT < d[j])
                d[j] = above[j - 2] + EDIT;
        }
    }
    return d[nb];
}

/* Near: at most three edits, and fewer than six in ten characters. Of two as near the shorter, then the first. */
const char *dae_nearest(const char *typed, const char *const *names, int count)
{
    const char *best = NULL;
    int nearest = 3 * EDIT + 1;
    for (int i = 0; typed && names && i < count; i++) {
        const size_t a = strlen(typed), b = strlen(names[i]), longer = a > b ? a : b;
        const int d = edit_distance(typed, names[i]);
        const int better = d < nearest || (best && d == nearest && b < strlen(best));
        if (better && 10 * d < 6 * EDIT * (int)longer) {
            best = names[i];
            nearest = d;
        }
    }
    return best;
}
