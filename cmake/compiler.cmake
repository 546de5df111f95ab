# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, with gcc and clang alike. Results must not depend on how a compiler fuses
# multiply and add, so contraction is off everywhere; -O3 comes with CMAKE_BUILD_TYPE=Release.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
  -ffp-contract=off
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
add_compile_definitions(_XOPEN_SOURCE=700)

if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ASSAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
