/* main.c - daelab-manual DATE FOLDER: manual pages, written into FOLDER of the tables of commands, options and names */
#include "cli/options.h"
#include "manual/manual.h"

int main(int argc, char **argv)
{
    return argc == 3 ? pages_write(argv[2], argv[1]) : cli_error(EXIT_USAGE, "usage: daelab-manual DATE FOLDER");
}
