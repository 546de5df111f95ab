/* SPDX-License-Identifier: Apache-2.0 */
/* `assay signals --stream`: ED alone, of items that come one after the other. */
#ifndef ASSAY_CLI_SIGNALS_STREAM_H
#define ASSAY_CLI_SIGNALS_STREAM_H

/* The whole command, from its arguments on: only a few of the options of `assay signals` have a
   place beside --stream, and any other is refused. Returns the exit status. */
int signals_stream(int argc, char **argv);

#endif
