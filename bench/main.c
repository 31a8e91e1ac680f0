/* main.c - the program daelab */
#include "host/interrupt.h"
#include "cli/options.h"

#include <locale.h>

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C");
    interrupt_begin();
    return cli_run_command(argc, argv);
}
