/* SPDX-License-Identifier: Apache-2.0 */
/* assay: one row a command; each lives in cli/cmd_<name>.c and knows nothing of the others. */
#include "cli.h"

#include <assay/base.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    { "audit", cmd_audit, "all of it from a folder of results: answers, and a report" },
    { "score", cmd_score, "the score once near-duplicate prompts stop counting many times" },
    { "templates", cmd_templates, "the score of every prompt template, from some of the runs" },
    { "signals", cmd_signals, "how many independent signals a benchmark gives" },
    { "plan", cmd_plan, "which templates and items to run next" },
    { "embed", cmd_embed, "prompts as vectors, by a sentence encoder or a server" },
    { "simulate", cmd_simulate, "make a benchmark whose truth is known" },
    { "inspect", cmd_inspect,
      "what an input is, what is wrong with it, and what can be asked of it" },
    { "convert", cmd_convert, "rewrite any readable results as wide or long CSV, or JSON lines" },
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static int usage(FILE *to, int exit_status)
{
    fprintf(to,
            "assay %s: what an LLM benchmark really measures, from the logs you already have\n\n"
            "usage: assay COMMAND [options] FILE...\n\ncommands:\n",
            assay_version());
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\n'assay COMMAND --help' tells a command's options and exit statuses.\n");
    return exit_status;
}

static int unknown(const char *name)
{
    char safe[200];

    fprintf(stderr, "assay: unknown command '%s'; 'assay --help' lists them\n",
            assay_printable(safe, sizeof safe, name, strlen(name)));
    return EXIT_USAGE;
}

/* "assay help X" is "assay X --help". */
static int help(char *name)
{
    char option[] = "--help";
    char *argv[] = { name, option, NULL };

    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return commands[i].run(2, argv);
    return unknown(name);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    if (!*name) return usage(stderr, EXIT_USAGE);
    if (strcmp(name, "help") == 0 && argc > 2) return help(argv[2]);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return usage(stdout, EXIT_DONE);
    if (strcmp(name, "--version") == 0) {
        printf("assay %s\n", assay_version());
        return EXIT_DONE;
    }
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    return unknown(name);
}
