// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSignals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "CFiles.h"
#include "CLostPages.h"
#include "CRingFrames.h"
#include "CRingQueue.h"
#include "Visibility.h"

// Writes all parts. After a partial write, changes the array to the parts that remain.
static _Bool write_parts(int descriptor, struct iovec *part, int count) {
  while (count) {
#ifdef __linux__
    // A bare system call, because the C library's function is a cancellation point: a thread that
    // another thread has cancelled would end here, within the handler.
    ssize_t written = syscall(SYS_writev, (long)descriptor, part, (long)count);
#else
    ssize_t written = writev(descriptor, part, count);
#endif
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    while (count && (size_t)written >= part->iov_len) written -= (ssize_t)part->iov_len, part++, count--;
    if (count) part->iov_base = (char *)part->iov_base + written, part->iov_len -= (size_t)written;
  }
  return 1;
}

// Writes the waiting lines. Lines that cannot be written stay in the buffer's file; they are
// recovered when that file is opened again.
//
// The function is async-signal-safe. signal-safety(7) lists fstat(2), and a system call touches no
// state of the C library. The caller has claimed the ring.
static void write_out(struct ambient_mapping *lines) {
  const int descriptor = __atomic_load_n(&lines->target, __ATOMIC_ACQUIRE);
  enum { most = 64 };
  const uint64_t end = ambient_ring_end(lines);
  uint64_t start = ambient_ring_start(lines);
  // An open intent means that the write of its lines may be incomplete. Writing them again here
  // could repeat them. When the buffer's file is opened again, the recovery first searches the log
  // for these lines.
  if (descriptor < 0 || lines->intent.until > start) return;
  while (start < end) {
    struct iovec parts[most];
    int count = 0;
    uint64_t next = start;
    struct ambient_frame frame;
    while (count < most && next < end) {
      char *place = ambient_ring_memory(lines, next);
      if (!ambient_frame_read(place, next, end - next, &frame) ||
          !ambient_frame_is_intact(&frame, place + sizeof(frame))) {
        // The frame is damaged, so the loop searches for the next intact one.
        next += 8;
        continue;
      }
      const size_t length = ambient_frame_length(&frame);
      if (!(frame.length & ambient_void))
        parts[count++] = (struct iovec){place + sizeof(frame), length};
      next += ambient_frame_size(length);
    }
    // Other code may have closed the number, which may belong to another file by now.
    const int64_t size = ambient_size_if(descriptor, lines->target_device, lines->target_file);
    if (size < 0) return;
    ambient_lines_intend(
        lines, lines->target_device, lines->target_file, (uint64_t)size, start, next);
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

OWN void ambient_drain_rings(void) {
  for (struct ambient_mapping *lines = ambient_mappings(); lines; lines = lines->next) {
    if (__atomic_load_n(&lines->target, __ATOMIC_ACQUIRE) < 0 || !ambient_drain_claim(lines))
      continue;
    write_out(lines);
    ambient_drain_release(lines);
  }
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  const int kept = errno;
  if (ambient_lost_pages_replace(signal, info)) {
    errno = kept;
    return;
  }
  ambient_drain_rings();
  errno = kept;
  // Restores the action that was set before this handler: the program's action, or the default
  // action. That action gets the signal when this handler returns.
  sigaction(signal, &before[signal], NULL);
  // After a fault, the failed instruction runs again when this handler returns, so the system
  // raises the signal again, with its full siginfo_t. Any other signal must be raised again here;
  // otherwise, the program would continue. After a trap, for example, the next instruction runs.
  if (info && ambient_fails_again(signal, info->si_code, SI_USER)) return;
  raise(signal);
}

static void do_nothing(int signal) { (void)signal; }

OWN void ambient_survive(int signal) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = do_nothing;
  action.sa_flags |= SA_RESTART;
  sigaction(signal, &action, NULL);
}

OWN _Bool ambient_drain_at(int signal) {
  if (signal <= 0 || signal >= NSIG) {
    errno = EINVAL;
    return 0;
  }
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return 0;
  // An ignored signal does not end the program, so it needs no handler. It must also stay ignored
  // in programs that child processes execute: execve(2) keeps SIG_IGN, but replaces a handler by
  // SIG_DFL.
  if (now.sa_handler == SIG_IGN) return 1;
  // The handler is installed only once per signal. A handler that the program has set since may
  // call ours; if ours then called that handler, the calls would never end.
  if (atomic_exchange(&taken[signal], 1)) return 1;
  before[signal] = now;
  struct sigaction action = {0};
  action.sa_sigaction = on_signal;
  // The handler runs on the program's alternate stack, if the program has set one: the thread's own
  // stack may have overflowed.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
  sigfillset(&action.sa_mask);
  // SIGBUS stays unblocked: the handler may touch a lost page while it drains, and a blocked SIGBUS
  // would end the program.
  if (signal != SIGBUS) sigdelset(&action.sa_mask, SIGBUS);
  if (sigaction(signal, &action, NULL) == 0) return 1;
  // The signal cannot be caught, like SIGKILL. Resets `taken`, so that the next call fails, too.
  atomic_store(&taken[signal], 0);
  return 0;
}

OWN _Bool ambient_drains_at(int signal) {
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return 0;
  return (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal;
}
