# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, with gcc and clang alike, wherever the tests run; a stranger's newer compiler may
# know warnings that these do not, so that ./run demo and install only show them. Results must not depend on how a compiler fuses
# multiply and add, so contraction is off everywhere; -O3 comes with CMAKE_BUILD_TYPE=Release.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  $<$<BOOL:${ASSAY_WERROR}>:-Werror>
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
