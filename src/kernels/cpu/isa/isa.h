/* SPDX-License-Identifier: MIT
 * Files under src/kernels/cpu/ are compiled once per instruction set, with ISA defined: KERNEL(add) is add_v3 there. */
#ifndef KERNELS_ISA_H
#define KERNELS_ISA_H
#define ISA_CAT_(a, b) a##_##b
#define ISA_EXPAND(a, b) ISA_CAT_(a, b)
#define KERNEL(name) ISA_EXPAND(name, ISA)
#endif
