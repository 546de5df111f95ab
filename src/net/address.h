/* SPDX-License-Identifier: Apache-2.0 */
/* Where a server is: what may be said about it, and whether it may see a key. */
#ifndef ASSAY_NET_ADDRESS_H
#define ASSAY_NET_ADDRESS_H

#include "assay/base.h"

enum { ASSAY_HOST_SIZE = 272 };

typedef struct assay_address {
    char *url;                  /* as libcurl writes it; freed by assay_address_free() */
    char host[ASSAY_HOST_SIZE]; /* with the port where one is given, for sentences */
    int is_secure;              /* https */
    int is_local;               /* localhost, 127.0.0.0/8 or ::1 */
} assay_address;

/*
 * Take a URL apart and put end ("/embeddings") behind its path, unless it is there. *address is to be
 * freed whatever happened. ASSAY_OK; ASSAY_E_VALUE when it is not a URL, neither http nor https, or has
 * a user or a password in it; ASSAY_E_NOMEM.
 */
assay_status assay_address_read(const char *url, const char *end, assay_address *address);
void assay_address_free(assay_address *address);

/* ASSAY_OK; ASSAY_E_VALUE for a key (not NULL) that cannot stand in a header, or that others on the way
   could read. */
assay_status assay_address_check_key(const assay_address *address, const char *key);

#endif
