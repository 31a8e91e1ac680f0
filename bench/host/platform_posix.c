/* platform_posix.c - for a system of which only POSIX is known: most answers are that it is not known
 *
 * Then: no memory in scale, no control of memory before large runs, no limit of memory for a cell, no look at a
 * process that hangs in a system call, a child that outlives a killed parent until it has something to say, references
 * that are computed in each run as nothing says of which build they are.
 */
#include "host/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- memory ------------------------------------------------------------------------------- */

const char platform_heap_source[] = "not known to this system";
double platform_heap(void) { return NAN; }
void platform_trim_heap(void) {}
double platform_resident(void) { return NAN; }
double platform_mapped(void) { return NAN; }
double platform_resident_peak(void) { return NAN; }
double platform_available(void) { return NAN; }
const char *const platform_control_groups = NULL;

/* ---- processors --------------------------------------------------------------------------- */

int platform_cores_here(platform_cores *cores)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN), most = 8 * (long)sizeof cores->bits;
    const long count = online < 0 ? 0 : online < most ? online : most;
    memset(cores, 0, sizeof *cores);
    for (long i = 0; i < count; i++)
        cores->bits[i / 8] = (unsigned char)(cores->bits[i / 8] | 1 << i % 8);
    return (int)count;
}

int platform_count_cores(const platform_cores *cores)
{
    int count = 0;
    for (size_t i = 0; i < 8 * sizeof cores->bits; i++)
        count += cores->bits[i / 8] >> i % 8 & 1;
    return count;
}

void platform_stay_on_core(void) {}
void platform_processor(char *name, size_t size) { snprintf(name, size, "unknown"); }

/* ---- processes ---------------------------------------------------------------------------- */

const char platform_running[] = "";
char *platform_program(void) { return NULL; }

int platform_end_with_parent(int number)
{
    (void)number;
    return 0;
}

void platform_offer_itself(void) {}

int platform_process_state(pid_t process, double *cpu)
{
    (void)process, (void)cpu;
    return 0;
}

/* ---- descriptors -------------------------------------------------------------------------- */

int platform_pipe(int ends[2])
{
    if (pipe(ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

void platform_widen_pipe(int end, int bytes) { (void)end, (void)bytes; }

int platform_open_nameless(const char *folder)
{
    (void)folder;
    return -1;
}

int platform_give_name(int file, const char *name)
{
    (void)file, (void)name;
    errno = ENOSYS;
    return -1;
}

const char *platform_descriptor(int file, char path[PLATFORM_PATH])
{
    snprintf(path, PLATFORM_PATH, "/dev/fd/%d", file);
    return path;
}

/* ---- objects ------------------------------------------------------------------------------ */

int platform_objects(platform_visit *visit, void *context)
{
    (void)visit, (void)context;
    return 0;
}

int platform_holds(const platform_object *object, uintptr_t at)
{
    (void)object, (void)at;
    return 0;
}

const char *platform_needs(const platform_object *object, int k)
{
    (void)object, (void)k;
    return NULL;
}

dae_status platform_check_object(int descriptor, const char *file, dae_report *report)
{
    (void)descriptor, (void)file, (void)report;
    return DAE_OK;
}
