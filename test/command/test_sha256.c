// SPDX-License-Identifier: MIT
// SHA-256, by the vectors of its standard and at every length around a block.

#include "sha256.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void texts_of_the_standard_have_its_hashes(void** state) {
  (void)state;
  // FIPS 180-4's examples: a block, two blocks, and many
  static const char* const texts[][2] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
  char hex[65];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    jw_sha256(texts[i][0], strlen(texts[i][0]), hex);
    assert_string_equal(hex, texts[i][1]);
  }
  char* const many = (char*)malloc(1000000);
  assert_non_null(many);
  memset(many, 'a', 1000000);
  jw_sha256(many, 1000000, hex);
  free(many);
  assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Its end is a 1, zeros and the length: they need a block of their own from 56 bytes on.  The hash of the hashes of
// i^2 + 7 i mod 251, i < n, for n = 0 ... 299, is that of Python's hashlib.
static void every_length_around_a_block_is_hashed_as_elsewhere(void** state) {
  (void)state;
  unsigned char bytes[300];
  static char all[300 * 64 + 1];
  char hex[65];
  for (size_t i = 0; i < sizeof bytes; ++i) {
    bytes[i] = (unsigned char)((i * i + 7 * i) % 251);
  }
  for (size_t n = 0; n < 300; ++n) {
    jw_sha256(bytes, n, hex);
    assert_int_equal(strlen(hex), 64);
    memcpy(all + 64 * n, hex, 64);
  }
  jw_sha256(all, sizeof all - 1, hex);
  assert_string_equal(hex, "4cd6d1f2a1f4dfa8dee11aab574504a63c90e50c04026b3b22f1a931b57091aa");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_of_the_standard_have_its_hashes),
      cmocka_unit_test(every_length_around_a_block_is_hashed_as_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
