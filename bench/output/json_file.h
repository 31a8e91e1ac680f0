/* json_file.h - JSON as text */
#ifndef DAELAB_JSON_FILE_H
#define DAELAB_JSON_FILE_H

#include <jansson.h>
#include <stdio.h>

/* A text as JSON, whatever its bytes: where they are no UTF-8, as in the name of a file, those above 127 are "?". */
json_t *json_text(const char *text);

/* Numbers as the shortest decimals that read back the same; ends with a newline. */
void json_file_write(const json_t *tree, FILE *out);

#endif
