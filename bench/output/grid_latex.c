#include "output/grid_latex.h"

#include <math.h>
#include <string.h>

void latex_escaped(const char *text, FILE *out)
{
    static const char special[] = "#$%&_{}";
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\textbackslash{}", out);
        else if (*text == '^' || *text == '~')
            fprintf(out, "\\%c{}", *text);
        else if (*text == '<' || *text == '>' || *text == '|')
            fprintf(out, "$%s$", *text == '<' ? "<" : *text == '>' ? ">" : "|");
        else if (strchr(special, *text))
            fprintf(out, "\\%c", *text);
        else
            fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, out);
}

static void put_cell(const grid *g, size_t row, size_t i, FILE *out)
{
    double x;
    const char *text = grid_value(g, row, i, &x), *format = grid_format(g, i);
    if (text) {
        latex_escaped(text, out);
    } else if (isfinite(x)) {
        fputs("\\num{", out);
        fprintf(out, format ? format : "%g", x);
        fputc('}', out);
    } else {
        fputs("--", out);
    }
}

void grid_print_latex(const grid *g, FILE *out)
{
    if (grid_failed(g) || !grid_columns(g))
        return;
    fputs("\\begin{tabular}{", out);
    for (size_t i = 0; i < grid_columns(g); i++)
        fputc(grid_format(g, i) ? 'r' : 'l', out);
    fputs("}\n\\toprule\n", out);
    for (size_t i = 0; i < grid_columns(g); i++) {
        latex_escaped(grid_title(g, i), out);
        fputs(i + 1 < grid_columns(g) ? " & " : " \\\\\n\\midrule\n", out);
    }
    for (size_t row = 0; row < grid_rows(g); row++) {
        fputs(grid_ruled(g, row) ? "\\midrule\n" : "", out);
        for (size_t i = 0; i < grid_columns(g); i++) {
            put_cell(g, row, i, out);
            fputs(i + 1 < grid_columns(g) ? " & " : " \\\\\n", out);
        }
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}
