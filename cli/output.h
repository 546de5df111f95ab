/* SPDX-License-Identifier: Apache-2.0 */
/* Answers and figures to files that appear whole or not at all. */
#ifndef ASSAY_CLI_OUTPUT_H
#define ASSAY_CLI_OUTPUT_H

#include <assay/base.h>
#include <stdio.h>

typedef void (*cli_printer)(FILE *to, const void *answer);

/* Print to a file, or to standard output where path is NULL or "-". */
assay_status cli_output(const char *path, cli_printer print, const void *answer);

/* The same for a figure: where is a file whose name ends in .svg, or a folder, made if need be, in
   which the figure is called name. */
assay_status cli_plot(const char *where, const char *name, cli_printer print, const void *answer);

#endif
