/* test_layers - includes point one way: the architecture, in the order of its floors */
#include "support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file includes headers of its own folder and of folders above it in this list, nothing else of the
 * project; include/daelab is open to all. A folder has at most so many lines: what does not fit is split where an idea
 * ends, or something else goes. */
typedef struct {
    const char *folder;
    int lines;
    const char *holds;
} floor_row;

static const floor_row floors[] = {
    {"src/base", 1800, "status, rounding, small factorisations, patterns and their colours"},
    {"src/linear", 3750, "solving with M - gamma h J: dense, q' = v eliminated, KLU, bands"},
    {"src/system", 5350, "a problem in a formulation: M u' = F(t, u)"},
    {"src/jacobian", 2150, "dF/du and dF/dt: analytic, by dual numbers, by differences"},
    {"src/stepper", 3500, "what a method is, what it is given, and what several methods use"},
    {"src/index", 1250, "the differential index of each unknown"},
    {"src/projection", 1200, "back onto constraints and invariants"},
    {"src/events", 2100, "passages through zero on the dense output"},
    {"src/backends", 2900, "SUNDIALS: IDA, CVODE and ARKODE as methods, KINSOL for nonlinear equations"},
    {"src/methods/complex", 2100, "Rosenbrock methods with complex coefficients"},
    {"src/methods", 4750, "Runge-Kutta, Rosenbrock, Radau, and the table of all methods"},
    {"src/checks", 2950, "are the functions of a model each other's derivatives?"},
    {"src/reference", 3700, "solutions in quad precision"},
    {"src/start", 2800, "consistent initial values"},
    {"src/driver", 3000, "the loop that all methods share"},
    {"src/hybrid", 2600, "modes, impacts, accumulation of events"},
    {"src/piecewise", 1500, "solutions in quad precision, through events"},
    {"src/verify", 2250, "is a model right, without a reference?"},
    {"src/binding", 250, "for other languages: problems of callbacks, sizes of types"},
    {"bench/host", 1750, "files written whole, other programs, signals, clocks"},
    {"bench/store", 1800, "what is kept on disk, in SQLite: runs, references, texts that were derived"},
    {"bench/numbers", 850, "decimals, orders as intervals, laws of growth"},
    {"bench/output", 400, "JSON, and what made a result"},
    {"bench/table", 1550, "the table of the laboratory: terminal, CSV, JSON, Markdown, LaTeX"},
    {"bench/pool", 1700, "questions of a study, answered from a file or by processes"},
    {"bench/catalogue", 1750, "the problems and methods that there are: tables, and what files add"},
    {"bench/run", 5000, "one run, what is measured of it, and as a question with its answer"},
    {"bench/study", 3600, "specification in, result out: solve, converge, drift, work, scale; several as one"},
    {"bench/tidy", 2000, "results as rows of tables"},
    {"bench/report", 2550, "what is shown of results: tables, notes"},
    {"bench/cli", 3000, "the command line: options, help, progress"},
    {"bench/spec", 1750, "studies from options and from files; lists of settings as many studies"},
    {"bench/deliver", 1200, "results written where the options say: files of all kinds, folders, films"},
    {"bench/commands", 1900, "what daelab COMMAND does"},
    {"bench/manual", 600, "manual pages and completion, of the tables of options"},
    {"bench", 50, "the program"},
    {"bench/mpi", 150, "messages between ranks, in an object that is loaded under mpirun only"},
    {"tools/crosscheck", 2000, "every problem by every formulation and method"},
    {"tools/speed", 1500, "this library beside plain programs for the same work"},
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

/* The number of includes that point the wrong way; lines += those of the file. */
static int look_at_file(int level, const char *name, int *lines)
{
    char path[LONG], line[LONG], folder[LONG];
    int wrong = 0;
    assert_in_range(snprintf(path, sizeof path, "%s/%s", floors[level].folder, name), 1, LONG - 1);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        *lines += strchr(line, '\n') != NULL;
        const char *header = included(line);
        if (!header || !find_header(floors[level].folder, header, folder))
            continue;
        const int other = floor_of(folder);
        if (other < 0 || other > level) {
            print_error("%s/%s includes %s, of %s\n", floors[level].folder, name, header, folder);
            wrong++;
        }
    }
    fclose(file);
    return wrong;
}

static int has_end(const char *name, const char *end)
{
    const size_t length = strlen(name), by = strlen(end);
    return length > by && strcmp(name + length - by, end) == 0;
}

static int is_source(const char *name) { return has_end(name, ".c") || has_end(name, ".h") || has_end(name, ".def"); }

TEST(test_arrows_and_budgets)
{
    int wrong = 0;
    for (int i = 0; i < FLOORS; i++) {
        int lines = 0;
        DIR *folder = opendir(floors[i].folder);
        assert_non_null(folder);
        for (const struct dirent *e = readdir(folder); e; e = readdir(folder))
            if (is_source(e->d_name))
                wrong += look_at_file(i, e->d_name, &lines);
        closedir(folder);
        if (lines < 1 || lines > floors[i].lines)
            print_error("%s has %d lines, of at most %d\n", floors[i].folder, lines, floors[i].lines);
        wrong += lines < 1 || lines > floors[i].lines;
    }
    assert_int_equal(wrong, 0);
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
