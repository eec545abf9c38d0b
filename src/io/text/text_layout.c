/* SPDX-License-Identifier: MIT
 * Text as glyphs at their places. A line is one run of HarfBuzz, in one font and direction. */
#include "io/text/text_layout.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

enum { FLAGS = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP, NAME = 512 };

static bool is_file(const char *font) {
    static const char *const endings[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb"};
    const size_t length = strlen(font);
    bool file = strchr(font, '/') != NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && length > 4; i++)
        file = file || weft_text_is(font + length - 4, 4, endings[i]);
    return file;
}

#ifdef WEFT_HAVE_FONTCONFIG
/* The place of a family among those of a pattern from `first` on, -1 where it is not there. */
static int place_of(const struct weft_text_library *library, FcPattern *pattern, int first, const FcChar8 *family) {
    FcChar8 *other;
    for (int i = first; library->FcPatternGetString(pattern, FC_FAMILY, i, &other) == FcResultMatch; i++)
        if (library->FcStrCmpIgnoreCase(other, family) == 0)
            return i;
    return -1;
}

/* Whether the pattern, before anything is put in for it, asks for no family at all or for a kind of fonts. */
static bool asks_for_any(const struct weft_text_library *library, FcPattern *asked) {
    static const char *const kinds[] = {"sans",    "sans-serif", "sans serif", "serif", "mono", "monospace",
                                        "cursive", "fantasy",    "system-ui",  "emoji", "math"};
    FcChar8 *name;
    if (library->FcPatternGetString(asked, FC_FAMILY, 0, &name) != FcResultMatch)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (library->FcStrCmpIgnoreCase(name, (const FcChar8 *)kinds[i]) == 0)
            return true;
    return false;
}

/* Whether the font that was found is of a family that stands for the one asked for, which is the first of `wanted`: it
 * itself, or one that the configuration puts before those that it tries for a name that no font has, as Liberation Sans for
 * Arial. */
static bool is_meant(const struct weft_text_library *library, FcConfig *config, FcPattern *wanted, FcPattern *best) {
    FcPattern *any = library->FcNameParse((const FcChar8 *)"no font has this name");
    bool meant = !any || !library->FcConfigSubstitute(config, any, FcMatchPattern);
    FcChar8 *family;
    for (int i = 0; !meant && library->FcPatternGetString(best, FC_FAMILY, i, &family) == FcResultMatch; i++) {
        const int place = place_of(library, wanted, 0, family), other = place_of(library, any, 1, family);
        meant = place == 0 || (place > 0 && (other < 0 || place < other));
    }
    if (any)
        library->FcPatternDestroy(any);
    return meant;
}
#endif

/* The file of the font that comes nearest to the name of a family, in which "DejaVu Sans:bold" has a style, too. */
static weft_status find_family(const struct weft_text_lines *lines, const char *family, char *file, FT_Long *place,
                               weft_error *error) {
    char other[96] = "another";
    bool found = false, unknown = false;
#ifdef WEFT_HAVE_FONTCONFIG
    const struct weft_text_library *library = &lines->library;
    /* A configuration of our own: nothing stays behind in the program's. */
    FcConfig *config = library->fontconfig ? library->FcInitLoadConfigAndFonts() : NULL;
    FcPattern *wanted = config ? library->FcNameParse((const FcChar8 *)family) : NULL, *best = NULL;
    FcResult result;
    FcChar8 *name;
    int index = 0;
    const bool any = wanted && asks_for_any(library, wanted);
    if (wanted && library->FcConfigSubstitute(config, wanted, FcMatchPattern)) {
        library->FcDefaultSubstitute(wanted);
        best = library->FcFontMatch(config, wanted, &result);
    }
    if (best && !any && !is_meant(library, config, wanted, best)) {
        unknown = true;
        if (library->FcPatternGetString(best, FC_FAMILY, 0, &name) == FcResultMatch)
            snprintf(other, sizeof other, "%.80s", (const char *)name);
    } else if (best && library->FcPatternGetString(best, FC_FILE, 0, &name) == FcResultMatch &&
        strlen((const char *)name) < NAME) {
        memcpy(file, name, strlen((const char *)name) + 1);
        found = true;
        if (library->FcPatternGetInteger(best, FC_INDEX, 0, &index) == FcResultMatch)
            *place = index;
    }
    if (best)
        library->FcPatternDestroy(best);
    if (wanted)
        library->FcPatternDestroy(wanted);
    if (config)
        library->FcConfigDestroy(config);
#else
    (void)lines, (void)file, (void)place;
#endif
    if (unknown)
        return weft_fail(error, WEFT_ERROR_PARAMETER,
                         "there is no font '%.80s', only '%s' in its place: 'fc-list : family' lists the fonts, and font=sans, "
                         "serif and monospace are always there",
                         family, other);
    return found ? WEFT_OK
                 : weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                             "no font of the family '%s' can be found: name the file of one, as in font=/fonts/a.ttf, "
                             "or install fontconfig and fonts",
                             family);
}

weft_status weft_text_open_font(struct weft_text_lines *lines, const char *font, size_t length, int32_t size,
                                int32_t outline, weft_error *error) {
    struct weft_text_library *library = &lines->library;
    char name[NAME], file[NAME];
    FT_Long place = 0;
    weft_status status = weft_text_library_open(library, error);
    if (status == WEFT_OK && length >= sizeof name)
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "the name of a font has %zu bytes", length);
    if (status != WEFT_OK)
        return status;
    memcpy(name, font ? font : "sans-serif", font ? length : sizeof "sans-serif");
    if (font)
        name[length] = 0;
    memcpy(file, name, strlen(name) + 1);
    if (!is_file(name))
        status = find_family(lines, name, file, &place, error);
    if (status != WEFT_OK)
        return status;
    if (library->FT_Init_FreeType(&lines->freetype) != 0)
        return weft_fail(error, WEFT_ERROR_MEMORY, "FreeType could not start");
    if (library->FT_New_Face(lines->freetype, file, place, &lines->face) != 0)
        return weft_fail(error, WEFT_ERROR_FILE, "'%s' cannot be read as a font", file);
    if (!(lines->face->face_flags & FT_FACE_FLAG_SCALABLE) ||
        library->FT_Set_Pixel_Sizes(lines->face, 0, (FT_UInt)size) != 0)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "the font '%s' has no outlines", file);
    if (outline > 0) {
        if (library->FT_Stroker_New(lines->freetype, &lines->stroker) != 0)
            return weft_fail(error, WEFT_ERROR_MEMORY, "FreeType could not start");
        library->FT_Stroker_Set(lines->stroker, outline * 64L, FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0);
    }
    return WEFT_OK;
}

/* The glyphs of a line, the first of which begins at 0; *width is where the next one would. */
static weft_status add_line(struct weft_text_lines *lines, hb_font_t *font, const char *text, size_t length, FT_Pos y,
                            FT_Pos *width, weft_error *error) {
    const struct weft_text_library *library = &lines->library;
    hb_buffer_t *buffer = library->hb_buffer_create();
    unsigned count = 0, places = 0;
    library->hb_buffer_add_utf8(buffer, text, (int)length, 0, (int)length); /* what is no UTF-8 becomes U+FFFD */
    library->hb_buffer_guess_segment_properties(buffer);
    library->hb_shape(font, buffer, NULL, 0);
    const hb_glyph_info_t *infos = library->hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *positions = library->hb_buffer_get_glyph_positions(buffer, &places);
    weft_status status = library->hb_buffer_allocation_successful(buffer)
                             ? WEFT_OK
                             : weft_fail(error, WEFT_ERROR_MEMORY, "not enough memory for text");
    if (status == WEFT_OK && lines->count + count > lines->room) {
        const size_t room = 2 * (lines->count + count);
        struct weft_text_glyph *grown = weft_reallocate(lines->glyphs, room, sizeof *grown);
        if (!grown)
            status = weft_fail_memory(error, room * sizeof *grown, "text");
        lines->glyphs = grown ? grown : lines->glyphs;
        lines->room = grown ? room : lines->room;
    }
    *width = 0;
    for (unsigned i = 0; i < count && i < places && status == WEFT_OK; i++) {
        lines->glyphs[lines->count++] = (struct weft_text_glyph){
            infos[i].codepoint, *width + positions[i].x_offset, y - positions[i].y_offset};
        *width += positions[i].x_advance;
        y -= positions[i].y_advance;
    }
    library->hb_buffer_destroy(buffer);
    return status;
}

/* A glyph, or its outline; NULL for one without a shape, which a font may have. */
static FT_Glyph get_glyph(struct weft_text_lines *lines, FT_UInt index, bool outlines) {
    const struct weft_text_library *library = &lines->library;
    FT_Glyph glyph = NULL;
    if (library->FT_Load_Glyph(lines->face, index, FLAGS) != 0 ||
        lines->face->glyph->format != FT_GLYPH_FORMAT_OUTLINE ||
        library->FT_Get_Glyph(lines->face->glyph, &glyph) != 0)
        return NULL;
    if (outlines && library->FT_Glyph_StrokeBorder(&glyph, lines->stroker, 0, 1) != 0) {
        library->FT_Done_Glyph(glyph);
        return NULL;
    }
    return glyph;
}

static int64_t down(FT_Pos place) { return place >> 6; }
static int64_t up(FT_Pos place) { return (place + 63) >> 6; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* The picture is as large as its lines, and larger where glyphs and outlines reach beyond them. */
static void measure(struct weft_text_lines *lines, FT_Pos width, FT_Pos height) {
    int64_t left = 0, top = 0, right = up(width), bottom = up(height);
    for (size_t i = 0; i < lines->count; i++) {
        const struct weft_text_glyph *at = &lines->glyphs[i];
        FT_Glyph glyph = get_glyph(lines, at->index, lines->stroker != NULL);
        FT_BBox box;
        if (!glyph)
            continue;
        lines->library.FT_Glyph_Get_CBox(glyph, FT_GLYPH_BBOX_UNSCALED, &box);
        lines->library.FT_Done_Glyph(glyph);
        left = least(left, down(at->x + box.xMin));
        right = most(right, up(at->x + box.xMax));
        top = least(top, down(at->y - box.yMax));
        bottom = most(bottom, up(at->y - box.yMin));
    }
    lines->left = left;
    lines->top = top;
    lines->width = most(right - left, 1);
    lines->height = most(bottom - top, 1);
}

weft_status weft_text_place(struct weft_text_lines *lines, const char *text, size_t length,
                            enum weft_text_align align, weft_error *error) {
    const struct weft_text_library *library = &lines->library;
    const FT_Size_Metrics *metrics = &lines->face->size->metrics;
    hb_font_t *font = library->hb_ft_font_create_referenced(lines->face);
    FT_Pos baseline = metrics->ascender, widest = 0, width;
    weft_status status = WEFT_OK;
    library->hb_ft_font_set_load_flags(font, FLAGS);
    /* Twice: where lines begin follows from the widest of them. */
    for (int round = 0; round < (align == WEFT_TEXT_LEFT ? 1 : 2) && status == WEFT_OK; round++) {
        const FT_Pos room = widest;
        const char *rest = text, *end = text + length;
        lines->count = 0;
        baseline = metrics->ascender;
        for (bool more = true; more && status == WEFT_OK; baseline += metrics->height) {
            const char *stop = memchr(rest, '\n', (size_t)(end - rest));
            const size_t first = lines->count;
            more = stop != NULL;
            stop = stop ? stop : end;
            status = add_line(lines, font, rest, (size_t)(stop - rest), baseline, &width, error);
            const FT_Pos moved = round == 0 ? 0 : align == WEFT_TEXT_CENTER ? (room - width) / 2 : room - width;
            for (size_t i = first; i < lines->count; i++)
                lines->glyphs[i].x += moved;
            widest = width > widest ? width : widest;
            rest = stop + 1;
        }
    }
    library->hb_font_destroy(font);
    if (status == WEFT_OK)
        measure(lines, widest, baseline - metrics->height - metrics->descender);
    return status;
}

/* Where glyphs meet, the larger coverage stands. */
static void lay(const struct weft_text_lines *lines, const FT_Bitmap *bitmap, int64_t x, int64_t y,
                unsigned char *coverage) {
    for (int64_t row = most(0, -y); row < bitmap->rows && y + row < lines->height; row++) {
        const unsigned char *from = bitmap->buffer + row * bitmap->pitch;
        unsigned char *to = coverage + (y + row) * lines->width;
        for (int64_t k = most(0, -x); k < bitmap->width && x + k < lines->width; k++)
            to[x + k] = from[k] > to[x + k] ? from[k] : to[x + k];
    }
}

weft_status weft_text_cover(struct weft_text_lines *lines, bool outlines, unsigned char *coverage, weft_error *error) {
    const struct weft_text_library *library = &lines->library;
    for (size_t i = 0; i < lines->count; i++) {
        const struct weft_text_glyph *at = &lines->glyphs[i];
        FT_Glyph glyph = get_glyph(lines, at->index, outlines);
        FT_Vector part = {at->x & 63, -(at->y & 63)};
        if (!glyph)
            continue;
        if (library->FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, &part, 1) != 0) {
            library->FT_Done_Glyph(glyph);
            return weft_fail(error, WEFT_ERROR_MEMORY, "FreeType could not draw a glyph");
        }
        const struct FT_BitmapGlyphRec_ *drawn = (const void *)glyph;
        lay(lines, &drawn->bitmap, down(at->x) + drawn->left - lines->left, down(at->y) - drawn->top - lines->top,
            coverage);
        library->FT_Done_Glyph(glyph);
    }
    return WEFT_OK;
}

void weft_text_close(struct weft_text_lines *lines) {
    struct weft_text_library *library = &lines->library;
    if (lines->stroker)
        library->FT_Stroker_Done(lines->stroker);
    if (lines->face)
        library->FT_Done_Face(lines->face);
    if (lines->freetype)
        library->FT_Done_FreeType(lines->freetype);
    weft_text_library_close(library);
    weft_free(lines->glyphs);
}
