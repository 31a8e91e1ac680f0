/* table_files.c - tables, and lines of text around them, in each format */
#include "table/table_print.h"

#include "host/screen.h"
#include "numbers/decimal.h"
#include "output/json_file.h"
#include "table/words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static int is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

/* How the cells of a line are written. */
typedef struct {
    const char *begin, *between, *end;
    void (*text)(const char *text, FILE *out);
    const char *before, *behind;        /* a number */
    const char *missing;
    int exact;                          /* numbers read back exactly, and titles are names */
} line_style;

static void put_number(const table *t, int i, double x, const line_style *style, FILE *out)
{
    char exact[DECIMAL];
    const char *format = table_format_of(t, i);
    fputs(style->before, out);
    if (style->exact)
        fputs(decimal(x, exact), out);
    else
        fprintf(out, format ? format : "%g", x);
    fputs(style->behind, out);
}

/* A row; -1: the titles. */
static void put_line(const table *t, int row, const line_style *style, FILE *out)
{
    const int columns = table_columns(t);
    for (int i = 0; i < columns; i++) {
        const char *title = style->exact ? table_name_of(t, i) : table_title_of(t, i);
        const char *text = row < 0 ? title : table_text_at(t, row, i);
        const double x = table_number_at(t, row, i);
        fputs(i ? style->between : style->begin, out);
        if (text || !isfinite(x))
            style->text(text ? text : style->missing, out);
        else
            put_number(t, i, x, style, out);
    }
    fputs(columns ? style->end : "", out);
}

/* ---- CSV: lines end in a plain newline; quoted where RFC 4180 asks, and where a reader might
 * take the cell for a comment or trim it; a text that a spreadsheet would take for a formula has an apostrophe
 * before it ---- */

static void put_quoted(const char *s, FILE *out)
{
    const size_t n = strlen(s);
    const char *before = n > 1 && strchr("=+-@", *s) ? "'" : "";
    if (!strpbrk(s, ",\"\r\n") && *s != '#' && *s != ' ' && (n == 0 || s[n - 1] != ' ')) {
        fprintf(out, "%s%s", before, s);
        return;
    }
    fprintf(out, "\"%s", before);
    for (; *s; s++)
        fprintf(out, *s == '"' ? "\"\"" : "%c", *s);
    fputc('"', out);
}

void table_print_csv(const table *t, FILE *out)
{
    static const line_style style = {"", ",", "\n", put_quoted, "", "", "", 1};
    for (int row = -1; row < table_rows(t); row++)
        put_line(t, row, &style, out);
}

/* ---- Markdown ---- */

/* What Markdown would take for more than a character: emphasis, code, tags, links, of which [m] is none;
 * nor is _ within a word. */
static int is_markup(const char *text, const char *at)
{
    const int within = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
    return strchr("|\\`*<>&~", *at) != NULL || (*at == '_' && !within) || (*at == ']' && at[1] && strchr("([:", at[1]));
}

static void put_escaped(const char *text, FILE *out)
{
    for (const char *s = text; *s; s++) {
        if (is_markup(text, s))
            fputc('\\', out);
        fputc(is_control(*s) ? ' ' : *s, out);
    }
}

void table_print_markdown(const table *t, FILE *out)
{
    static const line_style style = {"| ", " | ", " |\n", put_escaped, "", "", "-", 0};
    const int columns = table_columns(t);
    for (int row = -1; row < table_rows(t); row++) {
        put_line(t, row, &style, out);
        for (int i = 0; row < 0 && i < columns; i++)
            fprintf(out, "%s%s%s", i ? "" : "|", table_format_of(t, i) ? "---:|" : ":---|", i + 1 < columns ? "" : "\n");
    }
}

/* ---- LaTeX ---- */

static void latex_escaped(const char *text, FILE *out)
{
    static const char special[] = "#$%&_{}";
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\textbackslash{}", out);
        else if (*text == '^' || *text == '~')
            fprintf(out, "\\%c{}", *text);
        else if (*text == '<' || *text == '>' || *text == '|')
            fprintf(out, "$%c$", *text);
        else if (strchr(special, *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(is_control(*text) ? ' ' : *text, out);
}

void table_print_latex(const table *t, FILE *out)
{
    static const line_style style = {"", " & ", " \\\\\n", latex_escaped, "\\num{", "}", "--", 0};
    if (!table_columns(t))
        return;
    fputs("\\begin{tabular}{", out);
    for (int i = 0; i < table_columns(t); i++)
        fputc(table_format_of(t, i) ? 'r' : 'l', out);
    fputs("}\n\\toprule\n", out);
    for (int row = -1; row < table_rows(t); row++) {
        fputs(row >= 0 && table_ruled(t, row) ? "\\midrule\n" : "", out);
        put_line(t, row, &style, out);
        fputs(row < 0 ? "\\midrule\n" : "", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

/* ---- as JSON, and for a terminal ---- */

static void table_print_json(const table *t, FILE *out)
{
    json_t *json = table_json(t);
    json_file_write(json, out);
    json_decref(json);
}

static void table_print_screen(const table *t, FILE *out) { table_print(t, screen_width(out), 0, out); }

/* ---- lines around tables ---- */

static void print_text(text_kind kind, const char *text, FILE *out)
{
    if (kind == TEXT_OPENING)
        fprintf(out, "%s\n", text);
    else
        words_print(text, screen_width(out), 0, kind == TEXT_NOTE ? 2 : 0, out);
}

static void print_markdown_text(text_kind kind, const char *text, FILE *out)
{
    static const struct { const char *before, *behind; } marks[] = {
        [TEXT_OPENING] = {"", "\n"},  [TEXT_TITLE] = {"**", "**  \n"}, [TEXT_PARAMETERS] = {"`", "`  \n"},
        [TEXT_OPTIONS] = {"`", "`\n"}, [TEXT_HEADING] = {"", "\n\n"},   [TEXT_NOTE] = {"- ", "\n"}};
    fprintf(out, "%s%s%s", marks[kind].before, text, marks[kind].behind);
}

static void print_latex_text(text_kind kind, const char *text, FILE *out)
{
    (void)kind;
    latex_escaped(text, out);
    fputs("\n\n", out);
}

/* ---- the formats ---- */

const format_row formats[OUTPUT_FORMATS] = {
#define FORMAT(ID, name, ending, holds, table, text, before, behind, begin) \
    {name, ending, holds, table, text, before, behind, begin},
#include "table/formats.def"
};

const char *const format_names[OUTPUT_FORMATS + 1] = {
#define FORMAT(ID, name, ...) name,
#include "table/formats.def"
    NULL};

void format_tell_names(FILE *out)
{
    for (int i = 0; i < OUTPUT_FORMATS; i++)
        fprintf(out, "%s%s%s", i == 0 ? "" : i + 1 < OUTPUT_FORMATS ? ", " : " or ", formats[i].name,
                i == 0 ? " (default)" : "");
}

void format_tell_endings(FILE *out)
{
    for (int i = 1; i < OUTPUT_FORMATS; i++)
        fprintf(out, "%s ", formats[i].ending);
    fprintf(out, "or %s", formats[0].ending);
}
