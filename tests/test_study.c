/* test_study.c - a study as a value: a specification filled in without a command line is run once, all
 * outputs are made from its one result, and they are those of the command */
#include "cli.h"

#include "report/report.h"

#include <dirent.h>

/* ---- what a front end hears ---- */

typedef struct { int planned, runs, ended, warnings; } ears;

static void hear_plan(void *context, int runs, double work)
{
    assert_true(work > 0);
    ((ears *)context)->planned += runs;
}

static void hear_run(void *context, const char *what)
{
    assert_true(strlen(what) > 0);
    ((ears *)context)->runs++;
}

static void hear_end(void *context) { ((ears *)context)->ended++; }

static void hear_warning(void *context, const char *sentence)
{
    assert_true(strlen(sentence) > 0);
    ((ears *)context)->warnings++;
}

static study_specification specify(const char *problem, ears *heard)
{
    study_specification s = study_default_specification(problem_named(problem));
    s.run.no_cache = 1;
    s.run.front = (run_front){.context = heard, .plan = hear_plan, .run = hear_run,
                              .end = hear_end, .warn = hear_warning};
    return s;
}

static void add_form(study_specification *s, const char *name)
{
    s->form[s->forms++] = dae_find_formulation(name);
}

static void add_method(study_specification *s, const char *name)
{
    s->method[s->methods++] = dae_find_method(name);
}

/* ---- comparing outputs, but for times, memory and what measured them ---- */

/* Without the line that says how fast SUNDIALS is: that is measured, too. */
static void without_machine(char *text)
{
    char *at = strstr(text, "SUNDIALS ");
    const char *end = at ? strchr(at, '\n') : NULL;
    if (end)
        memmove(at, end, strlen(end) + 1);
}

/* Each word that is a number becomes #, spaces and the rules of a table one. */
static void without_numbers(char *text)
{
    char *out = text, *word;
    for (char *rest = text; (word = strsep(&rest, " \n"));)
        if (*word) {
            const size_t length = strlen(word);
            const int number = strspn(word, "0123456789.e+-();") == length;
            memmove(out, number ? "#" : word, number ? 1 : length);
            out += number ? 1 : length;
            *out++ = ' ';
        }
    *out = 0;
}

static char *written(const document *doc, output_format format)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(doc);
    document_write(doc, format, out);
    assert_int_equal(0, fclose(out));
    return text;
}

/* The document of a result as people read it against the command's. */
static void same_outputs(const document *doc, const char *command)
{
    static const output_format each[] = {FORMAT_TABLE, FORMAT_MARKDOWN};
    static char mine[CLI_TEXT];
    char line[512];
    for (int i = 0; i < 2; i++) {
        char *text = written(doc, each[i]);
        assert_true(strlen(text) < sizeof mine);
        strcpy(mine, text);
        free(text);
        snprintf(line, sizeof line, "%s --format %s --quiet", command, format_names[each[i]]);
        assert_int_equal(0, cli_run("", line));
        without_machine(mine);
        without_machine(cli_said.out);
        without_numbers(mine);
        without_numbers(cli_said.out);
        assert_string_equal(mine, cli_said.out);
    }
}

/* ---- the studies ---- */

TEST(test_converge)
{
    ears heard = {0};
    study_specification s = specify("pendulum", &heard);
    converge_result r;
    dae_report why = {0};
    const char *command = "converge pendulum --form index1,ode --method cros,rk4 --step 0.1 "
                          "--levels 3 --no-cache";
    add_form(&s, "index1");
    add_form(&s, "ode");
    add_method(&s, "cros");
    add_method(&s, "rk4");
    s.run.step = 0.1;
    s.levels = 3;
    assert_int_equal(DAE_OK, study_prepare(&s, &why));
    assert_int_equal(DAE_OK, converge_study(&r, &s, &why));
    assert_int_equal(1 + 4 * 3, heard.runs);            /* the reference is one of them */
    assert_int_equal(4 * 3, heard.planned);
    assert_int_equal(2, heard.ended);
    document *doc = report_item(&(study_item){.kind = STUDY_CONVERGE, .spec = r.spec, .run = 1, .result.converge = r});
    same_outputs(doc, command);
    assert_int_equal(1 + 4 * 3, heard.runs);            /* one run, many outputs */
    document_free(doc);
    converge_result_free(&r);
}

TEST(test_drift)
{
    ears heard = {0};
    study_specification s = specify("pendulum", &heard);
    drift_result r;
    dae_report why = {0};
    const char *command = "drift pendulum --form index2,index1 --method cros,rk4 --step 0.1 "
                          "--project position --project none --reference --no-cache";
    add_form(&s, "index2");
    add_form(&s, "index1");
    add_method(&s, "cros");
    add_method(&s, "rk4");
    s.run.step = 0.1;
    s.projects = 2;
    s.each_project[0] = DAE_PROJECT_POSITION;
    s.referenced = 1;
    s.forms_named = s.methods_named = 1;
    assert_int_equal(DAE_OK, study_prepare(&s, &why));
    assert_int_equal(DAE_OK, drift_study(&r, &s, &why));
    assert_int_equal(8, r.count);
    document *doc = report_item(&(study_item){.kind = STUDY_DRIFT, .spec = r.spec, .run = 1, .result.drift = r});
    same_outputs(doc, command);
    assert_int_equal(1 + 8, heard.runs);
    assert_int_equal(0, heard.warnings);
    document_free(doc);
    drift_result_free(&r);
}

TEST(test_work)
{
    ears heard = {0};
    study_specification s = specify("pendulum", &heard);
    work_result r;
    dae_report why = {0};
    add_form(&s, "index1");
    add_method(&s, "cros");
    add_method(&s, "radau");
    s.run.rtol = 1e-3;
    s.rtols.last = 1e-5;
    s.targets = 1;
    s.target[0] = 1e-3;
    s.baseline = dae_find_method("radau");
    s.runs = 1;
    s.seconds = 1e-6;
    assert_int_equal(DAE_OK, work_fill_in(&s, &why));
    assert_int_equal(DAE_OK, study_prepare(&s, &why));
    assert_int_equal(DAE_OK, work_study(&r, &s, &why));
    document *doc = report_item(&(study_item){.kind = STUDY_WORK, .spec = r.spec, .run = 1, .result.work = r});
    same_outputs(doc, "bench pendulum --form index1 --method cros,radau --rtol 1e-3:1e-5 "
                                "--at 1e-3 --baseline radau --runs 1 --seconds 1e-6 --no-cache");
    assert_int_equal(1 + 6 + 1, heard.runs);            /* a reference, points, a round */
    document_free(doc);
    work_result_free(&r);
}

TEST(test_scale)
{
    ears heard = {0};
    study_specification s = specify("chain", &heard);
    scale_result r;
    dae_report why = {0};
    int by_default;
    add_form(&s, "index1");
    add_method(&s, "cros");
    add_method(&s, "radau5");
    s.varied = dae_parameter_index(s.run.problem, "N");
    s.values = 2;
    s.value[0] = 4;                                     /* put in order */
    s.value[1] = 2;
    s.run.step = 0.1;
    s.run.rtol = 1e-3;
    s.runs = 1;
    s.seconds = 1e-6;
    assert_int_equal(DAE_OK, scale_fill_in(&s, &by_default, &why));
    assert_int_equal(DAE_OK, study_prepare(&s, &why));
    assert_int_equal(DAE_OK, scale_study(&r, &s, by_default, &why));
    document *doc = report_item(&(study_item){.kind = STUDY_SCALE, .spec = r.spec, .run = 1, .result.scale = r});
    same_outputs(doc, "scale chain --vary N=2,4 --form index1 --method cros,radau5 "
                                "--step 0.1 --rtol 1e-3 --runs 1 --seconds 1e-6");
    assert_int_equal(4, heard.runs);
    document_free(doc);
    scale_result_free(&r);
}

/* ---- what is checked ---- */

static void refused(const study_specification *s, dae_status status, const char *says)
{
    dae_report why = {0};
    study_specification copy = *s;
    assert_int_equal(status, study_prepare(&copy, &why));
    if (!strstr(why.message, says))
        fail_msg("'%s' does not say '%s'", why.message, says);
}

TEST(test_check)
{
    ears heard = {0};
    const study_specification good = specify("pendulum", &heard);
    study_specification s = good;
    refused(&(study_specification){.forms = 0}, DAE_BAD_ARGUMENT, "needs a problem");
    s.run.t_end = -1;
    refused(&s, DAE_BAD_ARGUMENT, "t_end -1: it must lie after the start");
    s = good, s.run.step = 100;
    refused(&s, DAE_BAD_ARGUMENT, "step 100 is larger than the interval from 0 to 2");
    s = good, s.run.step = -1;
    refused(&s, DAE_BAD_ARGUMENT, "step = -1: a finite number above 0");
    s = good, s.run.rtol = 2;
    refused(&s, DAE_BAD_ARGUMENT, "rtol 2 must be below 1");
    s = good, s.levels = MAX_LEVELS + 1;
    refused(&s, DAE_BAD_ARGUMENT, "levels = 65");
    s = good, s.ratio = 1;
    refused(&s, DAE_BAD_ARGUMENT, "ratio = 1");
    s = good, s.values = 1, s.varied = 99;
    refused(&s, DAE_BAD_ARGUMENT, "no parameter number 99");
    s = good, s.targets = 1, s.target[0] = NAN;
    refused(&s, DAE_BAD_ARGUMENT, "target nan");
    s = good, s.methods = 1;
    refused(&s, DAE_BAD_ARGUMENT, "method 1 is NULL");
    s = good;
    add_form(&s, "native");
    refused(&s, DAE_BAD_ARGUMENT, "pendulum has no formulation native");
    s = good;
    add_form(&s, "index3");
    add_method(&s, "rk4");
    refused(&s, DAE_UNSUPPORTED, "rk4 is explicit");
    assert_int_equal(0, heard.warnings);
    add_method(&s, "cros");
    s.methods_named = 1;
    assert_int_equal(DAE_OK, study_prepare(&s, NULL));
    assert_int_equal(1, heard.warnings);                /* there is no run by rk4 */
}

/* ---- studies print nothing and know no command line ---- */

static void read_whole(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, room - 1, file);
    text[length] = 0;
    fclose(file);
}

TEST(test_silent)
{
    static const char *const folders[] = {"study", "run"};
    static const char *const words[] = {"\"cli/", "stdout", "stderr", " printf(", " puts(", "exit(E"};
    static char text[1 << 17];
    int files = 0;
    for (int f = 0; f < 2; f++) {
        char folder[256], path[512];
        snprintf(folder, sizeof folder, DAELAB_SOURCE_DIR "/bench/%s", folders[f]);
        DIR *dir = opendir(folder);
        assert_non_null(dir);
        for (struct dirent *entry; (entry = readdir(dir));) {
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
            read_whole(path, text, sizeof text);
            files++;
            for (size_t w = 0; w < sizeof words / sizeof *words; w++)
                if (strstr(text, words[w]))
                    fail_msg("%s: %s", path, words[w]);
        }
        closedir(dir);
    }
    assert_true(files > 20);
}

int main(void) { return run_all(cli_begin, cli_end); }
