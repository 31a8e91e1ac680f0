/* main.c - of a program whose tests stand in one file that has no main() */
#include "testing.h"

int main(void) { return run_tests_of(NULL, NULL, NULL, NULL); }
