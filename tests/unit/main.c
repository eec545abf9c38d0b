/* SPDX-License-Identifier: MIT
 * The program that holds the unit tests: runs the test that its name, or else its first argument, says. The build writes the
 * list. */
#include "unit_tests.inc"
#include <stdio.h>
#include <string.h>

#define CALL(test, arguments) \
    if (strcmp(name, #test) == 0) \
        return test##_main arguments;

int main(int count, char **words) {
    const char *slash = strrchr(words[0], '/');
    const char *name = slash ? slash + 1 : words[0];
    if (strcmp(name, "unit_tests") == 0 && count > 1) {
        name = words[1];
        count--;
        words++;
    }
#include "unit_tests.inc"
    fprintf(stderr, "%s: no test of this name; the folder of this program has a link for each\n", name);
    return 2;
}
