#include "spec/yaml_tree.h"

#include "host/allocate.h"

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
    FILE *file = fopen(path, "r");
    *text = allocate(LARGEST + 1, 1);
    if (!file)
        return unreadable(path, report);
    *length = fread(*text, 1, LARGEST, file);
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

/* What the parser says, at its place. */
static dae_status refuse_syntax(reader *r)
{
    void *place = NULL;
    struct fy_diag *diag = fy_parser_get_diag(r->parser);
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &place);
    *r->line = error ? error->line : 0;
    const dae_status status = dae_fail(r->report, DAE_BAD_ARGUMENT, "this is no YAML: %s",
                                       error && error->msg ? error->msg : "it ends too early");
    fy_diag_unref(diag);
    return status;
}

static int line_of(const struct fy_mark *mark) { return mark ? mark->line + 1 : 0; }

static dae_status read_node(reader *r, struct fy_event *event, int depth, yaml_node *node);

static yaml_node *add(yaml_node **array, int count)
{
    *array = allocate_more(*array, (size_t)count, sizeof **array);
    (*array)[count] = (yaml_node){.kind = YAML_TEXT};
    return &(*array)[count];
}

/* The last key of a mapping is a text that no other one is. */
static dae_status check_key(reader *r, const yaml_node *mapping)
{
    const yaml_node *key = &mapping->key[mapping->count - 1];
    if (key->kind != YAML_TEXT)
        return refuse(r, key->line, "a list or a mapping cannot be a key");
    for (const yaml_node *other = mapping->key; other < key; other++)
        if (strcmp(other->text, key->text) == 0) {
            *r->line = key->line;
            return dae_fail(r->report, DAE_BAD_ARGUMENT, "%s is given twice, first in line %d", key->text, other->line);
        }
    return DAE_OK;
}

/* The next member of a list, whose event is this; of a mapping its key, behind which its value follows. */
static dae_status read_member(reader *r, struct fy_event *event, int depth, yaml_node *node)
{
    yaml_node *value = add(&node->value, node->count);
    yaml_node *key = node->kind == YAML_LIST ? NULL : add(&node->key, node->count);
    node->count++;
    if (!key)
        return read_node(r, event, depth, value);
    dae_status status = read_node(r, event, depth, key);
    if (!status)
        status = check_key(r, node);
    if (status)
        return status;
    struct fy_event *next = fy_parser_parse(r->parser);
    status = next ? read_node(r, next, depth, value) : refuse_syntax(r);
    fy_parser_event_free(r->parser, next);
    value->line = value->line ? value->line : key->line;        /* of a value that is not there */
    return status;
}

static dae_status read_members(reader *r, int depth, yaml_node *node)
{
    const enum fy_event_type end = node->kind == YAML_LIST ? FYET_SEQUENCE_END : FYET_MAPPING_END;
    dae_status status = DAE_OK;
    for (int more = 1; more && !status;) {
        struct fy_event *event = fy_parser_parse(r->parser);
        more = event && event->type != end;
        status = more ? read_member(r, event, depth, node) : event ? DAE_OK : refuse_syntax(r);
        fy_parser_event_free(r->parser, event);
    }
    return status;
}

static dae_status read_node(reader *r, struct fy_event *event, int depth, yaml_node *node)
{
    struct fy_token *anchor = fy_event_get_anchor_token(event);
    struct fy_token *property = anchor ? anchor : fy_event_get_tag_token(event);
    *node = (yaml_node){.kind = event->type == FYET_SEQUENCE_START ? YAML_LIST
                                : event->type == FYET_MAPPING_START ? YAML_MAPPING : YAML_TEXT,
                        .line = line_of(fy_event_start_mark(event))};
    if (depth == DEEPEST)
        return refuse(r, node->line, "lists and mappings lie too deep in each other");
    if (event->type == FYET_ALIAS || property)
        return refuse(r, property ? line_of(fy_token_start_mark(property)) : node->line,
                      "a study has no anchors, aliases or tags (&, *, !); what parts share stands in common, and a "
                      "text that begins so is put in quotes");
    if (node->kind != YAML_TEXT)
        return read_members(r, depth + 1, node);
    const char *text = event->scalar.value ? fy_token_get_text0(event->scalar.value) : NULL;
    node->plain = fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
    node->text = allocate_text(text ? text : "");
    return DAE_OK;
}

/* One document, and nothing behind it. */
static dae_status read_stream(reader *r, yaml_node *root)
{
    dae_status status = DAE_OK;
    for (int documents = 0, more = 1; more && !status;) {
        struct fy_event *event = fy_parser_parse(r->parser);
        const enum fy_event_type type = event ? event->type : FYET_STREAM_END;
        if (type == FYET_SEQUENCE_START || type == FYET_MAPPING_START || type == FYET_SCALAR || type == FYET_ALIAS)
            status = read_node(r, event, 0, root);
        else if (type == FYET_DOCUMENT_START && documents++)
            status = refuse(r, line_of(fy_event_start_mark(event)), "a second document begins here; a file holds one "
                            "study");
        else if (!event && fy_parser_get_stream_error(r->parser))
            status = refuse_syntax(r);
        more = type != FYET_STREAM_END;
        fy_parser_event_free(r->parser, event);
    }
    return status;
}

static dae_status parse(const char *text, size_t length, reader *r, yaml_node *root)
{
    struct fy_diag_cfg how;
    fy_diag_cfg_default(&how);
    how.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&how);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_ALLOW_DUPLICATE_KEYS
                                                 | FYPCF_JSON_NONE,
                                        .diag = diag};
    r->parser = fy_parser_create(&config);
    const dae_status status = fy_parser_set_string(r->parser, text, length)
                                  ? refuse(r, 0, "its text cannot be parsed") : read_stream(r, root);
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
