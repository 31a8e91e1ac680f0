#include "pool/answers.h"

#include "host/allocate.h"

#include <stdlib.h>

void answers_begin(answers *a) { *a = (answers){.places = json_object()}; }

void answers_free(answers *a)
{
    for (int i = 0; i < a->count; i++)
        record_free(&a->list[i].record);
    free(a->list);
    json_decref(a->places);
    *a = (answers){0};
}

known_cell *answers_find(const answers *a, const char *cell)
{
    const json_t *place = json_object_get(a->places, cell);
    return place ? &a->list[json_integer_value(place)] : NULL;
}

/* A new one, of which nothing is known. */
static known_cell *add(answers *a, const char *cell)
{
    if (a->count == a->room) {
        a->room = a->room ? 2 * a->room : 64;
        a->list = allocate_again(a->list, (size_t)a->room, sizeof *a->list);
    }
    json_object_set_new(a->places, cell, json_integer(a->count));
    a->list[a->count] = (known_cell){0};
    return &a->list[a->count++];
}

known_cell *answers_put(answers *a, record *r, int round)
{
    known_cell *known = answers_find(a, r->cell);
    if (known)
        record_free(&known->record);
    else
        known = add(a, r->cell);
    *known = (known_cell){.record = *r, .round = round, .asked = known->asked};
    *r = (record){0};
    return known;
}
