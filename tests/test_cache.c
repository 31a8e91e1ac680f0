/* test_cache.c - references kept on disk, and files written whole or not at all */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/atomic_file.h"
#include "store/cache.h"
#include "store/store.h"
#include "problems.h"

extern const dae_problem dae_pendulum, dae_linear_dae;

enum { PATH = 512, LONG_PATH = 2 * PATH + 256, TIMES = 2 };
static const double times[TIMES] = {0.5, 1};
static char root[PATH];                     /* of one test; removed behind it */

static const char *below_root(const char *name)
{
    static char path[LONG_PATH];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

/* ---- fixtures ----------------------------------------------------------------------------- */

static int make_root(void **state)
{
    const char *base = getenv("TMPDIR");
    (void)state;
    snprintf(root, sizeof root, "%s/daelab-test-XXXXXX", base && *base ? base : P_tmpdir);
    return mkdtemp(root) && setenv("DAELAB_CACHE", below_root("cache"), 1) == 0 ? 0 : -1;
}

static void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *e; directory && (e = readdir(directory));) {
        char inner[LONG_PATH];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
        remove_tree(inner);
    }
    if (directory)
        closedir(directory);
    remove(path);
}

static int remove_root(void **state)
{
    (void)state;
    unsetenv("DAELAB_CACHE");
    remove_tree(root);
    return 0;
}

static int count_files(const char *path)
{
    int count = 0;
    DIR *directory = opendir(path);
    for (struct dirent *e; directory && (e = readdir(directory));)
        count += e->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

static long count_entries(void)
{
    long count = 0;
    store *s;
    assert_int_equal(store_open(&s, below_root("cache/kept.db"), (store_use){.shared = 1}, NULL), DAE_OK);
    assert_int_equal(store_count(s, "reference", &count, NULL), DAE_OK);
    store_close(s);
    return count;
}

/* The cached reference of a problem; p may be NULL. 1 where it came from the cache. */
static int ask(const dae_problem *problem, const char *form, const double *p, dae_reference *r)
{
    double u[8];
    int from_cache = -1;
    dae_system *sys;
    dae_report why;
    assert_int_equal(dae_system_create(&sys, problem, dae_find_formulation(form), p, NULL, &why),
                     DAE_OK);
    assert_int_equal(dae_system_start(sys, u, &why), DAE_OK);
    if (dae_cached_reference(r, sys, 0, u, times, TIMES, NULL, &from_cache, &why))
        fail_msg("%s: %s", problem->name, why.message);
    dae_system_free(sys);
    return from_cache;
}

static int ask_pendulum(const double *p)
{
    dae_reference r;
    const int found = ask(&dae_pendulum, "index3", p, &r);
    dae_reference_free(&r);
    return found;
}

static void assert_same(const dae_reference *a, const dae_reference *b)
{
    assert_int_equal(a->nq, b->nq);
    assert_int_equal(a->nl, b->nl);
    assert_true(a->digits == b->digits);
    assert_string_equal(a->source, b->source);
    assert_memory_equal(a->q, b->q, (size_t)(TIMES * a->nq) * sizeof *a->q);
    assert_true(!a->v == !b->v);
    if (!a->v)
        return;
    assert_memory_equal(a->v, b->v, (size_t)(TIMES * a->nq) * sizeof *a->v);
    assert_memory_equal(a->lambda, b->lambda, (size_t)(TIMES * a->nl) * sizeof *a->lambda);
}

/* ---- the cache ---------------------------------------------------------------------------- */

static void second_call_is_read(void **state)
{
    static const struct { const dae_problem *problem; const char *form; } cases[] = {
        {&dae_pendulum, "index3"}, {&dae_pendulum, "ode"}, {&dae_linear_dae, "native"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dae_reference computed, read;
        assert_int_equal(ask(cases[i].problem, cases[i].form, NULL, &computed), 0);
        assert_int_equal(ask(cases[i].problem, cases[i].form, NULL, &read), 1);
        assert_same(&computed, &read);
        dae_reference_free(&computed);
        dae_reference_free(&read);
    }
    assert_int_equal(count_entries(), 3);
}

static void formulations_share_a_start(void **state)
{
    dae_reference r;
    (void)state;
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(ask(&dae_pendulum, "ggl", NULL, &r), 1);
    dae_reference_free(&r);
}

/* What a user's data say is in no key. */
static void with_data_of_the_user_nothing_is_kept(void **state)
{
    const double end = 0.1;
    const int data = 1;
    dae_formulation_options with = dae_default_formulation_options(&dae_pendulum);
    double u[5];
    dae_system *sys;
    (void)state;
    with.user_data = &data;
    assert_int_equal(DAE_OK, dae_system_create(&sys, &dae_pendulum, dae_find_formulation("index3"), NULL,
                                               &with, NULL));
    assert_int_equal(DAE_OK, dae_system_start(sys, u, NULL));
    assert_int_equal(DAE_OK, dae_consistent_start(sys, 0, u, NULL, NULL));
    for (int k = 0; k < 2; k++) {
        dae_reference r;
        int found = 1;
        assert_int_equal(DAE_OK, dae_cached_reference(&r, sys, 0, u, &end, 1, NULL, &found, NULL));
        assert_int_equal(found, 0);
        dae_reference_free(&r);
    }
    dae_system_free(sys);
}

static void one_ulp_misses(void **state)
{
    double p[64];
    (void)state;
    assert_int_equal(ask_pendulum(NULL), 0);
    for (int i = 0; i < dae_parameter_count(&dae_pendulum); i++)
        p[i] = dae_pendulum.parameters[i].value;
    assert_int_equal(ask_pendulum(p), 1);
    const int g0 = dae_parameter_index(&dae_pendulum, "g0");
    p[g0] = nextafter(p[g0], 10);
    assert_int_equal(ask_pendulum(p), 0);
    assert_int_equal(ask_pendulum(p), 1);
}

static void heavy_force(const dae_quad *p, dae_quad t, const dae_quad *q, const dae_quad *v,
                        dae_quad *f)
{
    dae_pendulum.mechanical.force.quad(p, t, q, v, f);
    f[0] += DAE_QUAD_C(1e-30) * q[1];
}

static void edited_model_misses(void **state)
{
    dae_reference r;
    dae_problem edited = dae_pendulum;
    edited.mechanical.force.quad = heavy_force;
    (void)state;
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(ask(&edited, "index3", NULL, &r), 0);
    dae_reference_free(&r);
}

/* Functions of the same names at the same places, and other code. */
static void late_branch_misses(void **state)
{
    static const char *const files[] = {LATE_BRANCH_1, LATE_BRANCH_2};
    (void)state;
    for (int i = 0; i < 2; i++) {
        void *module = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        if (!module)
            fail_msg("%s", dlerror());
        const dae_problem *problem = dlsym(module, "late_branch");
        dae_reference r;
        assert_non_null(problem);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(ask(problem, "native", NULL, &r), again);
            dae_reference_free(&r);
        }
        dlclose(module);
    }
    assert_int_equal(count_entries(), 2);
}

static char *read_file(const char *path, size_t *size)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    *size = fread(text, 1, sizeof text - 1, f);
    text[*size] = 0;
    fclose(f);
    return text;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

static const char *kept_file(void)
{
    static char path[LONG_PATH];
    snprintf(path, sizeof path, "%s/cache/kept.db", root);
    return path;
}

/* A byte changed, or the file cut, anywhere: the reference is computed again where that concerns it, and is there
 * afterwards. */
static void damaged_file_is_computed_again(void **state)
{
    static char whole[1 << 16];
    size_t size;
    (void)state;
    assert_int_equal(ask_pendulum(NULL), 0);
    memcpy(whole, read_file(kept_file(), &size), sizeof whole);
    assert_true(size < sizeof whole);
    for (size_t at = 0; at < size; at += size / 16) {
        char damaged[sizeof whole];
        memcpy(damaged, whole, size);
        damaged[at] ^= 1;
        for (int cut = 0; cut < 2; cut++) {
            write_file(kept_file(), damaged, cut ? at : size);
            ask_pendulum(NULL);
            ask_pendulum(NULL);
            assert_int_equal(ask_pendulum(NULL), 1);
        }
    }
    char *digits = memmem(whole, size, "\ndigits 2", 9);            /* in the text of the entry */
    assert_non_null(digits);
    digits[8] = '3';
    write_file(kept_file(), whole, size);
    assert_int_equal(ask_pendulum(NULL), 0);                        /* it is not believed */
    assert_int_equal(ask_pendulum(NULL), 1);
}

/* A link is not read, and what it points to is not written; a file that others may write is not read,
 * and neither is a pipe, on which one would wait. */
static void planted_files_are_not_used(void **state)
{
    char other[LONG_PATH];
    size_t size;
    struct stat s;
    (void)state;
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(lstat(kept_file(), &s), 0);
    assert_true(S_ISREG(s.st_mode) && (s.st_mode & 0777) == 0600);
    assert_int_equal(chmod(kept_file(), 0622), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(chmod(kept_file(), 0600), 0);
    assert_int_equal(ask_pendulum(NULL), 1);
    strcpy(other, below_root("other"));
    assert_int_equal(rename(kept_file(), other), 0);
    assert_int_equal(symlink(other, kept_file()), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
    write_file(other, "kept", 4);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_string_equal(read_file(other, &size), "kept");
    assert_int_equal(unlink(kept_file()), 0);
    assert_int_equal(mkfifo(kept_file(), 0600), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(unlink(kept_file()), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(ask_pendulum(NULL), 1);
}

/* Who has a lock and is stopped, by Ctrl-Z or a debugger, is not waited for; who goes on is; and each key has its
 * own. */
static void stopped_processes_are_not_waited_for(void **state)
{
    int status;
    (void)state;
    assert_int_equal(mkdir(below_root("cache"), 0700), 0);
    const pid_t holder = fork();
    if (holder == 0) {
        const int lock = kept_lock("wanted");
        raise(SIGSTOP);
        kept_unlock(lock);
        _exit(lock < 0);
    }
    assert_int_equal(waitpid(holder, &status, WUNTRACED), holder);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(kept_lock("wanted"), -1);
    int lock = kept_lock("another");
    assert_true(lock >= 0);
    kept_unlock(lock);
    assert_int_equal(kill(holder, SIGCONT), 0);
    lock = kept_lock("wanted");
    assert_true(lock >= 0);
    assert_int_equal(waitpid(holder, &status, 0), holder);
    assert_int_equal(status, 0);
    kept_unlock(lock);
}

/* Of two processes that want a reference one computes it, the other has it then. */
static void one_process_computes(void **state)
{
    int computed = 0;
    (void)state;
    for (int i = 0; i < 4; i++)
        if (fork() == 0)
            _exit(!ask_pendulum(NULL));
    for (int status; wait(&status) > 0;)
        computed += WEXITSTATUS(status);
    assert_int_equal(computed, 1);
}

/* Permissions do not bind every user, but nobody makes a directory below a regular file. */
static void unwritable_cache_is_no_error(void **state)
{
    (void)state;
    write_file(below_root("file"), "x", 1);
    setenv("DAELAB_CACHE", below_root("file/cache"), 1);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
    setenv("DAELAB_CACHE", below_root("file"), 1);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(ask_pendulum(NULL), 0);
}

static void places_follow_the_environment(void **state)
{
    char *home = getenv("HOME"), *kept = home ? strdup(home) : NULL;
    (void)state;
    unsetenv("DAELAB_CACHE");
    setenv("XDG_CACHE_HOME", below_root("xdg"), 1);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(access(below_root("xdg/daelab/kept.db"), F_OK), 0);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", below_root("home"), 1);
    assert_int_equal(ask_pendulum(NULL), 0);
    assert_int_equal(access(below_root("home/.cache/daelab/kept.db"), F_OK), 0);
    unsetenv("HOME");
    assert_int_equal(ask_pendulum(NULL), 0);
    if (kept)
        setenv("HOME", kept, 1);
    free(kept);
}

static void failure_is_passed_on(void **state)
{
    const double back[TIMES] = {1, 0.5};
    double u[8];
    int from_cache = -1;
    dae_system *sys;
    dae_reference r;
    dae_report why;
    (void)state;
    assert_int_equal(dae_system_create(&sys, &dae_pendulum, dae_find_formulation("index3"), NULL,
                                       NULL, &why), DAE_OK);
    assert_int_equal(dae_system_start(sys, u, &why), DAE_OK);
    assert_int_equal(dae_cached_reference(&r, sys, 0, u, back, TIMES, NULL, &from_cache, &why),
                     DAE_BAD_ARGUMENT);
    assert_int_equal(from_cache, 0);
    assert_null(r.q);
    assert_int_equal(count_entries(), 0);
    dae_system_free(sys);
}

/* ---- atomic files ------------------------------------------------------------------------- */

static void commit_replaces_and_discard_does_not(void **state)
{
    atomic_file f;
    char path[LONG_PATH];
    size_t size;
    struct stat s;
    (void)state;
    strcpy(path, below_root("result.csv"));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(atomic_open(&f, path, NULL), DAE_OK);
        fprintf(f.stream, "run %d\n", i);
        assert_int_equal(access(path, F_OK), i - 1);
        assert_int_equal(count_files(root), i + !f.nameless);
        assert_int_equal(atomic_commit(&f, NULL), DAE_OK);
    }
    assert_int_equal(atomic_open(&f, path, NULL), DAE_OK);
    fputs("never seen\n", f.stream);
    atomic_discard(&f);
    assert_string_equal(read_file(path, &size), "run 1\n");
    assert_int_equal(count_files(root), 1);
    const mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0666 & ~mask);
}

static void link_keeps_pointing(void **state)
{
    atomic_file f;
    char path[LONG_PATH];
    size_t size;
    struct stat s;
    (void)state;
    write_file(below_root("target"), "old", 3);
    strcpy(path, below_root("link"));
    assert_int_equal(symlink("target", path), 0);
    assert_int_equal(atomic_open(&f, path, NULL), DAE_OK);
    fputs("new", f.stream);
    assert_int_equal(atomic_commit(&f, NULL), DAE_OK);
    assert_int_equal(lstat(path, &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_string_equal(read_file(below_root("target"), &size), "new");
}

static void failures_name_the_path(void **state)
{
    atomic_file f;
    dae_report why;
    (void)state;
    write_file(below_root("file"), "x", 1);
    assert_int_equal(atomic_open(&f, below_root("file/out"), &why), DAE_FILE);
    assert_non_null(strstr(why.message, "file/out: Not a directory"));
    assert_int_equal(atomic_open(&f, below_root("nowhere/out"), &why), DAE_FILE);
    assert_non_null(strstr(why.message, "nowhere/out: No such file"));
    assert_int_equal(atomic_open(&f, root, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "Is a directory"));
    assert_int_equal(count_files(root), 1);
}

/* A device is written, never replaced; a full one is a failure. */
static void devices_are_written_directly(void **state)
{
    atomic_file f;
    dae_report why;
    struct stat s;
    (void)state;
    assert_int_equal(atomic_open(&f, "/dev/null", &why), DAE_OK);
    fputs("gone", f.stream);
    assert_int_equal(atomic_commit(&f, &why), DAE_OK);
    assert_true(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
    if (access("/dev/full", W_OK) != 0)
        return;
    assert_int_equal(atomic_open(&f, "/dev/full", &why), DAE_OK);
    fputs("no room", f.stream);
    assert_int_equal(atomic_commit(&f, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "/dev/full: No space left"));
}

#define in_root(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_root(second_call_is_read),
        in_root(formulations_share_a_start),
        in_root(one_ulp_misses),
        in_root(with_data_of_the_user_nothing_is_kept),
        in_root(edited_model_misses),
        in_root(late_branch_misses),
        in_root(damaged_file_is_computed_again),
        in_root(planted_files_are_not_used),
        in_root(stopped_processes_are_not_waited_for),
        in_root(one_process_computes),
        in_root(unwritable_cache_is_no_error),
        in_root(places_follow_the_environment),
        in_root(failure_is_passed_on),
        in_root(commit_replaces_and_discard_does_not),
        in_root(link_keeps_pointing),
        in_root(failures_name_the_path),
        in_root(devices_are_written_directly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
