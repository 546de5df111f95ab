/* SPDX-License-Identifier: Apache-2.0 */
#include "read/prompts.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/utf8.h"
#include "read/prompt_row.h"
#include "text/characters.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Room for the normal form of one text after the other. */
typedef struct normal_form {
    utf8proc_int32_t *code_points; /* as UTF-8 in the end */
    size_t capacity;
} normal_form;

static assay_status check_same(assay_prompts *prompts, size_t at, const char *path, size_t line,
                               const assay_prompt_row *row);
static assay_status count_distinct(assay_prompts *prompts);
static assay_status add_normal_form(const char *text, normal_form *form, assay_names *known);
static int fold_ascii(const char *text, size_t length, char *to);
static int fold(const char *text, size_t length, normal_form *form, size_t *bytes);
static size_t collapse_spaces(char *text, size_t length);
static assay_status sort_ids(assay_prompts *prompts);
static int compare_ids(const void *a, const void *b);
static assay_status fail_memory(const assay_prompts *prompts);

assay_status assay_prompts_read(const char *path, const assay_prompts_options *options,
                                assay_prompts **out)
{
    assay_prompts_options opt;
    assay_prompts *prompts = NULL;
    assay_status status;

    *out = NULL;
    assay_prompts_options_init(&opt, sizeof opt);
    status = assay_options_take("prompts", options, &opt, sizeof opt);
    if (status != ASSAY_OK) goto done;
    if (!path || !*path) {
        status = assay_fail(ASSAY_E_VALUE, "prompts: no path");
        goto done;
    }
    prompts = assay_alloc_zero(1, sizeof *prompts);
    if (!prompts) {
        status = assay_fail(ASSAY_E_NOMEM, "prompts: no memory");
        goto done;
    }
    if ((status = assay_prompts_read_rows(prompts, path, &opt)) != ASSAY_OK) goto done;
    if ((status = assay_prompts_finish(prompts)) != ASSAY_OK) goto done;
    *out = prompts;
    prompts = NULL;
done:
    assay_prompts_free(prompts);
    return status;
}

void assay_prompts_options_init(assay_prompts_options *options, size_t struct_size)
{
    const assay_prompts_options defaults = { .struct_size = struct_size };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_prompts_add(assay_prompts *prompts, const char *path, size_t line,
                               const assay_name parts[ASSAY_N_PROMPT_PARTS])
{
    const assay_name *text = &parts[ASSAY_PROMPT_TEXT];

    return assay_prompts_add_turns(prompts, path, line, parts, text, text->text != NULL);
}

assay_status assay_prompts_add_turns(assay_prompts *prompts, const char *path, size_t line,
                                     const assay_name parts[ASSAY_N_PROMPT_PARTS],
                                     const assay_name *turns, size_t n_turns)
{
    const assay_name id = parts[ASSAY_PROMPT_ID];
    const size_t before = prompts->ids.count;
    assay_prompt_row row = { 0 };
    size_t at;
    assay_status status = assay_prompt_row_check(path, line, id, n_turns);

    if (status != ASSAY_OK) return status;
    if (assay_prompt_row_take(&row, turns, n_turns, parts[ASSAY_PROMPT_CLUSTER]) != 0 ||
        assay_names_add(&prompts->ids, id.text, id.length, &at) != 0) {
        status = fail_memory(prompts);
    } else if (at < before) {
        status = check_same(prompts, at, path, line, &row);
    } else if (assay_prompt_row_put(&row, prompts) != 0) {
        status = fail_memory(prompts);
        assay_names_cut(&prompts->ids, before);
    }
    assay_prompt_row_free(&row);
    return status;
}

static assay_status check_same(assay_prompts *prompts, size_t at, const char *path, size_t line,
                               const assay_prompt_row *row)
{
    const char *what = assay_prompt_row_difference(row, prompts, at);

    if (what)
        return assay_fail_at(ASSAY_E_CONFLICT, path, line,
                             "the prompt \"%.60s\" was there before with another %s, expected each "
                             "id once",
                             prompts->ids.text[at], what);
    prompts->n_repeated++;
    return ASSAY_OK;
}

assay_status assay_prompts_finish(assay_prompts *prompts)
{
    assay_status status = count_distinct(prompts);

    return status == ASSAY_OK ? sort_ids(prompts) : status;
}

static assay_status count_distinct(assay_prompts *prompts)
{
    normal_form form = { 0 };
    assay_names known = { 0 };
    assay_status status = ASSAY_OK;

    for (size_t i = 0; status == ASSAY_OK && i < prompts->ids.count; i++)
        status = add_normal_form(prompts->texts[i], &form, &known);
    prompts->n_distinct = known.count;
    assay_names_free(&known);
    free(form.code_points);
    return status == ASSAY_OK ? ASSAY_OK : fail_memory(prompts);
}

static assay_status add_normal_form(const char *text, normal_form *form, assay_names *known)
{
    const size_t length = strlen(text);
    size_t index, bytes = length;

    if (assay_grow(&form->code_points, &form->capacity, length / sizeof *form->code_points + 1,
                   sizeof *form->code_points) != 0)
        return ASSAY_E_NOMEM;
    if (!fold_ascii(text, length, (char *)form->code_points) &&
        fold(text, length, form, &bytes) != 0)
        return ASSAY_E_NOMEM;
    bytes = collapse_spaces((char *)form->code_points, bytes);
    return assay_names_add(known, (const char *)form->code_points, bytes, &index) == 0
               ? ASSAY_OK
               : ASSAY_E_NOMEM;
}

/* Most texts need no tables. 0 when this one does. */
static int fold_ascii(const char *text, size_t length, char *to)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] >= 0x80) return 0;
        to[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    }
    return 1;
}

/* Texts are UTF-8 here, so that decomposing them fails for want of room alone. 0, or -1. */
static int fold(const char *text, size_t length, normal_form *form, size_t *bytes)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD;
    utf8proc_ssize_t n = (utf8proc_ssize_t)length;

    do { /* a byte of room more than n, for the NUL that reencoding appends */
        if (assay_grow(&form->code_points, &form->capacity, (size_t)n + 1,
                       sizeof *form->code_points) != 0)
            return -1;
        n = utf8proc_decompose((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length,
                               form->code_points, (utf8proc_ssize_t)form->capacity - 1, options);
        if (n < 0) return -1;
    } while ((size_t)n >= form->capacity);
    n = utf8proc_reencode(form->code_points, n, options);
    if (n < 0) return -1;
    *bytes = (size_t)n;
    return 0;
}

/* In place; returns the new length. */
static size_t collapse_spaces(char *text, size_t length)
{
    size_t n = 0, bytes;
    int pending = 0;

    for (size_t i = 0; i < length; i += bytes) {
        uint32_t c;

        bytes = assay_utf8_decode(text + i, length - i, &c);
        if (assay_is_space(c)) {
            pending = n > 0;
            continue;
        }
        if (pending) text[n++] = ' ';
        pending = 0;
        memmove(text + n, text + i, bytes);
        n += bytes;
    }
    return n;
}

static assay_status sort_ids(assay_prompts *prompts)
{
    const size_t n = prompts->ids.count;

    prompts->sorted = assay_alloc(n, sizeof *prompts->sorted);
    if (!prompts->sorted) return fail_memory(prompts);
    for (size_t i = 0; i < n; i++)
        prompts->sorted[i] = (assay_prompt_id){ prompts->ids.text[i], i };
    qsort(prompts->sorted, n, sizeof *prompts->sorted, compare_ids);
    return ASSAY_OK;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const assay_prompt_id *)a)->id, ((const assay_prompt_id *)b)->id);
}

ptrdiff_t assay_prompts_find(const assay_prompts *prompts, const char *id)
{
    const assay_prompt_id key = { id, 0 };
    const assay_prompt_id *found =
        bsearch(&key, prompts->sorted, prompts->ids.count, sizeof *prompts->sorted, compare_ids);
    return found ? (ptrdiff_t)found->prompt : -1;
}

static assay_status fail_memory(const assay_prompts *prompts)
{
    return assay_fail(ASSAY_E_NOMEM, "prompts: no memory for %zu prompts", prompts->ids.count + 1);
}

void assay_prompts_free(assay_prompts *prompts)
{
    if (!prompts) return;
    for (size_t i = 0; i < prompts->ids.count; i++) {
        const size_t first = prompts->first_turn[i], end = prompts->first_turn[i + 1];

        for (size_t t = first; end - first > 1 && t < end; t++) free(prompts->turns[t]);
        free(prompts->texts[i]);
        free(prompts->clusters[i]);
    }
    free(prompts->turns);
    free(prompts->first_turn);
    free(prompts->texts);
    free(prompts->clusters);
    free(prompts->sorted);
    assay_names_free(&prompts->ids);
    free(prompts);
}

size_t assay_prompts_n(const assay_prompts *prompts)
{
    return prompts->ids.count;
}

const char *assay_prompts_id(const assay_prompts *prompts, size_t prompt)
{
    return prompts->ids.text[prompt];
}

const char *assay_prompts_text(const assay_prompts *prompts, size_t prompt)
{
    return prompts->texts[prompt];
}

const char *assay_prompts_cluster(const assay_prompts *prompts, size_t prompt)
{
    return prompts->clusters[prompt];
}

const char *const *assay_prompts_texts(const assay_prompts *prompts)
{
    return (const char *const *)prompts->texts;
}

size_t assay_prompts_n_turns(const assay_prompts *prompts, size_t prompt)
{
    return prompts->first_turn[prompt + 1] - prompts->first_turn[prompt];
}

const char *assay_prompts_turn(const assay_prompts *prompts, size_t prompt, size_t turn)
{
    return prompts->turns[prompts->first_turn[prompt] + turn];
}

size_t assay_prompts_most_turns(const assay_prompts *prompts)
{
    return prompts->most_turns;
}

const char *const *assay_prompts_turns(const assay_prompts *prompts)
{
    return (const char *const *)prompts->turns;
}

const size_t *assay_prompts_first_turns(const assay_prompts *prompts)
{
    return prompts->first_turn;
}

size_t assay_prompts_n_repeated(const assay_prompts *prompts)
{
    return prompts->n_repeated;
}

size_t assay_prompts_n_distinct(const assay_prompts *prompts)
{
    return prompts->n_distinct;
}
