#define _GNU_SOURCE
#include "CAmbient.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#endif

#include "Own.h"

// Zero lets every level pass, until LogGate publishes the lowest level with the first record.
OWN uint8_t ambient_log_gate = 0;

OWN _Thread_local struct ambient_thread ambient_thread = {{0, 0}, NULL, NULL, 0, 0};

// Apple's systems have no nonblocking write to a blocking pipe. But by POSIX, a pipe that poll(2)
// reports as ready takes at least PIPE_BUF bytes at once: 512 on Apple's systems. If another writer
// uses up that room in between, this call waits as write(2) does. Apple's poll(2) does not support
// devices (POLLNVAL): they are written to as usual.
OWN ssize_t ambient_write_polled(int descriptor, const void *bytes, size_t count) {
  struct pollfd place = {descriptor, POLLOUT, 0};
  const int ready = poll(&place, 1, 0);
  if (ready == 0) errno = EAGAIN;
  if (ready <= 0) return -1;
  return write(descriptor, bytes, count < PIPE_BUF ? count : PIPE_BUF);
}

OWN ssize_t ambient_write_prompt(int descriptor, const void *bytes, size_t count) {
#if defined(__linux__) && defined(SYS_pwritev2)
  // pwritev2(2) with RWF_NOWAIT. Offset -1, passed in two halves, is the file's current position.
  struct iovec part = {(void *)bytes, count};
  const long current = -1, no_wait = 8;
  return syscall(SYS_pwritev2, (long)descriptor, &part, 1L, current, current, no_wait);
#else
  return ambient_write_polled(descriptor, bytes, count);
#endif
}

OWN _Bool ambient_is_privileged(void) {
#ifdef __linux__
  return getauxval(AT_SECURE) != 0;
#else
  return issetugid() != 0;
#endif
}

OWN uint8_t ambient_forked = 0;

OWN uint32_t ambient_fork_count = 0;

static void note_fork(void) {
  __atomic_store_n(&ambient_forked, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&ambient_fork_count, 1, __ATOMIC_RELAXED);
  ambient_mappings_forked();
  ambient_locks_forked();
}

OWN _Bool ambient_take_fork(void) {
  return __atomic_exchange_n(&ambient_forked, 0, __ATOMIC_RELAXED);
}

OWN void ambient_watch_forks(void) { pthread_atfork(NULL, NULL, note_fork); }

struct start {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

OWN _Bool ambient_start_thread(void (*body)(void *context), void *context) {
  struct start *start = malloc(sizeof(*start));
  if (!start) return 0;
  *start = (struct start){body, context};
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Looking up symbols needs more stack than some systems give a thread by default.
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Blocks all signals on the thread, since the program's threads may wait for them. The signals of
  // a failed instruction stay unblocked: if blocked, they would end the program without a call of
  // its handler.
  sigset_t all, own;
  sigfillset(&all);
  const int failures[] = {SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) sigdelset(&all, failures[i]);
  pthread_sigmask(SIG_SETMASK, &all, &own);
  const _Bool started = pthread_create(&thread, &attributes, run_thread, start) == 0;
  pthread_sigmask(SIG_SETMASK, &own, NULL);
  pthread_attr_destroy(&attributes);
  if (!started) free(start);
  return started;
}

#ifdef __linux__
// An ELF note (elf(5)) in each image that has a copy of this module: copies find each other by it,
// without a common symbol.
//
// Readers walk from note to note, so the address sanitizer must put no redzone between them.
__attribute__((section(".note.ambient"), used, aligned(4), no_sanitize("address")))
static const struct {
  ElfW(Nhdr) head;
  char name[8];
} copy_note = {
    {8, 0, 1}, "Ambient"};

struct copies {
  char *earlier, *own;
  size_t size;
  _Bool found_earlier;
};

static void keep_path(char *place, const char *path, size_t size) {
  strncpy(place, path, size - 1);
  place[size - 1] = 0;
}

// Looks for the note in one image; ends the walk at the caller's own note.
static int look_for_copy(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  struct copies *copies = context;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type != PT_NOTE || part->p_align > 4) continue;
    const char *note = (const char *)(image->dlpi_addr + part->p_vaddr);
    const char *end = note + part->p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
      if (note == (const char *)&copy_note) {
        keep_path(copies->own, image->dlpi_name, copies->size);
        return 1;
      }
      if (head->n_namesz == 8 && memcmp(note + sizeof(*head), copy_note.name, 8) == 0 &&
          !copies->found_earlier) {
        copies->found_earlier = 1;
        keep_path(copies->earlier, image->dlpi_name, copies->size);
      }
      // Name and description are padded to multiples of four bytes.
      note += sizeof(*head) + ((head->n_namesz + 3) & ~3u) + ((head->n_descsz + 3) & ~3u);
    }
  }
  return 0;
}
#endif

OWN _Bool ambient_find_earlier_copy(char *earlier, char *own, size_t size) {
#ifdef __linux__
  struct copies copies = {earlier, own, size, 0};
  // The walk returns zero if it found no note of the caller's: that was stripped, so it is unknown
  // which copy is earlier.
  return dl_iterate_phdr(look_for_copy, &copies) && copies.found_earlier;
#else
  (void)earlier, (void)own, (void)size;
  return 0;
#endif
}
