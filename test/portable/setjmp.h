// SPDX-License-Identifier: MIT
// test.h includes it for cmocka; here nothing jumps.
