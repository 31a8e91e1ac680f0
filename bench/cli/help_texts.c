#include "cli/options.h"

#include <stddef.h>
#include <string.h>

static const cli_example examples[] = {
    {"list", "daelab list", "all problems, formulations and methods"},
    {"list", "daelab list methods --format csv", "the methods as a table for other programs"},
    {"info", "daelab info pendulum", "equations, parameters, units and start of a problem"},
    {"info", "daelab info cros", "the orders that a method declares"},
    {"new", "daelab new bead", "bead.c, a mechanical problem with a constraint"},
    {"new", "daelab new hoop --words", "hoop.yaml, a mechanical problem in words"},
    {"new", "daelab new trapeze --method", "trapeze.c, a method"},
    {"check", "daelab check slider_crank", "do forces, constraints and derivatives agree?"},
    {"check", "daelab check ./bead.c", "the same of a file"},
    {"derive", "daelab derive ./hoop.yaml --output hoop.c", "the problem file in C"},
    {"derive", "daelab derive ./hoop.yaml --latex", "the equations of motion"},
    {"solve", "daelab solve pendulum --form index2 --method radau --rtol 1e-8", "the motion, at ten times"},
    {"solve", "daelab solve string_pendulum --plot string.svg", "a problem with events, and its picture"},
    {"solve", "daelab solve pendulum --param L=2 --t-end 5 --estimate",
     "another rope, a longer time, and how wrong it is"},
    {"solve", "daelab solve pendulum --param L=4.8 --samples 40 --output swing.csv", "as data of a fit"},
    {"fit", "daelab fit pendulum --data swing.csv --use x,y --fit L,g0", "length and gravity, by positions"},
    {"fit", "daelab fit pendulum --data swing.csv --use y --sd y=0.01 --fit L,start:vx",
     "length and a push, by heights of a known accuracy"},
    {"converge", "daelab converge pendulum --form all --method cros --step 0.005 --levels 5",
     "the tension of raw index 3 converges to a wrong value"},
    {"converge", "daelab converge pendulum --form index1 --method rk4,rodas4",
     "observed orders beside the declared ones"},
    {"converge", "daelab converge pendulum --method cros --format json --output converge.json",
     "all of the result, for report"},
    {"drift", "daelab drift pendulum --form index1 --method cros,ida --rtol 1e-5",
     "how far each leaves the constraint"},
    {"drift", "daelab drift kepler --method dopri5 --project none --project invariant",
     "with and without a projection"},
    {"bench", "daelab bench pendulum --method radau,ida --at 1e-6 --baseline ida",
     "how much faster to an error of 1e-6?"},
    {"bench", "daelab bench robertson,hires --digits", "correct digits in one table"},
    {"scale", "daelab scale chain --vary N=10,20,40 --method dop853 --t-end 0.1", "cost against the number of links"},
    {"converge", "daelab converge pendulum,kepler --method rk4 --t-end 1 --save rk4.yaml",
     "of two problems; and the file that says so"},
    {"study", "daelab study rk4.yaml", "all that the file says"},
    {"study", "daelab study rk4.yaml --part converge --format md", "one part of it, for GitHub"},
    {"animate", "daelab animate double_pendulum --output double.png", "the motion as a photograph"},
    {"export", "daelab export converge.json --table orders --format md", "the observed orders, for GitHub"},
    {"export", "daelab export converge.json --output tables/", "all of its tables as CSV, and the page"},
    {"compare", "daelab compare converge.json tables/", "the same result twice: nothing has changed"},
    {"report", "daelab report converge.json --output report.html", "a page with figures, in one file"},
    {"report", "daelab report converge.json --output report.md", "its words and tables for GitHub"},
    {"help", "daelab help", "the commands and the topics"},
    {"help", "daelab help orders", "a page"},
    {"help", "daelab help converge", "the options of a command"},
    {"version", "daelab version", "this program, and what it was built with"},
};

const cli_example *example_at(const char *command, int i)
{
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        if ((!command || strcmp(examples[k].command, command) == 0) && i-- == 0)
            return &examples[k];
    return NULL;
}

static const cli_topic topics[] = {
#include "topics.def"
};

const cli_topic *topic_at(int i)
{
    return (size_t)i < sizeof topics / sizeof *topics ? &topics[i] : NULL;
}

const cli_topic *topic_find(const char *name)
{
    for (int i = 0; topic_at(i); i++)
        if (strcmp(topic_at(i)->name, name) == 0)
            return topic_at(i);
    return NULL;
}
