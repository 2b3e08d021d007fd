// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLostPages.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "CSignals.h"
#include "Visibility.h"

#ifdef __linux__

#include <fcntl.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "CFiles.h"

enum { page = 4096 };

// Copies this process's own memory through the kernel, which stops at a lost page; a load would
// raise SIGBUS there. Returns the number of copied bytes, or -1 with errno.
static ssize_t copy_by_kernel(int pipe[2], char *to, char *from, size_t count) {
  if (pipe[0] < 0 || pipe[1] < 0) {
    const struct iovec local = {to, count}, remote = {from, count};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  }
  const ssize_t taken = write(pipe[1], from, count);
  for (ssize_t done = 0; done < taken;) {
    const ssize_t result = read(pipe[0], to + done, (size_t)(taken - done));
    if (result > 0) done += result;
    else if (errno != EINTR) return -1;
  }
  return taken;
}

// Copies all pages except the lost pages, which stay zero.
static void copy_pages(char *to, char *from, size_t count) {
  // Copies through a pipe if the process has descriptors left, because some sandboxes forbid
  // process_vm_readv(2). The pipe may have room for only one page (pipe(7), pipe-user-pages-soft),
  // so writes to it must not block.
  int pipe[2] = {-1, -1};
  if (pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0) pipe[0] = pipe[1] = -1;
  for (int i = 0; i < 2; i++) pipe[i] = ambient_moved(pipe[i], 3);
  for (size_t place = 0; place < count;) {
    const size_t rest = count - place, most = 16 * page;
    const ssize_t copied = copy_by_kernel(pipe, to + place, from + place, rest < most ? rest : most);
    if (copied < 0 && errno == EINTR) continue;
    if (copied > 0) place += (size_t)copied;
    else place = (place / page + 1) * page;
  }
  if (pipe[0] >= 0) close(pipe[0]);
  if (pipe[1] >= 0) close(pipe[1]);
}

// Maps new memory over the header and the ring. The new memory is MAP_SHARED, because mremap(2) can
// map only shared memory a second time.
static _Bool replace(struct ambient_mapping *mapping) {
  char *ring = (char *)mapping->ring;
  const size_t header = mapping->header_size, capacity = mapping->capacity, all = header + capacity;
  char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  // Maps the file's pages a second time, as the source of the copy, and maps an empty file over the
  // ring. A thread that touches the ring meanwhile gets SIGBUS, and waits in the handler until the
  // copy is complete.
  char *pages = mremap(ring, 0, all, MREMAP_MAYMOVE);
  const int empty = ambient_moved(memfd_create("", MFD_CLOEXEC), 3);
  if (pages != MAP_FAILED && empty >= 0)
    mmap(ring, all + capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, empty, 0);
  if (empty >= 0) close(empty);
  copy_pages(memory, pages != MAP_FAILED ? pages : ring, all);
  if (pages != MAP_FAILED) munmap(pages, all);
  const int how = MREMAP_MAYMOVE | MREMAP_FIXED;
  // Valid: both ranges belong to this mapping. An old size of zero maps shared memory a second
  // time.
  if (mremap(memory, all, all, how, ring) == MAP_FAILED) {
    munmap(memory, all);
    return 0;
  }
  if (mremap(ring + header, 0, capacity, how, ring + all) == MAP_FAILED) return 0;
  madvise(ring, all + capacity, MADV_DONTFORK);
  return 1;
}

static struct ambient_mapping *mapping_of(const char *place) {
  for (struct ambient_mapping *all = ambient_mappings(); all; all = all->next) {
    const char *ring = (const char *)__atomic_load_n(&all->ring, __ATOMIC_ACQUIRE);
    if (!ring || ring == (const char *)UINTPTR_MAX) continue;
    if (place >= ring && place < ring + all->header_size + 2 * all->capacity) return all;
  }
  return NULL;
}

OWN _Bool ambient_lost_pages_replace(int signal, const void *context) {
  const siginfo_t *info = context;
  if (signal != SIGBUS || !info || info->si_code != BUS_ADRERR) return 0;
  struct ambient_mapping *mapping = mapping_of(info->si_addr);
  if (!mapping) return 0;
  uint32_t state = AMBIENT_RING_WHOLE;
  if (__atomic_compare_exchange_n(
          &mapping->lost, &state, AMBIENT_RING_CHANGING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    const _Bool replaced = replace(mapping);
    __atomic_store_n(
        &mapping->lost, replaced ? AMBIENT_RING_REPLACED : AMBIENT_RING_WHOLE, __ATOMIC_RELEASE);
    return replaced;
  }
  // Another thread is replacing the ring, or has replaced it since this thread met the lost page.
  const struct timespec moment = {0, 100000};
  while (__atomic_load_n(&mapping->lost, __ATOMIC_ACQUIRE) == AMBIENT_RING_CHANGING)
    nanosleep(&moment, NULL);
  // Gives up after 1,000 faults in a replaced ring, because the signal would repeat for ever if the
  // new memory were lost, too.
  return state == AMBIENT_RING_CHANGING ||
         __atomic_fetch_add(&mapping->latecomers, 1, __ATOMIC_RELAXED) < 1000;
}

static struct sigaction before;

// Blocks the signals that the system would block if it called the earlier handler itself. Our own
// action blocks all, but the earlier handler may count on signals: the Swift runtime's meets lost
// pages while it reports a crash, and a blocked SIGBUS would end the program.
static void take_mask_of_before(int signal, const ucontext_t *interrupted) {
  sigset_t mask;
  sigemptyset(&mask);
  for (int other = 1; other < NSIG; other++)
    if (sigismember(&interrupted->uc_sigmask, other) == 1 ||
        sigismember(&before.sa_mask, other) == 1 ||
        (other == signal && !(before.sa_flags & SA_NODEFER)))
      sigaddset(&mask, other);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void on_bus_error(int signal, siginfo_t *info, void *context) {
  const int kept = errno;
  const _Bool is_replaced = ambient_lost_pages_replace(signal, info);
  errno = kept;
  if (is_replaced) return;
  if (before.sa_flags & SA_SIGINFO) {
    take_mask_of_before(signal, context);
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    take_mask_of_before(signal, context);
    before.sa_handler(signal);
  } else if (info && info->si_code > 0) {
    // Restores the default action: the instruction then fails again, so that a core dump shows it
    // and its address.
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL);
  } else if (before.sa_handler == SIG_DFL) {
    sigaction(signal, &before, NULL);
    raise(signal);
  }
}

static uint8_t installed;

OWN _Bool ambient_lost_pages_install(void) {
  if (__atomic_exchange_n(&installed, 1, __ATOMIC_ACQ_REL)) return 1;
  struct sigaction action = {0};
  action.sa_sigaction = on_bus_error;
  // If the program has given the thread an alternate stack, the handler runs on that stack.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  if (sigaction(SIGBUS, NULL, &before) == 0 && sigaction(SIGBUS, &action, NULL) == 0) return 1;
  __atomic_store_n(&installed, 0, __ATOMIC_RELEASE);
  return 0;
}

OWN _Bool ambient_lost_pages_is_installed(void) {
  struct sigaction now;
  if (!__atomic_load_n(&installed, __ATOMIC_ACQUIRE) || sigaction(SIGBUS, NULL, &now) != 0) return 1;
  return (now.sa_flags & SA_SIGINFO) &&
         (now.sa_sigaction == on_bus_error || ambient_drains_at(SIGBUS));
}

#else

OWN _Bool ambient_lost_pages_replace(int signal, const void *info) {
  (void)signal, (void)info;
  return 0;
}

OWN _Bool ambient_lost_pages_install(void) { return 0; }

OWN _Bool ambient_lost_pages_is_installed(void) { return 1; }

#endif
