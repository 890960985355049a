// SPDX-License-Identifier: MIT
// Status names, version and the default allocator.

#include "test.h"

#include <jawari/jawari.h>

#include <stdio.h>
#include <string.h>

static void every_status_has_its_own_name(void** state) {
  (void)state;
  for (int i = 0; i < JW_STATUS_COUNT; ++i) {
    assert_non_null(jw_status_name((JwStatus)i));
    for (int j = 0; j < i; ++j) {
      assert_string_not_equal(jw_status_name((JwStatus)i), jw_status_name((JwStatus)j));
    }
  }
  assert_string_equal(jw_status_name((JwStatus)JW_STATUS_COUNT), "unknown status");
}

static void version_is_that_of_the_header(void** state) {
  (void)state;
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", JW_VERSION_MAJOR, JW_VERSION_MINOR,
           JW_VERSION_PATCH);
  assert_string_equal(jw_version(), expected);
}

static void default_allocator_gives_zeroed_aligned_memory(void** state) {
  (void)state;
  const JwAllocator allocator = jw_allocator_default();
  for (size_t size = 0; size < 300; size += 37) {
    unsigned char* const memory = (unsigned char*)allocator.allocate(allocator.user, size);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    for (size_t i = 0; i < size; ++i) {
      assert_int_equal(memory[i], 0);
    }
    allocator.release(allocator.user, memory);
  }
  assert_null(allocator.allocate(allocator.user, SIZE_MAX - 8));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_its_own_name),
      cmocka_unit_test(version_is_that_of_the_header),
      cmocka_unit_test(default_allocator_gives_zeroed_aligned_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
