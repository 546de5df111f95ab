/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "assay/base.h"
#include "core/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours that stay apart for the colour-blind (Okabe and Ito). They are written out for light and
   dark, not as CSS variables, which many programs that show an SVG do not know. */
struct colours {
    const char *paper, *ink, *soft, *rule, *line, *band;
};
static const struct colours light = { "#ffffff", "#1b1f24", "#57606a",
                                      "#d0d7de", "#0072b2", "#e69f00" };
static const struct colours dark = { "#0d1117", "#e6edf3", "#9198a1",
                                     "#3d444d", "#56b4e9", "#e69f00" };
static const char shape_style[] =
    "text { font: 13px system-ui, 'DejaVu Sans', sans-serif }\n"
    ".title { font-size: 16px; font-weight: 600 }\n"
    ".end { text-anchor: end } .middle { text-anchor: middle }\n"
    ".rule, .line, .branch { fill: none } .line { stroke-width: 2 } .band { fill-opacity: .28 }\n";

static void write_colours(FILE *to, const struct colours *colours)
{
    fprintf(to,
            ".paper { fill: %s } .title { fill: %s } .label { fill: %s } .rule { stroke: %s }\n",
            colours->paper, colours->ink, colours->soft, colours->rule);
    fprintf(to,
            ".line { stroke: %s } .dot { fill: %s } .band { fill: %s } .branch { stroke: %s }\n",
            colours->line, colours->line, colours->band, colours->soft);
}

static void write_escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", to);
        else if (*text == '>')
            fputs("&gt;", to);
        else if (*text == '&')
            fputs("&amp;", to);
        else if (*text == '"')
            fputs("&quot;", to);
        else
            putc(*text, to);
    }
}

void assay_svg_number(FILE *to, double value)
{
    long tenths = lround(10.0 * value);

    fprintf(to, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10) fprintf(to, ".%ld", labs(tenths) % 10);
}

void assay_svg_point(FILE *to, double x, double y)
{
    assay_svg_number(to, x);
    putc(' ', to);
    assay_svg_number(to, y);
}

void assay_svg_begin(FILE *to, int width, int height, const char *description)
{
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\" aria-label=\"",
            width, height, width, height);
    write_escaped(to, description);
    fputs("\">\n<style>\n", to);
    fputs(shape_style, to);
    write_colours(to, &light);
    fputs("@media (prefers-color-scheme: dark) {\n", to);
    write_colours(to, &dark);
    fputs("}\n</style>\n", to);
    fprintf(to, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", width, height);
}

void assay_svg_end(FILE *to)
{
    fputs("</svg>\n", to);
}

/* How many bytes the first most characters of a well-formed text take. */
static size_t bytes_of(const char *text, size_t most)
{
    size_t length = strlen(text), at = 0;
    uint32_t c;

    for (; most && at < length; most--) {
        size_t n = assay_utf8_decode(text + at, length - at, &c);
        at += n ? n : 1;
    }
    return at;
}

void assay_svg_text(FILE *to, double x, double y, const char *css_class, const char *text,
                    size_t most)
{
    char safe[1024];
    size_t kept;

    assay_printable(safe, sizeof safe, text, strlen(text));
    kept = bytes_of(safe, most);
    fprintf(to, "<text class=\"%s\" x=\"", css_class);
    assay_svg_number(to, x);
    fputs("\" y=\"", to);
    assay_svg_number(to, y);
    fputs("\">", to);
    if (safe[kept]) {
        safe[kept] = '\0';
        write_escaped(to, safe);
        fputs("\xe2\x80\xa6", to); /* an ellipsis */
    } else {
        write_escaped(to, safe);
    }
    fputs("</text>\n", to);
}

double assay_axes_x(const assay_axes *axes, double x)
{
    return axes->left +
           (x - axes->x_from) / (axes->x_to - axes->x_from) * (axes->right - axes->left);
}

double assay_axes_y(const assay_axes *axes, double y)
{
    return axes->bottom -
           (y - axes->y_from) / (axes->y_to - axes->y_from) * (axes->bottom - axes->top);
}

double assay_axes_step(double span)
{
    double step = pow(10.0, floor(log10(span / 4.0)));

    if (span / step > 20.0) return 5.0 * step;
    return span / step > 10.0 ? 2.0 * step : step;
}

double assay_axes_mark(double step, double k)
{
    return step < 1.0 ? k / round(1.0 / step) : k * step;
}

void assay_svg_rule(FILE *to, const assay_axes *axes, double y)
{
    fputs("<path class=\"rule\" d=\"M", to);
    assay_svg_point(to, axes->left, assay_axes_y(axes, y));
    putc('H', to);
    assay_svg_number(to, axes->right);
    fputs("\"/>\n", to);
}
