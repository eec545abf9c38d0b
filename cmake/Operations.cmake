# Modules of SPIR-V, and the one that all point filters are in.
#
# Point filters become operations of programs, numbered in order of name. Functions that a filter's file defines get the filter's
# name after theirs, since several come into one source. Vulkan has all in one module, for which others have a stand-in, CUDA
# those that a program has.
set(point_kinds channel pixel pixel2 blend generator)
set(operation 0)
foreach(name IN LISTS filter_names)
    if(NOT filter_kind_${name} IN_LIST point_kinds)
        string(APPEND operations "    -1,\n")
        continue()
    endif()
    file(STRINGS ${filter_file_${name}} functions REGEX "^FN [a-z0-9]+ [a-z0-9_]+\\(")
    list(TRANSFORM functions REPLACE "^FN [a-z0-9]+ ([a-z0-9_]+)\\(.*" "\\1")
    set(include "#include \"filters/${filter_family_${name}}/${name}.c\"\n#include \"filter/help/forget.h\"\n")
    foreach(each IN ITEMS body composite ${functions})
        set(include "#define ${each} ${each}_of_${name}\n${include}#undef ${each}\n")
    endforeach()
    file(STRINGS ${filter_file_${name}} role REGEX "^#define ROLE ((UN)?PREMULTIPLY(_HIDDEN)?|DROP_HIDDEN|LUMINANCE)$")
    set(role_text NULL)
    if(role)
        string(REGEX REPLACE "^#define ROLE " "" role "${role}")
        set(role_text "\"${role}\"")
        string(APPEND include "#define OP_${role} ${operation}\n#define OPERATION_${role} operation_${name}\n")
        string(APPEND conversion_includes "${include}")
    else()
        string(APPEND includes "${include}")
    endif()
    string(APPEND cases "    case ${operation}: v = operation_${name}(a, b, at, block, shape); break;\n")
    string(APPEND operations "    ${operation}, /* ${name} */\n")
    string(REPLACE "\"" "\\\"" include "${include}")
    string(REPLACE "\n" "\\n" include "${include}")
    string(APPEND operation_texts "    {\"operation_${name}\", \"${include}\", ${role_text}},\n")
    math(EXPR operation "${operation} + 1")
endforeach()
file(CONFIGURE OUTPUT ${gpu_folder}/called/point_operations.h CONTENT
"${conversion_includes}
/* A stand-in: backend/vulkan/spirv/spirv_link.c puts the function in its place when a pipeline is made. */
FN_CALL vec4 point_operation(int op, vec4 a, vec4 b, place at, address block, int shape) {
    return vec4(-1267650600228229401496703205376.0f);
}
" @ONLY)
file(CONFIGURE OUTPUT ${gpu_folder}/operations.gpu CONTENT
"#define PROGRAMS_ALONE
#include \"kernels/gpu/program/program.h\"
KERNEL(operations, 1, 1) {
    vec4 v = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    v = point_operation(0, v, v, PLACE_AT(0, 0, 1, 1), address(0), 0);
}
" @ONLY)
file(CONFIGURE OUTPUT ${gpu_folder}/point_operations.h CONTENT
"${conversion_includes}${includes}
/* No returns in the switch: of those, lavapipe (Mesa 22.3) leaves out cases that only move components. */
FN_CALL vec4 point_operation(int op, vec4 a, vec4 b, place at, address block, int shape) {
    vec4 v = a;
    switch (op) {
${cases}    }
    return v;
}
" @ONLY)

set(WEFT_SPIRV_STORE none CACHE STRING "Folder of SPIR-V that builds share, or none")
# weft_module(FILE DEFINES OUT): of the kernel that weft_kernel sees, with the headers of the folder `generated`; *OUT is its
# number among what is embedded, 0 without Vulkan.
macro(weft_module file module_defines out)
    set(${out} 0)
    if(WEFT_HAVE_VULKAN)
        set(spirv ${gpu_folder}/${file}.spv)
        set(script ${PROJECT_SOURCE_DIR}/cmake/spirv.sh)
        add_custom_command(OUTPUT ${spirv} DEPENDS ${source} ${script} DEPFILE ${spirv}.d COMMENT "SPIR-V ${file}" VERBATIM
            COMMAND sh ${script} ${CMAKE_C_COMPILER} ${GLSLANG} ${SPIRV_OPT} ${WEFT_SPIRV_STORE} ${PROJECT_SOURCE_DIR}/src
                ${generated} ${source} ${spirv} ${threads} ${module_defines})
        set_property(GLOBAL APPEND PROPERTY weft_modules ${spirv})
        get_property(modules GLOBAL PROPERTY weft_modules)
        list(LENGTH modules ${out})
    endif()
endmacro()
set(generated ${gpu_folder})
set(source ${gpu_folder}/operations.gpu)
set(threads 1 1)
weft_module(operations "" operation_module)
set(generated ${gpu_folder}/called)
