#include "pool/answers.h"

#include <stdlib.h>

int answers_begin(answers *a)
{
    *a = (answers){.places = json_object()};
    return a->places != NULL;
}

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

static int make_room(answers *a)
{
    const int room = a->room ? 2 * a->room : 64;
    if (a->count < a->room)
        return 1;
    known_cell *list = realloc(a->list, (size_t)room * sizeof *list);
    if (!list)
        return 0;
    a->list = list;
    a->room = room;
    return 1;
}

known_cell *answers_put(answers *a, record *r, int round)
{
    known_cell *known = answers_find(a, r->cell);
    if (known) {
        record_free(&known->record);
        known->record = *r;
        known->read = 0;
    } else if (make_room(a) && json_object_set_new(a->places, r->cell, json_integer(a->count)) == 0) {
        known = &a->list[a->count++];
        *known = (known_cell){.record = *r};
    } else {
        record_free(r);
    }
    if (known)
        known->round = round;
    a->came += known != NULL;
    *r = (record){0};
    return known;
}
