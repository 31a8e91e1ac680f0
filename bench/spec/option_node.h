/* option_node.h - the value of a key of a study file as what the option of that name is given */
#ifndef DAELAB_OPTION_NODE_H
#define DAELAB_OPTION_NODE_H

#include "spec/study_file.h"
#include "spec/yaml_tree.h"

/* Add the value to the list of a part; 0 having complained. common: it stands in what all parts share. */
int option_node_add(study_file *file, option_list *list, const option_row *row, const yaml_node *value, int common);

/* One problem or a list of them as the subject of a command line; NULL having complained. */
const char *option_node_subject(study_file *file, const yaml_node *value);

/* A text that is neither a list nor empty; NULL having complained of the key. */
const char *option_node_text(const yaml_node *value, const char *key);

#endif
