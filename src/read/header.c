/* SPDX-License-Identifier: Apache-2.0 */
#include "read/header.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 60 };

/* A name and where it stands: what is sorted. */
typedef struct place {
    assay_name name;
    size_t column;
} place;

static assay_status copy_names(assay_header *header, const char *path, assay_csv_record *record);
static assay_status sort_names(assay_header *header, const char *path, size_t line);
static assay_status find_twins(const assay_header *header, const char *path, size_t line);
static int compare_places(const void *a, const void *b);
static int compare_names(assay_name a, assay_name b);

assay_status assay_header_read(assay_header *header, const char *path, assay_csv_record *record)
{
    size_t line = record->line;
    assay_status status = copy_names(header, path, record);

    if (status == ASSAY_OK) status = sort_names(header, path, line);
    if (status == ASSAY_OK) status = find_twins(header, path, line);
    return status;
}

static assay_status copy_names(assay_header *header, const char *path, assay_csv_record *record)
{
    size_t capacity = 0, used = 0, bytes = (size_t)(record->end - record->next);
    assay_csv_text field;

    header->text = assay_alloc(bytes, 1);
    if (!header->text) goto no_memory;
    while (assay_csv_field(record, &field)) {
        assay_name name = assay_name_of(&field);

        if (assay_grow(&header->names, &capacity, header->n + 1, sizeof *header->names) != 0)
            goto no_memory;
        if (name.length > 0) memcpy(header->text + used, name.text, name.length);
        header->names[header->n++] = (assay_name){ header->text + used, name.length };
        used += name.length;
    }
    return ASSAY_OK;
no_memory:
    return assay_fail_at(ASSAY_E_NOMEM, path, record->line, "no memory for the names of columns");
}

static assay_status sort_names(assay_header *header, const char *path, size_t line)
{
    place *places = assay_alloc(header->n, sizeof *places);

    header->sorted = assay_alloc(header->n, sizeof *header->sorted);
    if (!places || !header->sorted) {
        free(places);
        return assay_fail_at(ASSAY_E_NOMEM, path, line, "no memory for %zu columns", header->n);
    }
    for (size_t c = 0; c < header->n; c++) places[c] = (place){ header->names[c], c };
    qsort(places, header->n, sizeof *places, compare_places);
    for (size_t k = 0; k < header->n; k++) header->sorted[k] = places[k].column;
    free(places);
    return ASSAY_OK;
}

static assay_status find_twins(const assay_header *header, const char *path, size_t line)
{
    for (size_t k = 1; k < header->n; k++) {
        size_t a = header->sorted[k - 1], b = header->sorted[k];
        assay_name name = header->names[a];

        if (name.length == 0 || compare_names(name, header->names[b]) != 0) continue;
        return assay_fail_at(ASSAY_E_FORMAT, path, line,
                             "columns %zu and %zu are both called \"%.*s\"", a + 1, b + 1,
                             (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX), name.text);
    }
    return ASSAY_OK;
}

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = compare_names(p->name, q->name);
    return order ? order : (p->column > q->column) - (p->column < q->column);
}

static int compare_names(assay_name a, assay_name b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.text, b.text, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

void assay_header_free(assay_header *header)
{
    free(header->names);
    free(header->sorted);
    free(header->text);
    *header = (assay_header){ 0 };
}

/* A text in memory as a source. */
static assay_status read_text(void *user, char *buffer, size_t size, size_t *got)
{
    assay_name *rest = user;

    *got = rest->length < size ? rest->length : size;
    if (*got > 0) memcpy(buffer, rest->text, *got);
    rest->text += *got;
    rest->length -= *got;
    return ASSAY_OK;
}

assay_status assay_header_from_list(assay_header *header, const char *option, const char *list)
{
    assay_name text = { list, list ? strlen(list) : 0 };
    assay_csv *csv = NULL;
    assay_csv_record record;
    assay_status status;
    int more;

    if (text.length == 0) return ASSAY_OK;
    if ((status = assay_csv_open(option, ",", read_text, &text, &csv)) != ASSAY_OK) goto done;
    if ((status = assay_csv_next(csv, &record, &more)) != ASSAY_OK) goto done;
    if (more) status = assay_header_read(header, option, &record);
done:
    assay_csv_close(csv);
    return status == ASSAY_E_FORMAT ? ASSAY_E_VALUE : status;
}

ptrdiff_t assay_header_find(const assay_header *header, const char *text, size_t length)
{
    const assay_name name = { text, length };
    size_t low = 0, high = header->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_names(header->names[header->sorted[middle]], name);

        if (order == 0) return (ptrdiff_t)header->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return ASSAY_NO_COLUMN;
}

char *assay_header_list(const assay_header *header, char out[ASSAY_HEADER_LIST_SIZE])
{
    out[0] = '\0';
    for (size_t c = 0; c < header->n; c++)
        assay_header_list_add(out, header->names[c].text, header->names[c].length);
    return out;
}

void assay_header_list_add(char out[ASSAY_HEADER_LIST_SIZE], const char *text, size_t length)
{
    static const char more[] = ", ...";
    size_t used = strlen(out), cut = length < SHOWN_MAX ? length : SHOWN_MAX;

    if (used >= sizeof more - 1 && strcmp(out + used - (sizeof more - 1), more) == 0) return;
    if (used + 2 + cut + sizeof more > ASSAY_HEADER_LIST_SIZE)
        memcpy(out + used, more, sizeof more);
    else
        snprintf(out + used, ASSAY_HEADER_LIST_SIZE - used, "%s%.*s", used ? ", " : "", (int)cut,
                 text);
}

size_t assay_header_n_named(const assay_header *header)
{
    size_t n = header->n;

    while (n > 0 && header->names[n - 1].length == 0) n--;
    return n;
}

assay_name assay_name_of(const assay_csv_text *field)
{
    const char *text = field->text;
    size_t length = field->length;

    if (field->quoted) return (assay_name){ text, length };
    while (length > 0 && (text[0] == ' ' || text[0] == '\t')) text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    return (assay_name){ text, length };
}

int assay_name_is(assay_name name, const char *text)
{
    return strlen(text) == name.length && memcmp(name.text, text, name.length) == 0;
}

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == ' ' || c == '-' ? '_' : c;
}

int assay_name_is_nearly(assay_name name, assay_name other)
{
    if (name.length != other.length) return 0;
    for (size_t i = 0; i < name.length; i++)
        if (fold(name.text[i]) != fold(other.text[i])) return 0;
    return 1;
}
