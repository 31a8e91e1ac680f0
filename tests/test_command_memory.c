/* test_command_memory.c - requests for memory of a command are refused, the first sixty and many of
 * the others, alone and with all that follow: the command ends with status 3 and a sentence, or its
 * result is whole without
 *
 * The program's own malloc stands in front of the C library's, as in test_no_memory.c; each command
 * runs in a process of its own. Where SUNDIALS itself goes on with memory that it was refused it
 * crashes: those places of version 6 are listed here and in docs/memory.md, and there are no others.
 * Version 7 does so nearly everywhere: with it a command may crash once a request of SUNDIALS was
 * refused, and only then. A run in a process of its own that crashes so is a result.
 * AddressSanitizer has a malloc that cannot be refused; there the test is skipped.
 */
#include "cli_json.h"

#include "host/interrupt.h"
#include "cli/options.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/mman.h>


#ifdef SANITIZED
static void test_commands(void **state)
{
    (void)state;
    skip();
}
#else
static struct {
    int refused;                /* has a request been refused? */
    int sundials;               /* one of SUNDIALS' own? */
    int unknown;                /* has a process crashed where none is known to? */
    char at[1024];              /* where one crashed, the first unknown place: "function in library" */
} *shared;                      /* with the children */

static volatile long countdown; /* > 0: requests until one is refused */
static volatile int armed, all_that_follow;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static int is_of(void *code, const char *library)
{
    Dl_info where;
    return dladdr(code, &where) && where.dli_fname && strstr(where.dli_fname, library);
}

static int refused(void *caller)
{
    if (!armed || countdown < 0 || --countdown > 0)
        return 0;
    countdown = all_that_follow ? 1 : -1;
    shared->refused = 1;
    shared->sundials |= is_of(caller, "libsundials");
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* Functions of SUNDIALS 6 that use what they were refused. */
static const char *const known_crashes[] = {"N_VClone in", "SUNLogger_Create in",
                                            "SUNLogger_Destroy in"};

enum { ABORTED = 97, CRASHED = 99 };

static int sundials_version(void)
{
    char text[16] = "";
    dae_sundials_version(text, sizeof text);
    return atoi(text);
}

/* Did it crash because SUNDIALS, or libfyaml, goes on with memory that it was refused? */
static int is_known(int status, const char *where)
{
    const char *reader = strstr(where, " in libfyaml");
    if (reader && reader < strstr(where, ", "))         /* in the file's reader, before any run */
        return 1;
    if (sundials_version() >= 7)
        return shared->sundials;
    if (status == ABORTED)
        return 0;
    const char *library = strstr(where, " in libsundials");
    for (size_t i = 0; library && i < sizeof known_crashes / sizeof *known_crashes; i++)
        if (strstr(where, known_crashes[i]))
            return 1;
    return 0;
}

static void crash(int number, siginfo_t *info, void *context)
{
    enum { FRAMES = 16 };
    void *frame[FRAMES];
    size_t end = 0;
    (void)info;
    (void)context;
    armed = 0;
    const int frames = shared->unknown ? 0 : backtrace(frame, FRAMES);
    for (int i = 2; i < frames && end < sizeof shared->at; i++) {       /* behind the handler */
        Dl_info where = {0};
        dladdr(frame[i], &where);
        const char *file = where.dli_fname ? strrchr(where.dli_fname, '/') : NULL;
        end += (size_t)snprintf(shared->at + end, sizeof shared->at - end, "%s in %s, ",
                                where.dli_sname ? where.dli_sname : "?", file ? file + 1 : "?");
    }
    shared->unknown |= !is_known(number == SIGABRT ? ABORTED : CRASHED, shared->at);
    _exit(number == SIGABRT ? ABORTED : CRASHED);
}

/* In place of the C library's: the processes of a study, which drop the handlers of their parent, keep this one. */
__sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler}, before;
    if (sigaction(number, NULL, &before) || before.sa_sigaction == crash || sigaction(number, &action, NULL))
        return SIG_ERR;
    return before.sa_handler;
}

static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE};

static int said[2];             /* files in memory: what the child writes to 1 and 2 */

static void hear(int file, char *text)
{
    const ssize_t length = pread(file, text, CLI_TEXT - 1, 0);
    assert_true(length >= 0);
    text[length] = 0;
}

static void forget(int file)
{
    assert_true(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
}

/* What the command before has left unfinished would answer for this one. */
static void forget_studies(void)
{
    char pattern[300];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/study-*", cli_folder);
    if (glob(pattern, 0, NULL, &files))
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        unlink(files.gl_pathv[i]);
    globfree(&files);
}

/* Run a command with request k refused (0: none); its exit status. */
static int run(char *const *words, int count, long k, int all)
{
    int ended;
    *shared = (typeof(*shared)){0};
    forget(said[0]);
    forget(said[1]);
    forget_studies();
    const pid_t child = fork();
    if (child == 0) {
        const struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO};
        char *argv[64] = {(char[]){"daelab"}};
        memcpy(argv + 1, words, (size_t)count * sizeof *words);
        for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
            sigaction(crashes[i], &action, NULL);
        if (chdir(cli_folder) || dup2(said[0], 1) < 0 || dup2(said[1], 2) < 0)
            _exit(98);
        countdown = k;
        all_that_follow = all;
        armed = k > 0;
        const int status = cli_run_command(count + 1, argv);
        armed = 0;
        fflush(stdout);
        _exit(status);
    }
    if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended))
        return -1;
    hear(said[0], cli_said.out);
    hear(said[1], cli_said.err);
    return WEXITSTATUS(ended);
}

/* The same keys, lengths and kinds of values, but for what is measured of the machine, and a hash that is not
 * known. */
static int same_shape(const json_t *a, const json_t *b)
{
    const char *key;
    json_t *x;
    if (!a || !b)
        return 0;
    if (json_is_boolean(a))
        return json_is_boolean(b);
    if (json_typeof(a) != json_typeof(b))
        return 0;
    if (json_is_array(a)) {
        for (size_t i = 0; i < json_array_size(a); i++)
            if (!same_shape(json_array_get(a, i), json_array_get(b, i)))
                return 0;
        return json_array_size(a) == json_array_size(b);
    }
    json_object_foreach((json_t *)(uintptr_t)a, key, x) {
        const json_t *y = json_object_get(b, key);
        if (!y || (strcmp(key, "machine") != 0 && strcmp(key, "sundials") != 0
                   && !(strcmp(key, "hash") == 0 && json_is_null(y)) && !same_shape(x, y)))
            return 0;
    }
    return json_object_size(a) == json_object_size(b);
}

/* Is the text as whole as the one without refusals? Times differ. */
static int is_whole(const char *text, const char *good)
{
    if (*good == '{') {
        json_t *a = json_loads(good, 0, NULL), *b = json_loads(text, 0, NULL);
        const int whole = a && b && same_shape(a, b);
        json_decref(a);
        json_decref(b);
        return whole;
    }
    for (; *text && *good; text++, good++) {
        text += strcspn(text, ",\n");
        good += strcspn(good, ",\n");
        if (*text != *good || !*text)
            break;
    }
    return *text == *good;
}

typedef struct {
    const char *line;
    int by;                     /* requests that are refused: every by-th after the first 60 */
} command;

static const command commands[] = {
    {"list --json", 3},
    {"list --format csv --output list.csv", 3},
    {"info pendulum --json", 3},
    {"info string_pendulum", 3},
    {"solve pendulum --method cros --step 0.1 --format json", 97},
    {"solve pendulum --method cros --step 0.1 --format csv", 97},
    {"solve pendulum --method ida --rtol 1e-3 --format csv --samples 2", 97},
    {"solve string_pendulum --method radau5 --rtol 1e-3 --format json --stop y=2", 97},
    {"solve pendulum --form index2 --step 0.1 --estimate --format json", 97},
    {"drift pendulum --form index1,index2 --method cros,rk4 --step 0.1 --format json", 97},
    {"drift kepler --method rk4 --step 0.1 --project none --project invariant --format csv", 97},
    {"solve box --method dop853 --rtol 1e-3 --t-end 3 --format json", 97},
    {"drift chain --form index2,ggl --method excros,ida --rtol 1e-3 --t-end 0.1 --param N=3 "
     "--format json", 397},
    {"converge pendulum --form index2,ode --method cros --levels 2 --format json --quiet", 97},
    {"converge pendulum --form index2 --method cros --levels 2 --vary L=5,6 --format csv --quiet",
     97},
    {"bench pendulum --form index1 --method radau5 --rtol 1e-3 --levels 2 --runs 1 --seconds 1e-9 "
     "--at 1e-2 --format json", 97},
    {"drift pendulum --form index1 --method cros --step 0.1 --t-end 0.2 --jacobian dual,fd --vary L=5 "
     "--save memory.yaml --format json -q", 211},
    {"study memory.yaml --format json -q", 211},
    {"study memory.yaml --format json --output memory.json -q", 997},
    {"export memory.json --format md", 97},             /* what is refused while a file is read is not its fault */
    {"bench pendulum,kepler --digits --method radau5 --rtol 1e-3 --atol velocity=1e-2 --format json", 97},
    {"solve string_pendulum --method radau5 --rtol 1e-3 --atol T=1e-2 --estimate --max-step 1 --format json",
     97},
};

static int split(char *line, char **words)
{
    int count = 0;
    for (char *word; (word = strsep(&line, " "));)
        words[count++] = word;
    return count;
}

/* Refuse request k; 0 where there is none any more. */
static int try_refusal(const command *c, char *const *words, int count, long k, int all,
                       const char *good)
{
    const int status = run(words, count, k, all);
    const int crashed = status == CRASHED || status == ABORTED;
    if (shared->unknown)
        fail_msg("%s, request %ld%s: crash in %s", c->line, k, all ? " and all" : "", shared->at);
    if (status < 0)
        fail_msg("%s, request %ld%s: no exit status", c->line, k, all ? " and all" : "");
    if (status == 0 && !is_whole(cli_said.out, good))
        fail_msg("%s, request %ld%s: status 0, but parts are missing: %.300s\n%s", c->line, k,
                 all ? " and all" : "", cli_said.out, cli_said.err);
    const int run_crashed = *shared->at && status == 1 && strstr(cli_said.err, "exit status");
    if (status != 0 && !crashed && !run_crashed && (status != 3 || !strstr(cli_said.err, "memory")))
        fail_msg("%s, request %ld%s: status %d, '%s'", c->line, k, all ? " and all" : "", status,
                 cli_said.err);
    return shared->refused;
}

static void test_commands(void **state)
{
    (void)state;
    static char good[CLI_TEXT];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    said[0] = memfd_create("out", 0);
    said[1] = memfd_create("err", 0);
    assert_true(shared != MAP_FAILED && said[0] >= 0 && said[1] >= 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[256], *words[40];
        snprintf(line, sizeof line, "%s", commands[i].line);
        const int count = split(line, words);
        run(words, count, 0, 0);                        /* now references come from the cache */
        if (run(words, count, 0, 0) != 0)
            fail_msg("%s: status not 0: %s", commands[i].line, cli_said.err);
        memcpy(good, cli_said.out, sizeof good);
        for (int all = 0; all < 2; all++) {
            long k = 1;
            while (try_refusal(&commands[i], words, count, k, all, good))
                k += all ? (k < 60 || commands[i].by < 7 ? 7 : commands[i].by) : k < 60 ? 1 : commands[i].by;
            assert_true(k > 30);
        }
    }
    munmap(shared, sizeof *shared);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_commands)};
    return cmocka_run_group_tests(tests, cli_begin, cli_end);
}
