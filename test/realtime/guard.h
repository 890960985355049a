// SPDX-License-Identifier: MIT
// A stretch of a thread's time in which nothing may be called that could wait.
//
// guard.c stands before the C library's own functions for memory, files, locks, sleep and output.
// While a thread is inside a guard, a call to any of them is an offence: it is counted and named,
// or, when no count is wanted, ends the program with the way that led there.  Besides, where the
// kernel offers it (Linux 5.11, "syscall user dispatch"), it is told to refuse every system call of
// the thread, whoever makes it: the first is an offence too.  Reading the clock makes none on
// machines whose clock is mapped into the program.
#ifndef JAWARI_TEST_GUARD_H
#define JAWARI_TEST_GUARD_H

#include <stdbool.h>

/// Ask the kernel to watch this thread.  The thread's first guard_enter does so; again where a test
/// frame may have put its own signal handlers in place.
void guard_prepare(void);

/// Nothing may wait from here to guard_leave.  With `fatal`, an offence prints its backtrace and
/// aborts.
void guard_enter(bool fatal);

/// From here on this thread may read the clock, or may not.  A clock that needs a system call stays
/// an offence where the kernel watches.
void guard_allow_clock(bool allowed);

/// How many offences there were.
int guard_leave(void);

/// The function of the first offence since guard_enter, or "".
const char* guard_offence(void);

/// Does the kernel watch this thread's system calls?  Known after guard_prepare.
bool guard_has_kernel(void);

#endif // JAWARI_TEST_GUARD_H
