# SPDX-License-Identifier: Apache-2.0
# cmake --install: the binary, both libraries, the headers, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)

foreach(kind static shared)
  install(TARGETS assay_${kind} EXPORT assay-${kind}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(TARGETS assay_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/assay.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/assay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Relative, so that the folder can be installed anywhere, or moved.
file(RELATIVE_PATH ASSAY_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM OpenMP_C_LIB_NAMES PREPEND -l OUTPUT_VARIABLE ASSAY_OPENMP_FLAGS)
string(REPLACE ";" " " ASSAY_OPENMP_FLAGS "${ASSAY_OPENMP_FLAGS}")
configure_file(cmake/assay.pc.in assay.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/assay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(ASSAY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
configure_package_config_file(cmake/assay-config.cmake.in assay-config.cmake
  INSTALL_DESTINATION ${ASSAY_CMAKE_DIR})
write_basic_package_version_file(assay-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT assay-static NAMESPACE assay:: DESTINATION ${ASSAY_CMAKE_DIR})
install(EXPORT assay-shared NAMESPACE assay:: DESTINATION ${ASSAY_CMAKE_DIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/assay-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/assay-config-version.cmake DESTINATION ${ASSAY_CMAKE_DIR})
