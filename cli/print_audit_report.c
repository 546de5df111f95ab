/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay audit` on one screen. */
#include "audit_report.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 98 };

/* Words in lines that begin with so many spaces. */
static void print_words(FILE *to, const char *text, int indent)
{
    int at = 0;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (at == 0 || at + 1 + length > WIDTH) {
            if (at > 0) putc('\n', to);
            at = fprintf(to, "%*s", indent, "");
        } else {
            at += fprintf(to, " ");
        }
        at += fprintf(to, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', to);
}

static void print_number(FILE *to, double x, const char *unit)
{
    if (strcmp(unit, "share") == 0)
        fprintf(to, "%.1f %%", 100.0 * x);
    else
        fprintf(to, x == floor(x) ? "%.0f" : "%.1f", x);
}

static void print_answer(FILE *to, const struct report_answer *answer)
{
    fprintf(to, "\n%s   (about %s)\n  ", answer->question, answer->estimand);
    print_number(to, answer->value, answer->unit);
    if (isnan(answer->low)) {
        putc('\n', to);
        if (answer->no_interval[0]) print_words(to, answer->no_interval, 2);
    } else {
        fputs("   ", to);
        print_number(to, answer->low, answer->unit);
        fputs(" to ", to);
        print_number(to, answer->high, answer->unit);
        fprintf(to, "   (%.4g %% interval)\n", 100.0 * answer->level);
    }
    print_words(to, answer->answer, 2);
}

static void print_numbers(FILE *to, const struct report *report)
{
    static const char *const titles[REPORT_N_NUMBERS] = { "distinct prompts",
                                                          "effective sample size", "dimension" };

    if (isnan(report->numbers[REPORT_DISTINCT].value) &&
        isnan(report->numbers[REPORT_DIMENSION].value))
        return;
    fputs("\nthree numbers that are easily mixed up\n", to);
    for (int k = 0; k < REPORT_N_NUMBERS; k++) {
        const struct report_number *number = &report->numbers[k];

        if (isnan(number->value))
            fprintf(to, "  %-22s        -\n", titles[k]);
        else
            fprintf(to, number->value == floor(number->value) ? "  %-22s %8.0f" : "  %-22s %8.1f",
                    titles[k], number->value);
        if (isnan(number->value)) continue;
        if (!isnan(number->low)) fprintf(to, "   %.1f to %.1f", number->low, number->high);
        putc('\n', to);
    }
}

assay_status print_report_summary(FILE *to, const void *data)
{
    const struct report *report = data;
    const char *output = report->request->common.output;
    char safe[400];

    fprintf(to, "%s: %s\n", report->title, report->subtitle);
    cli_print_coverage(to, report->results);
    for (size_t k = 0; k < report->n_answers; k++) print_answer(to, &report->answers[k]);
    print_numbers(to, report);
    if (report->n_gaps) fputs("\nnot answered\n", to);
    for (size_t k = 0; k < report->n_gaps; k++) {
        char line[sizeof report->gaps->question + REPORT_TEXT + 16];

        snprintf(line, sizeof line, "%s It needs %s.", report->gaps[k].question,
                 report->gaps[k].needs);
        print_words(to, line, 2);
    }
    if (output)
        fprintf(to, "\nthe report: %s\n",
                assay_printable(safe, sizeof safe, output, strlen(output)));
    else
        fputs("\nassay audit ... -o report.html writes the report with its figures\n", to);
    return ASSAY_OK;
}
