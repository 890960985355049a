#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write src/numeric/power_table.c: the constants of power_body.h, each the double nearest to its value.

    scripts/power_table.py > src/numeric/power_table.c
"""
import decimal
import struct

decimal.getcontext().prec = 60
ONE, TWO = decimal.Decimal(1), decimal.Decimal(2)
ROWS = 128
FIRST = 0x3FE6A00000000000  # 181/256, the least c

HEAD = """\
// The constants of power_body.h, each the double nearest to its value; scripts/power_table.py writes this file, and
// test_power.c holds it to long double.

#include "numeric/power_table.h"
"""


def hexadecimal(value):
    return float(value).hex()  # float() rounds a Decimal to nearest


def near(j):
    return decimal.Decimal(struct.unpack("<d", struct.pack("<Q", FIRST + (j << 45)))[0])


def rows(texts, each):
    for i in range(0, len(texts), each):
        print("  " + ", ".join(texts[i:i + each]) + ",")


print(HEAD)
print("_Alignas(16) const double jw_power_near[JW_POWER_ROWS][2] = {")
rows(["{%s, %s}" % (hexadecimal(ONE / near(j)), hexadecimal(near(j).ln() / TWO.ln())) for j in range(ROWS)], 2)
print("};\n")
print("const double jw_power_roots[JW_POWER_ROWS] = {")
rows([hexadecimal(TWO ** (decimal.Decimal(i) / ROWS)) for i in range(ROWS)], 4)
print("};")
