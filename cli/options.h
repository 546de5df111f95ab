/* SPDX-License-Identifier: Apache-2.0 */
/* A command's options as one table, from which parsing and --help both come. */
#ifndef ASSAY_CLI_OPTIONS_H
#define ASSAY_CLI_OPTIONS_H

#include <assay/read.h>
#include <stddef.h>

enum cli_kind {
    CLI_FLAG,     /* int: set to 1 */
    CLI_TEXT,     /* const char *: the argument, borrowed from argv */
    CLI_OUTPUT,   /* const char *: a file that is written, and may be no input */
    CLI_INTEGER,  /* int64_t */
    CLI_UNSIGNED, /* uint64_t */
    CLI_REAL,     /* double */
    CLI_CHOICE,   /* int: the index of the argument among choices */
    CLI_FORMAT    /* int: an assay_format by its name */
};

struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0 for none */
    enum cli_kind kind;
    void *value; /* where it goes; what stands there before is the default that --help prints */
    const char *argument; /* how --help calls the argument, and "a|b|c" the choices */
    const char *help;
};

struct cli_usage {
    const char *command;     /* "signals" */
    const char *arguments;   /* "MATRIX..." */
    const char *description; /* what the command answers, a few lines */
    const char *example;     /* calls that work, a line each */
};

/* A command's tables of options, its own first; the list ends with a NULL table. */
struct cli_option_table {
    const char *heading;
    const struct cli_option *options;
    size_t n;
};

/* Parse, leaving the arguments that are not options at argv[*first] .. argv[argc - 1]. An output that is
   one of these, or a file that another option names, is a mistake. Returns -1 to go on, or the exit status of a call that asked for --help or made a mistake (and was told). */
int cli_parse(int argc, char **argv, const struct cli_usage *usage,
              const struct cli_option_table *tables, int *first);

/* An option as it was said last on the command line of the last cli_parse(). */
struct cli_said {
    const char *name, *text; /* text is NULL for a flag */
    const void *value;       /* where it went */
    enum cli_kind kind;
};
size_t cli_n_said(void);
struct cli_said cli_said_at(size_t i);

/* Whether the option whose value goes there was said, be it with its default. */
int cli_was_said(const void *value);

/* What every command that reads inputs takes. */
struct cli_common {
    const char *output; /* NULL is standard output */
    int force, strict, quiet;
};
enum { CLI_N_COMMON = 4 };
void cli_common_options(struct cli_common *common, struct cli_option options[CLI_N_COMMON]);

/* What every command that computes takes. */
struct cli_analysis {
    int json;
    uint64_t seed;
    int64_t threads;
    double level;
};
enum { CLI_N_ANALYSIS = 4 };
void cli_analysis_options(struct cli_analysis *analysis, struct cli_option options[CLI_N_ANALYSIS]);

/* --threads as the library takes it: out of range stays out of range when it becomes an int. */
int cli_threads(const struct cli_analysis *analysis);

/* How inputs are read. */
struct cli_reading {
    assay_read_options read;
    int format, rows, join; /* choices, in the order of the enumerations in assay/read.h */
};
enum { CLI_N_READING = 14 };
void cli_reading_options(struct cli_reading *reading, struct cli_option options[CLI_N_READING]);

#endif
