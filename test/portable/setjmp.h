// test.h includes it for cmocka; here nothing jumps.
