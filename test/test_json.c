// SPDX-License-Identifier: MIT
// JSON with comments: what is accepted, what is refused and with which words at which place,
// limits, numbers to the last bit, memory.

#include "test.h"

#include "scene/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A text parsed, with its pool.
typedef struct {
  JwPool pool;
  JwJson* root;
  JwJsonError error;
  JwStatus status;
} Parsed;

static Parsed parse_bytes(const char* text, size_t size) {
  Parsed parsed = {.pool = jw_pool(jw_allocator_default())};
  // An exact copy on the heap, so that reading one byte too far is seen by a sanitizer.
  char* const copy = (char*)malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, text, size);
  const JwJsonInput input = {copy, size, 7, NULL};
  parsed.status = jw_json_parse(&parsed.pool, &input, &parsed.root, &parsed.error);
  free(copy);
  return parsed;
}

static Parsed parse(const char* text) {
  return parse_bytes(text, strlen(text));
}

static void drop(Parsed* parsed) {
  jw_pool_release(&parsed->pool);
}

static void what_rfc_8259_allows_is_accepted(void** state) {
  (void)state;
  static const char* const texts[] = {
      "null",
      "true",
      "false",
      "0",
      "-0",
      "1",
      "-1",
      "10",
      "0.5",
      "-0.5",
      "1e5",
      "1E5",
      "1e+5",
      "1e-5",
      "1.25e-3",
      "123456789012345678901234567890",
      "0e0",
      "0e999999999999",
      "0.0e-999",
      "\"\"",
      "\"a\"",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
      "\"\\u0041\"",
      "\"\\uD834\\uDD1E\"",
      "\"\\u00e9\"",
      "\"\xC3\xA9\"",
      "\"\xE2\x82\xAC\"",
      "\"\xF0\x9D\x84\x9E\"",
      "\"\x7F\"",
      "\"\xEF\xBF\xBF\"",
      "\"\xF4\x8F\xBF\xBF\"",
      "\"//\"",
      "\"/*\"",
      "[]",
      "[ ]",
      "[1]",
      "[1,2]",
      "[[]]",
      "[[],[]]",
      "[null,true,false,0,\"\",[],{}]",
      "{}",
      "{ }",
      "{\"a\":1}",
      "{\"a\":1,\"b\":2}",
      "{\"\":0}",
      "{\"a\":{\"a\":{}}}",
      " \t\r\n1 \t\r\n",
      "\xEF\xBB\xBF{}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    Parsed parsed = parse(texts[i]);
    if (parsed.status) {
      fail_msg("refused: %s: %s", texts[i], parsed.error.message);
    }
    drop(&parsed);
  }
}

static void comments_stand_wherever_white_space_may(void** state) {
  (void)state;
  Parsed parsed =
      parse("// first\n/* a\n * b */{/**/\"a\"/* */:// x\n[1/* */,/* */2]/* */}// last");
  assert_int_equal(parsed.status, JW_STATUS_OK);
  const JwJson* const a = jw_json_member(parsed.root, "a");
  assert_non_null(a);
  assert_int_equal(a->count, 2);
  assert_true(a->first->number == 1.0 && a->last->number == 2.0);
  drop(&parsed);
}

typedef struct {
  const char* text;
  uint32_t line, column;
  const char* message;
} Bad;

static const Bad bad[] = {
    {"", 1, 1, "expected a value, found end of file"},
    {"  // only this\n", 2, 1, "expected a value, found end of file"},
    {"nul", 1, 1, "expected a value, found 'n'"},
    {"True", 1, 1, "expected a value, found 'T'"},
    {"NaN", 1, 1, "expected a value, found 'N'"},
    {"Infinity", 1, 1, "expected a value, found 'I'"},
    {"-Infinity", 1, 2, "expected a digit after the sign, found 'I'"},
    {"+1", 1, 1, "expected a value, found '+'"},
    {".5", 1, 1, "expected a value, found '.'"},
    {"5.", 1, 3, "expected a digit after the point, found end of file"},
    {"-", 1, 2, "expected a digit after the sign, found end of file"},
    {"01", 1, 1, "a number may not start with a needless 0"},
    {"-00.5", 1, 2, "a number may not start with a needless 0"},
    {"1e", 1, 3, "expected a digit of the exponent, found end of file"},
    {"1e+", 1, 4, "expected a digit of the exponent, found end of file"},
    {"1.e5", 1, 3, "expected a digit after the point, found 'e'"},
    {"0x10", 1, 2, "expected the end of the file, found 'x'"},
    {"1_000", 1, 2, "expected the end of the file, found '_'"},
    {"1e309", 1, 1, "this number is too large: the most is 1.79e308"},
    {"[1, -1e400]", 1, 5, "this number is too large: the most is 1.79e308"},
    {"1e99999999999999999999", 1, 1, "this number is too large: the most is 1.79e308"},
    {"1e-400", 1, 1, "this number is too small to differ from 0"},
    {"1 2", 1, 3, "expected the end of the file, found '2'"},
    {"{} {}", 1, 4, "expected the end of the file, found '{'"},
    {"[", 1, 2, "expected a value, found end of file"},
    {"[1", 1, 3, "expected ',' or ']', found end of file"},
    {"[1 2]", 1, 4, "expected ',' or ']', found '2'"},
    {"[1,]", 1, 3, "no comma may stand before ']'"},
    {"[,1]", 1, 2, "expected a value, found ','"},
    {"[1,,2]", 1, 4, "expected a value, found ','"},
    {"[1}", 1, 3, "expected ',' or ']', found '}'"},
    {"]", 1, 1, "expected a value, found ']'"},
    {"{", 1, 2, "expected a key in quotes or '}', found end of file"},
    {"{a:1}", 1, 2, "expected a key in quotes or '}', found 'a'"},
    {"{'a':1}", 1, 2, "expected a key in quotes or '}', found '''"},
    {"{\"a\":1,'b':2}", 1, 8, "expected a key in quotes, found '''"},
    {"{\"a\"}", 1, 5, "expected ':' after the key, found '}'"},
    {"{\"a\" 1}", 1, 6, "expected ':' after the key, found '1'"},
    {"{\"a\":}", 1, 6, "expected a value, found '}'"},
    {"{\"a\":1", 1, 7, "expected ',' or '}', found end of file"},
    {"{\"a\":1,}", 1, 7, "no comma may stand before '}'"},
    {"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}', found '\"'"},
    {"{\"a\":1,b:2}", 1, 8, "expected a key in quotes, found 'b'"},
    {"{1:2}", 1, 2, "expected a key in quotes or '}', found '1'"},
    {"{\"a\":1,\n \"a\":2}", 2, 2, "the key \"a\" stands twice in this object"},
    {"{\"\\u0061\":1,\"a\":2}", 1, 13, "the key \"a\" stands twice in this object"},
    {"\"", 1, 1, "this text is never closed: '\"' is missing"},
    {"\"a\nb\"", 1, 1, "this text is never closed: '\"' is missing"},
    {"\"a\tb\"", 1, 3, "byte 0x09 is not allowed in a text: write an escape"},
    {"\"\\x41\"", 1, 2, "a backslash before 'x' means nothing"},
    {"\"\\\xC3\xA9\"", 1, 2, "a backslash before '\xC3\xA9' means nothing"},
    {"\"\\", 1, 2, "a backslash before end of file means nothing"},
    {"\"\\u12\"", 1, 2, "\\u wants four hexadecimal digits"},
    {"\"\\u12G4\"", 1, 2, "\\u wants four hexadecimal digits"},
    {"\"\\u0000\"", 1, 2, "\\u0000 is not allowed in a text"},
    {"\"\\uD834\"", 1, 2, "half a surrogate pair: \\uD800-\\uDBFF needs \\uDC00-\\uDFFF behind it"},
    {"\"\\uDD1E\"", 1, 2, "half a surrogate pair: \\uD800-\\uDBFF needs \\uDC00-\\uDFFF behind it"},
    {"\"\\uD834\\u0041\"", 1, 2,
     "half a surrogate pair: \\uD800-\\uDBFF needs \\uDC00-\\uDFFF behind it"},
    {"\"\xFF\"", 1, 2, "this is not UTF-8"},
    {"\"\xC0\x80\"", 1, 2, "this is not UTF-8"},
    {"\"\xED\xA0\x80\"", 1, 2, "this is not UTF-8"},
    {"\"\xF4\x90\x80\x80\"", 1, 2, "this is not UTF-8"},
    {"\"\xE2\x82\"", 1, 2, "this is not UTF-8"},
    {"\"\xC3\xA9\xC3\"", 1, 3, "this is not UTF-8"},
    {"\xFE\xFF", 1, 1, "expected a value, found byte 0xFE"},
    {"// \xFF\n1", 1, 4, "this is not UTF-8"},
    {"/* \xFF */1", 1, 4, "this is not UTF-8"},
    {"/* 1", 1, 1, "this comment is never closed: \"*/\" is missing"},
    {"1 /* /", 1, 3, "this comment is never closed: \"*/\" is missing"},
    {"/ 1", 1, 1, "a comment starts with \"//\" or \"/*\""},
    {"# 1", 1, 1, "expected a value, found '#'"},
    {"[\n  1,\n  \"\xC3\xA9\", x]", 3, 8, "expected a value, found 'x'"},
    {"\f1", 1, 1, "expected a value, found byte 0x0C"},
};

static void every_error_names_its_place_and_its_cause(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    Parsed parsed = parse(bad[i].text);
    uint32_t line = 0, column = 0;
    assert_int_equal(parsed.status, JW_STATUS_BAD_SCENE);
    assert_null(parsed.root);
    jw_json_position(bad[i].text, strlen(bad[i].text), parsed.error.place.offset, &line, &column);
    assert_string_equal(parsed.error.message, bad[i].message);
    if (line != bad[i].line || column != bad[i].column) {
      fail_msg("%s: at %u:%u, should be at %u:%u", bad[i].text, line, column, bad[i].line,
               bad[i].column);
    }
    drop(&parsed);
  }
}

static void every_value_and_key_keeps_its_place(void** state) {
  (void)state;
  const char* const text = "{\n  \"a\": [10, \"x\\n\"],\n  \"b\": true\n}";
  Parsed parsed = parse(text);
  assert_int_equal(parsed.status, JW_STATUS_OK);
  const JwJson* const a = jw_json_member(parsed.root, "a");
  const JwJson* const b = jw_json_member(parsed.root, "b");
  assert_null(jw_json_member(parsed.root, "c"));
  assert_int_equal(a->place.source, 7);
  assert_memory_equal(text + a->key_place.offset, "\"a\"", a->key_place.length);
  assert_memory_equal(text + a->first->place.offset, "10", a->first->place.length);
  assert_memory_equal(text + a->last->place.offset, "\"x\\n\"", a->last->place.length);
  assert_memory_equal(text + b->place.offset, "true", b->place.length);
  assert_int_equal(a->last->place.length, 5);
  assert_string_equal(a->last->text, "x\n");
  drop(&parsed);
}

static void escapes_become_utf_8(void** state) {
  (void)state;
  Parsed parsed = parse("\"\\u0041\\u00e9\\u20AC\\ud834\\udd1e\"");
  assert_int_equal(parsed.status, JW_STATUS_OK);
  assert_string_equal(parsed.root->text, "A\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E");
  assert_int_equal(parsed.root->size, 10);
  drop(&parsed);
}

/// The value of a number text.
static double number(const char* text) {
  Parsed parsed = parse(text);
  assert_int_equal(parsed.status, JW_STATUS_OK);
  assert_int_equal(parsed.root->type, JW_JSON_NUMBER);
  const double value = parsed.root->number;
  drop(&parsed);
  return value;
}

static void numbers_are_correctly_rounded(void** state) {
  (void)state;
  // The compiler's own conversion of the same digits is the other way to the number.
  assert_true(number("0.1") == 0.1);
  assert_true(number("123456.789e-3") == 123456.789e-3);
  assert_true(number("2.2250738585072011e-308") == 2.2250738585072011e-308);
  assert_true(number("5e-324") == 5e-324);
  assert_true(number("1.7976931348623157e308") == 1.7976931348623157e308);
  assert_true(number("9007199254740993") == 9007199254740992.0); // A tie goes to even
  assert_true(number("9007199254740993.0000000000000000000001") == 9007199254740994.0);
  assert_true(number("0.000000000000000000000000000000000001e36") == 1.0);
  assert_true(number("10e-1") == 1.0);
  assert_true(signbit(number("-0")) && number("-0") == 0.0);
}

static uint32_t conversions, points_seen;

/// Stands in front of libc's: the only part of reading a number that looks at the locale.
double strtod(const char* restrict text, char** restrict end) {
  double value = 0.0;
  assert_null(end);
  ++conversions;
  points_seen += strpbrk(text, ".,") != NULL;
  assert_int_equal(sscanf(text, "%lf", &value), 1);
  return value;
}

static void what_reads_the_locale_never_sees_a_decimal_point(void** state) {
  (void)state;
  conversions = points_seen = 0;
  assert_true(number("12.5e1") == 125.0);
  assert_true(number("-0.0625") == -0.0625);
  assert_int_equal(conversions, 2);
  assert_int_equal(points_seen, 0);
}

// ---------------------------------------------------------------- limits

/// `count` copies of `piece` between `before` and `after`.
static char* repeated(const char* before, const char* piece, size_t count, const char* after) {
  const size_t length = strlen(piece);
  char* const text = (char*)malloc(strlen(before) + count * length + strlen(after) + 1);
  assert_non_null(text);
  char* end = text + sprintf(text, "%s", before);
  for (size_t i = 0; i < count; ++i, end += length) {
    memcpy(end, piece, length);
  }
  strcpy(end, after);
  return text;
}

static void assert_parse(char* text, JwStatus status, const char* message) {
  Parsed parsed = parse(text);
  assert_int_equal(parsed.status, status);
  assert_string_equal(parsed.error.message, message);
  drop(&parsed);
  free(text);
}

static void limits_are_where_they_are_said_to_be(void** state) {
  (void)state;
  char* deep = repeated("", "[", JW_JSON_MAX_DEPTH, "");
  char* text = repeated(deep, "]", JW_JSON_MAX_DEPTH, "");
  free(deep);
  assert_parse(text, JW_STATUS_OK, "");
  assert_parse(repeated("", "[", JW_JSON_MAX_DEPTH + 1, ""), JW_STATUS_BAD_SCENE,
               "nested deeper than 64");
  assert_parse(repeated("", "{\"\":", 100000, ""), JW_STATUS_BAD_SCENE, "nested deeper than 64");
  assert_parse(repeated("[0", ",0", JW_JSON_MAX_VALUES - 2, "]"), JW_STATUS_OK, "");
  assert_parse(repeated("[0", ",0", JW_JSON_MAX_VALUES - 1, "]"), JW_STATUS_BAD_SCENE,
               "more than 100000 values");
  assert_parse(repeated("", "1", JW_JSON_MAX_NUMBER, "e-10"), JW_STATUS_OK, "");
  assert_parse(repeated("", "1", JW_JSON_MAX_NUMBER + 1, ""), JW_STATUS_BAD_SCENE,
               "a number may have at most 256 digits");
  assert_parse(repeated("1", " ", JW_JSON_MAX_BYTES - 1, ""), JW_STATUS_OK, "");
  assert_parse(repeated("1", " ", JW_JSON_MAX_BYTES, ""), JW_STATUS_TOO_LARGE,
               "1048577 bytes are too many: the most is 1048576");
}

/// {"k0":0,"k1":0 ...}
static char* keys(size_t count) {
  char* const text = (char*)malloc(count * 16 + 3);
  assert_non_null(text);
  char* end = text;
  *end++ = '{';
  for (size_t i = 0; i < count; ++i) {
    end += sprintf(end, "%s\"k%zu\":0", i ? "," : "", i);
  }
  strcpy(end, "}");
  return text;
}

static void an_object_has_at_most_so_many_keys(void** state) {
  (void)state;
  assert_parse(keys(JW_JSON_MAX_MEMBERS), JW_STATUS_OK, "");
  assert_parse(keys(JW_JSON_MAX_MEMBERS + 1), JW_STATUS_BAD_SCENE,
               "more than 4096 keys in one object");
}

// ---------------------------------------------------------------- memory

typedef struct {
  size_t until_failure, given, taken_back;
} Stingy;

static void* stingy_allocate(void* user, size_t size) {
  Stingy* const stingy = (Stingy*)user;
  if (stingy->given == stingy->until_failure) {
    return NULL;
  }
  ++stingy->given;
  return jw_allocator_default().allocate(NULL, size);
}

static void stingy_release(void* user, void* memory) {
  ++((Stingy*)user)->taken_back;
  jw_allocator_default().release(NULL, memory);
}

// The allocations that a text takes; each fails in turn, and nothing leaks.
static size_t fail_each(const char* text) {
  const JwJsonInput input = {text, strlen(text), 0, NULL};
  JwStatus status = JW_STATUS_NO_MEMORY;
  size_t failures = 0;
  for (; status == JW_STATUS_NO_MEMORY; ++failures) {
    Stingy stingy = {failures, 0, 0};
    JwPool pool = jw_pool((JwAllocator){stingy_allocate, stingy_release, &stingy});
    JwJson* root = NULL;
    JwJsonError error;
    status = jw_json_parse(&pool, &input, &root, &error);
    assert_true((status == JW_STATUS_OK) == (root != NULL));
    jw_pool_release(&pool);
    assert_int_equal(stingy.given, stingy.taken_back);
  }
  assert_int_equal(status, JW_STATUS_OK);
  return failures - 1;
}

static void each_allocation_may_fail_and_nothing_leaks(void** state) {
  (void)state;
  char* const text = keys(1000);
  assert_true(fail_each(text) > 4); // It did take several blocks
  free(text);
}

static void memory_may_run_out_within_a_word_or_a_text(void** state) {
  (void)state;
  assert_int_equal(fail_each("true"), 1);
  static char text[40000]; // More than a block of the pool
  memset(text, 'x', sizeof text - 1);
  text[0] = text[sizeof text - 2] = '"';
  assert_int_equal(fail_each(text), 2);
}

static void a_list_has_no_members(void** state) {
  (void)state;
  Parsed parsed = parse("[1, \"a\", [], {}]");
  assert_int_equal(parsed.status, JW_STATUS_OK);
  assert_null(jw_json_member(parsed.root, "a"));
  assert_null(jw_json_member(parsed.root, ""));
  drop(&parsed);
}

static void any_cut_or_changed_byte_is_survived(void** state) {
  (void)state;
  static const char text[] =
      "{\"a\": [1.5e-3, \"\\uD834\\uDD1E\xC3\xA9\"], /* c */ \"b\": {\"c\": null}} // e";
  size_t refused = 0;
  for (size_t i = 0; i < sizeof text - 1; ++i) {
    Parsed cut = parse_bytes(text, i);
    refused += cut.status != JW_STATUS_OK;
    drop(&cut);
    for (int byte = 0; byte < 256; ++byte) {
      char changed[sizeof text];
      memcpy(changed, text, sizeof text);
      changed[i] = (char)byte;
      Parsed parsed = parse_bytes(changed, sizeof text - 1);
      assert_true(parsed.status == JW_STATUS_OK || parsed.error.message[0] != '\0');
      refused += parsed.status != JW_STATUS_OK;
      drop(&parsed);
    }
  }
  assert_true(refused > 5000); // Most changes break it
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_rfc_8259_allows_is_accepted),
      cmocka_unit_test(comments_stand_wherever_white_space_may),
      cmocka_unit_test(every_error_names_its_place_and_its_cause),
      cmocka_unit_test(every_value_and_key_keeps_its_place),
      cmocka_unit_test(escapes_become_utf_8),
      cmocka_unit_test(numbers_are_correctly_rounded),
      cmocka_unit_test(what_reads_the_locale_never_sees_a_decimal_point),
      cmocka_unit_test(limits_are_where_they_are_said_to_be),
      cmocka_unit_test(an_object_has_at_most_so_many_keys),
      cmocka_unit_test(each_allocation_may_fail_and_nothing_leaks),
      cmocka_unit_test(memory_may_run_out_within_a_word_or_a_text),
      cmocka_unit_test(a_list_has_no_members),
      cmocka_unit_test(any_cut_or_changed_byte_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
