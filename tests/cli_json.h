/* cli_json.h - run the program and read the JSON that it answers */
#ifndef DAELAB_TEST_CLI_JSON_H
#define DAELAB_TEST_CLI_JSON_H

#include "cli.h"

#include <jansson.h>
#include <math.h>

/* Run `daelab ARGUMENTS`, which must end with this exit status and print JSON. */
static inline json_t *parsed(int status, const char *arguments)
{
    json_error_t error;
    if (cli_run("", arguments) != status)
        fail_msg("daelab %s: exit status %d, expected %d\n%s", arguments, cli_said.status, status,
                 cli_said.err);
    json_t *tree = json_loads(cli_said.out, 0, &error);
    if (!tree)
        fail_msg("daelab %s: not JSON, line %d: %s", arguments, error.line, error.text);
    return tree;
}

/* tree -> "a" -> "b" ...; digits index an array. */
static inline const json_t *at(const json_t *tree, const char *path)
{
    char copy[256], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    while (tree && (key = strsep(&rest, "/")))
        tree = json_is_array(tree) ? json_array_get(tree, (size_t)atoi(key))
                                   : json_object_get(tree, key);
    if (!tree)
        fail_msg("the result has no %s", path);
    return tree;
}

static inline double number_at(const json_t *tree, const char *path)
{
    const json_t *x = at(tree, path);
    return json_is_null(x) ? NAN : json_number_value(x);
}

static inline const char *text_at(const json_t *tree, const char *path)
{
    return json_string_value(at(tree, path));
}

#endif
