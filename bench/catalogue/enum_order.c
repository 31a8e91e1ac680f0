/* enum_order.c - a list enum { M, L, G } whose constants are, but for upper case, all names of parameters */
#include "catalogue/enum_order.h"

#include "host/allocate.h"

#include <daelab/description.h>

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_TEXT = 1 << 20, MOST_NAMES = 64, LENGTH = 48 };

typedef struct { int count; const char *name[MOST_NAMES]; } name_list;

static void leave_out_comments(char *text)
{
    while ((text = strchr(text, '/'))) {
        const char *end = strncmp(text, "/*", 2) == 0 ? strstr(text + 2, "*/") : strchr(text, '\n');
        if (text[1] == '*' || text[1] == '/')
            memset(text, ' ', end ? (size_t)(end - text) + (text[1] == '*' ? 2 : 0) : strlen(text));
        text++;
    }
}

/* "A, B, C", which is cut there. */
static void read_list(char *text, name_list *list)
{
    char *name;
    list->count = 0;
    while (list->count < MOST_NAMES && (name = strsep(&text, ", \t\r\n")))
        if (*name)
            list->name[list->count++] = name;
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
    if (list->count > dae_parameter_count(problem))
        return -1;
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
    regmatch_t match[2];
    regex_t plain_list;
    int wrong = -1;
    leave_out_comments(text);
    if (regcomp(&plain_list, "\\<enum[[:space:]]*\\{([[:alnum:]_,[:space:]]*)\\}", REG_EXTENDED))
        abort();
    for (char *at = text; wrong < 0 && !regexec(&plain_list, at, 2, match, 0); at += match[0].rm_eo) {
        name_list list;
        at[match[1].rm_eo] = 0;
        read_list(at + match[1].rm_so, &list);
        wrong = misplaced(&list, problem);
        if (wrong >= 0)
            tell(problem, &list, wrong, found);
    }
    regfree(&plain_list);
    free(text);
    return wrong >= 0;
}
