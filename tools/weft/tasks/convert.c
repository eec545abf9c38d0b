/* SPDX-License-Identifier: MIT
 * weft convert: files into files of other formats, which is a run of the empty graph. */
#include "command.h"
#include "common/message.h"

int convert_command(const struct options *given) {
    struct options options = *given;
    options.graph = options.graphs[0] = "";
    options.graph_count = 1;
    if (options.output_count == 0 && options.operand_count > 0)
        options.outputs[options.output_count++] = options.operands[--options.operand_count];
    if (options.output_count > 1)
        return message_usage("'weft convert' makes one file of each, so one --output is enough");
    if (options.operand_count == 0)
        return message_usage("'weft convert' needs files and where they go, as in: "
                             "weft convert 'in/*.tif' 'out/{stem}.png'");
    return run_command(&options);
}
