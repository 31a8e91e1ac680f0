/* platform_linux.c - by /proc and the system calls of Linux; the heap by glibc, which musl says nothing of */
#include "host/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- memory ------------------------------------------------------------------------------- */

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#include <malloc.h>

const char platform_heap_source[] = "mallinfo2";

double platform_heap(void)
{
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

void platform_trim_heap(void) { malloc_trim(0); }
#else
const char platform_heap_source[] = "not known to this C library";
double platform_heap(void) { return NAN; }
void platform_trim_heap(void) {}
#endif

/* Number k, 0 or 1, of /proc/self/statm: pages that are mapped, that are in memory. By functions that a handler may
 * call. */
static double bytes_of_this_process(int k)
{
    char text[128];
    const int before = errno, file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    errno = before;
    text[length > 0 ? length : 0] = 0;
    const char *c = k ? strchr(text, ' ') : text;
    if (!c || !*c)
        return NAN;
    double pages = 0;
    for (c += k; *c >= '0' && *c <= '9'; c++)
        pages = 10 * pages + (*c - '0');
    return pages * (double)sysconf(_SC_PAGESIZE);
}

double platform_mapped(void) { return bytes_of_this_process(0); }
double platform_resident(void) { return bytes_of_this_process(1); }

double platform_resident_peak(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? NAN : 1024 * (double)usage.ru_maxrss;
}

double platform_available(void)
{
    char line[256];
    double free_memory = NAN, swap = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "MemAvailable: %lf", &free_memory);
        sscanf(line, "SwapFree: %lf", &swap);
    }
    if (file)
        fclose(file);
    return 1024 * (free_memory + swap);
}

const char *const platform_control_groups = "/proc/self/cgroup";

/* ---- processors --------------------------------------------------------------------------- */

_Static_assert(sizeof(cpu_set_t) == sizeof(platform_cores), "a set of cores has 1024 bits");

int platform_cores_here(platform_cores *cores)
{
    cpu_set_t set;
    memset(cores, 0, sizeof *cores);
    if (sched_getaffinity(0, sizeof set, &set))
        return 0;
    memcpy(cores, &set, sizeof set);
    return CPU_COUNT(&set);
}

int platform_count_cores(const platform_cores *cores)
{
    cpu_set_t set;
    memcpy(&set, cores, sizeof set);
    return CPU_COUNT(&set);
}

void platform_stay_on_core(void)
{
    cpu_set_t one;
    const int core = sched_getcpu();
    CPU_ZERO(&one);
    if (core >= 0 && core < CPU_SETSIZE) {
        CPU_SET((size_t)core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
}

/* "model name : X" of /proc/cpuinfo. */
void platform_processor(char *name, size_t size)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "re");
    snprintf(name, size, "unknown");
    while (info && fgets(line, sizeof line, info)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            colon[strcspn(colon, "\n")] = 0;
            snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (info)
        fclose(info);
}

/* ---- processes ---------------------------------------------------------------------------- */

const char platform_running[] = "/proc/self/exe";

char *platform_program(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink(platform_running, path, sizeof path);
    return length < 0 || length == sizeof path ? NULL : strndup(path, (size_t)length);
}

int platform_end_with_parent(int number) { return prctl(PR_SET_PDEATHSIG, number); }

void platform_offer_itself(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "1000", 4) < 0)                     /* not allowed: then the system chooses */
        errno = 0;
    close(file);
}

int platform_process_state(pid_t process, double *cpu)
{
    char path[64], text[1024];
    unsigned long user, system;
    char state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *behind = strrchr(text, ')');            /* of its name, which may hold anything */
    if (!behind || sscanf(behind, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                          &system) != 3)
        return 0;
    *cpu = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return state;
}

/* ---- descriptors -------------------------------------------------------------------------- */

int platform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
void platform_widen_pipe(int end, int bytes) { fcntl(end, F_SETPIPE_SZ, bytes); }

int platform_open_nameless(const char *folder)
{
    return access("/proc/self/fd", X_OK) == 0 ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
}

int platform_give_name(int file, const char *name)
{
    char path[PLATFORM_PATH];
    return linkat(AT_FDCWD, platform_descriptor(file, path), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

const char *platform_descriptor(int file, char path[PLATFORM_PATH])
{
    snprintf(path, PLATFORM_PATH, "/proc/self/fd/%d", file);
    return path;
}
