/* SPDX-License-Identifier: Apache-2.0 */
/* Dates as they are written in tables, as numbers to sort by. */
#ifndef ASSAY_DATES_H
#define ASSAY_DATES_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The days from 1970-01-01 to a date of the Gregorian calendar.
 *
 * Read are ISO 8601's "2024-06-20", "20240620", "2024-06" and "2024", with "/" or "." for "-", and
 * behind a full date a time, "T12:30", "12:30:59.5", with "Z" or an offset such as "+02:00"; and
 * months by their English names, "20 Jun 2024", "June 20, 2024". What is left out is the first:
 * 2024 is 2024-01-01. A number of the month before or behind that of the day, "06/07/2024", is
 * ambiguous and refused.
 *
 * @param text  ended by NUL; white space around it does not matter.
 * @param days  the fraction is the time of the day; left alone on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE for anything else, or a day that the calendar lacks, with a
 *         sentence that names the text.
 */
ASSAY_API assay_status assay_date_days(const char *text, double *days);

#ifdef __cplusplus
}
#endif
#endif
