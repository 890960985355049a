// SPDX-License-Identifier: MIT
// In a build with clang's realtime sanitizer: it would see a world that waits.  What it sees of
// worlds are the other tests of such a build (make rtsan).

#include <jawari/jawari.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void* volatile kept;

// Through a pointer, which the compiler does not follow.
static void* (*volatile take)(size_t size) = malloc;

JW_REALTIME static void takes_memory(void) {
  kept = take(8);
}

JW_REALTIME static void takes_none(void) {
  kept = NULL;
}

// How a process ends in which a call is made.
static int end_of(void (*call)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    call();
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void a_call_that_takes_memory_ends_the_process(void** state) {
  (void)state;
  assert_int_equal(end_of(takes_none), 0);
  assert_int_not_equal(end_of(takes_memory), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_call_that_takes_memory_ends_the_process)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
