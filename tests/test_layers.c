/* test_layers - includes point one way: the architecture, in the order of its floors */
#include "support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file includes headers of its own folder and of folders above it in this list, nothing else of the
 * project; include/daelab is open to all. */
static const char *const floors[][2] = {
    {"src/base", "status, rounding, small factorisations, patterns and their colours"},
    {"src/linear", "solving with M - gamma h J: dense, q' = v eliminated, KLU, bands"},
    {"src/system", "a problem in a formulation: M u' = F(t, u)"},
    {"src/jacobian", "dF/du and dF/dt: analytic, by dual numbers, by differences"},
    {"src/stepper", "what a method is, what it is given, and what several methods use"},
    {"src/index", "the differential index of each unknown"},
    {"src/projection", "back onto constraints and invariants"},
    {"src/events", "passages through zero on the dense output"},
    {"src/backends", "SUNDIALS: IDA, CVODE and ARKODE as methods, KINSOL for nonlinear equations"},
    {"src/methods/complex", "Rosenbrock methods with complex coefficients"},
    {"src/methods", "Runge-Kutta, Rosenbrock, Radau, and the table of all methods"},
    {"src/checks", "are the functions of a model each other's derivatives?"},
    {"src/reference", "solutions in quad precision"},
    {"src/start", "consistent initial values"},
    {"src/driver", "the loop that all methods share"},
    {"src/hybrid", "modes, impacts, accumulation of events"},
    {"src/piecewise", "solutions in quad precision, through events"},
    {"src/verify", "is a model right, without a reference?"},
    {"src/binding", "for other languages: problems of callbacks, sizes of types"},
    {"bench/host", "files written whole, other programs, signals, clocks"},
    {"bench/store", "texts in one file of SQLite, kept through any kill"},
    {"bench/numbers", "decimals, orders as intervals, laws of growth"},
    {"bench/output", "JSON, and what made a result"},
    {"bench/table", "the table of the laboratory: terminal, CSV, JSON, Markdown, LaTeX"},
    {"bench/picture", "what a run draws, frame by frame"},
    {"bench/cache", "what is kept on disk: references"},
    {"bench/runner", "questions of a study: kept in a file, or computed by processes"},
    {"bench/catalogue", "the problems and methods that there are: tables, and what files add"},
    {"bench/measure", "one run, and what is measured of it"},
    {"bench/cells", "runs as questions and answers in JSON: what they depend on, what came out"},
    {"bench/rounds", "runs that are timed in turn, round after round"},
    {"bench/study", "specification in, result out: solve, converge, drift, work, scale"},
    {"bench/plan", "several studies that are run as one"},
    {"bench/tidy", "results as rows of tables"},
    {"bench/report", "what is shown of results: tables, notes"},
    {"bench/progress", "the line that shows how far studies are"},
    {"bench/help", "pages on topics, examples of each command"},
    {"bench/cli", "the command line: options, progress, where results go"},
    {"bench/planning", "problems and lists of settings as a plan of studies"},
    {"bench/studyfile", "studies in files: read, and written"},
    {"bench/deliver", "results written where the options say: files of all kinds, folders"},
    {"bench/commands", "what daelab COMMAND does"},
    {"bench/manual", "manual pages and completion, of the tables of options"},
    {"bench", "the program"},
    {"bench/mpi", "messages between ranks, in an object that is loaded under mpirun only"},
    {"tools/crosscheck", "every problem by every formulation and method"},
    {"tools/speed", "this library beside plain programs for the same work"},
};
enum { FLOORS = sizeof floors / sizeof *floors, MOST_FILES = 18, LONG = 512 };

/* Where headers of each tree are looked for. */
static const char *const roots[] = {"src", "bench", "tools"};

static int floor_of(const char *folder)
{
    for (int i = 0; i < FLOORS; i++)
        if (strcmp(floors[i][0], folder) == 0)
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

/* The number of includes that point the wrong way. */
static int look_at_file(int level, const char *name)
{
    char path[LONG], line[LONG], folder[LONG];
    int wrong = 0;
    assert_in_range(snprintf(path, sizeof path, "%s/%s", floors[level][0], name), 1, LONG - 1);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *header = included(line);
        if (!header || !find_header(floors[level][0], header, folder))
            continue;
        const int other = floor_of(folder);
        if (other < 0 || other > level) {
            print_error("%s/%s includes %s, of %s\n", floors[level][0], name, header, folder);
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

TEST(test_arrows)
{
    int wrong = 0;
    for (int i = 0; i < FLOORS; i++) {
        int files = 0;
        DIR *folder = opendir(floors[i][0]);
        assert_non_null(folder);
        for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
            files += has_end(e->d_name, ".c");
            if (has_end(e->d_name, ".c") || has_end(e->d_name, ".h"))
                wrong += look_at_file(i, e->d_name);
        }
        closedir(folder);
        if (files < 1 || files > MOST_FILES)
            print_error("%s holds %d files\n", floors[i][0], files);
        wrong += files < 1 || files > MOST_FILES;
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
