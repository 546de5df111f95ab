/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, and the exit statuses they share. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

enum {
    EXIT_DONE = 0,
    EXIT_NO_ANSWER = 1, /* missing, unreadable, malformed or insufficient data */
    EXIT_USAGE = 2,
    EXIT_DAMAGED = 3,      /* finished, but an input was damaged (with --strict) */
    EXIT_SYSTEM = 4,       /* memory, disk, write */
    EXIT_INTERRUPTED = 130 /* by Ctrl-C, as shells say it */
};

int cmd_audit(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_embed(int argc, char **argv);
int cmd_inspect(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_signals(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_templates(int argc, char **argv);

#endif
