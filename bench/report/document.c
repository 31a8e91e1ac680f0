#include "report/document.h"

#include "host/allocate.h"
#include "host/screen.h"
#include "output/json_file.h"
#include "table/select.h"
#include "table/table_print.h"

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

void document_set(document *doc, const char *key, json_t *value) { json_object_set_new(doc->json, key, value); }

document *document_new(const char *command)
{
    document *doc = allocate(1, sizeof *doc);
    doc->json = json_pack("{s:s, s:s}", "daelab", DAELAB_VERSION, "command", command);
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
    free(doc->section);
    for (int i = 0; i < doc->notes; i++)
        free(doc->note[i]);
    free(doc);
}

void document_part_add(document *doc, document *part)
{
    doc->part = allocate_again(doc->part, (size_t)doc->parts + 1, sizeof(document *));
    doc->part[doc->parts++] = part;
}

void document_section_add(document *doc, const char *heading, table *t)
{
    doc->section = allocate_again(doc->section, (size_t)doc->sections + 1, sizeof *doc->section);
    doc->section[doc->sections++] = (document_section){allocate_text(heading), t, 0};
}

void document_people_add(document *doc, const char *heading, const char *between, const table *t)
{
    char *shared;
    table *own = select_people(t, &shared);
    char *text = allocate_print("%s%s%s", heading, *shared ? between : "", shared);
    document_section_add(doc, text, own);
    free(text);
    free(shared);
}

void document_curve_add(document *doc, const char *heading, table *t)
{
    document_section_add(doc, heading, t);
    doc->section[doc->sections - 1].curve = 1;
}

void document_shorten(document *doc, const char *where)
{
    for (int i = 0; i < doc->parts; i++)
        document_shorten(doc->part[i], where);
    free(doc->curves_in);
    doc->curves_in = allocate_text(where);
}

/* What printf would print; 0 where there are enough. */
static int add_note(document *doc, const char *format, va_list arguments)
{
    size_t length;
    if (doc->notes == MAX_NOTES)
        return 0;
    FILE *out = allocate_stream(&doc->note[doc->notes++], &length);
    vfprintf(out, format, arguments);
    allocate_stream_end(out);
    return 1;
}

void document_note(document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(doc, format, arguments);
    va_end(arguments);
}

/* {"part": ..., "problem": ..., "text": ...}; a result that is no part of a study has the name of its command. */
static json_t *remark_json(const document *doc, const char *text)
{
    const char *part = json_word(doc->json, "part");
    return json_pack("{s:s, s:s, s:o}", "part", *part ? part : json_word(doc->json, "command"), "problem",
                     json_word(doc->json, "problem"), "text", json_text(text));
}

void document_remark(document *doc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (add_note(doc, format, arguments)) {
        doc->remark[doc->notes - 1] = 1;
        json_array_append_new(json_object_get(doc->json, "remarks"), remark_json(doc, doc->note[doc->notes - 1]));
    }
    va_end(arguments);
}

void document_each_note(const document *doc, int remarks, void (*say)(const char *note))
{
    for (int i = 0; i < doc->parts; i++)
        document_each_note(doc->part[i], remarks, say);
    for (int i = 0; i < doc->notes; i++)
        if (doc->remark[i] || !remarks)
            say(doc->note[i]);
}

/* ---- written ---- */

static void put(const format_row *format, text_kind kind, const char *text, FILE *out)
{
    if (text)
        format->text(kind, text, out);
}

/* Of a curve whose rows are somewhere else, too, a terminal has some. */
static void put_section(const document *doc, const document_section *s, const format_row *format, FILE *out)
{
    const int few = format == &formats[FORMAT_TABLE] && s->curve && doc->curves_in && table_rows(s->table) > CURVE_ROWS;
    fputs(format->before, out);
    put(format, TEXT_HEADING, s->heading, out);
    if (few) {
        char *said = allocate_print("%d of %d rows; %s", (int)CURVE_ROWS, table_rows(s->table), doc->curves_in);
        table_print(s->table, screen_width(out), CURVE_ROWS, out);
        fputc('\n', out);
        put(format, TEXT_NOTE, said, out);
        free(said);
    } else {
        format->table(s->table, out);
    }
    fputs(format->behind, out);
}

static void put_page(const document *doc, const format_row *format, FILE *out)
{
    put(format, TEXT_OPENING, doc->opening, out);
    for (int i = 0; i < doc->parts; i++) {
        put_page(doc->part[i], format, out);
        fputs(i + 1 < doc->parts || doc->title ? format->before : "", out);
    }
    put(format, TEXT_TITLE, doc->title, out);
    put(format, TEXT_PARAMETERS, doc->parameters, out);
    put(format, TEXT_OPTIONS, doc->options, out);
    for (int i = 0; i < doc->sections; i++)
        put_section(doc, &doc->section[i], format, out);
    fputs(doc->notes ? format->before : "", out);
    for (int i = 0; i < doc->notes; i++)
        put(format, TEXT_NOTE, doc->note[i], out);
}

/* The first table of the first part that has one. */
static const table *first_table(const document *doc)
{
    const table *first = doc->sections ? doc->section[0].table : NULL;
    for (int i = 0; !first && i < doc->parts; i++)
        first = first_table(doc->part[i]);
    return first;
}

void document_write(const document *doc, output_format format, FILE *out)
{
    const format_row *row = &formats[format];
    const table *first = first_table(doc);
    fputs(row->begin, out);
    if (row->holds == HOLDS_JSON)
        json_file_write(doc->json, out);
    else if (row->holds == HOLDS_PAGE)
        put_page(doc, row, out);
    else if (first)
        row->table(first, out);
}
