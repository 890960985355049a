// Interposed functions; see guard.h.  Defined in the program itself, they come before libc's for every
// library that it loads.
#define _GNU_SOURCE

#include "guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static __thread struct {
  bool inside, fatal;
  int offences;
  const char* first;
} guard;

void guard_enter(bool fatal)
{
  guard.offences = 0;
  guard.first = "";
  guard.fatal = fatal;
  guard.inside = true;
}

int guard_leave(void)
{
  guard.inside = false;
  return guard.offences;
}

const char* guard_offence(void) { return guard.first ? guard.first : ""; }

static void check(const char* name)
{
  if (!guard.inside) {
    return;
  }
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

// The next definition of a function: libc's.
#define REAL(NAME) ((__typeof__(&NAME))(uintptr_t)real(#NAME))

static void* real(const char* name)
{
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

void* malloc(size_t size) { check("malloc"); return __libc_malloc(size); }
void* calloc(size_t count, size_t size) { check("calloc"); return __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { check("realloc"); return __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) { check("aligned_alloc"); return __libc_memalign(alignment, size); }
void* memalign(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size) { check("memalign"); return __libc_memalign(alignment, size); }
void free(void* memory) { check("free"); __libc_free(memory); }

int posix_memalign(void** memory, size_t alignment, size_t size)
{
  check("posix_memalign");
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

// ---------------------------------------------------------------- files, memory maps, output

ssize_t read(int fd, void* data, size_t size) { check("read"); return REAL(read)(fd, data, size); }
ssize_t write(int fd, const void* data, size_t size) { check("write"); return REAL(write)(fd, data, size); }
int close(int fd) { check("close"); return REAL(close)(fd); }
int poll(struct pollfd* fds, nfds_t count, int timeout) { check("poll"); return REAL(poll)(fds, count, timeout); }
int munmap(void* memory, size_t size) { check("munmap"); return REAL(munmap)(memory, size); }
FILE* fopen(const char* path, const char* mode) { check("fopen"); return REAL(fopen)(path, mode); }
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) { check("fwrite"); return REAL(fwrite)(data, size, count, file); }
int puts(const char* text) { check("puts"); return REAL(puts)(text); }
char* getenv(const char* name) { check("getenv"); return REAL(getenv)(name); }

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset)
{
  check("mmap");
  return REAL(mmap)(at, size, protection, flags, fd, offset);
}

int open(const char* path, int flags, ...)
{
  check("open");
  va_list args;
  va_start(args, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  return REAL(open)(path, flags, mode);
}

int printf(const char* format, ...)
{
  check("printf");
  va_list args;
  va_start(args, format);
  const int count = vprintf(format, args);
  va_end(args);
  return count;
}

// ---------------------------------------------------------------- locks and time

int pthread_mutex_lock(pthread_mutex_t* mutex) { check("pthread_mutex_lock"); return REAL(pthread_mutex_lock)(mutex); }
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) { check("pthread_rwlock_rdlock"); return REAL(pthread_rwlock_rdlock)(lock); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) { check("pthread_rwlock_wrlock"); return REAL(pthread_rwlock_wrlock)(lock); }
int sem_wait(sem_t* semaphore) { check("sem_wait"); return REAL(sem_wait)(semaphore); }
int sem_post(sem_t* semaphore) { check("sem_post"); return REAL(sem_post)(semaphore); }
int nanosleep(const struct timespec* time, struct timespec* rest) { check("nanosleep"); return REAL(nanosleep)(time, rest); }
int usleep(useconds_t time) { check("usleep"); return REAL(usleep)(time); }
int clock_gettime(clockid_t id, struct timespec* time) { check("clock_gettime"); return REAL(clock_gettime)(id, time); }

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex)
{
  check("pthread_cond_wait");
  return REAL(pthread_cond_wait)(condition, mutex);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* user)
{
  check("pthread_create");
  return REAL(pthread_create)(thread, attributes, start, user);
}

long syscall(long number, ...)
{
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
