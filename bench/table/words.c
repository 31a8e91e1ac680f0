#include "table/words.h"

#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

static size_t begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

static int is_blank(char c) { return c == ' ' || ((unsigned char)c < 0x20 && c) || c == 0x7f; }

size_t words_length_of(const char *s, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += begins_character(s[i]);
    return n;
}

size_t words_length(const char *s) { return words_length_of(s, strlen(s)); }

size_t words_longest(const char *s)
{
    size_t longest = 0, n = 0;
    for (; *s; s++) {
        n = is_blank(*s) ? 0 : n + begins_character(*s);
        longest = n > longest ? n : longest;
    }
    return longest;
}

size_t words_line(const char *s, size_t width, size_t *next)
{
    size_t end = 0, n = 0, i = 0;
    while (is_blank(s[end]))                            /* at the front they belong to the first word */
        end++;
    while (s[end] && !is_blank(s[end]))
        end++;
    for (; s[i] && n <= width; i++) {
        if (is_blank(s[i]) && i > end && !is_blank(s[i - 1]))
            end = i;
        n += begins_character(s[i]);
    }
    if (!s[i] && n <= width)
        end = i;
    for (*next = end; is_blank(s[*next]);)
        ++*next;
    return end;
}

void words_put(const char *s, size_t bytes, FILE *out)
{
    for (size_t i = 0; i < bytes; i++)
        fputc(is_blank(s[i]) ? ' ' : s[i], out);
}

void words_print(const char *s, size_t width, size_t begun, size_t indent, FILE *out)
{
    size_t next = 0, taken = begun;
    do {
        const size_t room = width > taken ? width - taken : 1;
        const size_t end = width ? words_line(s, room, &next) : (next = strlen(s));
        words_put(s, end, out);
        fputc('\n', out);
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
        char *line = allocate_print("%.*s", (int)bytes, s);
        words_print(line, width, 0, strspn(line, " ") + FURTHER, out);
        free(line);
        s += bytes + (s[bytes] == '\n');
    }
    fputs(s, out);
}
