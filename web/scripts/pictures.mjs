// SPDX-License-Identifier: MIT
// The pictures of docs/web.md, after `make web`: node web/scripts/pictures.mjs FOLDER
import { fileURLToPath } from 'node:url';
import { launch, open, serve } from '../test/browser.mjs';

const [folder] = process.argv.slice(2);
const wide = { viewport: { width: 1400, height: 900 } }, phone = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };
const PICTURES = [['light-1400', 'tromba', 'light', wide], ['dark-1400', 'guitar', 'dark', wide], ['light-390', 'tromba', 'light', phone], ['dark-390', 'marimba', 'dark', phone]];

const server = await serve(fileURLToPath(new URL('../dist', import.meta.url))), browser = await launch();
for (const [name, scene, colorScheme, size] of PICTURES) {
  const page = await open(browser, `${server.url}/index.html#scene=${scene}`, { ...size, colorScheme });
  await page.click('#start');
  await page.waitForFunction(() => jawari.audio.node);
  for (const key of ['a', 'g', 'h', 'k']) {
    await page.keyboard.down(key);
    await page.waitForTimeout(key === 'k' ? 150 : 450);
    if (key !== 'k') await page.keyboard.up(key);
  }
  await page.screenshot({ path: `${folder}/web-${name}.png` });
  await page.context().close();
}
await browser.close();
server.close();
