/* test_platform.c - each answer about the system is right or says that it is not known; on Linux all are known
 *
 * Built twice: with the file of this system, and with platform_posix.c alone (ANSWERS_UNKNOWN).
 */
#include "host/platform.h"

#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef ANSWERS_UNKNOWN
enum { KNOWN = 0 };
#else
enum { KNOWN = 1 };
#endif

static void known_above(double x, double least)
{
    if (KNOWN)
        assert_true(x > least);
    else
        assert_true(isnan(x));
}

TEST(test_memory)
{
    enum { SIZE = 32 << 20 };
    const double heap = platform_heap(), resident = platform_resident();
    char *more = malloc(SIZE);
    assert_non_null(more);
    memset(more, 1, SIZE);
#if defined(__GLIBC__) && !defined(SANITIZED)
    known_above(platform_heap() - heap, SIZE - 1);
#else
    (void)heap;                                         /* the sanitizer's memory is not the C library's */
#endif
    known_above(platform_resident() - resident, SIZE / 2);
    known_above(platform_mapped(), SIZE);
    known_above(platform_resident_peak(), SIZE);
    known_above(platform_available(), 0);
    free(more);
    platform_trim_heap();
    assert_true(*platform_heap_source != 0);
    assert_int_equal(platform_control_groups != NULL, KNOWN);
}

TEST(test_processors)
{
    char name[128];
    platform_cores cores;
    const int count = platform_cores_here(&cores);
    assert_in_range(count, 1, 8 * sizeof cores.bits);
    assert_int_equal(platform_count_cores(&cores), count);
    memset(&cores, 0, sizeof cores);
    assert_int_equal(platform_count_cores(&cores), 0);
    cores.bits[5] = 0x81;
    assert_int_equal(platform_count_cores(&cores), 2);
    platform_processor(name, sizeof name);
    assert_in_range(strlen(name), 1, sizeof name - 1);
}

TEST(test_program)
{
    char *path = platform_program();
    struct stat by_path, running;
    assert_int_equal(path != NULL, KNOWN);
    assert_int_equal(*platform_running != 0, KNOWN);
    if (path) {
        assert_true(*path == '/' && stat(path, &by_path) == 0 && stat(platform_running, &running) == 0);
        assert_true(by_path.st_dev == running.st_dev && by_path.st_ino == running.st_ino);
    }
    free(path);
}

/* A child that computes is seen as one that runs, one that waits as one that sleeps. */
TEST(test_processes)
{
    double cpu = -1;
    const int here = platform_process_state(getpid(), &cpu);
    int ends[2];
    assert_int_equal(here, KNOWN ? 'R' : 0);
    assert_true(KNOWN ? cpu >= 0 : cpu == -1);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        platform_offer_itself();
        close(ends[1]);
        _exit(platform_end_with_parent(SIGKILL) || read(ends[0], &byte, 1) != 0);
    }
    for (int k = 0; KNOWN && k < 5000 && platform_process_state(child, &cpu) != 'S'; k++)
        usleep(1000);
    assert_int_equal(platform_process_state(child, &cpu), KNOWN ? 'S' : 0);
    int status = -1;
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
}

TEST(test_descriptors)
{
    char path[PLATFORM_PATH], byte = 0;
    int ends[2];
    assert_int_equal(platform_pipe(ends), 0);
    platform_widen_pipe(ends[1], 1 << 17);
    for (int i = 0; i < 2; i++)
        assert_true(fcntl(ends[i], F_GETFD) & FD_CLOEXEC);
    const int again = open(platform_descriptor(ends[1], path), O_WRONLY);
    assert_true(again >= 0 && write(again, "x", 1) == 1 && read(ends[0], &byte, 1) == 1 && byte == 'x');
    close(again);
    close(ends[0]);
    close(ends[1]);
}

/* A file that nobody sees gets its name, but not one that is taken. */
TEST(test_nameless)
{
    char folder[] = "platform-XXXXXX", name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/named", folder);
    const int file = platform_open_nameless(folder);
    if (file >= 0) {
        assert_true(KNOWN && write(file, "text", 4) == 4);
        assert_int_equal(rmdir(folder), 0);             /* it is empty */
        assert_int_equal(mkdir(folder, 0700), 0);
        close(file);
        const int other = platform_open_nameless(folder);
        assert_int_equal(platform_give_name(other, name), 0);
        assert_true(platform_give_name(other, name) == -1 && errno == EEXIST);
        close(other);
        assert_int_equal(unlink(name), 0);
    } else {
        assert_true(platform_give_name(0, name) == -1);
    }
    assert_int_equal(rmdir(folder), 0);
}

typedef struct { uintptr_t at; int objects, holding; } search;

static int look(const platform_object *object, void *context)
{
    search *s = context;
    s->objects++;
    s->holding += platform_holds(object, s->at);
    return 0;
}

/* A function, and a variable, lies in one object. */
TEST(test_objects)
{
    static int variable = 1;
    search function = {.at = (uintptr_t)test_objects}, data = {.at = (uintptr_t)&variable}, none = {.at = 0};
    assert_int_equal(platform_objects(look, &function), 0);
    assert_int_equal(platform_objects(look, &data), 0);
    assert_int_equal(platform_objects(look, &none), 0);
    assert_true(KNOWN ? function.objects > 2 : function.objects == 0);
    assert_int_equal(function.holding, KNOWN);
    assert_int_equal(data.holding, KNOWN);
    assert_int_equal(none.holding, 0);
}

TEST(test_check_object)
{
    dae_report report = {0};
    const int file = open(DAELAB_SOURCE_DIR "/tests/test_platform.c", O_RDONLY);
    assert_true(file >= 0);
    const dae_status status = platform_check_object(file, "text", &report);
    close(file);
    assert_int_equal(status, KNOWN ? DAE_FILE : DAE_OK);
    if (KNOWN)
        assert_string_equal(report.message, "text: it is no shared object (ELF)");
}
