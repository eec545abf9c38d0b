/* SPDX-License-Identifier: MIT
 * What `weft generate` makes, each to standard output. */
#ifndef TOOL_GENERATE_H
#define TOOL_GENERATE_H

void generate_manual(void);
void generate_manual_filters(void);
void generate_bash(void);
void generate_zsh(void);
void generate_fish(void);
void generate_builders(void);
void generate_effects(void);

#endif
