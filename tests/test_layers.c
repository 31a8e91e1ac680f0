/* test_layers - includes point one way: the architecture, in the order of its floors */
#include "support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file includes headers of its own folder, of the folders that its row names, all of which stand above it, and of
 * those that are open to all below them; nothing else of the project but include/daelab. Each folder that is named is
 * included by some file. A folder has at most so many lines: what does not fit is split where an idea ends, or
 * something else goes. */
typedef struct {
    const char *folder;
    int lines;
    const char *includes;       /* names below src, bench or tools, between spaces */
    const char *holds;
} floor_row;

static const char *const open_to_all[] = {"src/base", "bench/host", "bench/numbers", "bench/output"};

static const floor_row floors[] = {
    {"src/base", 1800, "",
     "status, rounding, small factorisations, patterns and their colours"},
    {"src/linear", 3175, "",
     "solving with M - gamma h J: dense, q' = v eliminated, KLU, bands"},
    {"src/system", 5275, "",
     "a problem in a formulation: M u' = F(t, u)"},
    {"src/jacobian", 2150, "linear system",
     "dF/du and dF/dt: analytic, by dual numbers, by differences"},
    {"src/stepper", 3425, "linear system jacobian",
     "what a method is, what it is given, and what several methods use"},
    {"src/variation", 675, "linear system",
     "derivatives of states along directions: of F, of projections, of multipliers; and their transposes"},
    {"src/index", 1150, "system jacobian stepper",
     "the differential index of each unknown"},
    {"src/projection", 1150, "system stepper",
     "back onto constraints and invariants"},
    {"src/events", 2050, "stepper projection",
     "passages through zero on the dense output"},
    {"src/backends", 2900, "linear jacobian stepper projection events",
     "SUNDIALS: IDA, CVODE and ARKODE as methods, KINSOL for nonlinear equations"},
    {"src/methods/complex", 2275, "stepper projection variation",
     "Rosenbrock methods with complex coefficients"},
    {"src/methods", 5725, "linear system jacobian stepper projection variation methods/complex",
     "Runge-Kutta, Rosenbrock, Radau, and the table of all methods"},
    {"src/checks", 2905, "system jacobian",
     "are the functions of a model each other's derivatives?"},
    {"src/reference", 3650, "system stepper methods/complex methods checks",
     "solutions in quad precision"},
    {"src/start", 2725, "linear system projection backends reference",
     "consistent initial values"},
    {"src/driver", 2750, "linear system jacobian stepper index projection events start",
     "the loop that all methods share"},
    {"src/hybrid", 2720, "system stepper projection events start driver",
     "modes, impacts, accumulation of events"},
    {"src/sensitivity", 1400, "linear system stepper projection variation start hybrid",
     "derivatives of runs: of their start, of each step, through events"},
    {"src/gradient", 850, "projection variation hybrid sensitivity",
     "the steps of a run backwards: the derivative of one number by many"},
    {"src/piecewise", 1500, "system reference driver hybrid",
     "solutions in quad precision, through events"},
    {"src/verify", 2350, "linear system jacobian checks start driver hybrid",
     "is a model right, without a reference, and what speaks against the numbers of a run?"},
    {"src/binding", 250, "",
     "for other languages: problems of callbacks, sizes of types"},
    {"bench/host", 1700, "",
     "files written whole, other programs, signals, clocks"},
    {"bench/store", 1400, "",
     "what is kept on disk, in SQLite: runs, references, texts that were derived"},
    {"bench/numbers", 850, "",
     "decimals, orders as intervals, laws of growth"},
    {"bench/output", 300, "",
     "JSON, and what made a result"},
    {"bench/table", 1475, "",
     "the table of the laboratory: terminal, CSV, JSON, Markdown, LaTeX"},
    {"bench/pool", 1600, "store",
     "questions of a study, answered from a file or by processes"},
    {"bench/catalogue", 1640, "store",
     "the problems and methods that there are: tables, and what files add"},
    {"bench/run", 5800, "store pool catalogue",
     "one run, what is measured of it, and as a question with its answer"},
    {"bench/fit", 1175, "catalogue run",
     "parameters by data: the data, a run as a function of them, least squares, what is determined"},
    {"bench/study", 4225, "store pool catalogue run fit",
     "specification in, result out: solve, converge, drift, work, scale, fit; several as one"},
    {"bench/tidy", 2050, "store table catalogue run study",
     "results as rows of tables"},
    {"bench/report", 2750, "table catalogue run study tidy",
     "what is shown of results: tables, notes"},
    {"bench/cli", 3210, "store table pool catalogue run study tidy",
     "the command line: options, help, progress"},
    {"bench/spec", 1470, "catalogue study cli",
     "studies from options and from files; lists of settings as many studies"},
    {"bench/deliver", 1125, "table pool run study tidy report cli",
     "results written where the options say: files of all kinds, folders, films"},
    {"bench/commands", 1675, "table pool catalogue run report cli spec deliver",
     "what daelab COMMAND does"},
    {"bench/manual", 520, "catalogue run cli spec deliver",
     "manual pages, and what completes a word of a command line"},
    {"bench", 50, "cli manual",
     "the program"},
    {"bench/mpi", 150, "pool",
     "messages between ranks, in an object that is loaded under mpirun only"},
    {"tools/crosscheck", 1950, "store catalogue run",
     "every problem by every formulation and method"},
    {"tools/speed", 1600, "",
     "this library beside plain programs for the same work"},
    {"tools/speed/idas", 675, "speed",
     "du/dp beside SUNDIALS IDAS, a program of its own"},
};
enum { FLOORS = sizeof floors / sizeof *floors, LONG = 512 };

/* Where headers of each tree are looked for. */
static const char *const roots[] = {"src", "bench", "tools"};

static int floor_of(const char *folder)
{
    for (int i = 0; i < FLOORS; i++)
        if (strcmp(floors[i].folder, folder) == 0)
            return i;
    return -1;
}

static int exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* folder[LONG] := that of the header which a file in `from` includes as `name`; 0 where it is none of
 * the project's, or include/daelab. */
static int find_header(const char *from, const char *name, char *folder)
{
    char path[2 * LONG];
    snprintf(path, sizeof path, "%s/%s", from, name);
    for (size_t i = 0; !exists(path) && i < sizeof roots / sizeof *roots; i++)
        snprintf(path, sizeof path, "%s/%s", roots[i], name);
    if (!exists(path))
        return 0;
    *strrchr(path, '/') = 0;
    snprintf(folder, LONG, "%.*s", LONG - 1, path);
    return 1;
}

/* The name between the quotes of an #include, in place; NULL where the line is none. */
static char *included(char *line)
{
    char *begin = line + strspn(line, " \t");
    if (*begin != '#')
        return NULL;
    begin += 1 + strspn(begin + 1, " \t");
    if (strncmp(begin, "include", 7))
        return NULL;
    begin += 7 + strspn(begin + 7, " \t");
    char *end = *begin == '"' ? strchr(begin + 1, '"') : NULL;
    if (end)
        *end = 0;
    return end ? begin + 1 : NULL;
}

static int is_open(const char *folder)
{
    for (size_t i = 0; i < sizeof open_to_all / sizeof *open_to_all; i++)
        if (strcmp(open_to_all[i], folder) == 0)
            return 1;
    return 0;
}

/* The place of the folder's name in what the row includes; NULL where it is not there. */
static const char *named_in(const floor_row *row, const char *folder)
{
    const char *name = strchr(folder, '/') + 1;
    const size_t length = strlen(name);
    for (const char *at = row->includes; (at = strstr(at, name)); at += length)
        if ((at == row->includes || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return at;
    return NULL;
}

typedef struct {
    int lines, wrong;
    char used[LONG];            /* marks at the places of names in what the row includes */
} folder_look;

static void look_at_include(int level, const char *name, const char *header, folder_look *look)
{
    const floor_row *row = &floors[level];
    char folder[LONG];
    if (!find_header(row->folder, header, folder) || strcmp(folder, row->folder) == 0)
        return;
    const int other = floor_of(folder);
    const char *named = other >= 0 && other < level && !is_open(folder) ? named_in(row, folder) : NULL;
    if (named)
        look->used[named - row->includes] = 1;
    if (named || (other >= 0 && other < level && is_open(folder)))
        return;
    print_error("%s/%s includes %s, of %s\n", row->folder, name, header, folder);
    look->wrong++;
}

static void look_at_file(int level, const char *name, folder_look *look)
{
    char path[LONG], line[LONG];
    assert_in_range(snprintf(path, sizeof path, "%s/%s", floors[level].folder, name), 1, LONG - 1);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        look->lines += strchr(line, '\n') != NULL;
        const char *header = included(line);
        if (header)
            look_at_include(level, name, header, look);
    }
    fclose(file);
}

/* What a row names and no file includes. */
static int count_needless(const floor_row *row, const folder_look *look)
{
    int needless = 0;
    for (const char *at = row->includes; *at; at += strcspn(at, " "), at += *at == ' ')
        if (!look->used[at - row->includes]) {
            print_error("%s includes nothing of %.*s\n", row->folder, (int)strcspn(at, " "), at);
            needless++;
        }
    return needless;
}

static int has_end(const char *name, const char *end)
{
    const size_t length = strlen(name), by = strlen(end);
    return length > by && strcmp(name + length - by, end) == 0;
}

static int is_source(const char *name) { return has_end(name, ".c") || has_end(name, ".h") || has_end(name, ".def"); }

static int look_at_folder(int level)
{
    const floor_row *row = &floors[level];
    folder_look look = {0};
    DIR *folder = opendir(row->folder);
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
        if (is_source(e->d_name))
            look_at_file(level, e->d_name, &look);
    closedir(folder);
    const int full = look.lines < 1 || look.lines > row->lines;
    if (full)
        print_error("%s has %d lines, of at most %d\n", row->folder, look.lines, row->lines);
    return look.wrong + full + count_needless(row, &look);
}

TEST(test_arrows_and_budgets)
{
    int wrong = 0;
    for (int i = 0; i < FLOORS; i++)
        wrong += look_at_folder(i);
    assert_int_equal(wrong, 0);
}

/* ---- what is done in one file alone --------------------------------------------------------- */

/* The number of files below a folder of which a line holds the word. */
static int count_holders(const char *folder, const char *word)
{
    char inner[LONG], line[LONG];
    int holders = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        struct stat info;
        assert_in_range(snprintf(inner, sizeof inner, "%s/%s", folder, e->d_name), 1, LONG - 1);
        if (e->d_name[0] == '.' || stat(inner, &info))
            continue;
        if (S_ISDIR(info.st_mode))
            holders += count_holders(inner, word);
        FILE *file = S_ISREG(info.st_mode) ? fopen(inner, "r") : NULL;
        int holds = 0;
        while (file && !holds && fgets(line, sizeof line, file))
            holds = strstr(line, word) != NULL;
        if (file)
            fclose(file);
        holders += holds;
    }
    closedir(d);
    return holders;
}

TEST(test_done_once)
{
    static const struct { const char *folder, *word; } once[] = {
        {"bench", " fork()"}, {"bench", "textbackslash"}, {"python/daelab/show", "COLOURS = ("}};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (count_holders(once[i].folder, once[i].word) != 1)
            fail_msg("%d files of %s hold '%s'", count_holders(once[i].folder, once[i].word), once[i].folder,
                     once[i].word);
}

/* What a system has in .inner is of its folder alone (system/system.h). */
TEST(test_inner_members)
{
    for (int i = 0; i < FLOORS; i++)
        if (strcmp(floors[i].folder, "src/system") && count_holders(floors[i].folder, "->inner."))
            fail_msg("%s reads what src/system keeps to itself", floors[i].folder);
}

/* No file of the trees lies outside of the list: every folder with sources has its line. */
static int count_unlisted(const char *folder)
{
    char inner[LONG];
    int unlisted = 0, sources = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        struct stat info;
        assert_in_range(snprintf(inner, sizeof inner, "%s/%s", folder, e->d_name), 1, LONG - 1);
        sources += has_end(e->d_name, ".c") || has_end(e->d_name, ".h");
        if (e->d_name[0] != '.' && stat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            unlisted += count_unlisted(inner);
    }
    closedir(d);
    if (sources && floor_of(folder) < 0) {
        print_error("%s has no line in the list of floors\n", folder);
        unlisted++;
    }
    return unlisted;
}

TEST(test_every_folder_has_a_floor)
{
    assert_int_equal(count_unlisted("src"), 0);
    assert_int_equal(count_unlisted("bench"), 0);
    assert_int_equal(count_unlisted("tools"), 0);
}

int main(void) { return chdir(DAELAB_SOURCE_DIR) ? 1 : run_all(NULL, NULL); }
