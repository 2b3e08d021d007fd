#define _GNU_SOURCE
#include "CBuffer.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Table.h"

#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

OWN uint64_t ambient_buffer_check(const struct ambient_buffer *buffer) {
  return ambient_mix(ambient_ring_check(&buffer->ring), buffer->path, sizeof(buffer->path));
}

// The buffers of this process, and where their lines go, or -1.
static struct table buffers;

OWN void ambient_buffer_enlist(struct ambient_buffer *buffer) {
  ambient_table_add(&buffers, (uintptr_t)buffer, -1);
}

OWN void ambient_buffer_direct(struct ambient_buffer *buffer, int target) {
  struct table_place *place = ambient_table_find(&buffers, (uintptr_t)buffer);
  if (place) atomic_store(&place->value, target);
}

OWN void ambient_buffer_strike(struct ambient_buffer *buffer) {
  // A handler of signals on another thread may be at it, for as long as a write lasts.
  for (int i = 0; i < 10000 && !ambient_buffer_claim(buffer); i++) usleep(100);
  struct table_place *place = ambient_table_find(&buffers, (uintptr_t)buffer);
  if (place) atomic_store(&place->key, 0);
}

OWN void ambient_buffers_forked(void) {
  FOR_EACH_PLACE(place, &buffers) atomic_store(&place->key, 0);
}

// Writes what a buffer holds, by what signal-safety(7) allows. What is left has the next opening.
static void write_out(struct ambient_buffer *buffer, int descriptor) {
  const uint64_t end = ambient_count_load(&buffer->ring.committed);
  uint64_t from = ambient_count_load(&buffer->ring.drained);
  const char *ring = (const char *)buffer + buffer->ring.header_size;
  struct stat status;
  // An intent that is not settled is the next opening's, too.
  if (buffer->intent.until > from || fstat(descriptor, &status) != 0) return;
  ambient_intend(
      buffer, (uint64_t)status.st_dev, (uint64_t)status.st_ino, (uint64_t)status.st_size, from,
      end);
  while (from < end) {
    // Valid: the ring is mapped twice, and holds no more than its capacity.
    const ssize_t written = write(descriptor, ring + from % buffer->ring.capacity, end - from);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    from += (uint64_t)written;
  }
  ambient_count_store(&buffer->ring.drained, end);
}

static struct sigaction before[NSIG];
static atomic_bool taken[NSIG];

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  const int kept = errno;
  FOR_EACH_PLACE(place, &buffers) {
    struct ambient_buffer *buffer = (struct ambient_buffer *)atomic_load(&place->key);
    const int target = atomic_load(&place->value);
    // Struck since the look.
    if (!table_is_used((uintptr_t)buffer)) continue;
    if (target < 0 || !ambient_buffer_claim(buffer)) continue;
    write_out(buffer, target);
    ambient_buffer_release(buffer);
  }
  errno = kept;
  // Passed on: what the program had set, or the system's way, gets it when this handler returns.
  sigaction(signal, &before[signal], NULL);
  // An instruction that failed fails again, with all that the system says of it; but for a trap,
  // behind which the program would go on.
  if (info && info->si_code > 0 && signal != SIGTRAP) return;
  raise(signal);
}

OWN _Bool ambient_drain_at(int signal) {
  if (signal <= 0 || signal >= NSIG) {
    errno = EINVAL;
    return 0;
  }
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return 0;
  // What is ignored ends nothing, and stays ignored in programs that are started.
  if (now.sa_handler == SIG_IGN) return 1;
  // Once: a handler that was set since may call ours.
  if (atomic_exchange(&taken[signal], 1)) return 1;
  before[signal] = now;
  struct sigaction action = {0};
  action.sa_sigaction = on_signal;
  // On the stack that the program set aside, if it did: its own may be full.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
  sigfillset(&action.sa_mask);
  return sigaction(signal, &action, NULL) == 0;
}
