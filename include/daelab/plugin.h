/* plugin.h - what makes a file of problems or methods loadable by a program that is already built
 *
 * For authors of problems and methods, through model.h and method.h, and for programs that load files of
 * them. In C and C++.
 *
 * One line behind the records, once in a file, with all that it offers:
 *
 *     DAE_PLUGIN_PROBLEMS(&dae_bead);
 *     DAE_PLUGIN_METHODS(&my_midpoint, &my_trapezoid);
 *
 * The command takes such a file by its path, as source, bead.c, or as a shared object that was made of one
 * or more of them, cc -shared -fPIC -o both.so bead.c ring.c -lm. A program that the same file is linked
 * into does not notice the line.
 *
 * The line writes a descriptor and puts its address into a section of the object, where the linker gathers
 * those of all files; a symbol that each file defines weakly, and only the first of which is kept, says
 * where the section begins and ends.
 */
#ifndef DAELAB_PLUGIN_H
#define DAELAB_PLUGIN_H

#include "daelab.h"

#include <stddef.h>

/* Raised with every change of what a record means, of dae_plugin itself, of tableaus that records point to,
 * and of the types that functions of a record are given. */
enum { DAE_PLUGIN_VERSION = 4 };

/* What a file offers. Nothing behind the first two numbers is read where they are others; sizes of
 * records that it has none of are 0. */
typedef struct dae_plugin {
    int version;                /* DAE_PLUGIN_VERSION when it was compiled */
    int size;                   /* sizeof(dae_plugin) */
    const char *daelab;         /* DAELAB_VERSION */
    size_t problem_size, event_size;    /* sizeof(dae_problem), sizeof(dae_event) */
    size_t method_size, solver_size;    /* sizeof(dae_method), sizeof(dae_solver) */
    int problems, methods;
    const dae_problem *const *problem;  /* [problems] */
    const dae_method *const *method;    /* [methods] */
} dae_plugin;

/* The descriptors of an object, first ... last - 1. A loader looks for two of these by the names
 * dae_problem_plugins and dae_method_plugins. */
typedef struct {
    const dae_plugin *const *first, *const *last;
} dae_plugin_range;

#define DAE_PLUGIN_PROBLEMS(...)                                                                    \
    static const dae_problem *const dae_problems_here[] = {__VA_ARGS__};                            \
    static const dae_plugin dae_problem_plugin = {                                                  \
        DAE_PLUGIN_VERSION, (int)sizeof(dae_plugin), DAELAB_VERSION, sizeof(dae_problem),           \
        sizeof(dae_event), 0, 0, (int)(sizeof dae_problems_here / sizeof *dae_problems_here), 0,    \
        dae_problems_here, NULL};                                                                   \
    DAE_PLUGIN_GATHER(dae_problem_plugin)

#define DAE_PLUGIN_METHODS(...)                                                                     \
    static const dae_method *const dae_methods_here[] = {__VA_ARGS__};                              \
    static const dae_plugin dae_method_plugin = {                                                   \
        DAE_PLUGIN_VERSION, (int)sizeof(dae_plugin), DAELAB_VERSION, 0, 0, sizeof(dae_method),      \
        sizeof(dae_solver), 0, (int)(sizeof dae_methods_here / sizeof *dae_methods_here),           \
        NULL, dae_methods_here};                                                                    \
    DAE_PLUGIN_GATHER(dae_method_plugin)

#ifdef __cplusplus
#define DAE_PLUGIN_EXTERN extern "C"
#else
#define DAE_PLUGIN_EXTERN extern
#endif

/* plugin##_at is one address in the section plugin_list, of which the linker defines __start_ and __stop_. */
#define DAE_PLUGIN_GATHER(plugin)                                                                   \
    __attribute__((used, section(#plugin "_list")))                                                         \
    static const dae_plugin *const plugin##_at = &plugin;                                           \
    DAE_PLUGIN_EXTERN __attribute__((visibility("hidden")))                                         \
    const dae_plugin *const __start_##plugin##_list[];                                                     \
    DAE_PLUGIN_EXTERN __attribute__((visibility("hidden")))                                         \
    const dae_plugin *const __stop_##plugin##_list[];                                                      \
    DAE_PLUGIN_EXTERN __attribute__((weak, visibility("default")))                                  \
    const dae_plugin_range plugin##s;                                                               \
    const dae_plugin_range plugin##s = {__start_##plugin##_list, __stop_##plugin##_list}

#endif
