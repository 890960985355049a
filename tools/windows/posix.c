// SPDX-License-Identifier: MIT
// What the command takes from POSIX, by Windows.

#include "posix.h"

#undef rename

#include <errno.h>
#include <string.h>
#include <windows.h>

int jw_windows_rename(const char* from, const char* to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) {
    return 0;
  }
  errno = EACCES;
  return -1;
}

int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (before) {
    before->sa_handler = SIG_DFL;
  }
  return action && signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}

char* strndup(const char* text, size_t most) {
  const size_t length = strnlen(text, most);
  char* const copy = (char*)malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

long sysconf(int name) {
  (void)name; // Asked for the number of processors alone
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (long)info.dwNumberOfProcessors;
}

// Bytes are bytes, also in pipes.
__attribute__((constructor)) static void keep_bytes(void) {
  for (int fd = 0; fd < 3; ++fd) {
    _setmode(fd, _O_BINARY);
  }
}
