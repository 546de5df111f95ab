/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of characters as Python's str and re have them, for terms equal to scikit-learn's. */
#ifndef ASSAY_TEXT_CHARACTERS_H
#define ASSAY_TEXT_CHARACTERS_H

#include <stdint.h>

enum { ASSAY_REPLACEMENT = 0xfffd }; /* stands for a byte that is not UTF-8 */

/* Python's \w: letters (L*), numbers (N*) and the low line. */
int assay_is_word(uint32_t code_point);

/* str.isspace(), which is also where str.split() splits. */
int assay_is_space(uint32_t code_point);

/* The Unicode properties Cased and Case_Ignorable, which decide how a capital sigma is lowered. A
   character that has both counts as ignorable, so is_cased() may leave those out. */
int assay_is_cased(uint32_t code_point);
int assay_is_case_ignorable(uint32_t code_point);

#endif
