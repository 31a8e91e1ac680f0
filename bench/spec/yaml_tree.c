#include "spec/yaml_tree.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16, LARGEST = 1 << 22 };

/* ---- the text ---- */

static dae_status unreadable(const char *path, dae_report *report)
{
    return dae_fail(report, DAE_FILE, "%s cannot be read: %s", path, strerror(errno));
}

/* *text, to be freed, ends with 0. */
static dae_status read_text(const char *path, char **text, size_t *length, dae_report *report)
{
    *text = malloc(LARGEST + 1);
    FILE *file = *text ? fopen(path, "r") : NULL;
    if (!*text)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    if (!file)
        return unreadable(path, report);
    *length = fread(*text, 1, LARGEST, file);
    (*text)[*length] = 0;
    const dae_status status = ferror(file) ? unreadable(path, report) : DAE_OK;
    fclose(file);
    if (!status && *length == LARGEST)
        return dae_fail(report, DAE_BAD_ARGUMENT, "it is longer than %d bytes, and no study", LARGEST);
    if (!status && strlen(*text) < *length)
        return dae_fail(report, DAE_BAD_ARGUMENT, "it holds a byte 0, and is no text");
    return status;
}

/* Tabs at the beginning of a line look like spaces, and are none. */
static int find_tab(const char *text)
{
    for (int line = 1; *text; line++) {
        if (text[strspn(text, " ")] == '\t' && text[strspn(text, " \t")] != '\n')
            return line;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return 0;
}

/* ---- the tree ---- */

typedef struct {
    struct fy_parser *parser;
    int *line;
    dae_report *report;
} reader;

static dae_status refuse(reader *r, int line, const char *sentence)
{
    *r->line = line;
    return dae_fail(r->report, DAE_BAD_ARGUMENT, "%s", sentence);
}

static dae_status no_memory(reader *r) { return dae_fail(r->report, DAE_NO_MEMORY, "out of memory"); }

/* What the parser says, at its place; it says nothing where it has no memory. */
static dae_status refuse_syntax(reader *r)
{
    void *place = NULL;
    struct fy_diag *diag = fy_parser_get_diag(r->parser);
    const struct fy_diag_error *error = diag ? fy_diag_errors_iterate(diag, &place) : NULL;
    const int told = error && error->msg && error->line > 0;
    *r->line = told ? error->line : 0;
    const dae_status status = told ? dae_fail(r->report, DAE_BAD_ARGUMENT, "this is no YAML: %s", error->msg)
                                   : no_memory(r);
    if (diag)
        fy_diag_unref(diag);
    return status;
}

static int line_of(struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    return mark ? mark->line + 1 : 0;
}

static dae_status read_node(reader *r, struct fy_event *event, int depth, yaml_node *node);

/* The next event; NULL with a report where there is none. */
static struct fy_event *next(reader *r, dae_status *status)
{
    struct fy_event *event = fy_parser_parse(r->parser);
    *status = event ? DAE_OK : refuse_syntax(r);
    return event;
}

/* Room for one more member; NULL: no memory. */
static yaml_node *add(yaml_node **array, int count)
{
    yaml_node *longer = realloc(*array, ((size_t)count + 1) * sizeof *longer);
    if (!longer)
        return NULL;
    *array = longer;
    longer[count] = (yaml_node){.kind = YAML_TEXT};
    return &longer[count];
}

static dae_status read_text_node(reader *r, struct fy_event *event, yaml_node *node)
{
    size_t length = 0;
    const char *text = event->scalar.value ? fy_token_get_text(event->scalar.value, &length) : "";
    node->plain = fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
    node->text = strndup(text ? text : "", length);
    return node->text ? DAE_OK : no_memory(r);
}

static dae_status read_members(reader *r, int depth, yaml_node *list)
{
    for (;;) {
        dae_status status;
        struct fy_event *event = next(r, &status);
        if (!event)
            return status;
        const int end = event->type == FYET_SEQUENCE_END;
        yaml_node *value = end ? NULL : add(&list->value, list->count);
        if (value) {
            list->count++;
            status = read_node(r, event, depth, value);
        } else if (!end) {
            status = no_memory(r);
        }
        fy_parser_event_free(r->parser, event);
        if (end || status)
            return status;
    }
}

static dae_status check_key(reader *r, const yaml_node *mapping, const yaml_node *key)
{
    if (key->kind != YAML_TEXT)
        return refuse(r, key->line, "a list or a mapping cannot be a key");
    for (int i = 0; i < mapping->count; i++)
        if (strcmp(mapping->key[i].text, key->text) == 0) {
            *r->line = key->line;
            return dae_fail(r->report, DAE_BAD_ARGUMENT, "%s is given twice, first in line %d", key->text,
                            mapping->key[i].line);
        }
    return DAE_OK;
}

/* A key, whose event is this, and its value. */
static dae_status read_pair(reader *r, struct fy_event *event, int depth, yaml_node *mapping)
{
    yaml_node *key = add(&mapping->key, mapping->count), *value = add(&mapping->value, mapping->count);
    if (!key || !value)
        return no_memory(r);
    dae_status status = read_node(r, event, depth, key);
    if (!status)
        status = check_key(r, mapping, key);
    struct fy_event *of_value = status ? NULL : next(r, &status);
    if (of_value)
        status = read_node(r, of_value, depth, value);
    if (value->line == 0)                               /* nothing stands there */
        value->line = key->line;
    fy_parser_event_free(r->parser, of_value);
    if (status && key->kind != YAML_TEXT)
        yaml_free(key);
    mapping->count++;
    return status;
}

static dae_status read_pairs(reader *r, int depth, yaml_node *mapping)
{
    for (;;) {
        dae_status status;
        struct fy_event *event = next(r, &status);
        if (!event)
            return status;
        const int end = event->type == FYET_MAPPING_END;
        if (!end)
            status = read_pair(r, event, depth, mapping);
        fy_parser_event_free(r->parser, event);
        if (end || status)
            return status;
    }
}

/* The anchor or the tag of a node; NULL: it has none. */
static struct fy_token *property_of(const struct fy_event *event)
{
    struct fy_token *anchor = NULL, *tag = NULL;
    if (event->type == FYET_SCALAR) {
        anchor = event->scalar.anchor;
        tag = event->scalar.tag;
    } else if (event->type == FYET_SEQUENCE_START) {
        anchor = event->sequence_start.anchor;
        tag = event->sequence_start.tag;
    } else if (event->type == FYET_MAPPING_START) {
        anchor = event->mapping_start.anchor;
        tag = event->mapping_start.tag;
    }
    return anchor ? anchor : tag;
}

static dae_status refuse_property(reader *r, struct fy_token *property, int line)
{
    const struct fy_mark *mark = property ? fy_token_start_mark(property) : NULL;
    return refuse(r, mark ? mark->line + 1 : line,
                  "a study has no anchors, aliases or tags (&, *, !); what parts share stands in common, and a text "
                  "that begins so is put in quotes");
}

static dae_status read_node(reader *r, struct fy_event *event, int depth, yaml_node *node)
{
    *node = (yaml_node){.kind = YAML_TEXT, .line = line_of(event)};
    if (depth == DEEPEST)
        return refuse(r, node->line, "lists and mappings lie too deep in each other");
    if (event->type == FYET_ALIAS || property_of(event))
        return refuse_property(r, property_of(event), node->line);
    if (event->type == FYET_SCALAR)
        return read_text_node(r, event, node);
    node->kind = event->type == FYET_SEQUENCE_START ? YAML_LIST : YAML_MAPPING;
    return node->kind == YAML_LIST ? read_members(r, depth + 1, node) : read_pairs(r, depth + 1, node);
}

/* One document, and nothing behind it. */
static dae_status read_stream(reader *r, yaml_node *root)
{
    int documents = 0;
    for (;;) {
        dae_status status;
        struct fy_event *event = fy_parser_parse(r->parser);
        if (!event)
            return fy_parser_get_stream_error(r->parser) ? refuse_syntax(r) : DAE_OK;
        const enum fy_event_type type = event->type;
        if (type == FYET_DOCUMENT_START && documents++)
            status = refuse(r, line_of(event), "a second document begins here; a file holds one study");
        else
            status = type == FYET_STREAM_START || type == FYET_STREAM_END || type == FYET_DOCUMENT_START
                     || type == FYET_DOCUMENT_END ? DAE_OK : read_node(r, event, 0, root);
        fy_parser_event_free(r->parser, event);
        if (status || type == FYET_STREAM_END)
            return status;
    }
}

static dae_status parse(const char *text, size_t length, reader *r, yaml_node *root)
{
    struct fy_diag_cfg how;
    fy_diag_cfg_default(&how);
    how.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&how);
    if (!diag)
        return no_memory(r);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_ALLOW_DUPLICATE_KEYS
                                                 | FYPCF_JSON_NONE,
                                        .diag = diag};
    r->parser = fy_parser_create(&config);
    dae_status status = r->parser ? DAE_OK : no_memory(r);
    if (!status)
        status = fy_parser_set_string(r->parser, text, length) ? no_memory(r) : read_stream(r, root);
    fy_parser_destroy(r->parser);
    fy_diag_destroy(diag);
    return status;
}

dae_status yaml_read(const char *path, yaml_node *root, int *line, dae_report *report)
{
    char *text;
    size_t length = 0;
    reader r = {.line = line, .report = report};
    *root = (yaml_node){.kind = YAML_TEXT};
    *line = 0;
    dae_status status = read_text(path, &text, &length, report);
    const int tab = status ? 0 : find_tab(text);
    if (tab)
        status = refuse(&r, tab, "a tab stands in the indentation, where YAML takes spaces");
    if (!status)
        status = parse(text, length, &r, root);
    root->line = root->line ? root->line : 1;           /* of an empty file */
    free(text);
    return status;
}

void yaml_free(yaml_node *node)
{
    for (int i = 0; i < node->count; i++) {
        if (node->key)
            yaml_free(&node->key[i]);
        yaml_free(&node->value[i]);
    }
    free(node->key);
    free(node->value);
    free(node->text);
    *node = (yaml_node){.kind = YAML_TEXT};
}

const yaml_node *yaml_member(const yaml_node *mapping, const char *key)
{
    for (int i = 0; mapping->kind == YAML_MAPPING && i < mapping->count; i++)
        if (strcmp(mapping->key[i].text, key) == 0)
            return &mapping->value[i];
    return NULL;
}

int yaml_is_null(const yaml_node *node)
{
    return node->kind == YAML_TEXT
           && (!node->text
               || (node->plain && (!*node->text || !strcmp(node->text, "~") || !strcmp(node->text, "null"))));
}
