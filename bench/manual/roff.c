#include "manual/roff.h"

#include <string.h>

static void put(char c, FILE *out)
{
    static const struct { char c; const char *name; } escaped[] = {
        {'\\', "\\e"}, {'-', "\\-"}, {'~', "\\(ti"}, {'^', "\\(ha"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'"', "\\(dq"}};
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
        if (escaped[i].c == c) {
            fputs(escaped[i].name, out);
            return;
        }
    fputc(c, out);
}

static void put_part(const char *text, size_t length, FILE *out)
{
    if (length && *text == '.')                         /* no macro */
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++)
        put(text[i], out);
}

void roff_text(const char *text, FILE *out) { put_part(text, strlen(text), out); }

void roff_macro(const char *macro, const char *text, FILE *out)
{
    fprintf(out, ".%s \"", macro);
    roff_text(text, out);
    fputs("\"\n", out);
}

void roff_line(const char *text, FILE *out)
{
    roff_text(text, out);
    fputc('\n', out);
}

void roff_lines(const char *text, FILE *out)
{
    text += strspn(text, "\n");
    fputs(".nf\n", out);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        put_part(text, length, out);
        fputc('\n', out);
        text += length + (text[length] == '\n');
    }
    fputs(".fi\n", out);
}
