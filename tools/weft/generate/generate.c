/* SPDX-License-Identifier: MIT
 * weft generate: files that packages install, made from the descriptions of filters, commands and options. */
#include "generate/generate.h"
#include <string.h>
#include "command.h"
#include "common/message.h"
#include "common/nearest.h"

static const struct {
    const char *name;
    void (*print)(void);
} products[] = {{"man", generate_manual}, {"man-filters", generate_manual_filters}, {"bash", generate_bash},
                {"zsh", generate_zsh},    {"fish", generate_fish},                  {"builders", generate_builders},
                {"effects", generate_effects}};
enum { PRODUCTS = sizeof products / sizeof *products };

int generate_command(const struct options *options) {
    const char *names[PRODUCTS + 1] = {0};
    if (options->operand_count != 1)
        return message_usage("'weft generate' takes one of man, man-filters, bash, zsh, fish, builders and effects");
    const char *word = options->operands[0];
    for (int i = 0; i < PRODUCTS; i++) {
        names[i] = products[i].name;
        if (!strcmp(word, products[i].name)) {
            products[i].print();
            return EXIT_DONE;
        }
    }
    const char *near = nearest_word(word, names);
    if (near)
        return message_usage("there is no '%s' to generate: did you mean '%s'?", word, near);
    return message_usage("there is no '%s' to generate; there are man, man-filters, bash, zsh, fish, builders and effects", word);
}
