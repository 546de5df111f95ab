/* SPDX-License-Identifier: Apache-2.0 */
/* The command that shows more of an answer: as it can be run, with what the user said of the
   inputs. */
#include "audit_answers.h"

#include <stdio.h>
#include <string.h>

/* What is said of the input, or of every estimate: each command has it again. */
static const char of_every_command[] =
    "format,rows,columns,model,item,score,template,run,repeats,metric,force,level,seed,given";

/* A text that is written to its end; one that did not fit is not whole. */
struct text {
    char *to;
    size_t length;
    int is_cut;
};

static void put(struct text *text, const char *bytes, size_t n)
{
    if (text->is_cut || text->length + n >= AUDIT_COMMAND) {
        text->is_cut = 1;
        return;
    }
    memcpy(text->to + text->length, bytes, n);
    text->length += n;
    text->to[text->length] = '\0';
}

static void say(struct text *text, const char *words)
{
    put(text, words, strlen(words));
}

/* " word", quoted as a shell needs it. */
static void say_word(struct text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-/,:=+@%";

    say(text, " ");
    if (*word && strspn(word, plain) == strlen(word)) {
        say(text, word);
        return;
    }
    say(text, "'");
    for (; *word; word++) {
        if (*word == '\'')
            say(text, "'\\''");
        else
            put(text, word, 1);
    }
    say(text, "'");
}

/* A name as it stands in a CSV record. */
static void say_field(struct text *list, const char *name)
{
    int is_quoted = strpbrk(name, ",\"\n\r") != NULL || *name == ' ' || *name == '\0' ||
                    name[strlen(name) - 1] == ' ';

    if (is_quoted) say(list, "\"");
    for (; *name; name++) {
        if (*name == '"') say(list, "\"");
        put(list, name, 1);
    }
    if (is_quoted) say(list, "\"");
}

/* Standard input is over when the command is run: a placeholder stands for it. A name that looks
   like an option is said to be a path. */
static void say_path(struct text *text, const char *path)
{
    char shown[AUDIT_COMMAND];

    if (strcmp(path, "-") == 0) {
        say(text, " FILE");
    } else if (*path == '-' && strlen(path) + 3 < sizeof shown) {
        snprintf(shown, sizeof shown, "./%s", path);
        say_word(text, shown);
    } else {
        say_word(text, path);
    }
}

static int lists(const char *list, const char *name)
{
    size_t length = strlen(name);

    while (list && *list) {
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0) return 1;
        list = strchr(list, ',');
        if (list) list++;
    }
    return 0;
}

/* An option that the command brings itself is not said twice. */
static int brings(const char *options, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = options; (at = strstr(at, "--")) != NULL; at += 2)
        if (strncmp(at + 2, name, length) == 0 && (at[2 + length] == ' ' || !at[2 + length]))
            return 1;
    return 0;
}

static void say_option(struct text *text, struct cli_said said)
{
    say(text, " --");
    say(text, said.name);
    if (said.text) say_word(text, said.text);
}

/* The columns to drop besides those that the user drops. */
static void say_drop(struct text *text, const char *dropped, const char *const *drop, size_t n_drop)
{
    char whole[AUDIT_COMMAND] = "";
    struct text list = { .to = whole };

    if (dropped) say(&list, dropped);
    for (size_t i = 0; i < n_drop; i++) {
        if (list.length) say(&list, ",");
        say_field(&list, drop[i]);
    }
    text->is_cut |= list.is_cut;
    if (!list.length) return;
    say(text, " --drop");
    say_word(text, whole);
}

/* Only of one wide table are the columns known to be there to be dropped. */
int audit_can_drop(const struct audit_work *work)
{
    size_t n = assay_results_n_inputs(work->all->results);

    return assay_results_is_wide(work->all->results) &&
           n - (work->all->suite->admits_file ? 1 : 0) == 1;
}

void audit_command(const struct audit_work *work, struct audit_answer *answer, const char *also,
                   const char *const *drop, size_t n_drop, const char *options)
{
    struct text text = { .to = answer->command };
    const char *dropped = NULL;

    say(&text, "assay signals");
    for (int i = 0; i < work->audit->n_paths; i++) say_path(&text, work->audit->paths[i]);
    for (size_t i = 0; i < cli_n_said(); i++) {
        struct cli_said said = cli_said_at(i);
        /* The columns of a file that asks to be admitted are in every number. */
        int is_carried = lists(of_every_command, said.name) || lists(also, said.name) ||
                         (work->all->suite->admits_file && strcmp(said.name, "admit") == 0);

        if (strcmp(said.name, "drop") == 0)
            dropped = said.text;
        else if (is_carried && !brings(options, said.name))
            say_option(&text, said);
    }
    say_drop(&text, dropped, drop, audit_can_drop(work) ? n_drop : 0);
    if (*options) {
        say(&text, " ");
        say(&text, options);
    }
    if (text.is_cut) answer->command[0] = '\0';
}

void audit_command_word(struct audit_answer *answer, const char *word)
{
    struct text text = { .to = answer->command, .length = strlen(answer->command) };

    if (!text.length) return;
    say_word(&text, word);
    if (text.is_cut) answer->command[0] = '\0';
}
