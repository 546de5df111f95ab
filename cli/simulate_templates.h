/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLI_SIMULATE_TEMPLATES_H
#define ASSAY_CLI_SIMULATE_TEMPLATES_H

/* `assay simulate templates`, argv[1] being "templates". Returns the exit status. */
int simulate_templates(int argc, char **argv);

#endif
