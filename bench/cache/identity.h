/* identity.h - which code computes: numbers that change when the program, a model or a method does
 *
 * An object (a program, a shared object) is known by its build id, which its linker made of all of it. One
 * without is known by what of it nobody writes, in memory, and by its file, for what the loader has
 * filled in.
 */
#ifndef DAELAB_IDENTITY_H
#define DAELAB_IDENTITY_H

#include <daelab/method.h>
#include <daelab/problem.h>

#include <stdint.h>

/* Of the objects that hold functions of a problem and of its modes, of a method. 0 where a function lies in
 * none: then nothing is known of it. What a model reads from files or the environment is not seen. */
int model_identity(const dae_problem *problem, uint64_t *hash);
int method_identity(const dae_method *method, uint64_t *hash);

/* Of this program and the libraries that it computes with. */
uint64_t program_identity(void);

#endif
