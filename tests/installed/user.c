/* SPDX-License-Identifier: Apache-2.0 */
/* A user's program: only the installed headers and library. */
#include <assay.h>
#include <stdio.h>

int main(void)
{
    const double scores[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    assay_matrix *matrix = NULL;
    assay_dimensions ed = { 0 };

    if (assay_matrix_from_scores(scores, 3, 3, &matrix) != ASSAY_OK ||
        assay_effective_dimensions(matrix, 1, &ed) != ASSAY_OK) {
        fprintf(stderr, "%s\n", assay_last_error());
        return 1;
    }
    printf("assay %s: ED %.3f\n", assay_version(), ed.task);
    assay_matrix_free(matrix);
    return ed.task > 1.999 && ed.task < 2.001 ? 0 : 1;
}
