/* test_room.c - whether memory will do is asked before it is taken: what is expected of many copies is what
 * they take, and less room than that is a sentence with both */
#include "cli.h"

#include "catalogue/catalogue.h"
#include "run/room.h"
#include "host/platform.h"
#include "cli/progress.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* [bytes] on the heap of as many links, after a step or a run of 1e-3. */
static double held(const study *s, const dae_formulation *form, const dae_method *method, const dae_options *o)
{
    dae_system *sys;
    dae_start_change change;
    double *u;
    const double before = platform_heap();
    assert_int_equal(DAE_OK, study_system(s, form, &sys, &u, &change, NULL));
    dae_solver *solver = solver_of(sys, method, o, s->t0, u);
    assert_int_equal(DAE_OK, dae_solver_advance(solver, s->t0 + (o->step > 0 ? o->step : 1e-3), u));
    const double bytes = platform_heap() - before;
    dae_solver_free(solver);
    dae_system_free(sys);
    free(u);
    return bytes;
}

static room_need need_of(double links, const char *name, double *bytes)
{
    run_setting setting = run_default_setting(catalogue_find_problem("chain"));
    double *parameters = run_copy_parameters(&setting);
    parameters[0] = links;
    setting.parameters = parameters;
    const study s = {.setting = &setting, .t0 = 0, .t_end = 1};
    const dae_formulation *form = dae_find_formulation("index1");
    dae_options o = dae_default_options();
    o.step = 1e-3;
    const room_need need = room_needed(&s, form, dae_find_method(name), &o);
    *bytes = held(&s, form, dae_find_method(name), &o);
    free(parameters);
    return need;
}

/* A 64th of the links tells the heap of all to a few percent, and that it is linear in them. */
TEST(what_is_expected_is_what_is_taken)
{
    static const char *const methods[] = {"dop853", "cros", "radau"};
#ifdef SANITIZED
    skip();                                             /* another heap */
#endif
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double bytes;
        const room_need need = need_of(16384, methods[m], &bytes);
        assert_true(need.smaller == 256 && need.copies == 16384);
        if (!(fabs(need.mapped / bytes - 1) < 0.15))
            fail_msg("%s: %g bytes are taken, not %g", methods[m], bytes, need.mapped);
        if (!(need.factor < pow(64, 1.05)))
            fail_msg("%s: memory grows by %g for 64 times the links", methods[m], need.factor);
    }
}

TEST(few_copies_are_not_looked_at)
{
    double bytes;
    const room_need need = need_of(room_least - 1, "cros", &bytes);
    const memory_room none = {0, "nobody", 0};
    assert_true(need.touched == 0 && need.mapped == 0);
    assert_int_equal(DAE_OK, room_suffices(&need, &none, "it", NULL));
}

TEST(too_little_is_told)
{
    const room_need need = {.copies = 1e6, .smaller = 15625, .touched = 7.4e9, .mapped = 9.2e9, .factor = 64};
    const memory_room room = {5.1e9, "the machine", INFINITY}, narrow = {1e12, "the machine", 9.1e9};
    const memory_room enough = {7.5e9, "the machine", 9.3e9};
    dae_report why = {0};
    assert_int_equal(DAE_OK, room_suffices(&need, &enough, "index1 by radau", &why));
    assert_int_equal(DAE_NO_MEMORY, room_suffices(&need, &room, "index1 by radau", &why));
    assert_string_equal(why.message, "index1 by radau takes about 7.4 GB of memory for 1000000 copies, as 15625 take "
                        "116 MB, and the machine has 5.1 GB left");
    assert_int_equal(DAE_NO_MEMORY, room_suffices(&need, &narrow, "it", &why));
    assert_string_equal(why.message, "it takes about 9.2 GB of memory for 1000000 copies, as 15625 take 144 MB, and "
                        "ulimit -v has 9.1 GB left");
}

/* Of a process under a limit of addresses what it has is taken off. */
TEST(limits_are_seen)
{
    int ended;
    const memory_room room = memory_left();
    assert_true(room.touched > 0 && isfinite(room.touched) && *room.whose);
    fflush(NULL);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        const struct rlimit limit = {(rlim_t)1 << 46, (rlim_t)1 << 46};
        const double most = 0x1p46;
        const int set = setrlimit(RLIMIT_AS, &limit) == 0, above = memory_left().mapped < most;
        _exit(set && above ? 0 : 1);
    }
    assert_int_equal(process, waitpid(process, &ended, 0));
    assert_int_equal(0, ended);
}

/* A process that was forked to compute tells how far it is; the line is drawn by the one that waits. */
TEST(parts_of_a_process_are_heard)
{
    progress p;
    char line[PROGRESS_LINE];
    int ended;
    progress_start(&p, 1);
    progress_plan(&p, 2, 2);
    progress_hear(&p, 1, "index1 radau 1e+06", 0, 0);
    fflush(NULL);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        usleep(200000);                                 /* it tells ten times a second */
        progress_part(&p, 0.37);
        _exit(0);
    }
    assert_int_equal(process, waitpid(process, &ended, 0));
    assert_string_equal(progress_line(&p, line), "[1/2] index1 radau 1e+06");
    progress_hear(&p, 1, NULL, 0, 0);
    assert_string_equal(progress_line(&p, line), "[1/2] index1 radau 1e+06  37 %");
    progress_hear(&p, 0, NULL, 1, 1);
    progress_hear(&p, 1, "index1 radau 2e+06", 0, 0);
    assert_string_equal(progress_line(&p, line), "[2/2] index1 radau 2e+06");
}

/* The point of a study says so, and larger ones are left out. */
TEST(a_study_says_why)
{
#ifdef SANITIZED
    skip();                                             /* its shadow takes more addresses than any limit */
#endif
    cli_run("sh -c 'ulimit -v 700000; exec \"$@\"' sh", "scale chain --form index1 --method cros --step 1e-3 "
            "--t-end 2e-3 --vary N=20,320000 --runs 1 --seconds 1e-9 --quiet --format csv");
    assert_int_not_equal(0, cli_said.status);
    if (!strstr(cli_said.out, "for 320000 copies, as 5000 take") || !strstr(cli_said.out, "ulimit -v has"))
        fail_msg("%s %s", cli_said.out, cli_said.err);
}

/* [bytes per link] on the heap after a solve with chosen steps, from a thousand links more. */
static double each_link_takes(const char *method)
{
    double bytes[2];
    for (int k = 0; k < 2; k++) {
        const double links = 1000 * (k + 1);
        run_setting setting = run_default_setting(catalogue_find_problem("chain"));
        double *parameters = run_copy_parameters(&setting);
        parameters[0] = links;
        setting.parameters = parameters;
        const study s = {.setting = &setting, .t0 = 0, .t_end = 1};
        dae_options o = dae_default_options();
        o.rtol = o.atol = 1e-3;
        bytes[k] = held(&s, dae_find_formulation("index1"), dae_find_method(method), &o);
        free(parameters);
    }
    return (bytes[1] - bytes[0]) / 1000;
}

TEST(a_million_links_have_room)
{
    static const struct { const char *method; double most; } limits[] = {
        {"dop853", 2.5e3}, {"cros", 5e3}, {"radau", 8e3}};
#ifdef SANITIZED
    skip();                                             /* another heap */
#endif
    for (size_t m = 0; m < sizeof limits / sizeof *limits; m++) {
        const double each = each_link_takes(limits[m].method);
        if (!(each > 0 && each < limits[m].most))
            fail_msg("%s: %.0f bytes for each link", limits[m].method, each);
    }
}

/* So does a single run, and so do the other studies, whose references would take even more. */
TEST(a_run_says_why)
{
    static const char *const commands[] = {"solve chain --samples 1", "bench chain", "converge chain", "drift chain"};
#ifdef SANITIZED
    skip();
#endif
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        char line[200];
        snprintf(line, sizeof line, "%s --form index1 --method cros --step 1e-3 --param N=320000 -q", commands[k]);
        cli_run("sh -c 'ulimit -v 700000; exec \"$@\"' sh", line);
        if (cli_said.status != 3 || !strstr(cli_said.err, "index1 by cros takes about")
            || !strstr(cli_said.err, "for 320000 copies, as 5000 take") || !strstr(cli_said.err, "ulimit -v has"))
            fail_msg("%s: %d, %s", line, cli_said.status, cli_said.err);
    }
}

int main(void) { return run_all(cli_begin, cli_end); }
