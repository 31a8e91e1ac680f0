#include "output/words.h"

#include <stdlib.h>
#include <string.h>

static size_t begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

size_t words_length(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += begins_character(*s);
    return n;
}

size_t words_longest(const char *s)
{
    size_t longest = 0, n = 0;
    for (; *s; s++) {
        n = *s == ' ' ? 0 : n + begins_character(*s);
        longest = n > longest ? n : longest;
    }
    return longest;
}

size_t words_line(const char *s, size_t width, size_t *next)
{
    const size_t blank = strspn(s, " ");                /* at the front they belong to the first word */
    size_t end = blank + strcspn(s + blank, " "), n = 0, i = 0;
    for (; s[i] && n <= width; i++) {
        if (s[i] == ' ' && i > end && s[i - 1] != ' ')
            end = i;
        n += begins_character(s[i]);
    }
    if (!s[i] && n <= width)
        end = i;
    *next = end + strspn(s + end, " ");
    return end;
}

void words_print(const char *s, size_t width, size_t begun, size_t indent, FILE *out)
{
    size_t next = 0, taken = begun;
    do {
        const size_t room = width > taken ? width - taken : 1;
        const size_t end = width ? words_line(s, room, &next) : (next = strlen(s));
        fprintf(out, "%.*s\n", (int)end, s);
        s += next;
        taken = indent;
        if (*s)
            fprintf(out, "%*s", (int)indent, "");
    } while (*s);
}

void words_print_lines(const char *s, size_t width, FILE *out)
{
    enum { FURTHER = 4 };
    while (width && *s) {
        const size_t bytes = strcspn(s, "\n");
        char *line = strndup(s, bytes);
        if (!line)
            break;
        words_print(line, width, 0, strspn(line, " ") + FURTHER, out);
        free(line);
        s += bytes + (s[bytes] == '\n');
    }
    fputs(s, out);
}
