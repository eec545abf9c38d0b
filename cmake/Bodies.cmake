# Pushes every body through the GPU compilers, so that none is written that a GPU cannot take: target check_bodies.
# A compiler that is not there is left out, with a word.
find_program(GLSLANG glslangValidator)
find_program(NVCC nvcc)
set(WEFT_CUDA_ARCHITECTURE sm_90 CACHE STRING "The architecture that bodies are checked for")
set(checks "")
foreach(name IN LISTS filter_names)
    if(filter_has_body_${name})
        if(GLSLANG)
            set(out ${PROJECT_BINARY_DIR}/check/${name}.spv)
            add_custom_command(OUTPUT ${out}
                COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/check
                COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/glsl.sh ${CMAKE_C_COMPILER} ${GLSLANG} ${PROJECT_SOURCE_DIR}/src
                    ${filter_file_${name}} ${out}
                DEPENDS ${filter_file_${name}} ${PROJECT_SOURCE_DIR}/cmake/glsl.sh ${PROJECT_SOURCE_DIR}/src/kernels/dialect.h
                    ${PROJECT_SOURCE_DIR}/src/kernels/check.h ${PROJECT_SOURCE_DIR}/src/filter/template.h
                COMMENT "glslangValidator ${name}" VERBATIM)
            list(APPEND checks ${out})
        endif()
        if(NVCC)
            set(out ${PROJECT_BINARY_DIR}/check/${name}.cubin)
            add_custom_command(OUTPUT ${out}
                COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/check
                COMMAND ${NVCC} -x cu -arch=${WEFT_CUDA_ARCHITECTURE} -cubin -I${PROJECT_SOURCE_DIR}/src
                    -o ${out} ${filter_file_${name}}
                DEPENDS ${filter_file_${name}} ${PROJECT_SOURCE_DIR}/src/kernels/dialect.h
                    ${PROJECT_SOURCE_DIR}/src/kernels/check.h ${PROJECT_SOURCE_DIR}/src/filter/template.h
                COMMENT "nvcc ${name}" VERBATIM)
            list(APPEND checks ${out})
        endif()
    endif()
endforeach()
foreach(tool GLSLANG NVCC)
    if(NOT ${tool})
        message(STATUS "check_bodies leaves out ${tool}: not found")
    endif()
endforeach()
add_custom_target(check_bodies DEPENDS ${checks})
