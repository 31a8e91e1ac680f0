#include "page/escape.h"

#include <string.h>

static int is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

typedef struct { const char *what, *instead; } replacement;

/* What of a table text begins with; NULL: none. */
static const replacement *find(const replacement *table, const char *text)
{
    for (; table->what; table++)
        if (strncmp(text, table->what, strlen(table->what)) == 0)
            return table;
    return NULL;
}

static void replace(const replacement *table, const char *text, FILE *out)
{
    while (*text) {
        const replacement *r = find(table, text);
        if (r)
            fputs(r->instead, out);
        else
            fputc(is_control(*text) ? ' ' : *text, out);
        text += r ? strlen(r->what) : 1;
    }
}

void escape_html(const char *text, FILE *out)
{
    static const replacement table[] = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"},
                                        {"'", "&#39;"}, {NULL, NULL}};
    replace(table, text, out);
}

void escape_json(const char *text, FILE *out)
{
    static const replacement table[] = {{"\"", "\\\""}, {"\\", "\\\\"}, {"<", "\\u003c"}, {">", "\\u003e"},
                                        {"&", "\\u0026"}, {NULL, NULL}};
    fputc('"', out);
    replace(table, text, out);
    fputc('"', out);
}

void escape_markdown(const char *text, FILE *out)
{
    static const replacement table[] = {
        {"\\", "\\\\"}, {"|", "\\|"}, {"*", "\\*"}, {"_", "\\_"}, {"`", "\\`"}, {"[", "\\["}, {"]", "\\]"},
        {"<", "&lt;"}, {">", "&gt;"}, {"&", "&amp;"}, {"#", "\\#"}, {"~", "\\~"}, {"$", "\\$"}, {NULL, NULL}};
    replace(table, text, out);
}

/* The letters and signs that the programs of LaTeX do not know by themselves, and those that pages use. */
void escape_latex(const char *text, FILE *out)
{
    static const replacement table[] = {
        {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"}, {"#", "\\#"},
        {"%", "\\%"}, {"_", "\\_\\allowbreak{}"}, {"^", "\\textasciicircum{}"}, {"~", "\\textasciitilde{}"},
        {"<", "\\textless{}"}, {">", "\\textgreater{}"}, {"|", "\\textbar{}"}, {"\"", "\\textquotedbl{}"},
        {"'", "\\textquotesingle{}"}, {"`", "\\textasciigrave{}"}, {"--", "-{}-"},
        {"✓", "$\\checkmark$"}, {"✗", "$\\times$"}, {"…", "\\dots{}"}, {"·", "$\\cdot$"}, {"–", "--"},
        {"−", "$-$"}, {"×", "$\\times$"}, {"≤", "$\\leq$"}, {"≥", "$\\geq$"}, {NULL, NULL}};
    replace(table, text, out);
}
