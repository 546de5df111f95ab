/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_pass.h"

static assay_status too_deep(assay_json_input *input);
static int follow(assay_json_nesting *nesting, char bracket);
static assay_status refuse(assay_json_input *input, const assay_json_nesting *nesting);
static uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry);
static uint64_t prefix_xor(uint64_t bits);
static void step(assay_json_input *input, uint64_t newline, size_t n);
static size_t block_length(const assay_json_input *input);

assay_status assay_json_pass_opening(assay_json_input *input, assay_json_nesting *nesting)
{
    if (!follow(nesting, input->buffer[input->at])) return too_deep(input);
    input->at++;
    return ASSAY_OK;
}

static assay_status too_deep(assay_json_input *input)
{
    return assay_json_input_fail(input, assay_json_input_here(input),
                                 "%d objects and arrays one in another, expected at most %d",
                                 ASSAY_JSON_DEPTH + 1, ASSAY_JSON_DEPTH);
}

/* A block at a time, as in Langdale and Lemire (2019), "Parsing gigabytes of JSON per second": the
   bytes inside strings are those with an odd number of unescaped quotes up to them. */
assay_status assay_json_pass_levels(assay_json_input *input, const assay_json_scan *scan,
                                    assay_json_nesting *nesting, size_t depth)
{
    uint64_t in_string = 0, escape = 0;

    while (assay_json_input_have(input, ASSAY_JSON_BLOCK) == ASSAY_OK && input->at < input->end) {
        assay_json_masks masks;

        scan->masks(input->buffer + input->at, &masks);
        uint64_t quotes = masks.quote & ~escaped_bytes(masks.backslash, &escape);
        uint64_t inside = prefix_xor(quotes) ^ in_string;
        in_string = 0 - (inside >> 63);
        for (uint64_t stops = (masks.bracket | masks.backslash) & ~inside; stops;
             stops &= stops - 1) {
            size_t n = (size_t)__builtin_ctzll(stops);
            if (!follow(nesting, input->buffer[input->at + n])) {
                step(input, masks.newline, n);
                return refuse(input, nesting);
            }
            if (nesting->depth == depth) {
                step(input, masks.newline, n + 1);
                return ASSAY_OK;
            }
        }
        step(input, masks.newline, block_length(input));
    }
    if (in_string) return assay_json_input_unexpected(input, "'\"'");
    return refuse(input, nesting);
}

/* Open or close a level. Returns 0, and does nothing, if that bracket cannot stand here. */
static int follow(assay_json_nesting *nesting, char bracket)
{
    if (bracket == '{' || bracket == '[') {
        if (nesting->depth == ASSAY_JSON_DEPTH) return 0;
        nesting->closing[nesting->depth++] = bracket == '{' ? '}' : ']';
        return 1;
    }
    if (bracket != nesting->closing[nesting->depth - 1]) return 0;
    nesting->depth--;
    return 1;
}

static assay_status refuse(assay_json_input *input, const assay_json_nesting *nesting)
{
    int c = assay_json_input_peek(input);

    if (c == '{' || c == '[') return too_deep(input);
    return assay_json_input_unexpected(input,
                                       nesting->closing[nesting->depth - 1] == '}' ? "'}'" : "']'");
}

assay_status assay_json_pass_string(assay_json_input *input, const assay_json_scan *scan)
{
    uint64_t escape = 0;

    while (assay_json_input_have(input, ASSAY_JSON_BLOCK) == ASSAY_OK && input->at < input->end) {
        assay_json_masks masks;

        scan->masks(input->buffer + input->at, &masks);
        uint64_t quotes = masks.quote & ~escaped_bytes(masks.backslash, &escape);
        if (quotes) {
            step(input, masks.newline, (size_t)__builtin_ctzll(quotes) + 1);
            return ASSAY_OK;
        }
        step(input, masks.newline, block_length(input));
    }
    return assay_json_input_unexpected(input, "'\"'");
}

/* The bytes that a backslash stands before and escapes. In a run of backslashes every second one
   is escaped: subtracting the runs' first bits from the odd positions carries along each run, and
   so tells runs that begin at an even place from the others. *carry: the next block's first byte
   is escaped. */
static uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry)
{
    const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
    uint64_t before = *carry;

    if (!backslash) {
        *carry = 0;
        return before;
    }
    uint64_t escaping = backslash & ~before;
    uint64_t ends = (((escaping << 1) | odd) - escaping) ^ odd;
    *carry = (ends & backslash) >> 63;
    return ends ^ (backslash | before);
}

/* Bit i of the result is the parity of bits 0 to i. */
static uint64_t prefix_xor(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

/* Step over n bytes of the block, counting its lines. */
static void step(assay_json_input *input, uint64_t newline, size_t n)
{
    if (n < ASSAY_JSON_BLOCK) newline &= ((uint64_t)1 << n) - 1;
    if (newline) {
        input->line += (size_t)__builtin_popcountll(newline) - 1;
        assay_json_input_newline(input, input->at + 63 - (size_t)__builtin_clzll(newline));
    }
    input->at += n;
}

static size_t block_length(const assay_json_input *input)
{
    size_t left = input->end - input->at;
    return left < ASSAY_JSON_BLOCK ? left : ASSAY_JSON_BLOCK;
}
