# The file formats that need a library: src/io/FOLDER/CODEC.c is compiled where the library is there. Makes codecs_found,
# codecs_missing, for each that was found codec_libraries_CODEC, and codec_flags, the linker's words for all of them.
set(codecs_found "")
set(codecs_missing "")
set(codec_flags "")

# weft_codec(NAME WORDS LIBRARY...): the codec NAME is there where all libraries are targets.
function(weft_codec name words)
    set(state found)
    foreach(library IN LISTS ARGN)
        if(NOT TARGET ${library})
            set(state missing)
        endif()
    endforeach()
    if(state STREQUAL found)
        set(codec_libraries_${name} ${ARGN} PARENT_SCOPE)
        set(codec_flags "${codec_flags} ${words}" PARENT_SCOPE)
    endif()
    set(codecs_${state} ${codecs_${state}} ${name} PARENT_SCOPE)
endfunction()

# weft_find(NAME HEADER SUFFIX): a library without a CMake package of its own, as the target codec::NAME.
function(weft_find name header suffix)
    find_path(CODEC_${name}_HEADERS ${header} PATH_SUFFIXES ${suffix})
    find_library(CODEC_${name}_LIBRARY ${name})
    mark_as_advanced(CODEC_${name}_HEADERS CODEC_${name}_LIBRARY)
    if(CODEC_${name}_HEADERS AND CODEC_${name}_LIBRARY)
        add_library(codec::${name} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(codec::${name} PROPERTIES IMPORTED_LOCATION ${CODEC_${name}_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${CODEC_${name}_HEADERS})
    endif()
endfunction()

# Off because a libjxl that is built without NDEBUG, as Debian's 0.7 is, prints what it finds wrong with a damaged file.
option(WEFT_JXL "Read and write JPEG XL where libjxl is found" OFF)
# Off because libde265, which libheif decodes with, prints what it finds wrong with the head of a damaged picture, and x265,
# which it encodes with, loses a kilobyte with each.
option(WEFT_HEIF "Read and write HEIF where libheif is found" OFF)

if(WEFT_CODECS)
    find_package(PNG)
    find_package(JPEG)
    find_package(TIFF 4.5)
    weft_find(webp webp/encode.h "")
    weft_find(webpmux webp/mux.h "")
    weft_find(OpenEXRCore openexr.h OpenEXR)
    weft_find(avif avif/avif.h "")
    if(WEFT_HEIF)
        weft_find(heif libheif/heif.h "")
    endif()
    if(WEFT_JXL)
        weft_find(jxl jxl/encode.h "")
    endif()
endif()
weft_codec(png "-lpng" PNG::PNG)
weft_codec(jpeg "-ljpeg" JPEG::JPEG)
weft_codec(tiff "-ltiff" TIFF::TIFF)
weft_codec(webp "-lwebp -lwebpmux" codec::webp codec::webpmux)
weft_codec(exr "-lOpenEXRCore" codec::OpenEXRCore)
weft_codec(avif "-lavif" codec::avif)
weft_codec(heif "-lheif" codec::heif)
weft_codec(jxl "-ljxl" codec::jxl)
message(STATUS "File formats by libraries: ${codecs_found}; without theirs: ${codecs_missing}")
