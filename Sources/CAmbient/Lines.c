#define _GNU_SOURCE
#include "CLines.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "CRecords.h"
#include "CSalvage.h"
#include "Futex.h"
#include "Own.h"

// Valid: the ring is mapped twice in a row, so that `capacity` contiguous bytes follow each place.
static char *place_of(const struct ambient_mapping *lines, uint64_t position) {
  return (char *)lines->ring + lines->header_size + (position & (lines->capacity - 1));
}

// Prefetches, for writing, the cache lines that later appends write to. The draining thread's core
// still holds them, so otherwise the release of the lock would wait for cache misses. A no-op on
// older processors.
#if defined(__x86_64__)
__attribute__((target("prfchw")))
#endif
static void fetch_ahead(const char *place, size_t size) {
  for (size_t i = 0; i < size; i += 64) __builtin_prefetch(place + 256 + i, 1);
}

OWN ptrdiff_t ambient_ring_append(
    struct ambient_mapping *lines, const void *record, size_t count, int64_t time, size_t reserve) {
  const uint64_t end = __atomic_load_n(&lines->end, __ATOMIC_RELAXED);
  const size_t size = ambient_frame_size(count);
  const size_t waiting = end - ambient_ring_start(lines);
  if (size + reserve > lines->capacity - waiting) return -1;
  ambient_frame_write(place_of(lines, end), end, time, record, count);
  // At most 1,024 bytes, the size of a long line: prefetching a record of megabytes would evict
  // everything else from the cache.
  fetch_ahead(place_of(lines, end) + size, size < 1024 ? size : 1024);
  lines->appended_lines++;
  __atomic_store_n(&lines->end, end + size, __ATOMIC_RELEASE);
  // Stored last, since this store commits the record: if the process is killed before it, the next
  // opening does not see the record.
  ambient_counts_store(&lines->ring->committed, &lines->ring->committed_again, end + size);
  return (ptrdiff_t)(waiting + size);
}

OWN struct ambient_gathered ambient_lines_gather(
    const struct ambient_mapping *lines, uint64_t from, uint64_t until, void *to, size_t capacity) {
  struct ambient_gathered all = {0, 0, from};
  while (all.next < until) {
    const char *place = place_of(lines, all.next);
    struct ambient_frame frame;
    if (!ambient_frame_read(place, all.next, until - all.next, &frame)) break;
    size_t length = ambient_frame_length(&frame);
    if (length > capacity - all.count) break;
    uint32_t checksum = 0;
    if (frame.length & ambient_void) length = 0;
    else checksum = ambient_copy_checksum((char *)to + all.count, place + sizeof(frame), length);
    if (ambient_frame_checksum(&frame, checksum) != frame.checksum) break;
    all.count += length;
    all.lines += length != 0;
    all.next += ambient_frame_size(ambient_frame_length(&frame));
  }
  return all;
}

OWN void ambient_ring_place(struct ambient_mapping *lines, uint64_t start, uint64_t end) {
  ambient_ring_drained(lines, start, 0);
  __atomic_store_n(&lines->end, end, __ATOMIC_RELEASE);
  ambient_counts_store(&lines->ring->committed, &lines->ring->committed_again, end);
}

OWN void ambient_ring_drained(struct ambient_mapping *lines, uint64_t start, size_t count) {
  lines->drained_lines += count;
  // The file's count is stored first: once `start` frees the room, appends overwrite the frames.
  ambient_counts_store(&lines->ring->drained, &lines->ring->drained_again, start);
  __atomic_store_n(&lines->start, start, __ATOMIC_RELEASE);
  ambient_stay_in_order();
}

OWN void ambient_lines_intend(
    struct ambient_mapping *lines, uint64_t device, uint64_t file, uint64_t size, uint64_t from,
    uint64_t until) {
  struct ambient_intent next = {device, file, size, from, until, 0};
  next.check = ambient_intent_check(&next);
  struct ambient_intent *places[] = {&lines->ring->intent, &lines->intent};
  for (int i = 0; i < 2; i++) {
    // A check of zero makes the intent invalid while it changes.
    __atomic_store_n(&places[i]->check, 0, __ATOMIC_RELEASE);
    ambient_stay_in_order();
    places[i]->device = device;
    places[i]->file = file;
    places[i]->size = size;
    places[i]->from = from;
    places[i]->until = until;
    __atomic_store_n(&places[i]->check, next.check, __ATOMIC_RELEASE);
  }
}

OWN void ambient_drains_await(
    struct ambient_mapping *lines, uint32_t seen, int64_t nanoseconds) {
  __atomic_fetch_add(&lines->waiters, 1, __ATOMIC_SEQ_CST);
#ifdef __linux__
  const struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  futex(&lines->drains, FUTEX_WAIT_PRIVATE, seen, &limit);
#else
  // On Apple's systems a call sleeps for 50 µs at most, since ambient_drains_add wakes no thread
  // there; the caller repeats it.
  const struct timespec moment = {0, nanoseconds < 50000 ? nanoseconds : 50000};
  if (ambient_drains(lines) == seen) nanosleep(&moment, NULL);
#endif
  __atomic_fetch_sub(&lines->waiters, 1, __ATOMIC_RELAXED);
}

OWN void ambient_drains_add(struct ambient_mapping *lines) {
  __atomic_fetch_add(&lines->drains, 1, __ATOMIC_SEQ_CST);
#ifdef __linux__
  if (__atomic_load_n(&lines->waiters, __ATOMIC_SEQ_CST))
    futex(&lines->drains, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL);
#endif
}

// Writes all parts. After a partial write, changes the array to the parts that remain.
static _Bool write_parts(int descriptor, struct iovec *part, int count) {
  while (count) {
    ssize_t written = writev(descriptor, part, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    while (count && (size_t)written >= part->iov_len) written -= (ssize_t)part->iov_len, part++, count--;
    if (count) part->iov_base = (char *)part->iov_base + written, part->iov_len -= (size_t)written;
  }
  return 1;
}

// Writes the waiting lines. Unwritten lines stay in the buffer; the next opening recovers them.
//
// Async-signal-safe: fstat(2) by signal-safety(7), writev(2) as a bare system call.
static void write_out(struct ambient_mapping *lines, int descriptor) {
  enum { most = 64 };
  const uint64_t end = ambient_ring_end(lines);
  uint64_t start = ambient_ring_start(lines);
  // An open intent means that a write may be incomplete. To write its lines again could repeat
  // them, so they are left to the next opening, which searches the file for them.
  if (lines->intent.until > start) return;
  while (start < end) {
    struct iovec parts[most];
    int count = 0;
    uint64_t next = start;
    struct ambient_frame frame;
    while (count < most && next < end) {
      char *place = place_of(lines, next);
      if (!ambient_frame_read(place, next, end - next, &frame) ||
          !ambient_frame_is_intact(&frame, place + sizeof(frame))) {
        // A damaged frame: searches for the next one.
        next += 8;
        continue;
      }
      const size_t length = ambient_frame_length(&frame);
      if (!(frame.length & ambient_void))
        parts[count++] = (struct iovec){place + sizeof(frame), length};
      next += ambient_frame_size(length);
    }
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    ambient_lines_intend(
        lines, (uint64_t)status.st_dev, (uint64_t)status.st_ino, (uint64_t)status.st_size, start,
        next);
    if (!write_parts(descriptor, parts, count)) return;
    ambient_ring_drained(lines, next, (size_t)count);
    start = next;
  }
}

static struct sigaction before[NSIG];
static atomic_bool taken[NSIG];

OWN _Bool ambient_fails_again(int signal, int code, int user) {
  if (signal != SIGSEGV && signal != SIGBUS && signal != SIGILL && signal != SIGFPE) return 0;
  return code > 0 && (user <= 0 || code < user);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  const int kept = errno;
  if (ambient_salvage(signal, info)) {
    errno = kept;
    return;
  }
  for (struct ambient_mapping *lines = ambient_mappings(); lines; lines = lines->next) {
    if (__atomic_load_n(&lines->target, __ATOMIC_ACQUIRE) < 0 || !ambient_drain_claim(lines))
      continue;
    // Reads the target again under the claim: before, the record may have been another ring's.
    const int target = __atomic_load_n(&lines->target, __ATOMIC_ACQUIRE);
    if (target >= 0) write_out(lines, target);
    ambient_drain_release(lines);
  }
  errno = kept;
  // Passes the signal on: the program's action, or the default one, gets it when this handler
  // returns.
  sigaction(signal, &before[signal], NULL);
  // A failed instruction runs again when this handler returns, and raises the signal again, with
  // the system's full siginfo_t. After a trap the program would continue, so a trap's signal is
  // raised here.
  if (info && ambient_fails_again(signal, info->si_code, SI_USER)) return;
  raise(signal);
}

OWN _Bool ambient_drain_at(int signal) {
  if (signal <= 0 || signal >= NSIG) {
    errno = EINVAL;
    return 0;
  }
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return 0;
  // An ignored signal ends no program, and must stay ignored in child processes.
  if (now.sa_handler == SIG_IGN) return 1;
  // Installed once per signal: a handler that was set since may call ours, and a call from ours to
  // it would then be a loop.
  if (atomic_exchange(&taken[signal], 1)) return 1;
  before[signal] = now;
  struct sigaction action = {0};
  action.sa_sigaction = on_signal;
  // On the program's alternate stack, if it has set one: the thread's own may have overflowed.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
  sigfillset(&action.sa_mask);
  // SIGBUS stays unblocked: the handler may touch a lost page while it drains, and a blocked SIGBUS
  // would end the program.
  if (signal != SIGBUS) sigdelset(&action.sa_mask, SIGBUS);
  return sigaction(signal, &action, NULL) == 0;
}
