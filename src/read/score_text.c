/* SPDX-License-Identifier: Apache-2.0 */
#include "read/score_text.h"

#include "core/error.h"
#include "core/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MAX = 64, SHOWN_MAX = 60 };

static const struct word {
    const char *text;
    int state;
    double score;
} words[] = {
    { "true", ASSAY_SCORED, 1 },      { "false", ASSAY_SCORED, 0 },  { "pass", ASSAY_SCORED, 1 },
    { "fail", ASSAY_SCORED, 0 },      { "passed", ASSAY_SCORED, 1 }, { "failed", ASSAY_SCORED, 0 },
    { "correct", ASSAY_SCORED, 1 },   { "c", ASSAY_SCORED, 1 },      { "i", ASSAY_SCORED, 0 },
    { "incorrect", ASSAY_SCORED, 0 }, { "yes", ASSAY_SCORED, 1 },    { "no", ASSAY_SCORED, 0 },
    { "na", ASSAY_MISSING, 0 },       { "n/a", ASSAY_MISSING, 0 },   { "nan", ASSAY_MISSING, 0 },
    { "null", ASSAY_MISSING, 0 },     { "none", ASSAY_MISSING, 0 },  { "-", ASSAY_MISSING, 0 },
    { "#n/a", ASSAY_MISSING, 0 },
};

static const struct word *find_word(const char *text, size_t length);
static int parse_number(const char *text, size_t length, int decimal_comma, double *score);
static int is_space(char c);

int assay_score_text_parse(const char *text, size_t length, int decimal_comma, double *score)
{
    const struct word *word;

    while (length > 0 && is_space(text[0])) text++, length--;
    while (length > 0 && is_space(text[length - 1])) length--;
    *score = NAN;
    if (length == 0) return ASSAY_MISSING;
    if (length == 1 && text[0] >= '0' && text[0] <= '9') {
        *score = text[0] - '0';
        return ASSAY_SCORED;
    }
    word = find_word(text, length);
    if (!word) return parse_number(text, length, decimal_comma, score) == 0 ? ASSAY_SCORED : -1;
    if (word->state == ASSAY_SCORED) *score = word->score;
    return word->state;
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const struct word *find_word(const char *text, size_t length)
{
    if (text[0] >= '.' && text[0] <= '9') return NULL; /* most cells: a number */
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strncasecmp(words[k].text, text, length) == 0 && words[k].text[length] == '\0')
            return &words[k];
    return NULL;
}

/* A percentage becomes an exponent, "90.18e-2": the nearest double to .9018, which 90.18 / 100 need
   not be. */
static int parse_number(const char *text, size_t length, int decimal_comma, double *score)
{
    int percent = text[length - 1] == '%';
    char copy[NUMBER_MAX];
    char *comma;

    if (!percent && !decimal_comma) return assay_number_parse(text, length, score);
    if (percent) length--;
    while (length > 0 && is_space(text[length - 1])) length--;
    if (length > sizeof copy - 4) return -1;
    memcpy(copy, text, length);
    comma = decimal_comma ? memchr(copy, ',', length) : NULL;
    if (comma && memchr(copy, '.', length)) return -1;
    if (comma) *comma = '.';
    if (!percent) return assay_number_parse(copy, length, score);
    if (memchr(copy, 'e', length) || memchr(copy, 'E', length)) return -1;
    memcpy(copy + length, "e-2", 3);
    return assay_number_parse(copy, length + 3, score);
}

assay_status assay_score_text_fail(const char *path, size_t line, const char *column,
                                   size_t column_length, const char *text, size_t length)
{
    return assay_fail_at(ASSAY_E_FORMAT, path, line,
                         "column \"%.*s\" has \"%.*s%s\", expected a score (a number, a "
                         "percentage, true/false, pass/fail, correct/incorrect, yes/no, or empty "
                         "for missing)",
                         (int)(column_length < SHOWN_MAX ? column_length : SHOWN_MAX), column,
                         (int)(length < SHOWN_MAX ? length : SHOWN_MAX), text,
                         length > SHOWN_MAX ? "..." : "");
}
