/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/garak_line.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The event at hand. */
typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
    double number;
} event;

static void clear(assay_garak_line *line);
static assay_status read_member(assay_garak_line *line, assay_json_reader *reader, const char *key);
static assay_garak_text *text_of_key(assay_garak_line *line, const char *key);
static assay_status next(assay_json_reader *reader, event *e);
static assay_status read_text(assay_json_reader *reader, assay_garak_text *to);
static assay_status read_number(assay_json_reader *reader, double *to);
static assay_status read_prompt(assay_garak_line *line, assay_json_reader *reader);
static assay_status read_conversation(assay_garak_line *line, assay_json_reader *reader, event e);
static assay_status read_turns(assay_garak_line *line, assay_json_reader *reader);
static assay_status read_turn(assay_json_reader *reader, assay_garak_text *role,
                              assay_garak_text *content);
static assay_status read_content(assay_json_reader *reader, assay_garak_text *content);
static assay_status read_message(assay_garak_text *to, assay_json_reader *reader, event e);
static assay_status read_conversations(assay_garak_line *line, assay_json_reader *reader);
static assay_status read_outputs(assay_garak_line *line, assay_json_reader *reader);
static assay_status take_output(assay_garak_line *line, const assay_garak_text *output,
                                int is_null);
static assay_status read_detectors(assay_garak_line *line, assay_json_reader *reader);
static assay_status start_detector(assay_garak_line *line, const event *key);
static assay_status read_scores(assay_garak_detector *detector, assay_json_reader *reader);
static assay_status set_text(assay_garak_text *to, const char *text, size_t length);
static assay_status append(assay_garak_text *to, const char *text, size_t length);

void assay_garak_line_free(assay_garak_line *line)
{
    assay_garak_text *texts[] = { &line->entry_type, &line->target_type, &line->target_name,
                                  &line->probe,      &line->uuid,        &line->seq,
                                  &line->prompt,     &line->outputs };

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) free(texts[k]->text);
    for (size_t k = 0; k < line->detectors_made; k++) {
        free(line->detectors[k].name.text);
        free(line->detectors[k].scores);
    }
    free(line->detectors);
    free(line->output_is_null);
    *line = (assay_garak_line){ 0 };
}

assay_status assay_garak_line_read(assay_garak_line *line, assay_json_reader *reader)
{
    clear(line);
    line->number = assay_json_line(reader);
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        if ((status = read_member(line, reader, e.text)) != ASSAY_OK) return status;
    }
}

const char *assay_garak_detector_name(const char *name)
{
    static const char prefix[] = "detector.";

    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static void clear(assay_garak_line *line)
{
    line->entry_type.present = line->target_type.present = line->target_name.present = 0;
    line->probe.present = line->uuid.present = line->seq.present = line->prompt.present = 0;
    line->entry_type.length = line->target_type.length = line->target_name.length = 0;
    line->probe.length = line->uuid.length = line->seq.length = line->prompt.length = 0;
    line->outputs.length = line->n_outputs = line->n_detectors = 0;
    line->status = line->threshold = NAN;
    line->is_hit = 0;
}

static assay_status read_member(assay_garak_line *line, assay_json_reader *reader, const char *key)
{
    assay_garak_text *text = text_of_key(line, key);

    if (text) return read_text(reader, text);
    if (strcmp(key, "status") == 0) return read_number(reader, &line->status);
    if (strcmp(key, "run.eval_threshold") == 0) return read_number(reader, &line->threshold);
    if (strcmp(key, "prompt") == 0) return read_prompt(line, reader);
    if (strcmp(key, "outputs") == 0) return read_outputs(line, reader);
    if (strcmp(key, "detector_results") == 0) return read_detectors(line, reader);
    if (strcmp(key, "conversations") == 0 && !line->prompt.present)
        return read_conversations(line, reader);
    if (strcmp(key, "attempt_idx") == 0 || strcmp(key, "generations_per_prompt") == 0)
        line->is_hit = 1;
    return assay_json_skip(reader);
}

/* Until version 0.14 a target was called a model. */
static assay_garak_text *text_of_key(assay_garak_line *line, const char *key)
{
    const struct {
        const char *key;
        assay_garak_text *text;
    } keys[] = {
        { "entry_type", &line->entry_type },
        { "uuid", &line->uuid },
        { "seq", &line->seq },
        { "probe_classname", &line->probe },
        { "plugins.target_type", &line->target_type },
        { "plugins.target_name", &line->target_name },
        { "plugins.model_type", &line->target_type },
        { "plugins.model_name", &line->target_name },
    };

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(key, keys[k].key) == 0) return keys[k].text;
    return NULL;
}

static assay_status next(assay_json_reader *reader, event *e)
{
    return assay_json_next(reader, &e->kind, &e->text, &e->length, &e->number);
}

/* A string, or a number as it is written; anything else, null too, is no text. */
static assay_status read_text(assay_json_reader *reader, assay_garak_text *to)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK) return status;
    if (e.kind != ASSAY_JSON_STRING && e.kind != ASSAY_JSON_NUMBER)
        return assay_json_leave_value(reader, e.kind);
    return set_text(to, e.text, e.length);
}

static assay_status read_number(assay_json_reader *reader, double *to)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK) return status;
    if (e.kind == ASSAY_JSON_NUMBER) *to = e.number;
    return assay_json_leave_value(reader, e.kind);
}

static assay_status read_prompt(assay_garak_line *line, assay_json_reader *reader)
{
    event e;
    assay_status status = next(reader, &e);

    return status == ASSAY_OK ? read_conversation(line, reader, e) : status;
}

/* A string, and from version 0.13 a conversation: an object with turns. e is its first event. */
static assay_status read_conversation(assay_garak_line *line, assay_json_reader *reader, event e)
{
    if (e.kind == ASSAY_JSON_STRING) return set_text(&line->prompt, e.text, e.length);
    if (e.kind != ASSAY_JSON_OBJECT) return assay_json_leave_value(reader, e.kind);
    for (;;) {
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = strcmp(e.text, "turns") == 0 ? read_turns(line, reader) : assay_json_skip(reader);
        if (status != ASSAY_OK) return status;
    }
}

/* The last turn of the user, or the last one where none is the user's. */
static assay_status read_turns(assay_garak_line *line, assay_json_reader *reader)
{
    assay_garak_text role = { 0 }, content = { 0 };
    int user_spoke = 0;
    event e;
    assay_status status = next(reader, &e);

    if (status == ASSAY_OK && e.kind != ASSAY_JSON_ARRAY)
        return assay_json_leave_value(reader, e.kind);
    while (status == ASSAY_OK) {
        int is_user;

        status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) break;
        if (e.kind != ASSAY_JSON_OBJECT) {
            status = assay_json_leave_value(reader, e.kind);
            continue;
        }
        status = read_turn(reader, &role, &content);
        is_user = role.present && strcmp(role.text, "user") == 0;
        if (status != ASSAY_OK || !content.present || (user_spoke && !is_user)) continue;
        user_spoke |= is_user;
        status = set_text(&line->prompt, content.text, content.length);
    }
    free(role.text);
    free(content.text);
    return status;
}

static assay_status read_turn(assay_json_reader *reader, assay_garak_text *role,
                              assay_garak_text *content)
{
    role->present = content->present = 0;
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        if (strcmp(e.text, "role") == 0)
            status = read_text(reader, role);
        else if (strcmp(e.text, "content") == 0)
            status = read_content(reader, content);
        else
            status = assay_json_skip(reader);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_content(assay_json_reader *reader, assay_garak_text *content)
{
    event e;
    assay_status status = next(reader, &e);

    return status == ASSAY_OK ? read_message(content, reader, e) : status;
}

/* A string, or an object with a text: to->present stays 0 where there is neither. e is the first
   event. */
static assay_status read_message(assay_garak_text *to, assay_json_reader *reader, event e)
{
    to->present = 0;
    if (e.kind == ASSAY_JSON_STRING) return set_text(to, e.text, e.length);
    if (e.kind != ASSAY_JSON_OBJECT) return assay_json_leave_value(reader, e.kind);
    for (;;) {
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = strcmp(e.text, "text") == 0 ? read_text(reader, to) : assay_json_skip(reader);
        if (status != ASSAY_OK) return status;
    }
}

/* Where the prompt itself is null: that of the first conversation. */
static assay_status read_conversations(assay_garak_line *line, assay_json_reader *reader)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK || e.kind != ASSAY_JSON_ARRAY)
        return status == ASSAY_OK ? assay_json_leave_value(reader, e.kind) : status;
    status = next(reader, &e);
    if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
    status = read_conversation(line, reader, e);
    return status == ASSAY_OK ? assay_json_leave(reader) : status;
}

/* Each a string, from version 0.13 a message, or null where the target gave no answer. */
static assay_status read_outputs(assay_garak_line *line, assay_json_reader *reader)
{
    assay_garak_text output = { 0 };
    event e;
    assay_status status = next(reader, &e);

    if (status == ASSAY_OK && e.kind != ASSAY_JSON_ARRAY)
        return assay_json_leave_value(reader, e.kind);
    while (status == ASSAY_OK) {
        status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) break;
        status = read_message(&output, reader, e);
        if (status == ASSAY_OK) status = take_output(line, &output, e.kind == ASSAY_JSON_NULL);
    }
    free(output.text);
    return status;
}

static assay_status take_output(assay_garak_line *line, const assay_garak_text *output, int is_null)
{
    assay_status status = ASSAY_OK;

    if (assay_grow(&line->output_is_null, &line->outputs_capacity, line->n_outputs + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu outputs", line->n_outputs + 1);
    line->output_is_null[line->n_outputs++] = (unsigned char)is_null;
    if (output->present) status = append(&line->outputs, output->text, output->length);
    return status == ASSAY_OK ? append(&line->outputs, "\0", 1) : status;
}

static assay_status read_detectors(assay_garak_line *line, assay_json_reader *reader)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK || e.kind != ASSAY_JSON_OBJECT)
        return status == ASSAY_OK ? assay_json_leave_value(reader, e.kind) : status;
    line->n_detectors = 0;
    for (;;) {
        status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = start_detector(line, &e);
        if (status == ASSAY_OK)
            status = read_scores(&line->detectors[line->n_detectors - 1], reader);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status start_detector(assay_garak_line *line, const event *key)
{
    size_t made = line->detectors_made;
    assay_garak_detector *detector;

    if (line->n_detectors == made) {
        if (assay_grow(&line->detectors, &line->detectors_capacity, made + 1,
                       sizeof *line->detectors) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for %zu detectors", made + 1);
        line->detectors[made] = (assay_garak_detector){ 0 };
        line->detectors_made++;
    }
    detector = &line->detectors[line->n_detectors++];
    detector->n = detector->name.length = 0;
    return append(&detector->name, key->text, key->length);
}

static assay_status read_scores(assay_garak_detector *detector, assay_json_reader *reader)
{
    event e;
    assay_status status = next(reader, &e);

    if (status == ASSAY_OK && e.kind != ASSAY_JSON_ARRAY)
        return assay_json_leave_value(reader, e.kind);
    while (status == ASSAY_OK) {
        double score = NAN;

        status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) break;
        if (e.kind == ASSAY_JSON_NUMBER) score = e.number;
        if (e.kind == ASSAY_JSON_TRUE || e.kind == ASSAY_JSON_FALSE)
            score = e.kind == ASSAY_JSON_TRUE;
        if ((status = assay_json_leave_value(reader, e.kind)) != ASSAY_OK) break;
        if (assay_grow(&detector->scores, &detector->capacity, detector->n + 1,
                       sizeof *detector->scores) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for %zu scores", detector->n + 1);
        detector->scores[detector->n++] = score;
    }
    return status;
}

static assay_status set_text(assay_garak_text *to, const char *text, size_t length)
{
    assay_status status;

    to->length = 0;
    status = append(to, text, length);
    to->present = status == ASSAY_OK;
    return status;
}

static assay_status append(assay_garak_text *to, const char *text, size_t length)
{
    if (assay_grow(&to->text, &to->capacity, to->length + length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
    if (length > 0) memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
    return ASSAY_OK;
}
