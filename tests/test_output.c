/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/output.h"
#include "failing_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- a folder for each test ---- */

struct place {
    char folder[64], file[96];
};

static int make_folder(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    strcpy(place->folder, "/tmp/assay-output-XXXXXX");
    if (!mkdtemp(place->folder)) return -1;
    snprintf(place->file, sizeof place->file, "%s/out.txt", place->folder);
    *state = place;
    return 0;
}

static size_t n_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t n = 0;

    assert_non_null(dir);
    while (readdir(dir)) n++;
    closedir(dir);
    return n - 2; /* "." and ".." */
}

static int remove_folder(void **state)
{
    struct place *place = *state;
    DIR *dir = opendir(place->folder);
    const struct dirent *entry;
    char path[512];

    while ((entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", place->folder, entry->d_name);
        if (*entry->d_name != '.') remove(path);
    }
    closedir(dir);
    if (rmdir(place->folder) != 0) return -1;
    free(place);
    return 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");

    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

static void assert_holds(const char *path, const char *want)
{
    char text[256] = { 0 };
    FILE *from = fopen(path, "r");

    assert_non_null(from);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    assert_string_equal(text, want);
}

/* ---- files ---- */

static void a_file_appears_on_commit_and_not_before(void **state)
{
    const struct place *place = *state;
    assay_output output;

    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("first\n", output.to);
    fflush(output.to);
    assert_int_equal(access(place->file, F_OK), -1);
    fputs("second\n", output.to);
    assert_int_equal(assay_output_commit(&output), ASSAY_OK);
    assert_holds(place->file, "first\nsecond\n");
    assert_int_equal(n_entries(place->folder), 1);
}

static void abandoning_leaves_nothing(void **state)
{
    const struct place *place = *state;
    assay_output output;

    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("text", output.to);
    assay_output_abandon(&output);
    assert_int_equal(n_entries(place->folder), 0);
}

static void an_existing_file_is_replaced_whole_or_kept_whole(void **state)
{
    const struct place *place = *state;
    assay_output output;

    write_file(place->file, "a long text that was there before\n");
    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("short\n", output.to);
    fflush(output.to);
    assert_holds(place->file, "a long text that was there before\n");
    assay_output_abandon(&output);
    assert_holds(place->file, "a long text that was there before\n");
    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("short\n", output.to);
    assert_int_equal(assay_output_commit(&output), ASSAY_OK);
    assert_holds(place->file, "short\n");
    assert_int_equal(n_entries(place->folder), 1);
}

static void permissions_follow_the_umask(void **state)
{
    static const mode_t masks[] = { 0, 022, 027, 077 };
    const struct place *place = *state;

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        assay_output output;
        struct stat made;

        assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
        assert_int_equal(assay_output_commit(&output), ASSAY_OK);
        umask(before);
        assert_int_equal(stat(place->file, &made), 0);
        assert_int_equal(made.st_mode & 0777, 0666 & ~masks[i]);
        assert_int_equal(made.st_size, 0);
        unlink(place->file);
    }
}

static void two_outputs_to_one_path_do_not_meet(void **state)
{
    const struct place *place = *state;
    assay_output a, b;

    assert_int_equal(assay_output_open(&a, place->file), ASSAY_OK);
    assert_int_equal(assay_output_open(&b, place->file), ASSAY_OK);
    fputs("a", a.to);
    fputs("b", b.to);
    assert_int_equal(assay_output_commit(&b), ASSAY_OK);
    assert_holds(place->file, "b");
    assert_int_equal(assay_output_commit(&a), ASSAY_OK);
    assert_holds(place->file, "a");
    assert_int_equal(n_entries(place->folder), 1);
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
    const struct place *place = *state;
    assay_output output;
    struct stat link;
    char path[128];

    snprintf(path, sizeof path, "%s/link", place->folder);
    write_file(place->file, "old");
    assert_int_equal(symlink(place->file, path), 0);
    assert_int_equal(assay_output_open(&output, path), ASSAY_OK);
    fputs("new", output.to);
    assert_int_equal(assay_output_commit(&output), ASSAY_OK);
    assert_holds(place->file, "new");
    assert_int_equal(lstat(path, &link), 0);
    assert_true(S_ISLNK(link.st_mode));
}

/* ---- what is not a file ---- */

static void a_pipe_is_written_to_as_it_is(void **state)
{
    const struct place *place = *state;
    assay_output output;
    struct stat there;
    char text[16] = { 0 };
    int from;

    assert_int_equal(mkfifo(place->file, 0600), 0);
    from = open(place->file, O_RDONLY | O_NONBLOCK);
    assert_true(from >= 0);
    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("piped", output.to);
    assert_int_equal(assay_output_commit(&output), ASSAY_OK);
    assert_int_equal(read(from, text, sizeof text - 1), 5);
    assert_string_equal(text, "piped");
    close(from);
    assert_int_equal(lstat(place->file, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    assert_int_equal(n_entries(place->folder), 1);
}

/* Never through the machine's own /dev/full where this program could replace it: root makes a
   node of its own, and anyone else may not write in /dev. */
static int make_full_device(const char *path)
{
    if (geteuid() == 0) return mknod(path, S_IFCHR | 0600, makedev(1, 7));
    return access("/dev", W_OK) == 0 ? -1 : symlink("/dev/full", path);
}

static void a_full_device_is_an_error_on_commit(void **state)
{
    const struct place *place = *state;
    assay_output output;
    struct stat there;
    int device;

    if (make_full_device(place->file) != 0) skip();
    device = open(place->file, O_WRONLY);
    if (device < 0) skip(); /* none on this machine, or a folder where devices do not work */
    close(device);
    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    fputs("text", output.to);
    assert_int_equal(assay_output_commit(&output), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "cannot be written: No space left on device"));
    assert_int_equal(stat(place->file, &there), 0);
    assert_true(S_ISCHR(there.st_mode));
    assert_int_equal(n_entries(place->folder), 1);
}

/* ---- failures ---- */

static void assert_cannot_open(const char *path, const char *reason)
{
    assay_output output;
    char want[256];

    assert_int_equal(assay_output_open(&output, path), ASSAY_E_WRITE);
    snprintf(want, sizeof want, "%s: cannot be written: %s", path, reason);
    assert_string_equal(assay_last_error(), want);
}

static void what_cannot_be_written_is_named_with_the_reason(void **state)
{
    const struct place *place = *state;
    char path[128];

    snprintf(path, sizeof path, "%s/none/out.txt", place->folder);
    assert_cannot_open(path, "No such file or directory");
    write_file(place->file, "");
    snprintf(path, sizeof path, "%s/out.txt", place->file);
    assert_cannot_open(path, "Not a directory");
    assert_cannot_open(place->folder, "Is a directory");
    assert_cannot_open("", "No such file or directory");
    assert_int_equal(n_entries(place->folder), 1);
}

static void a_folder_without_permission_is_an_error(void **state)
{
    const struct place *place = *state;

    if (geteuid() == 0) skip(); /* root may write everywhere */
    assert_int_equal(chmod(place->folder, 0500), 0);
    assert_cannot_open(place->file, "Permission denied");
    assert_int_equal(chmod(place->folder, 0700), 0);
}

/* A limit on the size of files stands for a full disk. */
static void a_disk_that_is_full_is_an_error_and_leaves_what_was_there(void **state)
{
    const struct place *place = *state;
    struct rlimit before, small;
    assay_status status;
    assay_output output;
    char want[256];

    write_file(place->file, "old");
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 5000; i++) fputs("0123456789", output.to);
    status = assay_output_commit(&output);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, ASSAY_E_WRITE);
    snprintf(want, sizeof want, "%s: cannot be written: File too large", place->file);
    assert_string_equal(assay_last_error(), want);
    assert_holds(place->file, "old");
    assert_int_equal(n_entries(place->folder), 1);
}

static void a_place_that_became_a_folder_is_an_error_on_commit(void **state)
{
    const struct place *place = *state;
    assay_output output;

    assert_int_equal(assay_output_open(&output, place->file), ASSAY_OK);
    assert_int_equal(mkdir(place->file, 0700), 0);
    assert_int_equal(assay_output_commit(&output), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "cannot be written: Is a directory"));
    assert_int_equal(n_entries(place->folder), 1);
}

static assay_status write_and_commit(void *context)
{
    const struct place *place = context;
    assay_output output;
    assay_status status = assay_output_open(&output, place->file);

    if (status != ASSAY_OK) {
        assert_int_equal(n_entries(place->folder), 0);
        return status;
    }
    return assay_output_commit(&output);
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
    assert_true(fail_every_allocation(write_and_commit, *state) >= 2);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_file_appears_on_commit_and_not_before),
        IN_A_FOLDER(abandoning_leaves_nothing),
        IN_A_FOLDER(an_existing_file_is_replaced_whole_or_kept_whole),
        IN_A_FOLDER(permissions_follow_the_umask),
        IN_A_FOLDER(two_outputs_to_one_path_do_not_meet),
        IN_A_FOLDER(a_link_stays_and_its_target_is_replaced),
        IN_A_FOLDER(a_pipe_is_written_to_as_it_is),
        IN_A_FOLDER(a_full_device_is_an_error_on_commit),
        IN_A_FOLDER(what_cannot_be_written_is_named_with_the_reason),
        IN_A_FOLDER(a_folder_without_permission_is_an_error),
        IN_A_FOLDER(a_disk_that_is_full_is_an_error_and_leaves_what_was_there),
        IN_A_FOLDER(a_place_that_became_a_folder_is_an_error_on_commit),
        IN_A_FOLDER(memory_that_runs_out_leaves_nothing),
    };

    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
