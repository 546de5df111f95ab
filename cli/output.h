/* SPDX-License-Identifier: Apache-2.0 */
/* Answers and figures to files that appear whole or not at all. Each call returns -1 to go on, or
   the exit status of a failure that it has told. */
#ifndef ASSAY_CLI_OUTPUT_H
#define ASSAY_CLI_OUTPUT_H

#include <assay/base.h>
#include <stdio.h>

/* Writes an answer; what fails before the end leaves no file. */
typedef assay_status (*cli_printer)(FILE *to, const void *answer);

/* 1 when writing to output would overwrite the file that input is. */
int cli_output_is_input(const char *output, const char *input);

/* Print to a file, or to standard output where path is NULL or "-". */
int cli_output(const char *path, cli_printer print, const void *answer);

/* Whether that file can be written, before the work that will fill it. */
int cli_output_check(const char *path);

/* The same as cli_output() for text that holds names and prompts as they were read: on a terminal
   their control characters are shown as escapes; a file or a pipe gets every byte. */
int cli_output_raw(const char *path, cli_printer print, const void *answer);

/* The same for a figure: where is a file whose name ends in .svg, "-", or a folder, made if need
   be, in which the figure is called name. */
int cli_plot(const char *where, const char *name, cli_printer print, const void *answer);

/* 1 when where is a file for one figure ("-", or a name that ends in .svg) and no folder. */
int cli_plot_is_file(const char *where);

#endif
