/* testing.h - cmocka, what tests need of the C library, and TEST(name) {...}, which is a test of its file
 *
 * A file that needs no more has no main(): its tests run in the order in which they stand. One with something to do
 * before the first of them and after the last has int main(void) { return run_all(before, after); }.
 */
#ifndef DAELAB_TEST_TESTING_H
#define DAELAB_TEST_TESTING_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Signatures of tests, models and observers are fixed; they need not use all of their arguments. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* What a test makes of such a type is freed where the block ends that declares it, the last one first. Some are made
 * for that alone. */
#define OWNED(type) __attribute__((cleanup(type##_free_at), unused)) type

#define OWNED_BY_POINTER(type) static inline void type##_free_at(type **made) { type##_free(*made); }
#define OWNED_BY_VALUE(type) static inline void type##_free_at(type *made) { type##_free(made); }

typedef struct test_entry {
    const char *file, *name;
    int line;
    CMUnitTestFunction run;
    struct test_entry *next;
} test_entry;

void add_test(test_entry *test);

/* Run the tests of a file, those of all where it is NULL; what is NULL of the others is not called. */
int run_tests_of(const char *file, CMFixtureFunction before_each, CMFixtureFunction before, CMFixtureFunction after);

#define run_all(before, after) run_tests_of(__FILE__, NULL, before, after)

#define TEST(function)                                                                            \
    static void function(void **unused);                                                          \
    __attribute__((constructor)) static void add_##function(void)                                 \
    {                                                                                             \
        static test_entry entry = {__FILE__, #function, __LINE__, function, NULL};                \
        add_test(&entry);                                                                         \
    }                                                                                             \
    static void function(void **unused)

#endif
