/* table_files.c - tables as CSV, in Markdown and in LaTeX */
#include "table/table_print.h"

#include "host/screen.h"
#include "numbers/decimal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *const format_names[OUTPUT_FORMATS + 1] = {"table", "csv", "json", "md", "latex", NULL};
const char *const format_endings[OUTPUT_FORMATS] = {".txt", ".csv", ".json", ".md", ".tex"};

static int is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

static const char *format_of(const table *t, int i)
{
    const char *format = table_format_of(t, i);
    return format ? format : "%g";
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
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void put_value(const table *t, int row, int i, FILE *out)
{
    char buffer[DECIMAL];
    const char *text = table_text_at(t, row, i);
    const double x = table_number_at(t, row, i);
    if (text)
        put_quoted(text, out);
    else if (isfinite(x))
        fputs(decimal(x, buffer), out);
}

void table_print_csv(const table *t, FILE *out)
{
    const int columns = table_failed(t) ? 0 : table_columns(t);
    for (int i = 0; i < columns; i++) {
        put_quoted(table_name_of(t, i), out);
        fputc(i + 1 < columns ? ',' : '\n', out);
    }
    for (int row = 0; columns && row < table_rows(t); row++)
        for (int i = 0; i < columns; i++) {
            put_value(t, row, i, out);
            fputc(i + 1 < columns ? ',' : '\n', out);
        }
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

static void put_markdown(const table *t, int row, int i, FILE *out)
{
    const char *text = table_text_at(t, row, i);
    const double x = table_number_at(t, row, i);
    if (text || !isfinite(x))
        put_escaped(text ? text : "-", out);
    else
        fprintf(out, format_of(t, i), x);
}

void table_print_markdown(const table *t, FILE *out)
{
    const int columns = table_failed(t) ? 0 : table_columns(t);
    for (int i = 0; i < columns; i++) {
        fputs(i ? " " : "| ", out);
        put_escaped(table_title_of(t, i), out);
        fputs(i + 1 < columns ? " |" : " |\n|", out);
    }
    for (int i = 0; i < columns; i++)
        fputs(table_format_of(t, i) ? "---:|" : ":---|", out);
    fputs(columns ? "\n" : "", out);
    for (int row = 0; columns && row < table_rows(t); row++)
        for (int i = 0; i < columns; i++) {
            fputs(i ? " " : "| ", out);
            put_markdown(t, row, i, out);
            fputs(i + 1 < columns ? " |" : " |\n", out);
        }
}

/* ---- LaTeX ---- */

void latex_escaped(const char *text, FILE *out)
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

static void put_latex(const table *t, int row, int i, FILE *out)
{
    const char *text = table_text_at(t, row, i);
    const double x = table_number_at(t, row, i);
    if (text || !isfinite(x)) {
        latex_escaped(text ? text : "--", out);
        return;
    }
    fputs("\\num{", out);
    fprintf(out, format_of(t, i), x);
    fputc('}', out);
}

void table_print_latex(const table *t, FILE *out)
{
    const int columns = table_failed(t) ? 0 : table_columns(t);
    if (!columns)
        return;
    fputs("\\begin{tabular}{", out);
    for (int i = 0; i < columns; i++)
        fputc(table_format_of(t, i) ? 'r' : 'l', out);
    fputs("}\n\\toprule\n", out);
    for (int row = -1; row < table_rows(t); row++) {
        fputs(row >= 0 && table_ruled(t, row) ? "\\midrule\n" : "", out);
        for (int i = 0; i < columns; i++) {
            if (row < 0)
                latex_escaped(table_title_of(t, i), out);
            else
                put_latex(t, row, i, out);
            fputs(i + 1 < columns ? " & " : row < 0 ? " \\\\\n\\midrule\n" : " \\\\\n", out);
        }
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

int table_write(const table *t, output_format format, FILE *out)
{
    switch (format) {
    case FORMAT_CSV: table_print_csv(t, out); return 1;
    case FORMAT_MARKDOWN: table_print_markdown(t, out); return 1;
    case FORMAT_LATEX: table_print_latex(t, out); return 1;
    default: return table_print(t, screen_width(out), 0, out);
    }
}
