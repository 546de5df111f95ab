/* SPDX-License-Identifier: Apache-2.0 */
#include "report/heatmap.h"

#include "core/base64.h"
#include "core/error.h"
#include "core/memory.h"
#include "report/svg.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 512, LEVELS = 256 };

static unsigned char *draw_pixels(size_t n, size_t n_pixels, assay_heat heat, const void *user);
static unsigned char *encode(const unsigned char *pixels, size_t n_pixels, size_t *size);

assay_status assay_svg_heatmap(FILE *to, double x, double y, double side, size_t n, assay_heat heat,
                               const void *user)
{
    size_t n_pixels = n < MOST_PIXELS ? n : MOST_PIXELS, size = 0;
    unsigned char *pixels = draw_pixels(n, n_pixels, heat, user), *file = NULL;
    char *text = NULL;

    if (pixels) file = encode(pixels, n_pixels, &size);
    if (file) text = assay_base64(file, size);
    free(pixels);
    free(file);
    if (!text) return assay_fail(ASSAY_E_NOMEM, "no memory for a picture of %zu x %zu", n, n);
    fputs("<image x=\"", to);
    assay_svg_number(to, x);
    fputs("\" y=\"", to);
    assay_svg_number(to, y);
    fputs("\" width=\"", to);
    assay_svg_number(to, side);
    fputs("\" height=\"", to);
    assay_svg_number(to, side);
    fputs("\" style=\"image-rendering: pixelated\" href=\"data:image/png;base64,", to);
    fputs(text, to);
    fputs("\"/>\n", to);
    free(text);
    return ASSAY_OK;
}

/* The mean of the cells that fall into each pixel, as a level of 0 .. 255. */
static unsigned char *draw_pixels(size_t n, size_t n_pixels, assay_heat heat, const void *user)
{
    unsigned char *pixels = assay_alloc(n_pixels * n_pixels, 1);

    for (size_t i = 0; pixels && i < n_pixels; i++) {
        size_t first_row = i * n / n_pixels, end_row = (i + 1) * n / n_pixels;

        for (size_t j = 0; j < n_pixels; j++) {
            size_t first_column = j * n / n_pixels, end_column = (j + 1) * n / n_pixels;
            double sum = 0.0;

            for (size_t r = first_row; r < end_row; r++)
                for (size_t c = first_column; c < end_column; c++) sum += heat(user, r, c);
            sum /= (double)((end_row - first_row) * (end_column - first_column));
            pixels[i * n_pixels + j] = (unsigned char)lround(255.0 * fmin(fmax(sum, 0.0), 1.0));
        }
    }
    return pixels;
}

/* From white to a deep blue, lightness falling evenly. */
static void make_palette(unsigned char palette[3 * LEVELS])
{
    static const double from[3] = { 255, 255, 255 }, to[3] = { 8, 48, 107 };

    for (size_t k = 0; k < LEVELS; k++)
        for (size_t c = 0; c < 3; c++)
            palette[3 * k + c] =
                (unsigned char)lround(from[c] + (to[c] - from[c]) * (double)k / (LEVELS - 1));
}

/* libpng's simplified interface: errors come back as 0, nothing jumps. */
static unsigned char *encode(const unsigned char *pixels, size_t n_pixels, size_t *size)
{
    unsigned char palette[3 * LEVELS], *file = NULL;
    png_image image;
    png_alloc_size_t needed = 0;

    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = image.height = (png_uint_32)n_pixels;
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = LEVELS;
    make_palette(palette);
    if (!png_image_write_get_memory_size(image, needed, 0, pixels, 0, palette)) return NULL;
    file = assay_alloc(needed, 1);
    if (file && !png_image_write_to_memory(&image, file, &needed, 0, pixels, 0, palette)) {
        free(file);
        return NULL;
    }
    *size = (size_t)needed;
    return file;
}
