/* modes.h - the events and modes of a problem, as daelab info and daelab list tell them */
#ifndef DAELAB_MODES_H
#define DAELAB_MODES_H

#include <daelab/description.h>

#include <jansson.h>
#include <stdio.h>

/* Add "events" to the tree where the problem has some, or "modes", each with its own. */
void modes_json(json_t *tree, const dae_problem *problem);

/* Is this a member that modes_json adds? Then it is printed by modes_print, for people. */
int modes_key(const char *key);
void modes_print(FILE *out, const json_t *list);

/* "flight sliding", or "" for a single mode; "floor ceiling wall", each name once, or "". */
void mode_names(const dae_problem *problem, char *out, size_t length);
void event_names(const dae_problem *problem, char *out, size_t length);

#endif
