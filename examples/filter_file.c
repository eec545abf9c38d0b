/* SPDX-License-Identifier: MIT
 * filter_file IN GRAPH OUT: a file through a graph into another file. */
#include <stdio.h>
#include "weft/weft.h"

int main(int argc, char **argv) {
    weft_error error = {.message = "usage: filter_file IN GRAPH OUT"};
    weft_files_input input = {.path = argc == 4 ? argv[1] : NULL};
    weft_files_output output = {.path = argc == 4 ? argv[3] : NULL};
    weft_files files = {
        .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .text = argc == 4 ? argv[2] : NULL};

    bool done = argc == 4 && weft_filter_files(&files, &error) == WEFT_OK;
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    return done ? 0 : 1;
}
