/* SPDX-License-Identifier: MIT
 * The color profile, EXIF and XMP of a picture in a HEIF file. */
#include "io/heif/heif.h"
#include <string.h>
#include "base/memory.h"

enum { EXIF_OFFSET = 4 };

static weft_status read_profile(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    const size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    unsigned char *profile = size > 0 ? weft_reallocate(NULL, size, 1) : NULL;
    weft_status status = WEFT_OK;
    if (size == 0)
        return WEFT_OK;
    if (!profile)
        return weft_fail_memory(error, size, "a color profile");
    if (weft_heif_good(heif_image_handle_get_raw_color_profile(handle, profile)))
        status = weft_metadata_set_profile(metadata, profile, size, error);
    weft_free(profile);
    return status;
}

/* EXIF stands behind a number that says how far behind. */
static weft_status read_exif(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    heif_item_id item = 0;
    unsigned char *exif;
    weft_status status = WEFT_OK;
    size_t size;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &item, 1) < 1)
        return WEFT_OK;
    size = heif_image_handle_get_metadata_size(handle, item);
    if (size <= EXIF_OFFSET)
        return WEFT_OK;
    exif = weft_reallocate(NULL, size, 1);
    if (!exif)
        return weft_fail_memory(error, size, "EXIF");
    if (weft_heif_good(heif_image_handle_get_metadata(handle, item, exif))) {
        const uint32_t skip = (uint32_t)exif[0] << 24 | (uint32_t)exif[1] << 16 | (uint32_t)exif[2] << 8 | exif[3];
        if (skip < size - EXIF_OFFSET)
            status = weft_metadata_set_exif(metadata, exif + EXIF_OFFSET + skip, size - EXIF_OFFSET - skip, error);
    }
    weft_free(exif);
    return status;
}

static weft_status read_xmp(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    heif_item_id items[8];
    const int count = heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", items, 8);
    weft_status status = WEFT_OK;
    for (int i = 0; i < count && !metadata->xmp && status == WEFT_OK; i++) {
        const char *content = heif_image_handle_get_metadata_content_type(handle, items[i]);
        const size_t size = heif_image_handle_get_metadata_size(handle, items[i]);
        unsigned char *xmp;
        if (!content || strcmp(content, "application/rdf+xml") != 0 || size == 0)
            continue;
        xmp = weft_reallocate(NULL, size, 1);
        if (!xmp)
            return weft_fail_memory(error, size, "XMP");
        if (weft_heif_good(heif_image_handle_get_metadata(handle, items[i], xmp)))
            status = weft_metadata_set_xmp(metadata, xmp, size, error);
        weft_free(xmp);
    }
    return status;
}

weft_status weft_heif_read_metadata(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error) {
    weft_status status = read_profile(handle, metadata, error);
    if (status == WEFT_OK)
        status = read_exif(handle, metadata, error);
    return status == WEFT_OK ? read_xmp(handle, metadata, error) : status;
}
