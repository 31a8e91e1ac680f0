/* draws.h - the cross-check of drawn problems: classes, problems of each, adaptive methods, tolerances */
#ifndef DAELAB_DRAWS_H
#define DAELAB_DRAWS_H

/* daelab-crosscheck --drawn COUNT [--from FIRST] [--method NAME] [CLASS...]; argv[0] is --drawn. Exit status as in
 * main, which says how it is called. */
int draws_main(int argc, char **argv);

#endif
