/* SPDX-License-Identifier: MIT */
#include "backend/gpu/device/kernel_cache.h"
#include <string.h>

static uint32_t slot_of(int32_t code, const int32_t *values) {
    uint64_t hash = 0xcbf29ce484222325u ^ (uint32_t)code;
    for (int i = 0; i < SPECIALS; i++)
        hash = (hash ^ (uint32_t)values[i]) * 0x100000001b3u;
    return (uint32_t)(hash >> 32) % GPU_KERNEL_SLOTS;
}

/* Takes a kernel without users from those that are kept. */
static void unkeep(struct gpu_kernel_cache *cache, struct gpu_made *made) {
    *(made->older ? &made->older->newer : &cache->oldest) = made->newer;
    *(made->newer ? &made->newer->older : &cache->newest) = made->older;
    made->older = made->newer = NULL;
    cache->kept--;
}

static void keep(struct gpu_kernel_cache *cache, struct gpu_made *made) {
    made->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = made;
    cache->newest = made;
    cache->kept++;
}

struct gpu_made *weft_gpu_cache_use(struct gpu_kernel_cache *cache, int32_t code, const int32_t *values) {
    for (struct gpu_made *each = cache->slots[slot_of(code, values)]; each; each = each->next)
        if (each->code == code && memcmp(each->values, values, sizeof each->values) == 0) {
            if (each->users++ == 0)
                unkeep(cache, each);
            return each;
        }
    return NULL;
}

void weft_gpu_cache_add(struct gpu_kernel_cache *cache, struct gpu_made *made) {
    struct gpu_made **slot = &cache->slots[slot_of(made->code, made->values)];
    made->next = *slot;
    *slot = made;
    cache->count++;
}

static void take_from_slot(struct gpu_kernel_cache *cache, struct gpu_made *made) {
    struct gpu_made **at = &cache->slots[slot_of(made->code, made->values)];
    while (*at != made)
        at = &(*at)->next;
    *at = made->next;
    cache->count--;
}

struct gpu_made *weft_gpu_cache_release(struct gpu_kernel_cache *cache, struct gpu_made *made) {
    if (--made->users > 0)
        return NULL;
    keep(cache, made);
    struct gpu_made *dropped = cache->kept > GPU_KERNELS_KEPT ? cache->oldest : NULL;
    if (dropped) {
        take_from_slot(cache, dropped);
        unkeep(cache, dropped);
    }
    return dropped;
}

struct gpu_made *weft_gpu_cache_take(struct gpu_kernel_cache *cache) {
    for (int i = 0; i < GPU_KERNEL_SLOTS; i++)
        if (cache->slots[i]) {
            struct gpu_made *made = cache->slots[i];
            take_from_slot(cache, made);
            return made;
        }
    return NULL;
}
