/* platform.h - what systems do differently: memory, processes, descriptors, loaded objects
 *
 * platform_linux.c and platform_elf.c are for Linux, by glibc and by musl; platform_posix.c is for any other
 * system, by POSIX alone, and says of each question that it cannot answer that the answer is not known. A port
 * to another system is a third file beside these. Nothing else in bench asks for a function that is not in
 * POSIX or in the BSDs (asprintf).
 */
#ifndef DAELAB_PLATFORM_H
#define DAELAB_PLATFORM_H

#include <daelab/status.h>

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- memory: [bytes]; NaN: not known ------------------------------------------------------ */

double platform_heap(void);             /* in use on the heap */
extern const char platform_heap_source[];       /* who says so: "mallinfo2" */
void platform_trim_heap(void);          /* give back what is not in use */
double platform_resident(void);         /* of pages in memory now; a signal handler may ask */
double platform_mapped(void);           /* of addresses that are taken */
double platform_resident_peak(void);    /* the most that was resident */
double platform_available(void);        /* that the machine has left, with swap */

/* The file that names the control groups of the process, NULL where there are none. */
extern const char *const platform_control_groups;

/* ---- processors --------------------------------------------------------------------------- */

/* Which of the cores a process may use. */
typedef struct { unsigned char bits[128]; } platform_cores;
int platform_cores_here(platform_cores *cores);         /* their number; 0: not known */
int platform_count_cores(const platform_cores *cores);
void platform_stay_on_core(void);       /* let the system not move this thread */
void platform_processor(char *name, size_t size);       /* "Intel ..."; "unknown" */

/* ---- processes ---------------------------------------------------------------------------- */

extern const char platform_running[];   /* by this path the file of this program can be read; "": not known */
char *platform_program(void);           /* the path of this program, to be freed; NULL: not known, or no memory */
int platform_end_with_parent(int number);       /* by this signal, when the parent ends; 0: so it will be, or it
                                                   cannot be arranged */
void platform_offer_itself(void);       /* where memory runs out, end this process first */

/* 'S' asleep, 'D' waiting for a disk, 'R' running, ..., and the CPU time it has used, with that of the system [s];
 * 0 where it cannot be seen. */
int platform_process_state(pid_t process, double *cpu);

/* ---- descriptors -------------------------------------------------------------------------- */

int platform_pipe(int ends[2]);         /* closed by exec; answers as pipe */
void platform_widen_pipe(int end, int bytes);
int platform_open_nameless(const char *folder); /* for writing, a file without a name; -1 where there is none */
int platform_give_name(int file, const char *name);     /* to such a file; answers as link */

/* The path of an open file in this process, as long as it is open. */
enum { PLATFORM_PATH = 64 };
const char *platform_descriptor(int file, char path[PLATFORM_PATH]);

/* ---- objects: the program and the shared objects that it has loaded ----------------------- */

typedef struct {
    const char *name;           /* of its file; "" for the program */
    uintptr_t base;             /* where it lies: places in it are the same in each process from there */
    const void *record;
} platform_object;

/* visit each, in the order in which they were loaded, until it answers something else than 0, which is returned. */
typedef int platform_visit(const platform_object *object, void *context);
int platform_objects(platform_visit *visit, void *context);

/* Does a function or a variable at this address lie in the object? */
int platform_holds(const platform_object *object, uintptr_t at);

/* Name k = 0, 1, ... of an object that this one was linked with, "libm.so.6", as long as it is loaded; NULL behind the
 * last. */
const char *platform_needs(const platform_object *object, int k);

/* DAE_FILE with a sentence where the open file is no whole shared object of this machine: the loader may end the
 * program over such a file. */
dae_status platform_check_object(int descriptor, const char *file, dae_report *report);

#endif
