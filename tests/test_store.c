/* test_store.c - entries of a store: what was put is there after any kill; files that are none, damaged, of others; a
 * full disk; two processes
 */
#include "store/store.h"

#include "support.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = P_tmpdir "/daelab-store-XXXXXX", path[128], aside[160];
static const store_use alone = {.wait = 0}, many = {.shared = 1, .own = 1, .renew = 1, .wait = 60};
static dae_report why;
static pid_t tester;            /* another process than this one ends where something is wrong */

static void must(int holds, const char *what)
{
    if (holds)
        return;
    print_error("%s\n", what);
    if (getpid() != tester)
        _exit(1);
    fail();
}

static int begin(void **state)
{
    (void)state;
    tester = getpid();
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/kept.db", folder);
    snprintf(aside, sizeof aside, "%s.damaged", path);
    return 0;
}

/* In place of the C library's: how often files were brought to the disk. */
static int synced;
int fsync(int file) { return synced++, (void)file, 0; }
int fdatasync(int file) { return fsync(file); }

/* An empty folder. */
static int clear(void **state)
{
    char command[256];
    (void)state;
    memset(&why, 0, sizeof why);
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    return system(command);
}

static int end(void **state) { return clear(NULL) || rmdir(folder); }

static store *opened(store_use use)
{
    store *s;
    must(store_open(&s, path, use, &why) == DAE_OK, why.message);
    return s;
}

static void put(store *s, const char *kind, const char *key, const char *text)
{
    must(store_put(s, kind, key, "now", text, &why) == DAE_OK, why.message);
}

/* NULL: there is no such entry. */
static void has(store *s, const char *kind, const char *key, const char *expected)
{
    char *text, *stamp;
    must(store_get(s, kind, key, &text, &stamp, &why) == DAE_OK, why.message);
    must(expected ? text && strcmp(text, expected) == 0 && strcmp(stamp, "now") == 0 : !text && !stamp, key);
    free(text);
    free(stamp);
}

static long count(store *s, const char *kind)
{
    long number = -1;
    must(store_count(s, kind, &number, &why) == DAE_OK, why.message);
    return number;
}

static int exists(const char *name) { return access(name, F_OK) == 0; }

static void is_refused(store_use use, const char *sentence)
{
    store *s;
    must(store_open(&s, path, use, &why) == DAE_FILE && !s, sentence);
    must(strstr(why.message, sentence) != NULL, why.message);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void by_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* act(context) in a process of its own; its status, as waitpid answers. */
static int apart(void (*act)(void *context), void *context)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        act(context);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

/* ---- entries ---------------------------------------------------------------------------------- */

static dae_status collect(void *context, const store_entry *e, dae_report *report)
{
    char *all = context;
    (void)report;
    snprintf(all + strlen(all), 256 - strlen(all), "%s=%s@%s%s ", e->key, e->text, e->stamp, e->whole ? "" : "!");
    return strcmp(e->key, "stop") == 0 ? DAE_UNSUPPORTED : DAE_OK;
}

static void all_are(store *s, const char *kind, const char *expected)
{
    char all[256] = "";
    assert_int_equal(store_each(s, kind, collect, all, NULL), DAE_OK);
    assert_string_equal(all, expected);
}

TEST(what_was_put_is_there)
{
    const store_use uses[] = {alone, many};
    for (int i = 0; i < 2; i++) {
        clear(NULL);
        store *s = opened(uses[i]);
        has(s, "run", "a", NULL);
        put(s, "run", "b", "1");
        put(s, "run", "a", "\xc3\xa9 \"'%s\n");
        put(s, "other", "b", "");
        put(s, "run", "b", "2");
        for (int again = 0; again < 2; again++) {
            has(s, "run", "a", "\xc3\xa9 \"'%s\n");
            has(s, "run", "b", "2");
            has(s, "other", "b", "");
            has(s, "other", "a", NULL);
            all_are(s, "run", "b=2@now a=\xc3\xa9 \"'%s\n@now ");
            assert_int_equal(count(s, "run"), 2);
            store_close(s);
            s = opened(uses[i]);
        }
        assert_int_equal(store_remove(s, "run", "c", NULL), DAE_OK);
        assert_int_equal(store_remove(s, "run", "b", NULL), DAE_OK);
        assert_int_equal(count(s, "run"), 1);
        assert_int_equal(store_remove(s, "run", NULL, NULL), DAE_OK);
        assert_int_equal(count(s, "run"), 0);
        has(s, "other", "b", "");
        assert_string_equal(store_renewed(s), "");
        store_erase(s);
        assert_int_equal(rmdir(folder), 0);                     /* it was the only file */
        assert_int_equal(mkdir(folder, 0700), 0);
    }
}

TEST(a_visit_may_stop)
{
    char all[256] = "";
    store *s = opened(alone);
    put(s, "run", "stop", "1");
    put(s, "run", "more", "2");
    assert_int_equal(store_each(s, "run", collect, all, NULL), DAE_UNSUPPORTED);
    assert_string_equal(all, "stop=1@now ");
    store_close(s);
}

/* At rest there is one file, which a reader can have where nothing can be written. */
TEST(one_file_at_rest)
{
    char log[160];
    snprintf(log, sizeof log, "%s-wal", path);
    store *s = opened(alone);
    put(s, "run", "a", "1");
    assert_true(exists(log));
    store_close(s);
    assert_false(exists(log));
    FILE *file = fopen(path, "r");
    assert_int_equal(fseek(file, 18, SEEK_SET), 0);
    assert_int_equal(fgetc(file), 1);           /* no log: "The Database Header", fileformat2.html of SQLite */
    fclose(file);
}

/* A file of this process's waits for the disk once in a while, one that many share at each put. */
TEST(waits_for_the_disk)
{
    enum { PUTS = 100 };
    const store_use uses[] = {alone, many};
    for (int i = 0; i < 2; i++) {
        clear(NULL);
        store *s = opened(uses[i]);
        put(s, "run", "a", "0");
        synced = 0;
        for (int k = 0; k < PUTS; k++)
            put(s, "run", "a", k % 2 ? "1" : "2");
        assert_true(uses[i].shared ? synced >= PUTS : synced < PUTS);
        usleep(110000);
        synced = 0;
        put(s, "run", "a", "3");
        assert_true(synced > 0);
        store_close(s);
    }
}

/* ---- kills ------------------------------------------------------------------------------------ */

enum { KILLS = 25, LONGEST = 20000 };

typedef struct {
    store_use use;
    volatile long *done;        /* so many were put, seen by the process that kills */
} putting;

static void text_of(long k, char *text)
{
    const size_t length = (size_t)(k * 7919 % LONGEST);
    memset(text, 'a' + (int)(k % 26), length);
    text[length] = 0;
}

static void put_forever(void *context)
{
    putting *p = context;
    static char text[LONGEST + 1];
    store *s = opened(p->use);
    for (;; ++*p->done) {
        char key[32];
        snprintf(key, sizeof key, "%ld", *p->done);
        text_of(*p->done, text);
        put(s, "run", key, text);
    }
}

/* A process puts entry after entry until it is killed, at another moment each time. */
TEST(any_kill_keeps_what_was_put)
{
    static char text[LONGEST + 1];
    volatile long *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const store_use uses[] = {alone, many};
    for (int i = 0; i < 2 * KILLS; i++) {
        if (i % KILLS == 0) {
            clear(NULL);
            *done = 0;
        }
        const long before = *done;
        const pid_t child = fork();
        if (child == 0)
            put_forever(&(putting){uses[i / KILLS], done});
        while (*done == before)
            usleep(100);
        usleep((useconds_t)(i * 977 % 10000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        store *s = opened(uses[i / KILLS]);
        for (long k = 0; k < *done; k++) {
            char key[32];
            snprintf(key, sizeof key, "%ld", k);
            text_of(k, text);
            has(s, "run", key, text);
        }
        assert_in_range(count(s, "run"), *done, *done + 1);     /* it may have been killed before it said so */
        store_close(s);
    }
    munmap((void *)(uintptr_t)done, sizeof *done);
}

/* Killed before there was anything in the file. */
TEST(an_empty_file_is_a_new_one)
{
    write_file("");
    store *s = opened(alone);
    assert_int_equal(count(s, "run"), 0);
    store_close(s);
}

/* ---- processes -------------------------------------------------------------------------------- */

static void tells_who_has_it(void *context)
{
    char sentence[512], host[256] = "";
    gethostname(host, sizeof host - 1);
    snprintf(sentence, sizeof sentence, "another process works on %s: %ld on %s", path, (long)getppid(), host);
    is_refused(alone, sentence);
    (void)context;
}

TEST(one_process_has_it)
{
    store *s = opened(alone);
    assert_int_equal(apart(tells_who_has_it, NULL), 0);
    put(s, "run", "a", "1");
    assert_int_equal(apart(tells_who_has_it, NULL), 0);
    store_close(s);
    store_close(opened(alone));
}

enum { STUDIES = 5, ROUNDS = 8 };

/* The file has the log of a process that was killed in every other round. */
static void leave_a_log(void)
{
    const pid_t child = fork();
    if (child == 0) {
        put(opened(alone), "run", "a", "1");
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
}

/* Of processes that open the file at a time one has it, and keeps it until all have tried. */
TEST(one_of_many_has_it)
{
    for (int round = 0; round < ROUNDS; round++) {
        int said[2], go[2], has_it = 0;
        char answer;
        assert_int_equal(pipe(said) || pipe(go), 0);
        if (round % 2)
            leave_a_log();
        for (int i = 0; i < STUDIES; i++)
            if (fork() == 0) {
                store *s;
                close(go[1]);
                const char mine = store_open(&s, path, alone, NULL) == DAE_OK;
                _exit(write(said[1], &mine, 1) != 1 || read(go[0], &answer, 1) != 0);
            }
        for (int i = 0; i < STUDIES; i++) {
            assert_int_equal(read(said[0], &answer, 1), 1);
            has_it += answer;
        }
        close(go[1]);
        while (wait(NULL) > 0)
            ;
        close(go[0]), close(said[0]), close(said[1]);
        assert_int_equal(has_it, 1);
    }
}

/* Who waits for a file that is removed then has one of that name. */
TEST(one_waits_for_another)
{
    int status = -1;
    store *s = opened(alone);
    const pid_t child = fork();
    if (child == 0) {
        store *after = opened((store_use){.wait = 60});
        put(after, "run", "a", "1");
        store_close(after);
        _exit(0);
    }
    usleep(50000);
    store_erase(s);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    s = opened(alone);
    has(s, "run", "a", "1");
    store_close(s);
}

static void closes(void *context) { store_close(context); }

/* A child that closes what its parent has opened takes nothing from him. */
TEST(a_child_leaves_it_alone)
{
    char log[160];
    snprintf(log, sizeof log, "%s-wal", path);
    store *s = opened(alone);
    put(s, "run", "a", "1");
    assert_int_equal(apart(closes, s), 0);
    assert_true(exists(log));
    assert_int_equal(apart(tells_who_has_it, NULL), 0);
    put(s, "run", "b", "2");
    store_close(s);
    s = opened(alone);
    assert_int_equal(count(s, "run"), 2);
    store_close(s);
}

enum { WRITERS = 4, EACH = 10 };

static void write_some(void *context)
{
    for (int k = 0; k < EACH; k++) {
        char key[64];
        store *s = opened(many);
        snprintf(key, sizeof key, "%d of %d", k, *(int *)context);
        put(s, "run", key, "1");
        store_close(s);
    }
}

TEST(many_processes_take_turns)
{
    pid_t child[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        if ((child[i] = fork()) == 0) {
            write_some(&i);
            _exit(0);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status = -1;
        waitpid(child[i], &status, 0);
        assert_int_equal(status, 0);
    }
    store *s = opened(many);
    assert_int_equal(count(s, "run"), WRITERS * EACH);
    store_close(s);
}

/* ---- other files ------------------------------------------------------------------------------ */

TEST(files_of_others_are_left)
{
    struct stat before, after;
    write_file("Dear reader,\nthis is a letter, and longer than the head of a database, which has a hundred bytes.\n");
    assert_int_equal(stat(path, &before), 0);
    is_refused(alone, "is no store of daelab: it is left as it is");
    assert_int_equal(stat(path, &after), 0);
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof before.st_mtim);
    clear(NULL);
    by_sql("PRAGMA journal_mode=WAL; CREATE TABLE mine (x)");
    is_refused(alone, "is no store of daelab: it is left as it is");
    is_refused(many, "is no store of daelab: it is left as it is");
    by_sql("INSERT INTO mine VALUES (1)");
    clear(NULL);
    store_close(opened(alone));
    by_sql("PRAGMA user_version=7");
    is_refused(alone, "is a store of format 7, this daelab has format 1: it is left as it is");
    assert_false(exists(aside));
}

TEST(own_files_only)
{
    char other[160];
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    store_close(opened(many));
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(chmod(path, 0620), 0);
    is_refused(many, "is a link, belongs to others, or others may write it");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    is_refused(many, "is a link");
    store_close(opened(alone));                 /* of a study: the folder is the user's choice */
    clear(NULL);
    assert_int_equal(mkdir(path, 0700), 0);
    is_refused(many, "is a link");
    is_refused(alone, path);
    assert_int_equal(rmdir(path), 0);
}

static void fill(int entries)
{
    store *s = opened(alone);
    char key[32], text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    for (int k = 0; k < entries; k++) {
        snprintf(key, sizeof key, "%d", k);
        put(s, "run", key, text);
    }
    store_close(s);
}

static void overwrite(long at, const char *bytes)
{
    FILE *file = fopen(path, "r+");
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fputs(bytes, file);
    fclose(file);
}

/* Where the first x of a text stands. */
static long find_text(void)
{
    FILE *file = fopen(path, "r");
    long at = 0;
    int run = 0, c;
    for (; run < 100 && (c = fgetc(file)) != EOF; at++)
        run = c == 'x' ? run + 1 : 0;
    fclose(file);
    assert_int_equal(run, 100);
    return at;
}

/* An entry in which a byte has changed is told of; the others are answered. */
TEST(a_changed_byte_is_told)
{
    char *text, all[256] = "";
    store *s = opened(alone);
    static const char long_text[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                                    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    put(s, "run", "a", long_text);
    put(s, "run", "b", "2");
    store_close(s);
    overwrite(find_text() - 1, "y");
    s = opened(alone);
    assert_int_equal(store_get(s, "run", "a", &text, NULL, &why), DAE_FILE);
    assert_null(text);
    assert_non_null(strstr(why.message, "the entry a is no longer what was put"));
    has(s, "run", "b", "2");
    assert_int_equal(store_each(s, "run", collect, all, NULL), DAE_OK);
    assert_non_null(strstr(all, "@now! b=2@now "));
    put(s, "run", "a", "again");
    has(s, "run", "a", "again");
    store_close(s);
}

TEST(damage_is_told_or_set_aside)
{
    static const struct { long at; int cut; const char *sentence; } damages[] = {
        {0, 0, "is no store of daelab"}, {4096, 0, "is damaged: "}, {3 * 4096, 0, "is damaged: "},
        {0, 1, "is damaged: "}};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        clear(NULL);
        fill(40);
        if (damages[i].cut)
            assert_int_equal(truncate(path, 20000), 0);
        else
            overwrite(damages[i].at, "\x0d\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f");
        is_refused(alone, damages[i].sentence);
        assert_false(exists(aside));
        store *s = opened((store_use){.renew = 1});
        assert_non_null(strstr(store_renewed(s), damages[i].sentence));
        assert_non_null(strstr(store_renewed(s), aside));
        assert_true(exists(aside));
        assert_int_equal(count(s, "run"), 0);
        put(s, "run", "a", "1");
        store_close(s);
        s = opened(alone);
        has(s, "run", "a", "1");
        store_close(s);
    }
}

/* What many share is not looked at as a whole when it is opened: it is set aside when the damage is met. */
TEST(damage_is_met_later)
{
    char *text;
    fill(40);
    assert_int_equal(chmod(path, 0600), 0);
    overwrite(4096, "\x0d\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f");
    store *s = opened(many);
    assert_int_equal(store_get(s, "run", "7", &text, NULL, &why), DAE_FILE);
    assert_non_null(strstr(why.message, "is damaged"));
    store_close(s);
    assert_true(exists(aside));
    s = opened(many);
    assert_int_equal(count(s, "run"), 0);
    put(s, "run", "a", "1");
    has(s, "run", "a", "1");
    store_close(s);
}

/* ---- a system that says no -------------------------------------------------------------------- */

static void fill_the_disk(void *context)
{
    const struct rlimit limit = {100000, 100000};
    char key[32], text[2000] = "";
    long k = 0;
    memset(text, 'x', sizeof text - 1);
    signal(SIGXFSZ, SIG_IGN);
    store *s = opened(*(store_use *)context);
    setrlimit(RLIMIT_FSIZE, &limit);
    dae_status status = DAE_OK;
    for (; !status && k < 1000; k++) {
        snprintf(key, sizeof key, "%ld", k);
        status = store_put(s, "run", key, "now", text, &why);
    }
    must(status == DAE_FILE && strstr(why.message, strerror(EFBIG)), why.message);
    must(count(s, "run") == k - 1, "what was put before");
    store_close(s);
    s = opened(*(store_use *)context);
    must(count(s, "run") == k - 1, "what was put before");
    store_close(s);
}

TEST(a_full_disk)
{
    store_use uses[] = {alone, many};
    for (int i = 0; i < 2; i++) {
        clear(NULL);
        assert_int_equal(apart(fill_the_disk, &uses[i]), 0);
        store *s = opened(uses[i]);
        assert_true(count(s, "run") > 0);
        put(s, "run", "more", "1");
        has(s, "run", "more", "1");
        store_close(s);
    }
}

static void as_nobody(void *context)
{
    char *text;
    (void)context;
    if (setuid(65534))
        _exit(0);
    is_refused(alone, "cannot be written here");
    store *s = opened((store_use){.shared = 1});
    must(store_get(s, "run", "3", &text, NULL, &why) == DAE_OK && text, why.message);
    must(store_put(s, "run", "3", "now", "", &why) == DAE_FILE && strstr(why.message, "cannot be written here"),
         why.message);
    free(text);
    store_close(s);
    snprintf(path, sizeof path, "%s/other.db", folder);
    is_refused(alone, strerror(EACCES));
    is_refused(many, strerror(EACCES));
    snprintf(path, sizeof path, "%s/none/other.db", folder);
    is_refused(alone, "/none/other.db: ");
}

/* Of a user who may read it only; the test is of root, who may do all, or of him. */
TEST(a_place_for_reading)
{
    fill(4);
    assert_int_equal(chmod(path, 0444) || chmod(folder, 0555), 0);
    assert_int_equal(apart(as_nobody, NULL), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

int main(void) { return run_tests_of(__FILE__, clear, begin, end); }
