/* test_allocate.c - without memory a command ends with status 3 and one sentence, and what was computed is kept */
#include "support.h"

#include "host/allocate.h"
#include "host/exit_status.h"
#include "host/interrupt.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process of its own, whose standard error comes back as words[length]: its exit status. */
static int status_of(void (*work)(void), char *words, size_t length)
{
    int ends[2], state = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        work();
        _exit(0);
    }
    close(ends[1]);
    const ssize_t count = read(ends[0], words, length - 1);
    close(ends[0]);
    words[count > 0 ? count : 0] = 0;
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFEXITED(state));
    return WEXITSTATUS(state);
}

static void want_too_much(void) { allocate_text(allocate(SIZE_MAX / 4, 3)); }
static void want_too_much_again(void) { allocate_text(allocate_again(NULL, SIZE_MAX / 4, 8)); }

static void want_beside_a_file(void)
{
    close(open("allocate.part", O_CREAT | O_WRONLY, 0600));
    interrupt_file("allocate.part");
    want_too_much();
}

TEST(test_end)
{
#ifdef SANITIZED
    skip();                                             /* a malloc that ends the program by itself */
#endif
    static void (*const wants[])(void) = {want_too_much, want_too_much_again, want_beside_a_file};
    char words[256];
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        assert_int_equal(status_of(wants[i], words, sizeof words), EXIT_SYSTEM);
        assert_non_null(strstr(words, "daelab: out of memory"));
        assert_ptr_equal(strchr(words, '\n'), words + strlen(words) - 1);
    }
    assert_int_not_equal(access("allocate.part", F_OK), 0);
}

TEST(test_what_is_there)
{
    static const char zeros[64];
    char *zeroed = allocate(8, 8), *text = allocate_print("%s %d", "row", 7), *copy = allocate_text(text);
    void *nothing = allocate(0, 8);
    assert_memory_equal(zeroed, zeros, sizeof zeros);
    assert_string_equal(copy, "row 7");
    assert_non_null(nothing);
    assert_null(allocate_text(NULL));
    int *list = NULL;
    for (size_t i = 0; i < 1000; i++) {
        list = allocate_more(list, i, sizeof *list);
        list[i] = (int)i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    free(list);
    strcpy(text = allocate_again(text, 100, 1), "longer than it was");
    free(nothing);
    free(zeroed);
    free(text);
    free(copy);
}
