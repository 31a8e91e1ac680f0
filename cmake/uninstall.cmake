# uninstall.cmake - the target uninstall: what the last cmake --install wrote, and no package that cpack made since
install(CODE "
  if(NOT \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" MATCHES \"/_CPack_Packages/\")
    set(files \${CMAKE_INSTALL_MANIFEST_FILES})
    if(files)
      list(TRANSFORM files PREPEND \"\$ENV{DESTDIR}\")
      list(JOIN files \"\\n\" files)
      file(WRITE \"${PROJECT_BINARY_DIR}/installed.txt\" \"\${files}\\n\")
    endif()
  endif()")
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/installed.txt
                                    -DFOLDERS=${PROJECT_BINARY_DIR}/installed-folders.txt
                                    -P ${PROJECT_SOURCE_DIR}/scripts/uninstall.cmake VERBATIM)
