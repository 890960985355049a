// SPDX-License-Identifier: MIT
// Interposed functions; see guard.h.  Defined in the program itself, they come before libc's for
// every library that it loads.
#define _GNU_SOURCE

#include "guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

enum {
  CALLS_ALLOWED = 0,
  CALLS_REFUSED = 1
}; // What the kernel reads before each system call of the thread

static __thread struct {
  bool inside, fatal, asked, kernel, clock;
  volatile char calls;
  int offences;
  const char* first;
  char name[32];
} guard;

static void check(const char* name) {
  if (!guard.inside) {
    return;
  }
  guard.calls = CALLS_ALLOWED; // The offence itself may go on; the next guard_enter looks again
  if (guard.offences++ == 0) {
    guard.first = name;
  }
  if (guard.fatal) {
    guard.inside = false;
    void* frames[32];
    fprintf(stderr, "not real-time safe: %s\n", name);
    backtrace_symbols_fd(frames, backtrace(frames, 32), 2);
    abort();
  }
}

// ---------------------------------------------------------------- the kernel's watch

static void on_refused(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  guard.calls = CALLS_ALLOWED;
  const bool inside = guard.inside;
  guard.inside = false; // snprintf is our own doing
  snprintf(guard.name, sizeof guard.name, "system call %d", info->si_syscall);
  guard.inside = inside;
  check(guard.name);
}

void guard_prepare(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_refused;
  action.sa_flags = SA_SIGINFO;
  const bool handled = sigaction(SIGSYS, &action, NULL) == 0;
  if (!guard.asked) {
    guard.asked = true;
    guard.kernel =
        handled
        && prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0UL, 0UL, &guard.calls) == 0;
  }
}

bool guard_has_kernel(void) {
  return guard.kernel;
}

void guard_enter(bool fatal) {
  if (!guard.asked) {
    guard_prepare();
  }
  guard.offences = 0;
  guard.first = "";
  guard.fatal = fatal;
  guard.inside = true;
  guard.calls = guard.kernel ? CALLS_REFUSED : CALLS_ALLOWED;
}

void guard_allow_clock(bool allowed) {
  guard.clock = allowed;
}

int guard_leave(void) {
  guard.calls = CALLS_ALLOWED;
  guard.inside = false;
  return guard.offences;
}

const char* guard_offence(void) {
  return guard.first ? guard.first : "";
}

// The next definition of a function: libc's.
#define REAL(NAME) ((__typeof__(&NAME))(uintptr_t)real(#NAME))

static void* real(const char* name) {
  const bool inside = guard.inside; // dlsym itself may allocate
  guard.inside = false;
  void* const function = dlsym(RTLD_NEXT, name);
  guard.inside = inside;
  return function;
}

// ---------------------------------------------------------------- memory: glibc's own names, as dlsym allocates

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* memory);

void* malloc(size_t size) {
  check("malloc");
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  check("calloc");
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  check("realloc");
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  check("aligned_alloc");
  return __libc_memalign(alignment, size);
}
void* memalign(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size) {
  check("memalign");
  return __libc_memalign(alignment, size);
}
void free(void* memory) {
  check("free");
  __libc_free(memory);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  check("posix_memalign");
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

// ---------------------------------------------------------------- files, memory maps, output

ssize_t read(int fd, void* data, size_t size) {
  check("read");
  return REAL(read)(fd, data, size);
}
ssize_t write(int fd, const void* data, size_t size) {
  check("write");
  return REAL(write)(fd, data, size);
}
int close(int fd) {
  check("close");
  return REAL(close)(fd);
}
int poll(struct pollfd* fds, nfds_t count, int timeout) {
  check("poll");
  return REAL(poll)(fds, count, timeout);
}
int munmap(void* memory, size_t size) {
  check("munmap");
  return REAL(munmap)(memory, size);
}
FILE* fopen(const char* path, const char* mode) {
  check("fopen");
  return REAL(fopen)(path, mode);
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  check("fwrite");
  return REAL(fwrite)(data, size, count, file);
}
int puts(const char* text) {
  check("puts");
  return REAL(puts)(text);
}
char* getenv(const char* name) {
  check("getenv");
  return REAL(getenv)(name);
}

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  check("mmap");
  return REAL(mmap)(at, size, protection, flags, fd, offset);
}

int open(const char* path, int flags, ...) {
  check("open");
  va_list args;
  va_start(args, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  return REAL(open)(path, flags, mode);
}

int printf(const char* format, ...) {
  check("printf");
  va_list args;
  va_start(args, format);
  const int count = vprintf(format, args);
  va_end(args);
  return count;
}

// ---------------------------------------------------------------- locks and time

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  check("pthread_mutex_lock");
  return REAL(pthread_mutex_lock)(mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  check("pthread_rwlock_rdlock");
  return REAL(pthread_rwlock_rdlock)(lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  check("pthread_rwlock_wrlock");
  return REAL(pthread_rwlock_wrlock)(lock);
}
int sem_wait(sem_t* semaphore) {
  check("sem_wait");
  return REAL(sem_wait)(semaphore);
}
int sem_post(sem_t* semaphore) {
  check("sem_post");
  return REAL(sem_post)(semaphore);
}
int nanosleep(const struct timespec* time, struct timespec* rest) {
  check("nanosleep");
  return REAL(nanosleep)(time, rest);
}
int usleep(useconds_t time) {
  check("usleep");
  return REAL(usleep)(time);
}

int clock_gettime(clockid_t id, struct timespec* time) {
  static __typeof__(&clock_gettime) next; // Found once: looking it up might wait
  if (!guard.clock) {
    check("clock_gettime");
  }
  next = next ? next : REAL(clock_gettime);
  return next(id, time);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  check("pthread_cond_wait");
  return REAL(pthread_cond_wait)(condition, mutex);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* user) {
  check("pthread_create");
  return REAL(pthread_create)(thread, attributes, start, user);
}

long syscall(long number, ...) {
  check("syscall");
  va_list args;
  va_start(args, number);
  long a[6];
  for (int i = 0; i < 6; ++i) {
    a[i] = va_arg(args, long);
  }
  va_end(args);
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
