// SPDX-License-Identifier: MIT
// What wasi-libc would ask of a system, answered here: there is none.  So the module has no imports,
// and nothing that a scene can say reaches beyond its own memory.

#define ENDS __attribute__((noreturn))
#define NO_FILE 44 // ENOENT
#define NO_SUCH 52 // ENOSYS
#define NO_PLACE 8 // EBADF: also ends the search for folders that were opened beforehand
#define ANSWER(name, parameters, status)                                                           \
  int __imported_wasi_snapshot_preview1_##name parameters;                                         \
  int __imported_wasi_snapshot_preview1_##name parameters {                                        \
    return status;                                                                                 \
  }

ANSWER(fd_close, (int fd), NO_PLACE)
ANSWER(fd_fdstat_get, (int fd, int stat), NO_PLACE)
ANSWER(fd_fdstat_set_flags, (int fd, int flags), NO_PLACE)
ANSWER(fd_filestat_get, (int fd, int stat), NO_PLACE)
ANSWER(fd_prestat_get, (int fd, int stat), NO_PLACE)
ANSWER(fd_prestat_dir_name, (int fd, int path, int size), NO_PLACE)
ANSWER(fd_read, (int fd, int vectors, int count, int size), NO_PLACE)
ANSWER(fd_write, (int fd, int vectors, int count, int size), NO_PLACE)
ANSWER(fd_seek, (int fd, long long offset, int whence, int size), NO_PLACE)
ANSWER(path_open,
       (int fd, int flags, int path, int size, int open, long long rights, long long inheriting,
        int descriptor_flags, int opened),
       NO_FILE)
ANSWER(path_filestat_get, (int fd, int flags, int path, int size, int stat), NO_FILE)
ANSWER(environ_get, (int environment, int buffer), NO_SUCH)
ANSWER(clock_time_get, (int clock, long long precision, int time), NO_SUCH)

int __imported_wasi_snapshot_preview1_environ_sizes_get(int* count, int* size);
int __imported_wasi_snapshot_preview1_environ_sizes_get(int* count, int* size) {
  *count = 0;
  *size = 0;
  return 0;
}

ENDS void __imported_wasi_snapshot_preview1_proc_exit(int status);
ENDS void __imported_wasi_snapshot_preview1_proc_exit(int status) {
  (void)status;
  __builtin_trap();
}
