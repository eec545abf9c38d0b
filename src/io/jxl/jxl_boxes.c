/* SPDX-License-Identifier: MIT
 * EXIF and XMP of a JPEG XL file, which lie in boxes around the picture. */
#include "io/jxl/jxl.h"
#include <string.h>
#include "base/memory.h"

enum { FIRST_EXIF = 1 << 16, LARGEST_EXIF = 16 << 20 };

/* What a box holds, at most LARGEST_EXIF bytes of it, since it may be compressed; *contents is the caller's to free. */
static weft_status read_box(JxlDecoder *decoder, unsigned char **contents, size_t *size, JxlDecoderStatus *code,
                            weft_error *error) {
    size_t room = 0;
    *contents = NULL;
    do {
        const size_t more = room ? 2 * room : FIRST_EXIF;
        unsigned char *grown = weft_reallocate(*contents, more, 1);
        if (!grown)
            return weft_fail_memory(error, more, "EXIF");
        *contents = grown;
        *code = JxlDecoderSetBoxBuffer(decoder, grown + room, more - room);
        if (*code == JXL_DEC_SUCCESS)
            *code = JxlDecoderProcessInput(decoder);
        *size = more - JxlDecoderReleaseBoxBuffer(decoder);
        room = more;
    } while (*code == JXL_DEC_BOX_NEED_MORE_OUTPUT && room < LARGEST_EXIF);
    return WEFT_OK;
}

/* A number before EXIF says how far behind itself it begins. */
static weft_status set_exif(weft_metadata *metadata, const unsigned char *box, size_t size, weft_error *error) {
    const uint32_t skip = size > JXL_EXIF_OFFSET
                              ? (uint32_t)box[0] << 24 | (uint32_t)box[1] << 16 | (uint32_t)box[2] << 8 | box[3]
                              : UINT32_MAX;
    if (size <= JXL_EXIF_OFFSET || skip >= size - JXL_EXIF_OFFSET)
        return WEFT_OK;
    return weft_metadata_set_exif(metadata, box + JXL_EXIF_OFFSET + skip, size - JXL_EXIF_OFFSET - skip, error);
}

/* Takes the box at hand if it is the first of EXIF or XMP, and goes on to the next. */
static weft_status take_box(JxlDecoder *decoder, JxlDecoderStatus *code, weft_metadata *metadata, weft_error *error) {
    JxlBoxType type;
    unsigned char *box = NULL;
    size_t size = 0;
    weft_status status;
    const bool typed = JxlDecoderGetBoxType(decoder, type, JXL_TRUE) == JXL_DEC_SUCCESS;
    const bool exif = typed && memcmp(type, JXL_EXIF_BOX, 4) == 0 && !metadata->exif;
    const bool xmp = typed && memcmp(type, JXL_XMP_BOX, 4) == 0 && !metadata->xmp;
    if (!exif && !xmp) {
        *code = JxlDecoderProcessInput(decoder);
        return WEFT_OK;
    }
    status = read_box(decoder, &box, &size, code, error);
    if (status == WEFT_OK && (*code == JXL_DEC_BOX || *code == JXL_DEC_SUCCESS))
        status = exif ? set_exif(metadata, box, size, error) : weft_metadata_set_xmp(metadata, box, size, error);
    weft_free(box);
    return status;
}

/* Boxes may follow the picture, so a decoder of its own looks for them. Where they are damaged there are none: what the
 * picture's decoder says is of more use. */
weft_status weft_jxl_read_boxes(const unsigned char *bytes, size_t size, weft_metadata *metadata, weft_error *error) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    JxlDecoderStatus code = JXL_DEC_ERROR;
    weft_status status = WEFT_OK;
    if (!decoder)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libjxl could not start");
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) == JXL_DEC_SUCCESS &&
        JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, size) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        code = JxlDecoderProcessInput(decoder);
    }
    while (code == JXL_DEC_BOX && status == WEFT_OK)
        status = take_box(decoder, &code, metadata, error);
    JxlDecoderDestroy(decoder);
    return status;
}
