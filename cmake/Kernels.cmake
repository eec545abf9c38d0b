# The GPU kernels: src/kernels/gpu/*.gpu and, for every filter of a kind that has a kernel of its own, that kind's skeleton
# around the filter's body. Each is compiled for Vulkan (the C preprocessor, glslang, spirv-opt) and for CUDA (nvcc, a
# fatbin), embedded, and listed in one index; a kernel that does not compile stops the build. A compiler that is missing
# leaves its backend out, which is said.
option(WEFT_VULKAN "Build the Vulkan backend where glslang, spirv-opt and the Vulkan headers are found" ON)
option(WEFT_CUDA "Build the CUDA backend where nvcc is found" ON)
set(WEFT_KERNELS "." CACHE STRING "Regular expression of the kernels to compile: to work on a few, the others left out")
option(WEFT_CUDA_QUICK "Compile CUDA kernels quickly rather than well, and not for all formats, where no GPU will run them" OFF)
set(WEFT_KERNEL_STORE "" CACHE PATH "Folder where compiled kernels are kept for other builds; empty: nowhere")
find_program(GLSLANG glslangValidator)
find_program(SPIRV_OPT spirv-opt)
find_program(NVCC nvcc HINTS /usr/local/cuda/bin)
# The same for builds by whatever compiler, so that they share what they compile.
find_program(PREPROCESSOR NAMES gcc clang)
if(NOT PREPROCESSOR)
    set(PREPROCESSOR ${CMAKE_C_COMPILER})
endif()
if(NVCC)
    file(REAL_PATH ${NVCC} nvcc_path)
    cmake_path(GET nvcc_path PARENT_PATH nvcc_folder)
    find_path(CUDA_HEADERS cuda.h HINTS ${nvcc_folder}/../include ${nvcc_folder}/../targets/x86_64-linux/include
        ${nvcc_folder}/../targets/sbsa-linux/include NO_CMAKE_FIND_ROOT_PATH)
endif()
find_path(VULKAN_HEADERS vulkan/vulkan.h)
set(WEFT_HAVE_VULKAN OFF)
set(WEFT_HAVE_CUDA OFF)
if(WEFT_VULKAN AND GLSLANG AND SPIRV_OPT AND VULKAN_HEADERS)
    set(WEFT_HAVE_VULKAN ON)
elseif(WEFT_VULKAN)
    message(STATUS "without Vulkan: it needs glslangValidator (${GLSLANG}), spirv-opt (${SPIRV_OPT}) and vulkan/vulkan.h "
        "(${VULKAN_HEADERS})")
endif()
if(WEFT_CUDA AND NVCC AND CUDA_HEADERS)
    set(WEFT_HAVE_CUDA ON)
elseif(WEFT_CUDA)
    message(STATUS "without CUDA: it needs nvcc (${NVCC}) and cuda.h (${CUDA_HEADERS})")
endif()

# One architecture of each generation from sm_75 to the newest that nvcc knows: code for x.0 runs on x.y. A generation's
# first is listed; the last one's also as PTX, for what comes after.
if(WEFT_HAVE_CUDA)
    execute_process(COMMAND ${NVCC} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
    string(REGEX MATCHALL "compute_[0-9]+" known "${known}")
    set(numbers "")
    foreach(each IN LISTS known)
        string(REPLACE "compute_" "" each ${each})
        if(each GREATER_EQUAL 75)
            list(APPEND numbers ${each})
        endif()
    endforeach()
    list(SORT numbers COMPARE NATURAL)
    list(GET numbers 0 least_architecture) # text for drivers' compilers is of this one
endif()
if(WEFT_HAVE_CUDA AND NOT WEFT_CUDA_ARCHITECTURES)
    set(generations "")
    set(chosen "")
    foreach(each IN LISTS numbers)
        math(EXPR generation "${each} / 10")
        if(NOT generation IN_LIST generations)
            list(APPEND generations ${generation})
            list(APPEND chosen ${each})
        endif()
    endforeach()
    set(WEFT_CUDA_ARCHITECTURES "${chosen}" CACHE STRING
        "CUDA architectures to compile for, as in 75;90; the last also as PTX; 75-virtual is PTX alone")
endif()
set(cuda_flags "")
if(WEFT_HAVE_CUDA)
    foreach(each IN LISTS WEFT_CUDA_ARCHITECTURES)
        string(REGEX REPLACE "-virtual$" "" last ${each})
        if(last STREQUAL each)
            list(APPEND cuda_flags -gencode arch=compute_${each},code=sm_${each})
        endif()
    endforeach()
    list(APPEND cuda_flags -gencode arch=compute_${last},code=compute_${last})
    # The same without those before 8.0, for kernels of which only newer ones have the instructions.
    set(cuda_flags_80 ${cuda_flags})
    list(FILTER cuda_flags_80 INCLUDE REGEX "^arch=compute_([89]|1[0-9])[0-9]+,")
    list(TRANSFORM cuda_flags_80 PREPEND "-gencode;")
    if(NOT cuda_flags_80)
        set(cuda_flags_80 -gencode arch=compute_80,code=compute_80)
    endif()
    list(TRANSFORM WEFT_CUDA_ARCHITECTURES REPLACE "-virtual$" "" OUTPUT_VARIABLE cuda_code)
    string(REPLACE ";" "," cuda_code "${cuda_code}")
    set(cuda_effort -Xfatbin --compress-mode=size)
    if(WEFT_CUDA_QUICK)
        set(cuda_effort "")
        execute_process(COMMAND ${NVCC} --help OUTPUT_VARIABLE nvcc_help ERROR_QUIET)
        if(nvcc_help MATCHES "--Ofast-compile")
            set(cuda_effort --Ofast-compile=max)
        endif()
    endif()
    message(STATUS "CUDA architectures: ${WEFT_CUDA_ARCHITECTURES}")
endif()

# Point filters become operations of programs, all in one header, numbered in order of name; those that plain
# kernels know also by themselves: they multiply and divide by alpha, or make luminance. Functions that a filter's file
# defines get the filter's name after theirs, since all come into one source.
set(point_kinds channel pixel pixel2 blend generator)
set(kernel_kinds stencil window warp lookup)
set(includes "")
set(conversion_includes "")
set(conversions "")
set(batch_cases "")
set(cases "")
set(operations "")
set(woven_operations "")
set(operation 0)
foreach(name IN LISTS filter_names)
    if(filter_kind_${name} IN_LIST point_kinds)
        file(STRINGS ${filter_file_${name}} functions REGEX "^FN [a-z0-9]+ [a-z0-9_]+\\(")
        set(renames body composite)
        foreach(line IN LISTS functions)
            string(REGEX REPLACE "^FN [a-z0-9]+ ([a-z0-9_]+)\\(.*" "\\1" function "${line}")
            list(APPEND renames ${function})
        endforeach()
        set(include "")
        foreach(each IN LISTS renames)
            string(APPEND include "#define ${each} ${each}_of_${name}\n")
        endforeach()
        string(APPEND include "#include \"${filter_file_${name}}\"\n#include \"filter/forget.h\"\n")
        foreach(each IN LISTS renames)
            string(APPEND include "#undef ${each}\n")
        endforeach()
        file(STRINGS ${filter_file_${name}} role REGEX "^#define ROLE ((UN)?PREMULTIPLY|LUMINANCE)$")
        if(role)
            string(APPEND conversion_includes "${include}")
            string(REGEX REPLACE "^#define ROLE " "" role "${role}")
            string(APPEND conversions "#define OP_${role} ${operation}\n#define OPERATION_${role} operation_${name}\n")
        else()
            string(APPEND includes "${include}")
        endif()
        string(APPEND cases "    case ${operation}: v = operation_${name}(a, b, at, block, shape); break;\n")
        string(APPEND batch_cases "    case ${operation}:\n")
        foreach(each IN ITEMS a b c d)
            string(APPEND batch_cases
                "        a.${each} = operation_${name}(a.${each}, b.${each}, at_${each}, block, shape);\n")
        endforeach()
        string(APPEND batch_cases "        break;\n")
        string(APPEND woven_operations "WOVEN_OPERATION(${operation}, operation_${name})\n")
        string(APPEND operations "    ${operation}, /* ${name} */\n")
        math(EXPR operation "${operation} + 1")
    else()
        string(APPEND operations "    -1,\n")
    endif()
endforeach()
set(gpu_folder ${PROJECT_BINARY_DIR}/generated/gpu)
file(CONFIGURE OUTPUT ${gpu_folder}/point_operations.h CONTENT
"${conversion_includes}
${conversions}
#if defined(OPERATIONS_APART) && !defined(PLAIN_FORM) && !defined(PROGRAM_BATCH)
vec4 point_operation(int op, vec4 a, vec4 b, place at, address block, int shape); /* compiled once for all kernels */
#elif !defined(PLAIN_FORM)
${includes}
/* No returns in the switch: of those, lavapipe (Mesa 22.3) leaves out cases that only move components. */
FN_CALL vec4 point_operation(int op, vec4 a, vec4 b, place at, address block, int shape) {
    vec4 v = a;
    switch (op) {
${cases}    }
    return v;
}
#if !defined(GLSL) && defined(PROGRAM_BATCH)
/* Of four pixels, `apart` columns from one another; the results go to a. */
FN void point_operations(int op, four_pixels &a, const four_pixels &b, int x, int apart, int y, int width, int height,
                         address block, int shape) {
    place at_a = {x, y, width, height}, at_b = {x + apart, y, width, height}, at_c = {x + 2 * apart, y, width, height},
          at_d = {x + 3 * apart, y, width, height};
    switch (op) {
${batch_cases}    }
}
#endif
#endif
" @ONLY)

file(CONFIGURE OUTPUT ${gpu_folder}/woven_operations.h CONTENT "${woven_operations}" @ONLY)

# The list of kernels: name, source, CUDA variants. A line ` * variant A=1 B=2` in a .gpu file is a variant; a line ` * cuda` says
# that Vulkan does not have the kernel, ` * cuda 80` that GPUs before compute capability 8.0 have not either, ` * vulkan` that
# CUDA does not have it, ` * unrolled` that Vulkan too has each variant by itself, its loops unrolled by the build.
file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/gpu/*.gpu)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/gpu/*.h)
list(APPEND kernel_headers ${PROJECT_SOURCE_DIR}/src/kernels/dialect.h ${gpu_folder}/point_operations.h
    ${gpu_folder}/woven_operations.h)
file(GLOB filter_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/filters/*/*.h)
list(APPEND kernel_headers ${filter_headers})
foreach(kind channel point pixel pixel2 blend blend_params generator stencil window warp lookup template border forget)
    list(APPEND kernel_headers ${PROJECT_SOURCE_DIR}/src/filter/${kind}.h)
endforeach()
foreach(name IN LISTS filter_names)
    if(filter_kind_${name} IN_LIST point_kinds)
        list(APPEND kernel_headers ${filter_file_${name}})
    endif()
endforeach()
# How many threads the blocks of a kernel have along x and y: its line KERNEL(name, x, y), where x and y are numbers or names
# that the file defines as numbers.
function(weft_kernel_threads name file)
    file(STRINGS ${file} line REGEX "^KERNEL\\([A-Za-z_]+, *[A-Za-z0-9_]+, *[A-Za-z0-9_]+\\)")
    string(REGEX MATCHALL "[A-Za-z0-9_]+" words "${line}")
    list(LENGTH words count)
    if(NOT count EQUAL 4)
        message(FATAL_ERROR "${file}: a kernel's file has one line that begins KERNEL(name, threads_x, threads_y)")
    endif()
    foreach(i IN ITEMS 2 3)
        list(GET words ${i} number)
        if(NOT number MATCHES "^[0-9]+$")
            file(STRINGS ${file} line REGEX "^#define ${number} +[0-9]+")
            string(REGEX REPLACE "^#define [A-Za-z0-9_]+ +([0-9]+).*" "\\1" number "${line}")
        endif()
        if(NOT number MATCHES "^[0-9]+$")
            message(FATAL_ERROR "${file}: the threads of KERNEL(name, threads_x, threads_y) must be numbers, or names that "
                "the file defines as numbers")
        endif()
        list(APPEND threads ${number})
    endforeach()
    set(kernel_threads_${name} "${threads}" PARENT_SCOPE)
endfunction()
# The formats for which CUDA has a plain form of its own: the line ` * formats u8x1 f32x4_u8 u8x4_u8x1` of a file; with a second
# type, the result is of that; with a second format, the kernel takes luminance.
function(weft_kernel_formats name file)
    file(STRINGS ${file} line REGEX "^ \\* formats ")
    string(REGEX MATCHALL "[uf][0-9]+x[1-4](_[uf][0-9]+(x1)?)?" formats "${line}")
    set(kernel_formats_${name} "${formats}" PARENT_SCOPE)
endfunction()
set(kernel_names "")
foreach(file IN LISTS kernel_files)
    get_filename_component(name ${file} NAME_WE)
    list(APPEND kernel_names ${name})
    set(kernel_source_${name} ${file})
    file(STRINGS ${file} kernel_variants_${name} REGEX "^ \\* variant [A-Z]")
    weft_kernel_formats(${name} ${file})
    weft_kernel_threads(${name} ${file})
    file(STRINGS ${file} kernel_woven_${name} REGEX "^ \\* woven")
    file(STRINGS ${file} kernel_cuda_alone_${name} REGEX "^ \\* cuda( 80)?$")
    file(STRINGS ${file} kernel_vulkan_alone_${name} REGEX "^ \\* vulkan$")
    file(STRINGS ${file} kernel_float16_${name} REGEX "^ \\* float16$")
    file(STRINGS ${file} kernel_unrolled_${name} REGEX "^ \\* unrolled$")
    set(kernel_cuda_flags_${name} cuda_flags)
    if(kernel_cuda_alone_${name} MATCHES "80")
        set(kernel_cuda_flags_${name} cuda_flags_80)
    endif()
endforeach()
foreach(name IN LISTS filter_names)
    if(filter_kind_${name} IN_LIST kernel_kinds)
        set(kernel ${filter_kind_${name}}_${name})
        list(APPEND kernel_names ${kernel})
        set(kernel_source_${kernel} ${gpu_folder}/${kernel}.gpu)
        set(kernel_filter_${kernel} ${filter_file_${name}})
        set(kernel_cuda_flags_${kernel} cuda_flags)
        set(kernel_variants_${kernel} "")
        weft_kernel_threads(${kernel} ${PROJECT_SOURCE_DIR}/src/kernels/gpu/${filter_kind_${name}}.h)
        weft_kernel_formats(${kernel} ${PROJECT_SOURCE_DIR}/src/kernels/gpu/${filter_kind_${name}}.h)
        # A filter of luminance has one channel, another none that is made of several.
        file(STRINGS ${filter_file_${name}} luminance REGEX "^#define LUMINANCE$")
        if(luminance)
            list(FILTER kernel_formats_${kernel} INCLUDE REGEX "x1(_[uf][0-9]+)?$")
        else()
            list(FILTER kernel_formats_${kernel} EXCLUDE REGEX "_[uf][0-9]+x1$")
        endif()
        file(CONFIGURE OUTPUT ${gpu_folder}/${kernel}.gpu CONTENT
            "#include \"kernels/gpu/program.h\"\n#define KERNEL_NAME ${kernel}\n#include \"${filter_file_${name}}\"\n" @ONLY)
        # A window that goes by distance has a kernel of bytes too.
        file(STRINGS ${filter_file_${name}} by_distance REGEX "^#define BY_DISTANCE$")
        if(by_distance)
            set(bytes ${filter_kind_${name}}_bytes_${name})
            set(skeleton ${PROJECT_SOURCE_DIR}/src/kernels/gpu/${filter_kind_${name}}_bytes.h)
            list(APPEND kernel_names ${bytes})
            list(APPEND kernels_of_one_form ${bytes})
            set(kernel_source_${bytes} ${gpu_folder}/${bytes}.gpu)
            set(kernel_filter_${bytes} ${filter_file_${name}})
            set(kernel_cuda_alone_${bytes} ON)
            set(kernel_cuda_flags_${bytes} cuda_flags_80)
            file(STRINGS ${skeleton} kernel_variants_${bytes} REGEX "^ \\* variant [A-Z]")
            weft_kernel_threads(${bytes} ${skeleton})
            file(CONFIGURE OUTPUT ${gpu_folder}/${bytes}.gpu CONTENT
                "#define OF_BYTES\n#define PLAIN_FORM\n#define READS_INPUT_ONLY\n#define RESIDENT (PLANES == 1 ? 2 : 1)\n#include \"kernels/gpu/program.h\"\n#define KERNEL_NAME ${bytes}\n#include \"${filter_file_${name}}\"\n" @ONLY)
        endif()
    endif()
endforeach()

# Kernels that CUDA has in one form only: no pixel goes through them, or nothing but programs is in them, or none (their files
# define PLAIN_FORM, see kernels/gpu/program.h).
list(APPEND kernels_of_one_form bind box_bytes box_columns box_pieces box_prefix box_prefix_wide box_rows convolve_bytes
    convolve_cooperative convolve_line_matrix convolve_matrix copy count_image decimate_bytes extremum_bytes extremum_few extremum_near
    extremum_walk interpolate_bytes point point_bytes rank_few_bytes rank_near reduce_finish reduce_image resample_bytes)

# The forms in which CUDA has a variant: `programs`, `plain`, and `plain` for each format whose channels the variant takes;
# `woven` where a file says so in a line ` * woven`. Vulkan has one module for all variants that are not unrolled, and where a file
# says ` * float16` a second, compiled with FLOAT16, for devices that compute with half floats.
set(type_u8 1)
set(type_u16 2)
set(type_f16 3)
set(type_f32 4)
function(weft_kernel_forms name pairs out)
    set(forms programs)
    if(NOT name IN_LIST kernels_of_one_form)
        list(APPEND forms plain)
        foreach(format IN LISTS kernel_formats_${name})
            string(REGEX REPLACE ".*x([1-4]).*" "PLANES=\\1" planes ${format})
            if(NOT "${pairs}" MATCHES "PLANES=" OR planes IN_LIST pairs)
                list(APPEND forms plain_${format})
            endif()
        endforeach()
    endif()
    if(kernel_woven_${name})
        list(APPEND forms woven)
    endif()
    set(${out} "${forms}" PARENT_SCOPE)
endfunction()
# What a form defines, and its line in the index without the code.
function(weft_form_defines form out out_row)
    set(defines "")
    set(row "GPU_FORM_PROGRAMS, 0, 0, 0, 0")
    if(form MATCHES "^plain")
        set(defines PLAIN_FORM)
        set(row "GPU_FORM_PLAIN, 0, 0, 0, 0")
    elseif(form STREQUAL woven)
        set(defines WOVEN_FORM)
        set(row "GPU_FORM_WOVEN, 0, 0, 0, 0")
    endif()
    if(form MATCHES "^plain_([uf][0-9]+)x([1-4])(_([uf][0-9]+))?$")
        set(type ${type_${CMAKE_MATCH_1}})
        set(channels ${CMAKE_MATCH_2})
        set(stored ${type})
        if(CMAKE_MATCH_4)
            set(stored ${type_${CMAKE_MATCH_4}})
        endif()
        list(APPEND defines FORMAT_TYPE=${type} FORMAT_STORED=${stored} FORMAT_CHANNELS=${channels})
        set(row "GPU_FORM_PLAIN, ${type}, ${stored}, ${channels}, ${channels}")
    elseif(form MATCHES "^plain_([uf][0-9]+)x([1-4])_([uf][0-9]+)x1$")
        list(APPEND defines FORMAT_SOURCE_TYPE=${type_${CMAKE_MATCH_1}} FORMAT_SOURCE=${CMAKE_MATCH_2}
             FORMAT_SOURCE_STORED=${type_${CMAKE_MATCH_3}})
        set(row "GPU_FORM_PLAIN, ${type_${CMAKE_MATCH_1}}, ${type_${CMAKE_MATCH_3}}, 1, ${CMAKE_MATCH_2}")
    endif()
    set(${out} "${defines}" PARENT_SCOPE)
    set(${out_row} "${row}" PARENT_SCOPE)
endfunction()

# Objects to embed: one C file that includes binaries and lists them.
set(kernel_outputs "")
set(blobs "")
set(rows "")
set(codes "")
set(code_count 0)
set(kernel_rows "")
set(externs "")
# embed SYMBOL FILE: the file's bytes under a name.
function(weft_embed symbol file)
    set(blobs "${blobs}__asm__(\".section .rodata\\n.balign 16\\n.global ${symbol}\\n.hidden ${symbol}\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n\"\n        \".global ${symbol}_end\\n.hidden ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");\n" PARENT_SCOPE)
    set(externs "${externs}extern const unsigned char ${symbol}[], ${symbol}_end[];\n" PARENT_SCOPE)
    set(kernel_outputs "${kernel_outputs};${file}" PARENT_SCOPE)
endfunction()
# weft_spirv_module FILE DEFINES: of the kernel `name`, compiled with those; adds to `spirv` where it is embedded.
macro(weft_spirv_module file module_defines)
    set(module_code "{NULL, NULL}")
    if(WEFT_HAVE_VULKAN AND wanted AND NOT kernel_cuda_alone_${name})
        set(out ${gpu_folder}/${file}.spv)
        add_custom_command(OUTPUT ${out}
            COMMAND ${kept} ${out} ${depends} ${PROJECT_SOURCE_DIR}/cmake/spirv.sh --
                ${PROJECT_SOURCE_DIR}/cmake/spirv.sh ${PREPROCESSOR} ${GLSLANG} ${SPIRV_OPT}
                ${PROJECT_SOURCE_DIR}/src ${gpu_folder} ${kernel_source_${name}} ${out} ${kernel_threads_${name}} ${module_defines}
            DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/spirv.sh
            COMMENT "SPIR-V ${file}" VERBATIM)
        weft_embed(weft_spirv_${file} ${out})
        set(module_code "{weft_spirv_${file}, weft_spirv_${file}_end}")
    endif()
    list(APPEND spirv "${module_code}")
endmacro()
foreach(name IN LISTS kernel_names)
    set(wanted OFF)
    if(name MATCHES "${WEFT_KERNELS}")
        set(wanted ON)
    endif()
    set(depends ${kernel_source_${name}} ${kernel_filter_${name}} ${kernel_headers})
    # A list drops what is empty.
    set(store $<IF:$<BOOL:${WEFT_KERNEL_STORE}>,${WEFT_KERNEL_STORE},none>)
    set(kept sh ${PROJECT_SOURCE_DIR}/cmake/kept.sh ${store} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    set(spirv "")
    foreach(module IN ITEMS "" FLOAT16)
        if(NOT kernel_unrolled_${name} AND (module STREQUAL "" OR kernel_float16_${name}))
            weft_spirv_module(${name}${module} "${module}")
        else()
            list(APPEND spirv "{NULL, NULL}")
        endif()
    endforeach()
    set(variants "${kernel_variants_${name}}")
    if(NOT variants)
        set(variants " * variant ")
    endif()
    foreach(line IN LISTS variants)
        string(REGEX MATCHALL "[A-Z_]+=[0-9]+" pairs "${line}")
        set(shared 0) # bytes that launches ask for
        if(line MATCHES " LAUNCH_BYTES=([0-9]+)")
            set(shared ${CMAKE_MATCH_1})
        endif()
        set(defines "")
        set(values "")
        set(suffix "")
        foreach(pair IN LISTS pairs)
            string(REGEX REPLACE ".*=" "" value ${pair})
            list(APPEND defines -D${pair})
            string(APPEND values "${value}, ")
            string(APPEND suffix "_${value}")
        endforeach()
        list(LENGTH pairs count)
        set(row ${name}${suffix})
        if(kernel_unrolled_${name})
            set(spirv "")
            weft_spirv_module(${row} "UNROLLED;${pairs}")
            list(APPEND spirv "{NULL, NULL}")
        endif()
        list(JOIN spirv ", " modules)
        weft_kernel_forms(${name} "${pairs}" forms)
        set(first_code ${code_count})
        foreach(form IN LISTS forms)
            weft_form_defines(${form} form_defines form_row)
            set(code "NULL, NULL")
            if(WEFT_HAVE_CUDA AND wanted AND NOT kernel_vulkan_alone_${name})
                list(TRANSFORM form_defines PREPEND -D)
                set(out ${gpu_folder}/${row}.${form}.fatbin)
                set(flags --fmad=true -diag-suppress 177,550 ${defines} ${form_defines} -I${PROJECT_SOURCE_DIR}/src -I${gpu_folder})
                set(compile ${NVCC} -x cu -std=c++17 -fatbin ${cuda_effort} ${${kernel_cuda_flags_${name}}} ${flags} -o ${out}
                    ${kernel_source_${name}})
                set(uses ${depends})
                if(form STREQUAL woven)
                    set(out ${gpu_folder}/${row}.woven)
                    set(uses ${depends} ${PROJECT_SOURCE_DIR}/cmake/weave.sh ${PROJECT_SOURCE_DIR}/cmake/weave.awk)
                    set(compile ${PROJECT_SOURCE_DIR}/cmake/weave.sh ${out} ${NVCC} -x cu -std=c++17 -rdc=true -ptx
                        -arch=compute_${least_architecture} ${flags} ${kernel_source_${name}})
                endif()
                if(WEFT_CUDA_QUICK AND form MATCHES "^plain_" AND NOT form MATCHES "^plain_(f32x1|u8x4)$")
                    # The same text with other numbers: a name, by which tests/cuda finds what it compiled of it.
                    set(out ${gpu_folder}/${row}.${form}.name)
                    file(CONFIGURE OUTPUT ${out} CONTENT "weft: ${row} ${form}, not compiled\n")
                else()
                    add_custom_command(OUTPUT ${out}
                        COMMAND ${kept} ${out} ${uses} -- ${compile}
                        DEPENDS ${uses}
                        COMMENT "CUDA ${row} ${form}" VERBATIM COMMAND_EXPAND_LISTS)
                endif()
                weft_embed(weft_cuda_${row}_${form} ${out})
                set(code "weft_cuda_${row}_${form}, weft_cuda_${row}_${form}_end")
            endif()
            string(APPEND codes "    {${form_row}, ${code}}, /* ${row} ${form} */\n")
            math(EXPR code_count "${code_count} + 1")
        endforeach()
        list(LENGTH forms form_count)
        list(JOIN kernel_threads_${name} ", " threads)
        string(APPEND rows "    {\"${name}\", ${count}, {${values}0}, ${threads}, ${shared}, ${modules}, ${first_code}, ${form_count}},\n")
        list(APPEND kernel_rows ${row})
        set(kernel_row_name_${row} ${name})
        set(kernel_row_pairs_${row} ${pairs})
        set(kernel_row_forms_${row} ${forms})
    endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/gpu_kernels.c CONTENT
"#include <stddef.h>
#include \"backend/gpu/kernels.h\"
${externs}${blobs}
const struct gpu_kernel_row weft_gpu_kernels[] = {
${rows}    {NULL, 0, {0}, 0, 0, 0, {NULL, NULL}, {NULL, NULL}, 0, 0}};
const struct gpu_kernel_code weft_gpu_codes[] = {
${codes}    {0, 0, 0, 0, 0, NULL, NULL}};
const int32_t weft_gpu_code_count = ${code_count};
const int32_t weft_gpu_operations[] = {
${operations}    -1};
" @ONLY)
set_source_files_properties(${PROJECT_BINARY_DIR}/generated/gpu_kernels.c PROPERTIES OBJECT_DEPENDS "${kernel_outputs}")
add_custom_target(kernels DEPENDS ${kernel_outputs})
