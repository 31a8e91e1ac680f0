/* main.c - the program daelab */
#include "host/allocate.h"
#include "host/interrupt.h"
#include "cli/options.h"
#include "manual/manual.h"
#include "output/provenance.h"

#include <locale.h>
#include <signal.h>
#include <string.h>

static const char source_commit[] =
#include "commit.def"
;

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C");
    interrupt_begin();
    signal(SIGCHLD, SIG_DFL);                           /* where it is ignored, nobody hears how a child has ended */
    signal(SIGXFSZ, SIG_IGN);                           /* a file that may not grow is one that cannot be written */
    allocate_json();
    provenance_begin(argc, argv, source_commit);
    if (argc < 2 || strcmp(argv[1], "--complete") != 0)
        return cli_run_command(argc, argv);
    completion_answer(argc - 2, argv + 2);
    return 0;
}
