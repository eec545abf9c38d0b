/* SPDX-License-Identifier: MIT */
#include "backend/cpu/device/isa.h"
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

#define NAME_v2 "x86-64-v2"
#define NAME_v3 "x86-64-v3"
#define NAME_v4 "x86-64-v4"
#define NAME_neon "neon"
#define NAME_plain "plain"

/* A build may leave levels out. */
#ifdef __x86_64__
#define MAY_BE_LEFT_OUT __attribute__((unused))
MAY_BE_LEFT_OUT static bool runs_v2(void) { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"); }
MAY_BE_LEFT_OUT static bool runs_v3(void) {
    return runs_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
MAY_BE_LEFT_OUT static bool runs_v4(void) {
    return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#elif defined(__aarch64__) /* where NEON is part of the architecture */
static bool runs_neon(void) { return true; }
#else
static bool runs_plain(void) { return true; }
#endif

/* WEFT_ISAS comes from the build: ISA(v2) ISA(v3) ISA(v4), the better ones last. */
#define ISA(name)                                                                                                      \
    void weft_fill_kernels_##name(struct weft_kernels *kernels);                                                       \
    extern const struct weft_body *const weft_bodies_##name[];
WEFT_ISAS
#undef ISA

static const struct weft_isa isas[] = {
#define ISA(name) {NAME_##name, runs_##name, weft_fill_kernels_##name, weft_bodies_##name},
    WEFT_ISAS
#undef ISA
};

weft_status weft_isa_choose(const struct weft_isa **isa, weft_error *error) {
    const char *mask = getenv("WEFT_CPU_ISA");
    const int count = (int)(sizeof isas / sizeof *isas);
    *isa = NULL;
    if (mask && *mask) {
        char list[128] = "";
        for (int i = 0; i < count; i++) {
            if (strcmp(mask, isas[i].name) == 0) {
                if (!isas[i].runs())
                    return weft_fail(error, WEFT_ERROR_DEVICE, "this processor does not run %s, which WEFT_CPU_ISA asks for",
                                     mask);
                *isa = &isas[i];
                return WEFT_OK;
            }
            if (i)
                strncat(list, ", ", sizeof list - strlen(list) - 1);
            strncat(list, isas[i].name, sizeof list - strlen(list) - 1);
        }
        return weft_fail(error, WEFT_ERROR_DEVICE, "WEFT_CPU_ISA is '%.32s'; this build has %s", mask, list);
    }
    for (int i = 0; i < count; i++)
        if (isas[i].runs())
            *isa = &isas[i];
    return *isa ? WEFT_OK
                : weft_fail(error, WEFT_ERROR_DEVICE, "this processor runs none of the instruction sets of this build; the "
                                                      "least is %s",
                            isas[0].name);
}
