/* ida_left_out.c - in place of ida.c, where SUNDIALS was built without KLU, which the plain programs take */
#include "yardsticks.h"

#include <stdio.h>

int speed_ida(int rounds)
{
    (void)rounds;
    printf("left out: the SUNDIALS that this program was built with has no KLU (ENABLE_KLU)\n");
    return 1;
}
