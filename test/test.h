// SPDX-License-Identifier: MIT
// What every test includes: cmocka with the headers that it wants first.
#ifndef JAWARI_TEST_H
#define JAWARI_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif // JAWARI_TEST_H
