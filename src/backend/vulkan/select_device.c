/* SPDX-License-Identifier: MIT
 * Which of the Vulkan devices a name means: none in particular, one by its number, or one by words of its own name. */
#include <stdio.h>
#include <string.h>
#include "backend/vulkan/vulkan.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

static int rank(const struct vulkan_physical *physical) {
    switch (physical->properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 0;
    default:
        return 1;
    }
}

static bool contains(const char *text, const char *words) {
    size_t length = strlen(words);
    for (; strlen(text) >= length; text++)
        if (weft_text_is(text, length, words))
            return true;
    return false;
}

/* The one that would be taken without a selector: usable before not, then by rank, then the first. */
static int32_t best(const struct vulkan_physical *all, int32_t count) {
    int32_t chosen = 0;
    for (int32_t i = 1; i < count; i++) {
        bool better = !all[i].problem[0] && all[chosen].problem[0];
        bool as_good = !all[i].problem[0] == !all[chosen].problem[0];
        if (better || (as_good && rank(&all[i]) > rank(&all[chosen])))
            chosen = i;
    }
    return chosen;
}

static weft_status by_number(const char *selector, int32_t count, int32_t *chosen, weft_error *error) {
    int32_t number = 0;
    for (const char *digit = selector; *digit; digit++)
        number = number < 100000 ? number * 10 + (*digit - '0') : number;
    *chosen = number;
    if (number < count)
        return WEFT_OK;
    if (count == 1)
        return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device vulkan:%.16s; the only one is vulkan:0",
                         selector);
    return weft_fail(error, WEFT_ERROR_DEVICE, "there is no device vulkan:%.16s; there are vulkan:0 to vulkan:%d",
                     selector, (int)count - 1);
}

static weft_status by_words(const char *selector, const struct vulkan_physical *all, int32_t count, int32_t *chosen,
                            weft_error *error) {
    char quote[WEFT_QUOTE_SIZE], list[256] = "";
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++)
        if (contains(all[i].properties.deviceName, selector)) {
            *chosen = i;
            found++;
        }
    if (found == 1)
        return WEFT_OK;
    for (int32_t i = 0; i < count; i++) {
        size_t length = strlen(list);
        if (!found || contains(all[i].properties.deviceName, selector))
            snprintf(list + length, sizeof list - length, "%svulkan:%d '%.64s'", length ? ", " : "", (int)i,
                     all[i].properties.deviceName);
    }
    weft_text_quote(quote, selector, strlen(selector));
    if (found)
        return weft_fail(error, WEFT_ERROR_DEVICE, "'%s' is in the names of several Vulkan devices: %s", quote, list);
    return weft_fail(error, WEFT_ERROR_DEVICE, "'%s' is in no Vulkan device's name; there is %s", quote, list);
}

weft_status weft_vulkan_choose(const struct vulkan_instance *instance, const char *selector,
                               struct vulkan_physical *physical, weft_error *error) {
    VkPhysicalDevice *handles;
    uint32_t count;
    weft_status status = weft_vulkan_instance_list(instance, &handles, &count, error);
    if (status != WEFT_OK)
        return status;
    int32_t chosen = 0;
    struct vulkan_physical *all = weft_allocate(count, sizeof *all);
    if (!all)
        status = weft_fail_memory(error, count * sizeof *all, "the list of Vulkan devices");
    for (uint32_t i = 0; all && i < count; i++)
        weft_vulkan_examine(instance, handles[i], &all[i]);
    weft_free(handles);
    if (status == WEFT_OK && !selector)
        chosen = best(all, (int32_t)count);
    else if (status == WEFT_OK && !selector[0])
        status = weft_fail(error, WEFT_ERROR_DEVICE, "'vulkan:' needs a number or a part of a device's name after it");
    else if (status == WEFT_OK && strspn(selector, "0123456789") == strlen(selector))
        status = by_number(selector, (int32_t)count, &chosen, error);
    else if (status == WEFT_OK)
        status = by_words(selector, all, (int32_t)count, &chosen, error);
    if (status == WEFT_OK) {
        *physical = all[chosen];
        if (physical->problem[0])
            status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s", physical->problem);
    }
    weft_free(all);
    return status;
}
