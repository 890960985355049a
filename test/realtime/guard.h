// A stretch of a thread's time in which nothing may be called that could wait.
//
// guard.c stands before the C library's own functions for memory, files, locks, sleep and output.  While a
// thread is inside a guard, a call to any of them is an offence: it is counted and named, or, when no
// count is wanted, ends the program with the way that led there.
#ifndef JAWARI_TEST_GUARD_H
#define JAWARI_TEST_GUARD_H

#include <stdbool.h>

/// Nothing may wait from here to guard_leave.  With `fatal`, an offence prints its backtrace and aborts.
void guard_enter(bool fatal);

/// How many offences there were.
int guard_leave(void);

/// The function of the first offence since guard_enter, or "".
const char* guard_offence(void);

#endif // JAWARI_TEST_GUARD_H
