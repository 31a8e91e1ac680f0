/* yaml_tree.h - a YAML file as a tree of texts, lists and mappings that know their lines */
#ifndef DAELAB_YAML_TREE_H
#define DAELAB_YAML_TREE_H

#include <daelab/status.h>

typedef enum { YAML_TEXT, YAML_LIST, YAML_MAPPING } yaml_kind;

typedef struct yaml_node {
    yaml_kind kind;
    int line;                   /* from 1 */
    char *text;                 /* of a text as it stands there, numbers too; NULL of others */
    int plain;                  /* a text without quotes */
    int count;                  /* members */
    struct yaml_node *key;      /* [count] of a mapping, each once, texts; else NULL */
    struct yaml_node *value;    /* [count] */
} yaml_node;

/* Read a file that holds one document. DAE_FILE where it cannot be read, DAE_BAD_ARGUMENT where it is no YAML, or
 * has what such a tree cannot hold (anchors, tags, keys that are no texts), with *line, 0: none. The tree is to be
 * freed in any case. */
dae_status yaml_read(const char *path, yaml_node *root, int *line, dae_report *report);
void yaml_free(yaml_node *root);

/* The value of a key; NULL: it is not there, or the node is no mapping. */
const yaml_node *yaml_member(const yaml_node *mapping, const char *key);

/* An empty value, `~` or `null`? */
int yaml_is_null(const yaml_node *node);

#endif
