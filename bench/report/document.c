#include "report/document.h"

#include "host/screen.h"
#include "output/json_file.h"
#include "table/table_print.h"
#include "table/words.h"

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
        table_free(doc->section[i].table);
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

void document_section_add(document *doc, const char *heading, table *g)
{
    char *copy = heading ? strdup(heading) : NULL;
    if (!g || table_failed(g) || doc->sections == MAX_SECTIONS || (heading && !copy)) {
        doc->failed = 1;
        free(copy);
        table_free(g);
        return;
    }
    doc->section[doc->sections++] = (document_section){copy, g, 0};
}

void document_curve_add(document *doc, const char *heading, table *g)
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

void document_each_note(const document *doc, int remarks, void (*say)(const char *note))
{
    for (int i = 0; i < doc->parts; i++)
        document_each_note(doc->part[i], remarks, say);
    for (int i = 0; i < doc->notes; i++)
        if (doc->remark[i] || !remarks)
            say(doc->note[i]);
}

/* ---- for a terminal, and in Markdown ---- */

/* Where text is printed: at a width, or as Markdown. */
typedef struct { FILE *out; size_t width; int markdown; } page;

static void put(const page *p, const char *before, const char *text, const char *behind, size_t indent)
{
    if (text && p->markdown)
        fprintf(p->out, "%s%s%s", before, text, behind);
    else if (text)
        words_print(text, p->width, 0, indent, p->out);
}

/* Of a curve whose rows are somewhere else, too, a terminal has some. */
static int put_section(const document *doc, const document_section *s, const page *p)
{
    const int few = !p->markdown && s->curve && doc->curves_in && table_rows(s->table) > CURVE_ROWS ? CURVE_ROWS : 0;
    put(p, "", s->heading, "\n\n", 0);
    if (p->markdown)
        table_print_markdown(s->table, p->out);
    else if (!table_print(s->table, p->width, few, p->out))
        return 0;
    if (few) {
        char said[256];
        snprintf(said, sizeof said, "%d of %d rows; %s", few, table_rows(s->table), doc->curves_in);
        fputc('\n', p->out);
        words_print(said, p->width, 0, 2, p->out);
    }
    return 1;
}

/* 0 where memory was short. */
static int put_document(const document *doc, const page *p)
{
    int whole = 1;
    if (doc->opening)
        fprintf(p->out, "%s\n", doc->opening);
    for (int i = 0; whole && i < doc->parts; i++) {
        whole = put_document(doc->part[i], p);
        if (i + 1 < doc->parts || doc->title)
            fputc('\n', p->out);
    }
    put(p, "**", doc->title, "**  \n", 0);
    put(p, "`", doc->parameters, "`  \n", 0);
    put(p, "`", doc->options, "`\n", 0);
    for (int i = 0; whole && i < doc->sections; i++) {
        fputc('\n', p->out);
        whole = put_section(doc, &doc->section[i], p);
    }
    for (int i = 0; i < doc->notes; i++) {
        fputs(i ? "" : "\n", p->out);
        put(p, "- ", doc->note[i], "\n", 2);
    }
    return whole;
}

/* ---- in other formats ---- */

/* A file that is read by itself: the first table of the first part that has one. */
static int write_csv(const document *doc, FILE *out)
{
    int written = doc->sections > 0;
    if (written)
        table_print_csv(doc->section[0].table, out);
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
        table_print_latex(doc->section[i].table, out);
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
    if (!doc || doc->failed)
        return 0;
    switch (format) {
    case FORMAT_JSON: json_file_write(doc->json, out); return 1;
    case FORMAT_CSV: write_csv(doc, out); return 1;
    case FORMAT_LATEX: write_latex(doc, out); return 1;
    case FORMAT_MARKDOWN: return put_document(doc, &(page){.out = out, .markdown = 1});
    default: return put_document(doc, &(page){.out = out, .width = screen_width(out)});
    }
}
