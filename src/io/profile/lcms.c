/* SPDX-License-Identifier: MIT
 * Colors from profile to profile by Little CMS: relative colorimetric, with black as black. */
#include <lcms2.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "io/profile/profile.h"
#include "io/stream.h"

struct weft_profile_change {
    cmsContext context; /* of its own, which prints nothing */
    cmsHPROFILE from, to;
    cmsHTRANSFORM transform;
    void *row, *target; /* the file's bytes of the profile that is wanted */
};

static cmsHPROFILE make_standard(cmsContext context, int colors) {
    static const cmsFloat64Number curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *encoded;
    cmsHPROFILE profile = NULL;
    if (colors != 1)
        return cmsCreate_sRGBProfileTHR(context);
    encoded = cmsBuildParametricToneCurve(context, 4, curve);
    if (encoded)
        profile = cmsCreateGrayProfileTHR(context, cmsD50_xyY(), encoded);
    cmsFreeToneCurve(encoded);
    return profile;
}

/* The colors of a pixel as Little CMS writes them: their number, the bytes of each, what is left alone behind them. */
static cmsUInt32Number describe(const weft_image_info *info, int colors) {
    const int size = (int)weft_type_size(info->format.type);
    return COLORSPACE_SH(colors == 1 ? PT_GRAY : PT_RGB) | CHANNELS_SH(colors) | BYTES_SH(size == 8 ? 0 : size) |
           EXTRA_SH(info->format.channels - colors) |
           FLOAT_SH(info->format.type != WEFT_U8 && info->format.type != WEFT_U16);
}

static weft_status read_target(weft_profile_change *change, const char *path, weft_metadata *metadata,
                               weft_error *error) {
    weft_input input = {.descriptor = -1};
    const unsigned char *bytes;
    size_t size = 0;
    weft_status status = weft_input_open(&input, path, error);
    if (status == WEFT_OK)
        status = weft_input_load(&input, &bytes, &size, error);
    if (status == WEFT_OK && size > 0 && size <= INT32_MAX) {
        change->target = weft_reallocate(NULL, size, 1);
        if (change->target)
            memcpy(change->target, bytes, size);
        else
            status = weft_fail_memory(error, size, "a color profile");
    }
    weft_input_close(&input);
    if (change->target)
        change->to = cmsOpenProfileFromMemTHR(change->context, change->target, (cmsUInt32Number)size);
    if (status == WEFT_OK && !change->to)
        return weft_fail(error, WEFT_ERROR_FILE, "%.200s: not an ICC profile", path);
    metadata->profile = change->target;
    metadata->profile_size = size;
    return status;
}

static weft_status open_change(weft_profile_change *change, const char *wanted, const char *name,
                               const weft_image_info *info, weft_metadata *metadata, weft_error *error) {
    const int colors = info->format.channels < 3 ? 1 : 3;
    const bool standard = strcmp(wanted, "srgb") == 0;
    const cmsUInt32Number form = describe(info, colors);
    const void *given = metadata->profile;
    const size_t size = metadata->profile_size;
    weft_status status = WEFT_OK;
    change->context = cmsCreateContext(NULL, NULL);
    change->row = weft_reallocate(NULL, (size_t)info->width, weft_format_size(info->format));
    if (!change->context || !change->row)
        return weft_fail_memory(error, (size_t)info->width * weft_format_size(info->format), "a row");
    change->from = given ? cmsOpenProfileFromMemTHR(change->context, given, (cmsUInt32Number)size)
                         : make_standard(change->context, colors);
    if (!change->from)
        return weft_fail(error, WEFT_ERROR_FILE,
                         "%s: the color profile of the input is damaged: remove color_profile", name);
    metadata->profile = NULL;
    metadata->profile_size = 0;
    if (standard)
        change->to = make_standard(change->context, colors);
    else
        status = read_target(change, wanted, metadata, error);
    if (status != WEFT_OK)
        return status;
    if (change->to && cmsGetColorSpace(change->to) != (colors == 1 ? cmsSigGrayData : cmsSigRgbData))
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: color_profile=%.60s is not of %s, as the picture is", name,
                         wanted, colors == 1 ? "grey" : "RGB");
    change->transform =
        cmsCreateTransformTHR(change->context, change->from, form, change->to, form, INTENT_RELATIVE_COLORIMETRIC,
                              cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA);
    return change->transform ? WEFT_OK
                             : weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                                         "%s: Little CMS cannot bring the input's color profile to color_profile=%.60s",
                                         name, wanted);
}

weft_status weft_profile_open(const char *wanted, const char *name, const weft_image_info *info,
                              weft_metadata *metadata, weft_profile_change **change, weft_error *error) {
    weft_status status;
    *change = NULL;
    if (strcmp(wanted, "srgb") == 0 && !metadata->profile)
        return WEFT_OK;
    if (info->space == WEFT_SPACE_LINEAR || info->alpha == WEFT_ALPHA_PREMULTIPLIED)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "%s: the file is linear, which color_profile does not convert: remove it", name);
    *change = weft_allocate(1, sizeof **change);
    if (!*change)
        return weft_fail_memory(error, sizeof **change, "a color profile");
    status = open_change(*change, wanted, name, info, metadata, error);
    if (status != WEFT_OK)
        weft_profile_close(change);
    return status;
}

const void *weft_profile_row(weft_profile_change *change, const void *row, int64_t width) {
    enum { PART = 1 << 20 };
    const size_t from = cmsGetTransformInputFormat(change->transform), pixel = T_BYTES(from) ? T_BYTES(from) : 8;
    const size_t step = pixel * (T_CHANNELS(from) + T_EXTRA(from));
    for (int64_t x = 0; x < width; x += PART) {
        const int64_t count = width - x < PART ? width - x : PART;
        cmsDoTransform(change->transform, (const unsigned char *)row + (size_t)x * step,
                       (unsigned char *)change->row + (size_t)x * step, (cmsUInt32Number)count);
    }
    return change->row;
}

void weft_profile_close(weft_profile_change **change) {
    weft_profile_change *c = *change;
    if (!c)
        return;
    if (c->transform)
        cmsDeleteTransform(c->transform);
    if (c->from)
        cmsCloseProfile(c->from);
    if (c->to)
        cmsCloseProfile(c->to);
    if (c->context)
        cmsDeleteContext(c->context);
    weft_free(c->row);
    weft_free(c->target);
    weft_free(c);
    *change = NULL;
}
