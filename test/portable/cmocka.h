// SPDX-License-Identifier: MIT
// The little of cmocka that some tests use, for machines that have no cmocka: WebAssembly, ARM
// under an emulator, and 32 bit.  A failed assertion ends the program at once.
#ifndef JAWARI_TEST_PORTABLE_CMOCKA_H
#define JAWARI_TEST_PORTABLE_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char* name;
  void (*test)(void** state);
  int (*setup)(void** state);
  int (*teardown)(void** state);
  void* initial_state;
};

#define cmocka_unit_test(function)                                                                 \
  { #function, function, NULL, NULL, NULL }
#define print_message(...) printf(__VA_ARGS__)

static inline void jw_fail(const char* what, const char* file, int line) {
  printf("not ok - %s:%d: %s\n", file, line, what);
  exit(1);
}

#define assert_true(x) ((x) ? (void)0 : jw_fail(#x, __FILE__, __LINE__))
#define assert_non_null(x) assert_true((x) != NULL)
#define assert_null(x) assert_true((x) == NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define fail_msg(...) (printf(__VA_ARGS__), jw_fail("fail", __FILE__, __LINE__))

#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
  cmocka_run_group_tests(tests, setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
  jw_run_tests(tests, sizeof(tests) / sizeof(tests)[0])
#define _cmocka_run_group_tests(name, tests, count, setup, teardown) jw_run_tests(tests, count)

static inline int jw_run_tests(const struct CMUnitTest* tests, size_t count) {
  printf("1..%u\n", (unsigned)count);
  for (size_t i = 0; i < count; ++i) {
    void* state = tests[i].initial_state;
    tests[i].test(&state);
    printf("ok %u - %s\n", (unsigned)i + 1, tests[i].name);
  }
  return 0;
}

#endif // JAWARI_TEST_PORTABLE_CMOCKA_H
