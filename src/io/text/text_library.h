/* SPDX-License-Identifier: MIT
 * FreeType, which draws glyphs, HarfBuzz, which finds them and where they go, and fontconfig, which finds fonts by the names of
 * their families. They are opened when the first text is drawn: programs that draw none start without them. */
#ifndef IO_TEXT_LIBRARY_H
#define IO_TEXT_LIBRARY_H
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_GLYPH_H
#include FT_STROKER_H
#include <hb-ft.h>
#include <hb.h>
#include "base/status.h"
#ifdef WEFT_HAVE_FONTCONFIG
#include <fontconfig/fontconfig.h>
#endif

/* The functions that are used, by library. */
#define WEFT_FREETYPE(F)                                                                                               \
    F(FT_Init_FreeType)                                                                                                \
    F(FT_Done_FreeType) F(FT_New_Face) F(FT_Done_Face) F(FT_Set_Pixel_Sizes) F(FT_Load_Glyph) F(FT_Get_Glyph)          \
        F(FT_Done_Glyph) F(FT_Glyph_Get_CBox) F(FT_Glyph_To_Bitmap) F(FT_Glyph_StrokeBorder) F(FT_Stroker_New)         \
            F(FT_Stroker_Set) F(FT_Stroker_Done)
#define WEFT_HARFBUZZ(F)                                                                                               \
    F(hb_buffer_create)                                                                                                \
    F(hb_buffer_destroy) F(hb_buffer_add_utf8) F(hb_buffer_guess_segment_properties) F(hb_buffer_get_glyph_infos)      \
        F(hb_buffer_get_glyph_positions) F(hb_buffer_allocation_successful) F(hb_shape)                                \
            F(hb_ft_font_create_referenced) F(hb_ft_font_set_load_flags) F(hb_font_destroy)
#ifdef WEFT_HAVE_FONTCONFIG
#define WEFT_FONTCONFIG(F)                                                                                                         \
    F(FcInitLoadConfigAndFonts)                                                                                                    \
    F(FcConfigDestroy)                                                                                                             \
    F(FcNameParse) F(FcConfigSubstitute) F(FcDefaultSubstitute) F(FcFontMatch) F(FcPatternGetString) F(FcPatternGetInteger)        \
        F(FcPatternDestroy) F(FcStrCmpIgnoreCase)
#else
#define WEFT_FONTCONFIG(F)
#endif

struct weft_text_library {
    void *freetype, *harfbuzz, *fontconfig; /* of weft_library_open; the last may be NULL */
#define WEFT_TEXT_MEMBER(name) __typeof__(&name) name;
    WEFT_FREETYPE(WEFT_TEXT_MEMBER) WEFT_HARFBUZZ(WEFT_TEXT_MEMBER) WEFT_FONTCONFIG(WEFT_TEXT_MEMBER)
#undef WEFT_TEXT_MEMBER
};

/* To be closed in any case. WEFT_ERROR_UNSUPPORTED where FreeType or HarfBuzz is not installed. */
weft_status weft_text_library_open(struct weft_text_library *library, weft_error *error);
void weft_text_library_close(struct weft_text_library *library);

#endif
