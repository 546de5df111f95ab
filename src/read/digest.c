/* SPDX-License-Identifier: Apache-2.0 */
#include "read/digest.h"

#include "core/memory.h"

#include <errno.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A slot is small enough to be in a cache still when the other thread comes to it. */
enum { ALONE_BYTES = 4 * 1000 * 1000, SLOT_SIZE = 64 * 1024, N_SLOTS = 16 };

/* Who waits for a ring that is full to empty is woken at so many slots: waking costs a good part of what a
   slot does. */
enum { WAKING = N_SLOTS / 2 };

/* Slots are filled, handed to the caller and hashed in order; slot k stands at k % N_SLOTS until both
   were done with it. The helper hashes what is there. Where there is nothing to hash it fills slots
   ahead of the caller, who fills one where none is left: whoever has less to do reads. */
struct assay_digest {
    EVP_MD_CTX *context; /* the helper's while it runs */
    int descriptor, may_go_ahead;
    size_t alone;      /* bytes that were taken without a helper */
    int has_no_helper; /* none could be started: it is not tried again */
    int is_running, has_lock;
    pthread_t helper;
    unsigned char *ring;
    size_t handed_bytes; /* of slot handed, the caller's own */

    pthread_mutex_t lock;                         /* of what follows, but not of the slots' bytes */
    pthread_cond_t moved;                         /* at most one of the two waits */
    size_t filled, handed, hashed;                /* slots so far */
    size_t lengths[N_SLOTS];                      /* of slots */
    int caller_fills, helper_fills, nothing_more; /* nothing_more: that the helper could fill */
    int ended, failed;
};

static ssize_t read_alone(assay_digest *digest, void *buffer, size_t size);
static int start(assay_digest *digest);
static int create_thread(assay_digest *digest);
static void *help(void *user);
static void hash_slot(assay_digest *digest);
static void fill_ahead(assay_digest *digest);
static size_t take_slot(assay_digest *digest, void *buffer, size_t size);
static ssize_t fill_slot(assay_digest *digest, void *buffer, size_t size);
static void end_helper(assay_digest *digest);
static unsigned char *slot(const assay_digest *digest, size_t k);

assay_status assay_digest_open(assay_digest **out)
{
    assay_digest *digest = assay_alloc_zero(1, sizeof *digest);

    *out = NULL;
    if (!digest) return ASSAY_E_NOMEM;
    digest->context = EVP_MD_CTX_new();
    if (!digest->context || !EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL)) {
        assay_digest_close(digest);
        return ASSAY_E_NOMEM;
    }
    *out = digest;
    return ASSAY_OK;
}

void assay_digest_close(assay_digest *digest)
{
    if (!digest) return;
    end_helper(digest);
    if (digest->has_lock) {
        pthread_cond_destroy(&digest->moved);
        pthread_mutex_destroy(&digest->lock);
    }
    EVP_MD_CTX_free(digest->context);
    free(digest->ring);
    free(digest);
}

ssize_t assay_digest_read(assay_digest *digest, int descriptor, int may_go_ahead, void *buffer,
                          size_t size)
{
    int is_there;

    if (!digest->is_running) {
        digest->descriptor = descriptor;
        digest->may_go_ahead = may_go_ahead;
    }
    if (!digest->is_running && !digest->has_no_helper && digest->alone >= ALONE_BYTES &&
        start(digest) != 0) {
        errno = ENOMEM;
        return -1;
    }
    if (!digest->is_running) return read_alone(digest, buffer, size);
    pthread_mutex_lock(&digest->lock);
    while (digest->handed == digest->filled && digest->helper_fills)
        pthread_cond_wait(&digest->moved, &digest->lock);
    is_there = digest->handed < digest->filled;
    digest->caller_fills = !is_there; /* from here on: waiting lets go of the lock */
    while (!is_there && digest->filled - digest->hashed == N_SLOTS)
        pthread_cond_wait(&digest->moved, &digest->lock);
    pthread_mutex_unlock(&digest->lock);
    return is_there ? (ssize_t)take_slot(digest, buffer, size) : fill_slot(digest, buffer, size);
}

assay_status assay_digest_finish(assay_digest *digest, unsigned char sha256[ASSAY_DIGEST_SIZE])
{
    unsigned length = 0;

    end_helper(digest);
    if (digest->failed || !EVP_DigestFinal_ex(digest->context, sha256, &length))
        return ASSAY_E_NOMEM;
    return length == ASSAY_DIGEST_SIZE ? ASSAY_OK : ASSAY_E_NOMEM;
}

static ssize_t read_alone(assay_digest *digest, void *buffer, size_t size)
{
    ssize_t n = read(digest->descriptor, buffer, size);

    if (n <= 0) return n;
    digest->alone += (size_t)n;
    if (EVP_DigestUpdate(digest->context, buffer, (size_t)n)) return n;
    errno = ENOMEM;
    return -1;
}

/* Returns 0, with a helper or without, or -1 when there is no memory. */
static int start(assay_digest *digest)
{
    digest->ring = assay_alloc(N_SLOTS, SLOT_SIZE);
    if (!digest->ring) return -1;
    if (pthread_mutex_init(&digest->lock, NULL) == 0) {
        digest->has_lock = pthread_cond_init(&digest->moved, NULL) == 0;
        if (!digest->has_lock) pthread_mutex_destroy(&digest->lock);
    }
    digest->is_running = digest->has_lock && create_thread(digest);
    digest->has_no_helper = !digest->is_running;
    return 0;
}

/* Signals are the caller's to take: one of them ends its waiting for bytes. */
static int create_thread(assay_digest *digest)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return 0;
    failed = pthread_create(&digest->helper, NULL, help, digest);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

/* ---- the helper; its functions hold the lock at their beginning and at their end ---- */

static void *help(void *user)
{
    assay_digest *digest = user;

    pthread_mutex_lock(&digest->lock);
    for (;;) {
        if (digest->hashed < digest->filled)
            hash_slot(digest);
        else if (digest->ended)
            break;
        else if (digest->may_go_ahead && !digest->nothing_more && !digest->caller_fills &&
                 digest->filled - digest->handed < N_SLOTS)
            fill_ahead(digest);
        else
            pthread_cond_wait(&digest->moved, &digest->lock);
    }
    pthread_mutex_unlock(&digest->lock);
    return NULL;
}

static void hash_slot(assay_digest *digest)
{
    const unsigned char *bytes = slot(digest, digest->hashed);
    size_t length = digest->lengths[digest->hashed % N_SLOTS];
    int went;

    pthread_mutex_unlock(&digest->lock);
    went = EVP_DigestUpdate(digest->context, bytes, length);
    pthread_mutex_lock(&digest->lock);
    if (!went) digest->failed = 1;
    digest->hashed++;
    if (digest->filled - digest->hashed == WAKING) pthread_cond_signal(&digest->moved);
}

/* What goes wrong here, the caller meets again. */
static void fill_ahead(assay_digest *digest)
{
    unsigned char *bytes = slot(digest, digest->filled);
    ssize_t n;

    digest->helper_fills = 1;
    pthread_mutex_unlock(&digest->lock);
    n = read(digest->descriptor, bytes, SLOT_SIZE);
    pthread_mutex_lock(&digest->lock);
    digest->helper_fills = 0;
    if (n > 0)
        digest->lengths[digest->filled++ % N_SLOTS] = (size_t)n;
    else
        digest->nothing_more = 1;
    pthread_cond_signal(&digest->moved);
}

/* ---- the caller ---- */

static size_t take_slot(assay_digest *digest, void *buffer, size_t size)
{
    size_t length = digest->lengths[digest->handed % N_SLOTS], n = length - digest->handed_bytes;

    if (n > size) n = size;
    memcpy(buffer, slot(digest, digest->handed) + digest->handed_bytes, n);
    digest->handed_bytes += n;
    if (digest->handed_bytes < length) return n;
    digest->handed_bytes = 0;
    pthread_mutex_lock(&digest->lock);
    digest->handed++;
    if (digest->filled - digest->handed == WAKING) pthread_cond_signal(&digest->moved);
    pthread_mutex_unlock(&digest->lock);
    return n;
}

static ssize_t fill_slot(assay_digest *digest, void *buffer, size_t size)
{
    ssize_t n = read(digest->descriptor, buffer, size < SLOT_SIZE ? size : SLOT_SIZE);
    int failed, why = errno;

    if (n > 0) memcpy(slot(digest, digest->filled), buffer, (size_t)n);
    pthread_mutex_lock(&digest->lock);
    if (n > 0) {
        digest->lengths[digest->filled++ % N_SLOTS] = (size_t)n;
        digest->handed++;
    }
    digest->caller_fills = 0;
    failed = digest->failed;
    pthread_cond_signal(&digest->moved);
    pthread_mutex_unlock(&digest->lock);
    errno = failed ? ENOMEM : why;
    return failed ? -1 : n;
}

static void end_helper(assay_digest *digest)
{
    if (!digest->is_running) return;
    pthread_mutex_lock(&digest->lock);
    digest->ended = 1;
    pthread_cond_signal(&digest->moved);
    pthread_mutex_unlock(&digest->lock);
    pthread_join(digest->helper, NULL);
    digest->is_running = 0;
}

static unsigned char *slot(const assay_digest *digest, size_t k)
{
    return digest->ring + k % N_SLOTS * SLOT_SIZE;
}
