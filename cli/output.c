/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "cli.h"
#include "session.h"

#include <assay/output.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* What cannot be written is seen, and told, by cli_finish(). */
static int to_standard_output(cli_printer print, const void *answer)
{
    assay_status status = print(stdout, answer);

    return status == ASSAY_OK ? -1 : cli_failed(status);
}

int cli_output_is_input(const char *output, const char *input)
{
    struct stat there, read;

    return stat(output, &there) == 0 && S_ISREG(there.st_mode) && stat(input, &read) == 0 &&
           there.st_dev == read.st_dev && there.st_ino == read.st_ino;
}

int cli_output(const char *path, cli_printer print, const void *answer)
{
    assay_output output;
    assay_status status;

    if (is_standard_output(path)) return to_standard_output(print, answer);
    status = assay_output_open(&output, path);
    if (status != ASSAY_OK) return cli_failed(status);
    status = print(output.to, answer);
    if (status == ASSAY_OK && !cli_interrupted())
        status = assay_output_commit(&output);
    else
        assay_output_abandon(&output);
    if (status == ASSAY_OK && cli_interrupted()) return EXIT_INTERRUPTED;
    return status == ASSAY_OK ? -1 : cli_failed(status);
}

/* Nothing is opened but a file beside it: a device or a pipe would notice. */
int cli_output_check(const char *path)
{
    struct stat there;
    assay_output output;
    assay_status status;

    if (is_standard_output(path) || (stat(path, &there) == 0 && !S_ISREG(there.st_mode))) return -1;
    status = assay_output_open(&output, path);
    if (status != ASSAY_OK) return cli_failed(status);
    assay_output_abandon(&output);
    return -1;
}

/* Print text line by line, made safe; room is for the longest line. */
static void print_safely(char *text, size_t length, char *room, size_t size)
{
    for (char *line = text, *end; line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        if (!end) end = text + length;
        puts(assay_printable(room, size, line, (size_t)(end - line)));
    }
}

int cli_output_raw(const char *path, cli_printer print, const void *answer)
{
    char *text = NULL, *room = NULL;
    size_t length = 0, size;
    FILE *memory;
    assay_status status;

    if (!is_standard_output(path) || !isatty(STDOUT_FILENO)) return cli_output(path, print, answer);
    memory = open_memstream(&text, &length);
    if (!memory) return cli_failed(cli_no_memory());
    status = print(memory, answer);
    if (fclose(memory) != 0 || status != ASSAY_OK) {
        free(text);
        return status == ASSAY_OK ? cli_failed(cli_no_memory()) : cli_failed(status);
    }
    size = 4 * length + 8; /* an escape takes four bytes */
    room = malloc(size);
    if (room) print_safely(text, length, room, size);
    free(text);
    free(room);
    return room ? -1 : cli_failed(cli_no_memory());
}

int cli_plot_is_file(const char *where)
{
    static const char ending[] = ".svg";
    size_t length = strlen(where), n = strlen(ending);

    return is_standard_output(where) || (length >= n && strcmp(where + length - n, ending) == 0);
}

int cli_plot(const char *where, const char *name, cli_printer print, const void *answer)
{
    size_t length = strlen(where), n = length + strlen(name) + 2;
    const char *slash = strrchr(where, '/'), *dot = strchr(slash ? slash + 1 : where, '.');
    struct stat there;
    char *path, safe[300];
    int exit_status;

    if (cli_plot_is_file(where)) return cli_output(where, print, answer);
    if (dot && stat(where, &there) != 0) {
        fprintf(stderr, "assay: --plot %s: expected a name that ends in .svg, or a folder\n",
                assay_printable(safe, sizeof safe, where, length));
        return EXIT_USAGE;
    }
    mkdir(where, 0777); /* if it is there already, good; if it cannot be, writing says why */
    path = malloc(n);
    if (!path) return cli_failed(cli_no_memory());
    snprintf(path, n, "%s/%s", where, name);
    exit_status = cli_output(path, print, answer);
    free(path);
    return exit_status;
}
