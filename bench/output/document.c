#include "output/document.h"

#include "host/screen.h"
#include "output/grid_fit.h"
#include "output/grid_latex.h"
#include "output/json_file.h"
#include "output/words.h"

#include <daelab/daelab.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_ROWS = 21 };               /* of a curve that is shown in part */

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

void document_set(document *doc, const char *key, json_t *value)
{
    if (!value || json_object_set_new(doc->json, key, value))
        doc->failed = 1;
}

document *document_new(const char *command)
{
    document *doc = calloc(1, sizeof *doc);
    if (!doc)
        return NULL;
    doc->json = json_object();
    if (!doc->json) {
        free(doc);
        return NULL;
    }
    document_set(doc, "daelab", json_string(DAELAB_VERSION));
    document_set(doc, "command", json_string(command));
    return doc;
}

void document_free(document *doc)
{
    if (!doc)
        return;
    json_decref(doc->json);
    free(doc->curves_in);
    free(doc->opening);
    free(doc->title);
    free(doc->parameters);
    free(doc->options);
    for (int i = 0; i < doc->parts; i++)
        document_free(doc->part[i]);
    free(doc->part);
    for (int i = 0; i < doc->sections; i++) {
        free(doc->section[i].heading);
        grid_free(doc->section[i].grid);
    }
    for (int i = 0; i < doc->notes; i++)
        free(doc->note[i]);
    free(doc);
}

void document_part_add(document *doc, document *part)
{
    document **longer = part ? realloc(doc->part, ((size_t)doc->parts + 1) * sizeof *longer) : NULL;
    if (longer) {
        doc->part = longer;
        doc->part[doc->parts++] = part;
    } else {
        doc->failed = 1;
        document_free(part);
        return;
    }
    doc->failed = doc->failed || part->failed;
}

void document_section_add(document *doc, const char *heading, grid *g)
{
    char *copy = heading ? strdup(heading) : NULL;
    if (!g || grid_failed(g) || doc->sections == MAX_SECTIONS || (heading && !copy)) {
        doc->failed = 1;
        free(copy);
        grid_free(g);
        return;
    }
    doc->section[doc->sections++] = (document_section){copy, g, 0};
}

void document_curve_add(document *doc, const char *heading, grid *g)
{
    const int before = doc->sections;
    document_section_add(doc, heading, g);
    if (doc->sections > before)
        doc->section[before].curve = 1;
}

void document_shorten(document *doc, const char *where)
{
    for (int i = 0; i < doc->parts; i++)
        document_shorten(doc->part[i], where);
    free(doc->curves_in);
    doc->curves_in = where ? strdup(where) : NULL;
    doc->failed |= where && !doc->curves_in;
}

static void add_note(document *doc, const char *format, va_list arguments)
{
    if (doc->notes == MAX_NOTES)
        return;
    if (vasprintf(&doc->note[doc->notes], format, arguments) >= 0)
        doc->notes++;
    else
        doc->failed = 1;
}

void document_note(document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(doc, format, arguments);
    va_end(arguments);
}

static const char *text_of(const document *doc, const char *key)
{
    const char *text = json_string_value(json_object_get(doc->json, key));
    return text ? text : "";
}

/* {"part": ..., "problem": ..., "text": ...}; a result that is no part of a study has the name of its command. */
static json_t *remark_json(const document *doc, const char *text)
{
    const char *part = text_of(doc, "part");
    return json_pack("{s:s, s:s, s:o}", "part", *part ? part : text_of(doc, "command"), "problem",
                     text_of(doc, "problem"), "text", json_text(text));
}

void document_remark(document *doc, const char *format, ...)
{
    const int before = doc->notes;
    va_list arguments;
    va_start(arguments, format);
    add_note(doc, format, arguments);
    va_end(arguments);
    if (doc->notes == before)
        return;
    doc->remark[before] = 1;
    if (json_array_append_new(json_object_get(doc->json, "remarks"), remark_json(doc, doc->note[before])))
        doc->failed = 1;
}

void document_each_note(const document *doc, void (*say)(void *context, const char *note), void *context)
{
    for (int i = 0; i < doc->parts; i++)
        document_each_note(doc->part[i], say, context);
    for (int i = 0; i < doc->notes; i++)
        say(context, doc->note[i]);
}

void document_each_remark(const document *doc, void (*say)(void *context, const char *remark),
                          void *context)
{
    for (int i = 0; i < doc->parts; i++)
        document_each_remark(doc->part[i], say, context);
    for (int i = 0; i < doc->notes; i++)
        if (doc->remark[i])
            say(context, doc->note[i]);
}

/* Of a curve whose rows are somewhere else, too, some. */
static void print_section(const document *doc, const document_section *s, size_t width, FILE *out)
{
    grid *few = s->curve && doc->curves_in ? grid_spread(s->grid, CURVE_ROWS) : NULL;
    if (s->heading)
        words_print(s->heading, width, 0, 0, out);
    grid_print_fitted(few ? few : s->grid, width, out);
    if (few) {
        char said[256];
        snprintf(said, sizeof said, "%d of %zu rows; %s", CURVE_ROWS, grid_rows(s->grid), doc->curves_in);
        fputc('\n', out);
        words_print(said, width, 0, 2, out);
    }
    grid_free(few);
}

static void write_table(const document *doc, FILE *out)
{
    const size_t width = screen_width(out);
    const char *const heading[] = {doc->title, doc->parameters, doc->options};
    if (doc->opening)
        fprintf(out, "%s\n", doc->opening);
    for (int i = 0; i < doc->parts; i++) {
        write_table(doc->part[i], out);
        if (i + 1 < doc->parts || doc->title)
            fputc('\n', out);
    }
    for (size_t i = 0; i < sizeof heading / sizeof *heading; i++)
        if (heading[i])
            words_print(heading[i], width, 0, 0, out);
    for (int i = 0; i < doc->sections; i++) {
        fputc('\n', out);
        print_section(doc, &doc->section[i], width, out);
    }
    if (doc->notes)
        fputc('\n', out);
    for (int i = 0; i < doc->notes; i++)
        words_print(doc->note[i], width, 0, 2, out);
}

static void write_markdown(const document *doc, FILE *out)
{
    if (doc->opening)
        fprintf(out, "%s\n", doc->opening);
    for (int i = 0; i < doc->parts; i++) {
        write_markdown(doc->part[i], out);
        if (i + 1 < doc->parts || doc->title)
            fputc('\n', out);
    }
    if (doc->title)
        fprintf(out, "**%s**  \n", doc->title);
    if (doc->parameters)
        fprintf(out, "`%s`  \n", doc->parameters);
    if (doc->options)
        fprintf(out, "`%s`\n", doc->options);
    for (int i = 0; i < doc->sections; i++) {
        fputc('\n', out);
        if (doc->section[i].heading)
            fprintf(out, "%s\n\n", doc->section[i].heading);
        grid_print_markdown(doc->section[i].grid, out);
    }
    if (doc->notes)
        fputc('\n', out);
    for (int i = 0; i < doc->notes; i++)
        fprintf(out, "- %s\n", doc->note[i]);
}

/* A file that is read by itself: the first table of the first part that has one. */
static int write_csv(const document *doc, FILE *out)
{
    int written = doc->sections > 0;
    if (written)
        grid_print_csv(doc->section[0].grid, out);
    for (int i = 0; !written && i < doc->parts; i++)
        written = write_csv(doc->part[i], out);
    return written;
}

static void latex_paragraph(const char *text, FILE *out)
{
    latex_escaped(text, out);
    fputs("\n\n", out);
}

static void latex_sections(const document *doc, FILE *out)
{
    const char *const heading[] = {doc->opening, doc->title, doc->parameters, doc->options};
    for (int i = 0; i < doc->parts; i++)
        latex_sections(doc->part[i], out);
    for (size_t i = 0; i < sizeof heading / sizeof *heading; i++)
        if (heading[i])
            latex_paragraph(heading[i], out);
    for (int i = 0; i < doc->sections; i++) {
        if (doc->section[i].heading)
            latex_paragraph(doc->section[i].heading, out);
        grid_print_latex(doc->section[i].grid, out);
        fputc('\n', out);
    }
    for (int i = 0; i < doc->notes; i++)
        latex_paragraph(doc->note[i], out);
}

static void write_latex(const document *doc, FILE *out)
{
    fputs("% for \\input; \\usepackage{booktabs,siunitx}\n", out);
    latex_sections(doc, out);
}

int document_write(const document *doc, output_format format, FILE *out)
{
    if (!doc || doc->failed || !json_file_whole())
        return 0;
    if (format == FORMAT_JSON)
        return json_file_write(doc->json, out);
    if (format == FORMAT_CSV)
        write_csv(doc, out);
    else if (format == FORMAT_MARKDOWN)
        write_markdown(doc, out);
    else if (format == FORMAT_LATEX)
        write_latex(doc, out);
    else
        write_table(doc, out);
    return 1;
}
