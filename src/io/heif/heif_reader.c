/* SPDX-License-Identifier: MIT
 * Reading HEIF files: the picture that is asked for. */
#include "io/heif/heif.h"
#include <string.h>
#include "base/memory.h"
#include "io/heif/heif_items.h"

/* Bytes a pixel that decoding was seen to take, of colors and again of alpha. */
enum { WORKING = 12, WORKING_WIDE = 20 };

enum { PAGE };
const weft_file_option weft_heif_reader_options[] = {[PAGE] = WEFT_PAGE_OPTION};

/* Takes hold of the picture that is asked for. */
static weft_status choose_page(weft_heif_reader *reader, weft_header *header, weft_error *error) {
    const int32_t page = reader->coding.values[PAGE];
    const int count = heif_context_get_number_of_top_level_images(reader->context);
    struct heif_error result;
    heif_item_id *items;
    header->pictures = count;
    header->chosen = page > 0;
    if (page > count)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: there is no page %d, it has %d picture%s",
                         reader->coding.input->name, (int)page, count, count == 1 ? "" : "s");
    if (page == 0) {
        result = heif_context_get_primary_image_handle(reader->context, &reader->handle);
        return weft_heif_good(result) ? WEFT_OK : weft_heif_failed(&reader->coding, result, error);
    }
    items = weft_allocate((size_t)count, sizeof *items);
    if (!items)
        return weft_fail_memory(error, (size_t)count * sizeof *items, "the pictures of a HEIF file");
    heif_context_get_list_of_top_level_image_IDs(reader->context, items, count);
    result = heif_context_get_image_handle(reader->context, items[page - 1], &reader->handle);
    weft_free(items);
    return weft_heif_good(result) ? WEFT_OK : weft_heif_failed(&reader->coding, result, error);
}

weft_status weft_heif_open_reader(void *state, weft_header *header, weft_error *error) {
    weft_heif_reader *reader = state;
    weft_image_info *info = &header->info;
    const unsigned char *bytes;
    struct heif_error result;
    bool alpha;
    size_t size;
    weft_status status = weft_input_load(reader->coding.input, &bytes, &size, error);
    bool sound;
    if (status == WEFT_OK)
        status = weft_heif_items_sound(bytes, size, &sound, error);
    if (status != WEFT_OK)
        return status;
    if (!sound)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: pictures in it are made of one another without an end",
                         reader->coding.input->name);
    reader->begun = weft_heif_good(heif_init(NULL));
    reader->context = reader->begun ? heif_context_alloc() : NULL;
    reader->options = reader->context ? heif_decoding_options_alloc() : NULL;
    if (!reader->options)
        return weft_fail(error, WEFT_ERROR_MEMORY, "libheif could not start");
    reader->options->strict_decoding = 1;
    if (!heif_have_decoder_for_format(heif_compression_HEVC))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this libheif reads no HEVC", reader->coding.input->name);
    result = heif_context_read_from_memory_without_copy(reader->context, bytes, size, NULL);
    if (!weft_heif_good(result))
        return weft_heif_failed(&reader->coding, result, error);
    status = choose_page(reader, header, error);
    if (status != WEFT_OK)
        return status;
    alpha = heif_image_handle_has_alpha_channel(reader->handle);
    info->width = heif_image_handle_get_width(reader->handle);
    info->height = heif_image_handle_get_height(reader->handle);
    info->format.type = heif_image_handle_get_luma_bits_per_pixel(reader->handle) > 8 ? WEFT_U16 : WEFT_U8;
    info->format.channels = alpha ? 4 : 3;
    info->alpha = !alpha                                                     ? WEFT_ALPHA_NONE
                  : heif_image_handle_is_premultiplied_alpha(reader->handle) ? WEFT_ALPHA_PREMULTIPLIED
                                                                             : WEFT_ALPHA_STRAIGHT;
    header->working = (uint64_t)info->width * (uint64_t)info->height *
                      (info->format.type == WEFT_U8 ? WORKING : WORKING_WIDE) * (alpha ? 2 : 1);
    header->whole = true;
    header->orientation = 1;
    reader->info = *info;
    return weft_heif_read_metadata(reader->handle, &header->metadata, error);
}

weft_status weft_heif_decode(void *state, void *pixels, size_t stride, weft_error *error) {
    weft_heif_reader *reader = state;
    const weft_image_info *info = &reader->info;
    const size_t samples = (size_t)info->width * (size_t)info->format.channels;
    const uint8_t *plane;
    int line = 0, bits;
    struct heif_error result =
        heif_decode_image(reader->handle, &reader->image, heif_colorspace_RGB, weft_heif_chroma(info->format), reader->options);
    if (!weft_heif_good(result))
        return weft_heif_failed(&reader->coding, result, error);
    plane = heif_image_get_plane_readonly(reader->image, heif_channel_interleaved, &line);
    bits = heif_image_get_bits_per_pixel_range(reader->image, heif_channel_interleaved);
    if (!plane || heif_image_get_width(reader->image, heif_channel_interleaved) != info->width ||
        heif_image_get_height(reader->image, heif_channel_interleaved) != info->height || bits < 8 || bits > 16 ||
        line < 0 || (size_t)line < weft_row_size(info))
        return weft_input_fail(reader->coding.input, error, "its picture is not of the size that it claims");
    for (int64_t y = 0; y < info->height; y++) {
        const uint8_t *from = plane + (size_t)y * (size_t)line;
        uint8_t *to = (uint8_t *)pixels + (size_t)y * stride;
        if (info->format.type == WEFT_U8)
            memcpy(to, from, samples);
        else
            weft_heif_rescale(from, to, samples, (UINT32_C(1) << bits) - 1, UINT16_MAX);
    }
    return WEFT_OK;
}

void weft_heif_close_reader(void *state) {
    weft_heif_reader *reader = state;
    heif_image_release(reader->image);
    heif_decoding_options_free(reader->options);
    heif_image_handle_release(reader->handle);
    if (reader->context)
        heif_context_free(reader->context);
    if (reader->begun)
        heif_deinit();
}
