# folders.cmake - before anything is installed: which folders there are not yet, so that uninstall takes them again
# (scripts/uninstall.cmake)
set(DAELAB_FOLDERS "")
foreach(folder ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/cmake ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_DOCDIR} ${CMAKE_INSTALL_MANDIR}/man1
        ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  while(folder AND NOT IS_ABSOLUTE "${folder}")
    list(APPEND DAELAB_FOLDERS "/${folder}")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()
list(APPEND DAELAB_FOLDERS "/")
list(REMOVE_DUPLICATES DAELAB_FOLDERS)
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  set(list \"${PROJECT_BINARY_DIR}/installed-folders.txt\")
  set(made \"\")
  foreach(folder ${DAELAB_FOLDERS})
    if(NOT EXISTS \"\${root}\${folder}\")
      string(APPEND made \"\${root}\${folder}\\n\")
    endif()
  endforeach()
  if(made AND NOT root MATCHES \"/_CPack_Packages/\")           # a second install finds those of the first
    file(WRITE \"\${list}\" \"\${made}\")
  endif()")
