# What `make install` and packages put where: the tool with its manual pages and completions, the library in both forms,
# its headers, and what pkg-config and CMake need to find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ---- what the tool itself makes of the descriptors
set(generated ${PROJECT_BINARY_DIR}/generated)
set(builders ${generated}/include/weft/builders.h)
file(MAKE_DIRECTORY ${generated}/include/weft)
set(generated_files "")
function(weft_generate what file)
    add_custom_command(OUTPUT ${file} COMMAND weft_tool generate ${what} > ${file}.part
        COMMAND ${CMAKE_COMMAND} -E rename ${file}.part ${file} DEPENDS weft_tool VERBATIM)
    set(generated_files ${generated_files} ${file} PARENT_SCOPE)
endfunction()
weft_generate(man ${generated}/weft.1)
weft_generate(man-filters ${generated}/weft-filters.7)
weft_generate(bash ${generated}/weft.bash)
weft_generate(zsh ${generated}/_weft)
weft_generate(fish ${generated}/weft.fish)
weft_generate(builders ${builders})
add_custom_target(weft_generated ALL DEPENDS ${generated_files})

# ---- one object of all, whose hidden names are its own, so that in a static library they meet no program's
set(single ${PROJECT_BINARY_DIR}/weft_single.o)
add_custom_command(OUTPUT ${single}
    COMMAND ${CMAKE_LINKER} -r -o ${single} --whole-archive $<TARGET_FILE:weft>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${single}
    DEPENDS weft VERBATIM)
set_source_files_properties(${single} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)

# ---- the shared library; its version script shows the interface and nothing else
get_target_property(weft_libraries weft LINK_LIBRARIES)
set(version_script ${PROJECT_SOURCE_DIR}/cmake/libweft.map)
add_library(weft_shared SHARED ${single})
target_link_libraries(weft_shared PRIVATE ${weft_libraries})
target_link_options(weft_shared PRIVATE LINKER:--version-script=${version_script} LINKER:--no-undefined)
set_target_properties(weft_shared PROPERTIES OUTPUT_NAME weft VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME weft LINK_DEPENDS ${version_script} LINKER_LANGUAGE C)
target_include_directories(weft_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(WEFT_SANITIZE) # whose functions come from the program
    target_link_options(weft_shared PRIVATE LINKER:-z,undefs)
endif()

# ---- the static library
add_library(weft_static STATIC ${single})
set_target_properties(weft_static PROPERTIES OUTPUT_NAME weft LINKER_LANGUAGE C EXPORT_NAME weft_static
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/static)
separate_arguments(needed_list UNIX_COMMAND "${needed_words}")
target_link_libraries(weft_static INTERFACE ${needed_list})
target_include_directories(weft_static INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# ---- the frei0r module: one file under the name of each filter that hosts can use, and weft.so for whole graphs
add_library(weft_frei0r MODULE tools/frei0r/module.c)
target_link_libraries(weft_frei0r PRIVATE weft_shared m ${CMAKE_DL_LIBS})
target_include_directories(weft_frei0r PRIVATE include)
target_compile_options(weft_frei0r PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror -fvisibility=hidden)
set_target_properties(weft_frei0r PROPERTIES PREFIX "" OUTPUT_NAME weft INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}"
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/frei0r)
install(TARGETS weft_frei0r LIBRARY DESTINATION lib/frei0r-1)
install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:weft_tool>\" generate effects OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL \"[a-z0-9_]+\" names \"\${names}\")
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/frei0r-1\")
    foreach(name IN LISTS names)
        file(COPY_FILE \${folder}/weft.so \${folder}/weft_\${name}.so)
    endforeach()")

# ---- what finds them
file(RELATIVE_PATH WEFT_PREFIX_FROM_PKGCONFIG "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" WEFT_PREFIX_FROM_PKGCONFIG "${WEFT_PREFIX_FROM_PKGCONFIG}")
configure_file(cmake/weft.pc.in ${generated}/weft.pc @ONLY)
configure_package_config_file(cmake/weftConfig.cmake.in ${generated}/weftConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
write_basic_package_version_file(${generated}/weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS weft_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS weft_shared weft_static EXPORT weftTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${builders} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)
install(FILES ${generated}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${generated}/weftConfig.cmake ${generated}/weftConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(FILES ${generated}/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/weft-filters.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES ${generated}/weft.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME weft)
install(FILES ${generated}/_weft DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${generated}/weft.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# All that is installed; the rest of the build is tests.
add_custom_target(weft_installed DEPENDS weft_tool weft_shared weft_static weft_frei0r weft_generated)
