# SPDX-License-Identifier: Apache-2.0
# Finds what dependencies.txt names.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.71 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

if(ASSAY_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
  pkg_check_modules(JSONC REQUIRED IMPORTED_TARGET json-c)
  pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)
endif()
