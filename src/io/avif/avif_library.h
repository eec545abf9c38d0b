/* SPDX-License-Identifier: MIT
 * libavif, opened when the first AVIF is read or written: with its encoders and decoders come thirty libraries, which
 * take longer to bring in than most pictures to filter. */
#ifndef IO_AVIF_LIBRARY_H
#define IO_AVIF_LIBRARY_H
#include <avif/avif.h>
#include "base/status.h"

/* The functions that are used. */
#define WEFT_AVIF(F)                                                                                                   \
    F(avifCodecName)                                                                                                   \
    F(avifResultToString)                                                                                              \
    F(avifDecoderCreate) F(avifDecoderSetIOMemory) F(avifDecoderParse) F(avifDecoderNthImage) F(avifDecoderDestroy)    \
    F(avifDecoderNthImageTiming) F(avifDecoderNthImageMaxExtent)                                                       \
        F(avifEncoderCreate) F(avifEncoderWrite) F(avifEncoderDestroy) F(avifImageCreate) F(avifImageSetProfileICC)    \
            F(avifImageSetMetadataExif) F(avifImageSetMetadataXMP) F(avifImageRGBToYUV) F(avifImageYUVToRGB)           \
                F(avifImageDestroy) F(avifRGBImageSetDefaults) F(avifRWDataFree)

struct weft_avif {
    void *library; /* of weft_library_open; NULL where it is linked with */
#define WEFT_AVIF_MEMBER(name) __typeof__(&name) name;
    WEFT_AVIF(WEFT_AVIF_MEMBER)
#undef WEFT_AVIF_MEMBER
};

/* To be closed in any case. WEFT_ERROR_UNSUPPORTED where it is not installed; `name` is the file's. */
weft_status weft_avif_open(struct weft_avif *avif, const char *name, weft_error *error);
void weft_avif_close(struct weft_avif *avif);

#endif
