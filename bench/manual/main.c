/* main.c - daelab-manual DATE TEXTS FOLDER: manual pages and completion, written into FOLDER of the tables of commands,
 * options and names; TEXTS holds what of a shell's completion does not depend on them */
#include "cli/complaint.h"
#include "manual/completion.h"
#include "manual/pages.h"

int main(int argc, char **argv)
{
    if (argc != 4)
        return cli_error(EXIT_USAGE, "usage: daelab-manual DATE TEXTS FOLDER");
    const int status = pages_write(argv[3], argv[1]);
    return status ? status : completion_write(argv[2], argv[3]);
}
