/* show.h - what is shown by daelab.show, which takes its request as JSON */
#ifndef DAELAB_SHOW_H
#define DAELAB_SHOW_H

#include <daelab/status.h>
#include <jansson.h>
#include <stdio.h>

/* Run daelab.show with arguments, the first of them the name of a module, ending with NULL. DAE_BAD_ARGUMENT, DAE_FILE
 * as python_run; what it said beyond one sentence is told on standard error. */
dae_status show_call(const char *const *arguments, FILE *in, FILE *out, dae_report *report);

/* Run a module of it with a request on its standard input; *answer, where it is not NULL, is what it then writes, to be
 * freed with json_decref. DAE_FILE where it cannot; what it said beyond one sentence is told on standard error. */
dae_status show_run(const char *module, const json_t *request, json_t **answer, dae_report *report);

#endif
