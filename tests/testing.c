/* testing.c - the tests of all files of a program, and running those of one */
#include "testing.h"

static test_entry *first;

/* By file and line: nothing says in which order constructors are called. */
static int comes_before(const test_entry *a, const test_entry *b)
{
    const int files = strcmp(a->file, b->file);
    return files < 0 || (files == 0 && a->line < b->line);
}

void add_test(test_entry *test)
{
    test_entry **place = &first;
    while (*place && comes_before(*place, test))
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

/* Without folders, whose names are not the same to all compilers, and without what follows a dot */
static int is_of(const test_entry *test, const char *file)
{
    const char *slash = strrchr(test->file, '/'), *name = slash ? slash + 1 : test->file;
    const char *other = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    return !file || (strcspn(name, ".") == strcspn(other, ".") && strncmp(name, other, strcspn(name, ".")) == 0);
}

int run_tests_of(const char *file, CMFixtureFunction before_each, CMFixtureFunction before, CMFixtureFunction after)
{
    enum { MOST = 64 };
    struct CMUnitTest tests[MOST] = {{0}};              /* cmocka passes over those that are empty */
    int count = 0;
    for (const test_entry *t = first; t; t = t->next)
        if (is_of(t, file)) {
            if (count == MOST)
                return 1;
            tests[count++] = (struct CMUnitTest){t->name, t->run, before_each, NULL, NULL};
        }
    return count ? cmocka_run_group_tests_name(file ? file : "tests", tests, before, after) : 1;
}
