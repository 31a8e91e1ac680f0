/* enum_order.c - a list enum { M, L, G } whose constants are, but for upper case, all names of parameters */
#include "catalogue/enum_order.h"

#include "host/allocate.h"

#include <daelab/description.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_TEXT = 1 << 20, MOST_NAMES = 64, LENGTH = 48 };

typedef struct { int count; char name[MOST_NAMES][LENGTH]; } name_list;

static int is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind spaces and comments */
static const char *skip(const char *at)
{
    for (;;) {
        const char *end = NULL;
        while (isspace((unsigned char)*at))
            at++;
        if (strncmp(at, "/*", 2) == 0)
            end = strstr(at, "*/");
        else if (strncmp(at, "//", 2) == 0)
            end = strchr(at, '\n');
        else
            return at;
        if (!end)
            return at + strlen(at);
        at = end + (*end == '*' ? 2 : 1);
    }
}

/* The constants from behind "enum" on; 0 where that is no plain list of them. */
static int read_list(const char *at, name_list *list)
{
    list->count = 0;
    at = skip(at);
    if (*at != '{')
        return 0;
    for (at = skip(at + 1); is_letter(*at) && list->count < MOST_NAMES; at = skip(at + 1)) {
        size_t length = 0;
        while (is_letter(at[length]))
            length++;
        snprintf(list->name[list->count++], LENGTH, "%.*s", (int)length, at);
        at = skip(at + length);
        if (*at != ',')
            return *at == '}';
    }
    return *at == '}';
}

static int place_of(const char *name, const dae_problem *problem)
{
    char other[LENGTH];
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        dae_parameter_name(problem, i, other, sizeof other);
        if (strcasecmp(name, other) == 0)
            return i;
    }
    return -1;
}

/* The first constant that stands for another parameter than its own; -1 where there is none, or where not all are
 * names of parameters. */
static int misplaced(const name_list *list, const dae_problem *problem)
{
    int first = -1;
    for (int i = list->count - 1; i >= 0; i--) {
        const int place = place_of(list->name[i], problem);
        if (place < 0)
            return -1;
        first = place != i ? i : first;
    }
    return first;
}

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = allocate(MOST_TEXT + 1, 1);
    if (in && fread(text, 1, MOST_TEXT, in) == 0)
        text[0] = 0;
    if (in)
        fclose(in);
    return text;
}

static void tell(const dae_problem *problem, const name_list *list, int i, dae_finding *found)
{
    char name[LENGTH];
    dae_parameter_name(problem, i, name, sizeof name);
    *found = (dae_finding){.failed = 1, .row = i + 1, .t = problem->t0, .found = NAN, .expected = NAN};
    snprintf(found->function, sizeof found->function, "parameters");
    snprintf(found->sentence, sizeof found->sentence, "%s: parameters, row %d ([%d] in C): the constant %s of the "
             "source stands for %s, and the parameter of its name is number %d of the table", problem->name, i + 1, i,
             list->name[i], name, place_of(list->name[i], problem) + 1);
}

int enum_order(const char *path, const dae_problem *problem, dae_finding *found)
{
    char *text = read_text(path);
    name_list list;
    int wrong = -1;
    for (const char *at = strstr(text, "enum"); at && wrong < 0; at = strstr(at + 4, "enum")) {
        const int word = !is_letter(at[4]) && (at == text || !is_letter(at[-1]));
        if (word && read_list(at + 4, &list))
            wrong = misplaced(&list, problem);
    }
    if (wrong >= 0 && wrong < dae_parameter_count(problem))
        tell(problem, &list, wrong, found);
    free(text);
    return wrong >= 0 && wrong < dae_parameter_count(problem);
}
