# beside.cmake - what an installed program finds beside itself: headers, derive, what shows results, what speaks MPI; by
# which compiler
file(RELATIVE_PATH DAELAB_INCLUDE_BESIDE ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH DAELAB_DERIVE_BESIDE ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/daelab/derive)
file(RELATIVE_PATH DAELAB_SHOW_BESIDE ${CMAKE_INSTALL_FULL_BINDIR}
     ${CMAKE_INSTALL_FULL_DATADIR}/daelab/python/daelab/show)
file(RELATIVE_PATH DAELAB_MPI_BESIDE ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/daelab)

# In the build folder it lies behind links: no program holds a path of this tree.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tree)
foreach(folder include derive python)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/tree/${folder} SYMBOLIC)
endforeach()

set_source_files_properties(bench/catalogue/deriver.c PROPERTIES COMPILE_DEFINITIONS
  "DAELAB_DERIVE_BESIDE=\"${DAELAB_DERIVE_BESIDE}\";DAELAB_DERIVE_OF_TREE=\"tree/derive\"")
set_source_files_properties(bench/deliver/show.c PROPERTIES COMPILE_DEFINITIONS
  "DAELAB_SHOW_BESIDE=\"${DAELAB_SHOW_BESIDE}\";DAELAB_SHOW_OF_TREE=\"tree/python/daelab/show\"")
set(DAELAB_COMPILER_WORDS "DAELAB_COMPILER=\"${CMAKE_C_COMPILER}\"" "DAELAB_INCLUDE_OF_TREE=\"tree/include\""
                          "DAELAB_INCLUDE_BESIDE=\"${DAELAB_INCLUDE_BESIDE}\"")
set_source_files_properties(bench/catalogue/compiled.c PROPERTIES COMPILE_DEFINITIONS "${DAELAB_COMPILER_WORDS}")
set_source_files_properties(bench/pool/ranks.c PROPERTIES COMPILE_DEFINITIONS
                            "DAELAB_MPI_BESIDE=\"${DAELAB_MPI_BESIDE}\"")
