// SPDX-License-Identifier: MIT
// Run a WebAssembly program under node's WASI: node scripts/wasi.mjs PROGRAM ARGUMENTS...
// It sees the folder it is run in as "."; JAWARI_SIMD is handed on.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...rest] = process.argv.slice(2);
const env = process.env.JAWARI_SIMD ? { JAWARI_SIMD: process.env.JAWARI_SIMD } : {};
const wasi = new WASI({ version: 'preview1', args: [program, ...rest], env, preopens: { '.': '.' } });
const module = await WebAssembly.compile(await readFile(program));
process.exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())) ?? 0);
