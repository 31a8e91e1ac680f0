# manual.cmake - manual pages, written by a program of the tables of options, and completion of bash, zsh and fish
add_executable(daelab-manual bench/manual/main.c $<TARGET_OBJECTS:daelab_bench_objects>
                             $<TARGET_OBJECTS:daelab_problems>)
target_include_directories(daelab-manual PRIVATE include bench problems)
target_compile_definitions(daelab-manual PRIVATE _GNU_SOURCE)
target_link_libraries(daelab-manual PRIVATE daelab_flags ${DAELAB_LINKED} ${DAELAB_BENCH_LIBRARIES})

# A program of another machine is not run here.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Manual pages are left out: the program that writes them is of another machine")
  return()
endif()
file(STRINGS CHANGELOG.md DAELAB_DATE REGEX "^## ${PROJECT_VERSION} ")
string(REGEX REPLACE "^.*([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]).*$" "\\1" DAELAB_DATE "${DAELAB_DATE}")
file(GLOB DAELAB_COMPLETION_TEXTS CONFIGURE_DEPENDS bench/manual/completion.bash bench/manual/completion.zsh
     bench/manual/completion.fish)
set(DAELAB_MANUAL_FOLDER ${PROJECT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${DAELAB_MANUAL_FOLDER}/written
                   COMMAND ${CMAKE_COMMAND} -E remove_directory ${DAELAB_MANUAL_FOLDER}
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${DAELAB_MANUAL_FOLDER}
                   COMMAND daelab-manual ${DAELAB_DATE} ${DAELAB_MANUAL_FOLDER}
                   COMMAND ${CMAKE_COMMAND} -E copy ${DAELAB_COMPLETION_TEXTS} ${DAELAB_MANUAL_FOLDER}
                   COMMAND ${CMAKE_COMMAND} -E touch ${DAELAB_MANUAL_FOLDER}/written
                   DEPENDS daelab-manual ${DAELAB_COMPLETION_TEXTS} VERBATIM)
add_custom_target(daelab_manual_pages ALL DEPENDS ${DAELAB_MANUAL_FOLDER}/written)

install(DIRECTORY ${DAELAB_MANUAL_FOLDER}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${DAELAB_MANUAL_FOLDER}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME daelab)
install(FILES ${DAELAB_MANUAL_FOLDER}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        RENAME daelab.fish)
# Debian's zsh looks elsewhere in /usr.
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\" TYPE FILE
       RENAME _daelab FILES \"${DAELAB_MANUAL_FOLDER}/completion.zsh\")")
