/* members.h - the names of the members of a struct, from the header that declares it */
#ifndef DAELAB_TEST_MEMBERS_H
#define DAELAB_TEST_MEMBERS_H

#include "support.h"

#include <ctype.h>

enum { MOST_MEMBERS = 64, MEMBER = 48 };

typedef struct {
    int count;
    char name[MOST_MEMBERS][MEMBER];
} member_list;

/* All of a file of the source tree, without comments and lines of the preprocessor; to be freed. */
static char *source_without_comments(const char *name)
{
    char path[512];
    assert_in_range(snprintf(path, sizeof path, "%s/%s", DAELAB_SOURCE_DIR, name), 1, 511);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1 << 20, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    for (char *begin = strstr(text, "/*"); begin; begin = strstr(begin, "/*")) {
        const char *end = strstr(begin, "*/");
        assert_non_null(end);
        memset(begin, ' ', (size_t)(end + 2 - begin));
    }
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line == '#')
            memset(line, ' ', strcspn(line, "\n"));
    }
    return text;
}

/* Each word before , or ; or [ at the end of a declarator. */
static void add_declaration(member_list *list, const char *begin, const char *end)
{
    for (const char *at = begin; at < end; at++) {
        const int closes = *at == ',' || *at == '[' || at + 1 == end;
        const char *last = at + 1 == end && *at != '[' && *at != ',' ? at + 1 : at;
        const char *word = last;
        while (word > begin && (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
            word--;
        if (!closes || word == last)
            continue;
        assert_in_range(list->count, 0, MOST_MEMBERS - 1);
        assert_in_range(last - word, 1, MEMBER - 1);
        snprintf(list->name[list->count++], MEMBER, "%.*s", (int)(last - word), word);
        while (*at == '[' || (at + 1 < end && at[1] == '['))
            at += strcspn(at, "]");
    }
}

/* Of the struct whose body stands between `before` and `behind`, which end and begin at its braces. */
static member_list members_of(const char *header, const char *before, const char *behind)
{
    member_list list = {.count = 0};
    char *text = source_without_comments(header);
    const char *end = strstr(text, behind), *begin = NULL;
    assert_non_null(end);
    for (const char *at = strstr(text, before); at && at < end; at = strstr(at + 1, before))
        begin = at + strlen(before);
    assert_non_null(begin);
    while (begin < end) {
        const char *stop = memchr(begin, ';', (size_t)(end - begin));
        if (!stop)
            break;
        const char *pointer = strstr(begin, "(*");      /* to a function */
        while (stop > begin && isspace((unsigned char)stop[-1]))
            stop--;
        if (pointer && pointer < stop)
            add_declaration(&list, pointer + 2, strchr(pointer, ')'));
        else
            add_declaration(&list, begin, stop);
        begin = strchr(stop, ';') + 1;
    }
    free(text);
    assert_true(list.count > 0);
    return list;
}

#endif
