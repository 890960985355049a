// SPDX-License-Identifier: MIT
// A browser, a server for a folder, and a report as TAP.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };

export function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)).replace(/\/$/, '/index.html');
    try {
      const content = await readFile(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() })));
}

export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export async function launch() {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--autoplay-policy=no-user-gesture-required'],
  });
}

/** A page whose errors are kept: exceptions, console errors, refused requests. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(`${error.message}\n${error.stack}`));
  page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
  await page.goto(url);
  await page.waitForFunction(() => globalThis.jawari?.scene, null, { timeout: 30000 });
  return page;
}

/** Claims, counted and printed as TAP. */
export class Report {
  constructor() {
    this.number = 0;
    this.failed = 0;
  }

  async claim(name, test, after = () => {}) {
    this.number += 1;
    const begin = Date.now();
    try {
      const note = await test();
      console.log(`ok ${this.number} - ${name}`);
      console.log(`# ${((Date.now() - begin) / 1000).toFixed(1)} s${note ? `: ${note}` : ''}`);
    } catch (error) {
      this.failed += 1;
      console.log(`not ok ${this.number} - ${name}`);
      console.log(String(error.stack ?? error).split('\n').slice(0, 12).map((line) => `# ${line}`).join('\n'));
    }
    await after();
  }

  end() {
    console.log(`1..${this.number}`);
    process.exitCode = this.failed ? 1 : 0;
  }
}

export function must(truth, words) {
  if (!truth) throw new Error(words);
}
