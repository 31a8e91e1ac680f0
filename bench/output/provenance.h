/* provenance.h - what a result was made by, and when */
#ifndef DAELAB_PROVENANCE_H
#define DAELAB_PROVENANCE_H

#include <jansson.h>

/* When the program begins: its command line, and the commit of its source ("" where that is not known); both
 * stay where they are. */
void provenance_begin(int argc, char **argv, const char *commit);

/* The commit that provenance_begin was told of. */
const char *provenance_commit(void);

/* {"date": "2026-01-31T12:00:00Z", "end": ..., "command": [...], "version", "commit", "compiler", "flags",
 * "build", "sundials": {...}, "klu", "blas", "cpu", "cores", "system"}, the end being now. */
json_t *provenance_json(void);

/* What ran: {"cpu": ..., "cores": ..., "system": ..., "sundials": {...}, "compiler": ...} */
json_t *machine_json(void);

#endif
