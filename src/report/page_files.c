/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler puts each file where it is named: gcc and clang know .incbin on every system that has
   ELF or Mach-O. ASSAY_PAGE_FOLDER is where they lie (src/CMakeLists.txt). */
#include "report/page_files.h"

#define FILE_OF_PAGE(symbol, name)                                                                 \
    __asm__(".section .rodata\n.global " #symbol "_start\n.global " #symbol "_end\n"               \
            ".hidden " #symbol "_start\n.hidden " #symbol "_end\n" #symbol "_start:\n"             \
            ".incbin \"" ASSAY_PAGE_FOLDER "/" name "\"\n" #symbol "_end:\n.byte 0\n.previous\n"); \
    extern const char symbol##_start[], symbol##_end[]

FILE_OF_PAGE(assay_page_css, "page.css");
FILE_OF_PAGE(assay_charts_js, "charts.js");
FILE_OF_PAGE(assay_element_js, "element.js");
FILE_OF_PAGE(assay_number_js, "number.js");
FILE_OF_PAGE(assay_table_js, "table.js");
FILE_OF_PAGE(assay_figure_js, "figure.js");
FILE_OF_PAGE(assay_heatmap_js, "heatmap.js");
FILE_OF_PAGE(assay_answers_js, "section_answers.js");
FILE_OF_PAGE(assay_coverage_js, "section_coverage.js");
FILE_OF_PAGE(assay_scores_js, "section_scores.js");
FILE_OF_PAGE(assay_prompts_js, "section_prompts.js");
FILE_OF_PAGE(assay_templates_js, "section_templates.js");
FILE_OF_PAGE(assay_signals_js, "section_signals.js");
FILE_OF_PAGE(assay_items_js, "section_items.js");
FILE_OF_PAGE(assay_page_js, "page.js");

const assay_page_file assay_page_style = { assay_page_css_start, assay_page_css_end };
const assay_page_file assay_page_charts = { assay_charts_js_start, assay_charts_js_end };
const assay_page_file assay_page_scripts[ASSAY_PAGE_N_SCRIPTS] = {
    { assay_element_js_start, assay_element_js_end },
    { assay_number_js_start, assay_number_js_end },
    { assay_table_js_start, assay_table_js_end },
    { assay_figure_js_start, assay_figure_js_end },
    { assay_heatmap_js_start, assay_heatmap_js_end },
    { assay_answers_js_start, assay_answers_js_end },
    { assay_scores_js_start, assay_scores_js_end },
    { assay_prompts_js_start, assay_prompts_js_end },
    { assay_templates_js_start, assay_templates_js_end },
    { assay_signals_js_start, assay_signals_js_end },
    { assay_items_js_start, assay_items_js_end },
    { assay_coverage_js_start, assay_coverage_js_end },
    { assay_page_js_start, assay_page_js_end },
};
