/* test_plot_studies - pictures of several studies, of many methods, of runs that fail: what is written in them */
#include "cli_json.h"


static char svg[CLI_TEXT];

static void draw(int status, const char *arguments)
{
    if (cli_run("", arguments) != status)
        fail_msg("daelab %s: exit status %d: %s", arguments, cli_said.status, cli_said.err);
}

static int times(const char *what)
{
    int n = 0;
    for (const char *at = svg; (at = strstr(at, what)); at++)
        n++;
    return n;
}

static void expect(const char *what, int n)
{
    if (times(what) != n)
        fail_msg("%d times \"%s\", not %d", times(what), what, n);
}


static void need_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null"))
        skip();
}

/* The width and height of a picture. */
static void size_of(double *width, double *height)
{
    const char *at = strstr(svg, "<svg");
    assert_non_null(at);
    assert_int_equal(2, sscanf(strstr(at, "width="), "width=\"%lf\" height=\"%lf\"", width, height));
}

/* All formulations by all methods were 2580 x 21936 pixels: now steps are a page, and tolerances. */
static void test_grid(void **state)
{
    double width, height;
    (void)state;
    need_gnuplot();
    draw(0, "converge pendulum --form all --method all --step 0.05 --levels 2 --plot g.svg");
    assert_non_null(strstr(cli_said.err, "the picture takes 2 pages: g-1.svg to g-2.svg"));
    cli_read("g-1.svg", svg);
    size_of(&width, &height);
    assert_true(width < 1300 && height < 1850);
    expect(">index3<", 1);                              /* a column, once */
    expect(">cros<", 1);                                /* a row, once */
    expect(">declared slope<", 1);
    assert_true(times(">does not apply<") > 4);
    cli_read("g-2.svg", svg);
    expect(">ida<", 1);
    expect(">evaluations of F<", 6);                    /* below each column */
}

/* Problems with other formulations have a page of their own; settings tell studies of one problem apart. */
static void test_several(void **state)
{
    (void)state;
    need_gnuplot();
    draw(0, "converge pendulum,kepler --form all --method cros,rk4,heun --step 0.05 --levels 2 --plot p.svg");
    cli_read("p-1.svg", svg);
    expect(">pendulum: error at t = 2 s<", 1);
    cli_read("p-2.svg", svg);
    expect(">kepler: error at t = 10 s<", 1);
    expect(">native, heun<", 1);
    draw(0, "bench pendulum,double_pendulum --form index1 --method radau --rtol 1e-3:1e-4 --runs 1 --seconds 1e-9 "
            "--plot w.svg");
    cli_read("w.svg", svg);
    expect(">pendulum, index1<", 1);
    expect(">double_pendulum, index1<", 1);
    draw(0, "converge pendulum --form index1 --method cros --step 0.05 --levels 2 --jacobian dual,fd --vary L=4,6 "
            "--plot v.svg");
    cli_read("v.svg", svg);
    expect(">jacobian dual, index1, cros, L = 4<", 1);
    expect(">jacobian fd, index1, cros, L = 6<", 1);
    draw(0, "drift pendulum --form index1 --method cros --step 0.05 --t-end 1,2 --plot d.svg");
    cli_read("d-2.svg", svg);
    expect("t-end 2: drift", 1);
}

/* A run that failed ends with a cross and its reason; another that exploded leaves it room. */
static void test_failures(void **state)
{
    (void)state;
    need_gnuplot();
    draw(1, "drift chain --form index1 --method rk4,heun --step 0.05 --t-end 8 --plot f.svg --keep-script");
    cli_read("f.svg", svg);
    expect(">× index1 rk4: t = 4.875: ", 1);
    cli_read("f.svg.gnuplot", svg);
    assert_true(times(" pt 2 ") >= 4);
    assert_null(strstr(svg, "e+100"));
    draw(1, "converge chain --form index1 --method rk4 --t-end 8 --step 0.1 --levels 3 --no-cache --plot c.svg");
    cli_read("c.svg", svg);
    expect(">every run failed<", 1);
    expect(">× index1, rk4: t = ", 1);
}

/* Units of the axes are those of the problem. */
static void test_units(void **state)
{
    (void)state;
    need_gnuplot();
    draw(0, "converge rolling_disc --form index1 --method cros --step 0.05 --levels 2 --plot u.svg");
    cli_read("u.svg", svg);
    expect(">position [m, rad]<", 1);
    expect(">velocity [m/s, rad/s]<", 1);
    expect(">multiplier [N]<", 1);
    expect(">step [s]<", 1);
}

static void test_looks(void **state)
{
    static const struct { const char *arguments; int status; const char *says; } looks[] = {
        {"--plot a.svg --plot-size 80mmx6cm", 0, "its letters are of"},
        {"--plot a.svg --plot-size 4in --plot-font Times,8 --plot-title '' --transparent", 0, ""},
        {"--plot a.pdf --plot-size 300ptx200pt --keep-script", 0, "a.pdf.gnuplot draws it again"},
        {"--plot a.tex --keep-script", 2, "TikZ is a script itself"},
        {"--plot a.svg --plot-size 1cmx1cm", 3, "no room for axes"},
        {"--plot a.svg --plot-size 8x6", 2, "8cmx6cm or 160mm is needed"},
        {"--plot a.svg --plot-size 8cmx", 2, "8cmx6cm or 160mm is needed"},
        {"--plot a.svg --plot-size 9cmx9cmx9cm", 2, "8cmx6cm or 160mm is needed"},
        {"--plot a.svg --plot-size nancm", 2, "8cmx6cm or 160mm is needed"},
        {"--plot a.svg --plot-size 1mm", 2, "8cmx6cm or 160mm is needed"},
        {"--plot a.svg --plot-font 1", 2, "from 3 to 72"},
        {"--plot a.svg --plot-font Times", 2, "a finite number"},
        {"--plot a.svg --plot-font ,9", 2, "NAME,SIZE is needed"},
        {"--plot-size 8cm", 2, "there is no plot"},
        {"--transparent", 2, "there is no plot"},
    };
    (void)state;
    need_gnuplot();
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        char line[256];
        snprintf(line, sizeof line, "solve pendulum --samples 3 %s", looks[i].arguments);
        if (cli_run("", line) != looks[i].status || !strstr(cli_said.err, looks[i].says))
            fail_msg("daelab %s: exit status %d: %s", line, cli_said.status, cli_said.err);
    }
    double width, height;
    draw(0, "solve pendulum --samples 3 --plot b.svg --plot-size 240mmx18cm --plot-title 'a <title> & \"more\"'");
    cli_read("b.svg", svg);
    size_of(&width, &height);
    assert_close(width, 240 * 96 / 25.4, 0.6);
    assert_close(height, 180 * 96 / 25.4, 0.6);
    expect(">a &lt;title> &amp; \"more\"<", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),  cmocka_unit_test(test_several), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_units), cmocka_unit_test(test_looks),
    };
    return cmocka_run_group_tests(tests, cli_begin, cli_end);
}
