/* SPDX-License-Identifier: MIT
 * Choosing between the processor and a GPU: what a run is estimated to take on each. */
#ifndef BACKEND_AUTO_H
#define BACKEND_AUTO_H
#include <pthread.h>
#include "backend/backend.h"

/* The work of one run of a plan. */
struct auto_work {
    double in, out;    /* bytes of the images that it reads and writes, each once */
    double operations; /* multiplications with additions, of one component each, as vector code does them */
    double steps;      /* filters: each may be a launch */
};

/* What a device does in a second. */
struct auto_rates {
    double upload, download; /* bytes to and from it; 0: images need not travel */
    double copy;             /* bytes read, and as many written */
    double operations;
    double launch; /* seconds that a launch takes by itself */
};

struct auto_estimate {
    double transfer, memory, arithmetic, launches; /* seconds */
    double all;
};

struct auto_device {
    struct weft_device_base base;
    weft_device *cpu;
    int32_t threads;
    weft_device_options options; /* to open a GPU with */
    bool possible;               /* there may be a GPU */
    pthread_mutex_t lock;        /* of what follows, which is set when the first plan needs it */
    bool tried;
    weft_device *gpu; /* NULL: none, why_not says why */
    char gpu_name[32], why_not[WEFT_WHY_SIZE / 2];
    struct auto_rates cpu_rates, gpu_rates;
};

/* auto_model.c */
void weft_auto_work_of(const struct weft_typed_graph *typed, struct auto_work *work);
struct auto_estimate weft_auto_estimate(const struct auto_work *work, const struct auto_rates *rates);
/* Says in one sentence which of two was chosen and why: by `gpu`'s rates when it is the one. */
void weft_auto_explain(const struct auto_work *work, const struct auto_estimate *cpu, const char *gpu_name,
                       const struct auto_rates *gpu_rates, const struct auto_estimate *gpu, char *text, size_t size);

/* auto_measure.c: milliseconds of work that tell a device's rates. False without memory, or when the device fails. */
bool weft_auto_measure_cpu(int32_t threads, struct auto_rates *rates);
bool weft_auto_measure_gpu(weft_device *device, struct auto_rates *rates);

/* auto_choose.c: false when the system shows no sign of a GPU; costs nothing, unlike asking drivers. */
bool weft_auto_may_have_gpu(void);
/* Chooses the CPU or the GPU, each by the forms of filters that it keeps. Opens and measures a GPU the first time that a plan is
 * worth it. */
weft_status weft_auto_choose(struct auto_device *device, const struct weft_draft *draft, struct weft_choice *choice,
                             weft_error *error);

/* auto.c: the device that chooses. Like open of struct weft_backend, but among devices that are open already, of which
 * it becomes the owner; `gpu` may be NULL. For tests. */
weft_status weft_auto_open_among(weft_device *cpu, weft_device *gpu, const char *gpu_name, weft_device **device,
                                 weft_error *error);

#endif
