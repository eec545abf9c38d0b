# The GPU kernels: src/kernels/gpu/FAMILY/*.gpu and, for every filter of a kind with a kernel of its own, that kind's
# skeleton around the filter's body. For Vulkan each is compiled here (the C preprocessor, glslang, spirv-opt), unless its
# compilers are missing, which is said; for CUDA, where it is built, the texts are taken along as they are. Both are packed
# into one file that is embedded.
option(WEFT_VULKAN "Build the Vulkan backend where glslang, spirv-opt and the Vulkan headers are found" ON)
option(WEFT_CUDA "Build the CUDA backend" ON)
find_program(GLSLANG glslangValidator)
find_program(SPIRV_OPT spirv-opt)
find_path(VULKAN_HEADERS vulkan/vulkan.h)
set(WEFT_HAVE_CUDA ${WEFT_CUDA})
set(WEFT_HAVE_VULKAN OFF)
if(WEFT_VULKAN AND GLSLANG AND SPIRV_OPT AND VULKAN_HEADERS)
    set(WEFT_HAVE_VULKAN ON)
elseif(WEFT_VULKAN)
    message(STATUS "without Vulkan: it needs glslangValidator (${GLSLANG}), spirv-opt (${SPIRV_OPT}) and vulkan/vulkan.h "
        "(${VULKAN_HEADERS})")
endif()
set(gpu_folder ${PROJECT_BINARY_DIR}/generated/gpu)
set(gpu_source ${PROJECT_SOURCE_DIR}/src/kernels/gpu)

set(kernel_kinds stencil window warp lookup)
include(cmake/Operations.cmake)

# weft_kernel(NAME SKELETON TEXT): adds rows of the index. The file SKELETON says what the kernel is like, TEXT is the
# source of it. A line ` * variant A=1 B=2` in the file is a variant; ` * cuda` says that Vulkan does not have the kernel,
# ` * cuda 80` that GPUs before compute capability 8.0 have not either, ` * vulkan` that CUDA does not have it, ` * unrolled` that
# Vulkan has each variant by itself, its loops unrolled by the build, ` * float16` that it has it once more for devices that
# compute with half floats. A block's threads along x and y: in the line KERNEL(name, x, y), by numbers or names of such that end in
# _THREADS, which the file itself defines or a header of any kernel.
file(GLOB headers_of_threads CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/gpu/*/*.h)
foreach(header IN LISTS headers_of_threads)
    file(STRINGS ${header} lines REGEX "^#define [A-Z_]+_THREADS +[0-9]+")
    if(lines)
        list(APPEND numbers_of_threads ${lines})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    endif()
endforeach()
function(weft_kernel name skeleton text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${skeleton}) # its marks are read here
    file(STRINGS ${skeleton} line REGEX "^KERNEL\\([A-Za-z_]+, *[A-Za-z0-9_]+, *[A-Za-z0-9_]+\\)")
    string(REGEX MATCHALL "[A-Za-z0-9_]+" threads "${line}")
    list(SUBLIST threads 2 -1 threads)
    file(STRINGS ${skeleton} numbers REGEX "^#define [A-Z_]+_THREADS +[0-9]+")
    foreach(line IN LISTS numbers numbers_of_threads)
        string(REGEX MATCH "^#define ([A-Z_]+) +([0-9]+)" line "${line}")
        list(TRANSFORM threads REPLACE "^${CMAKE_MATCH_1}$" "${CMAKE_MATCH_2}")
    endforeach()
    list(JOIN threads ", " threads_of_block)
    file(STRINGS ${skeleton} marks REGEX "^ \\* (cuda( 80)?|vulkan|float16|unrolled)$")
    file(STRINGS ${skeleton} variants REGEX "^ \\* variant [A-Z]")
    file(STRINGS ${skeleton} own_form REGEX "^#define (PLAIN_FORM|PROGRAM_BATCH|PROGRAMS_ALONE)")
    set(plain true)
    if(own_form OR text MATCHES "PLAIN_FORM")
        set(plain false)
    endif()
    set(capability 75)
    if(" * cuda 80" IN_LIST marks OR text MATCHES "OF_BYTES")
        set(capability 80)
    endif()
    set(source ${skeleton})
    if(NOT skeleton MATCHES "gpu$")
        set(source ${gpu_folder}/${name}.gpu)
        file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    endif()
    string(REPLACE "\"" "\\\"" quoted "${text}")
    string(REPLACE "\n" "\\n" quoted "\"${quoted}\"")
    if(" * vulkan" IN_LIST marks OR NOT WEFT_HAVE_CUDA)
        set(quoted NULL)
    endif()
    set(first 0)
    set(second 0)
    if(NOT marks MATCHES "cuda|unrolled" AND NOT text MATCHES "OF_BYTES")
        weft_module(${name} "" first)
        if(" * float16" IN_LIST marks)
            weft_module(${name}FLOAT16 FLOAT16 second)
        endif()
    endif()
    if(NOT variants)
        set(variants " * variant ")
    endif()
    foreach(line IN LISTS variants)
        string(REGEX MATCHALL "[A-Z_]+=[0-9]+" pairs "${line}")
        list(LENGTH pairs count)
        list(TRANSFORM pairs REPLACE "=.*" "" OUTPUT_VARIABLE names)
        list(TRANSFORM pairs REPLACE ".*=" "" OUTPUT_VARIABLE values)
        list(APPEND values 0)
        if(" * unrolled" IN_LIST marks)
            list(JOIN pairs _ of)
            weft_module(${name}_${of} "UNROLLED;${pairs}" first)
        endif()
        string(REGEX MATCH " variant.*LAUNCH_BYTES=([0-9]+)| variant" match "${line}")
        set_property(GLOBAL APPEND_STRING PROPERTY weft_rows "    {\"${name}\", ${count}, {${values}}, \"${names}\", \
${threads_of_block}, ${CMAKE_MATCH_1}+0, ${quoted}, ${capability}, ${plain}, ${first}, ${second}},\n")
    endforeach()
endfunction()

file(GLOB kernel_files CONFIGURE_DEPENDS RELATIVE ${gpu_source} ${gpu_source}/*/*.gpu)
foreach(file IN LISTS kernel_files)
    get_filename_component(name ${file} NAME_WE)
    weft_kernel(${name} ${gpu_source}/${file} "#include \"kernels/gpu/${file}\"\n")
endforeach()
foreach(name IN LISTS filter_names)
    set(kind ${filter_kind_${name}})
    if(kind IN_LIST kernel_kinds)
        set(filter "#include \"filters/${filter_family_${name}}/${name}.c\"\n")
        set(begin "#include \"kernels/gpu/program/program.h\"")
        if(EXISTS ${gpu_source}/${kind}/${kind}_launch.h)
            string(PREPEND begin "#include \"kernels/gpu/${kind}/${kind}_launch.h\"\n")
        endif()
        weft_kernel(${kind}_${name} ${gpu_source}/${kind}/${kind}.h
            "${begin}\n#define KERNEL_NAME ${kind}_${name}\n${filter}")
        # A window that goes by distance has a kernel of bytes too.
        file(STRINGS ${filter_file_${name}} by_distance REGEX "^#define BY_DISTANCE$")
        if(by_distance)
            string(JOIN "\n" text "#define OF_BYTES" "#define PLAIN_FORM" "#define READS_INPUT_ONLY"
                "#define BLOCKS_PER_SM (PLANES == 1 ? 2 : 1)" "${begin}"
                "#define KERNEL_NAME ${kind}_bytes_${name}" "${filter}")
            weft_kernel(${kind}_bytes_${name} ${gpu_source}/${kind}/${kind}_bytes.h "${text}")
        endif()
    endif()
endforeach()

# All into one file, and the index.
get_property(modules GLOBAL PROPERTY weft_modules)
get_property(rows GLOBAL PROPERTY weft_rows)
string(REPLACE ";" ", " rows "${rows}")
file(GLOB texts CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src src/kernels/gpu/*/* src/kernels/dialect.h src/image/bins.h
    src/filter/*.h src/filter/*/*.h src/filters/*/*)
if(NOT WEFT_HAVE_CUDA) # nobody would read them
    set(texts)
endif()
list(TRANSFORM texts PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE text_files)
list(TRANSFORM texts PREPEND "text ")
list(TRANSFORM modules PREPEND "spirv " OUTPUT_VARIABLE module_lines)
list(JOIN texts "\n" list)
list(JOIN module_lines "\n" module_lines)
file(CONFIGURE OUTPUT ${gpu_folder}/embedded.list CONTENT "${list}\n${module_lines}\n" @ONLY)
add_executable(embed cmake/embed.c)
add_custom_command(OUTPUT ${gpu_folder}/embedded.bin
    COMMAND embed ${gpu_folder}/embedded.bin ${PROJECT_SOURCE_DIR}/src ${gpu_folder}/embedded.list
    DEPENDS embed ${modules} ${text_files} ${gpu_folder}/embedded.list VERBATIM)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/gpu_kernels.c CONTENT
"#include <stddef.h>
#include \"backend/gpu/device/kernels.h\"
__asm__(\".section .rodata\\n.balign 16\\n.global weft_gpu_embedded\\n.hidden weft_gpu_embedded\\nweft_gpu_embedded:\\n\"
        \".incbin \\\"${gpu_folder}/embedded.bin\\\"\\n.previous\\n\");
const struct gpu_kernel_row weft_gpu_kernels[] = {\n${rows}    {NULL, 0, {0}, NULL, 0, 0, 0, NULL, 0, false, 0, 0}};
const int32_t weft_gpu_operations[] = {\n${operations}    -1};
const struct gpu_operation weft_gpu_operation_texts[] = {\n${operation_texts}    {NULL, NULL, NULL}};
const int32_t weft_gpu_operation_count = ${operation};
const int32_t weft_gpu_operation_module = ${operation_module};
" @ONLY)
set_source_files_properties(${PROJECT_BINARY_DIR}/generated/gpu_kernels.c PROPERTIES OBJECT_DEPENDS ${gpu_folder}/embedded.bin)
