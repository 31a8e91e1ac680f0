#include "cells/quads.h"

#include "cells/fields.h"

#include <stdlib.h>
#include <string.h>

json_t *quads_json(const dae_quad *x, size_t count)
{
    json_t *list = x ? json_array() : json_null();
    for (size_t i = 0; x && i < count; i++) {
        char text[DAE_QUAD_TEXT];
        dae_quad_text(x[i], 36, text, sizeof text);
        if (json_array_append_new(list, json_string(text))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

dae_quad *quads_from(const json_t *list, size_t count)
{
    dae_quad *x = json_is_array(list) && json_array_size(list) == count ? malloc((count + 1) * sizeof *x) : NULL;
    for (size_t i = 0; x && i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        char *end = NULL;
        x[i] = text ? dae_quad_parse(text, &end) : 0;
        if (!text || end == text || *end) {
            free(x);
            return NULL;
        }
    }
    return x;
}

json_t *reference_json(const dae_reference *r, int count)
{
    const size_t q = (size_t)(count * r->nq), nl = (size_t)(count * r->nl);
    return json_pack("{s:i, s:i, s:o, s:s?, s:o, s:o, s:o}", "nq", r->nq, "nl", r->nl, "digits",
                     field_number(r->digits), "source", r->source, "q", quads_json(r->q, q), "v",
                     quads_json(r->v, q), "lambda", quads_json(r->lambda, nl));
}

/* The same text as the library has for it. */
static const char *source_named(const json_t *name)
{
    const char *source = NULL;
    for (int i = 0; json_is_string(name) && (source = dae_reference_source(i)); i++)
        if (strcmp(source, json_string_value(name)) == 0)
            break;
    return source;
}

/* A list that may be missing, as of a first-order problem. */
static int optional(const json_t *list, size_t count, dae_quad **x)
{
    *x = json_is_array(list) ? quads_from(list, count) : NULL;
    return *x || json_is_null(list);
}

int reference_from(const json_t *tree, dae_reference *r, int count)
{
    const json_t *nq = json_object_get(tree, "nq"), *nl = json_object_get(tree, "nl");
    *r = (dae_reference){.nq = (int)json_integer_value(nq), .nl = (int)json_integer_value(nl),
                         .source = source_named(json_object_get(tree, "source"))};
    const size_t q = (size_t)count * (size_t)r->nq, l = (size_t)count * (size_t)r->nl;
    if (json_is_integer(nq) && json_is_integer(nl) && r->nq >= 0 && r->nl >= 0
        && field_number_at(json_object_get(tree, "digits"), &r->digits)
        && (r->q = quads_from(json_object_get(tree, "q"), q))
        && optional(json_object_get(tree, "v"), q, &r->v)
        && optional(json_object_get(tree, "lambda"), l, &r->lambda))
        return 1;
    dae_reference_free(r);
    return 0;
}
