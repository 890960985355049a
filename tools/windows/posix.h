// SPDX-License-Identifier: MIT
// posix.h: what the command takes from POSIX, by Windows.  Put before every file of it in that build.
#ifndef JAWARI_WINDOWS_POSIX_H
#define JAWARI_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

// Files: a name that exists is replaced by rename, paths are made whole.
int jw_windows_rename(const char* from, const char* to);
#define rename jw_windows_rename
#define realpath(PATH, NONE) _fullpath(NONE, PATH, 0)
#define mkdir(PATH, MODE) _mkdir(PATH)
#define fsync _commit
#define fchmod(FD, MODE) ((void)(FD), (void)(MODE), 0) // Windows has no modes
#define F_GETFD 1
#define fcntl(FD, WHAT) (_get_osfhandle(FD) == -1 ? -1 : 0)

// Signals: Ctrl-C is one; pipes and sizes of files send none.
#define SIGHUP SIGBREAK
#define SIGPIPE SIGTERM
#define SIGXFSZ SIGTERM
struct sigaction {
  void (*sa_handler)(int);
};
int sigaction(int number, const struct sigaction* action, struct sigaction* before);

char* strndup(const char* text, size_t most);

#define _SC_NPROCESSORS_ONLN 84
long sysconf(int name);

#endif // JAWARI_WINDOWS_POSIX_H
