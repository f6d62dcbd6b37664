/**
 * `node scripts/bench/tiles.ts`: measures from a thing at rest on the tray to its painted tiles on `/scale` in Chromium
 * (CHROMIUM or /usr/bin/chromium), beside the bare cost: a look, and the pause until the next look, which sees it lie
 * still.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { LOOK_EVERY_MS } from '../../firmware/recognition/vision/tray-watch.ts';
import { BLUE, drawTray, halves, RED } from '../../test/recognition/drawn-tray.ts';
import { temporaryFolder } from '../../test/support.ts';
import { startBrowser } from './browser.ts';
import { percentile, spread, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';

const ROUNDS = amountOf({ full: 40, quick: 2 });
const WARM_UP = 3;
const LIMIT_MS = 300;
const LOOK_AGAIN_MS = 20;
const SCREEN = { width: 1024, height: 600 };
const PLACES = [320, 480, 640];

/**
 * Notes in the page when tiles, or none, have been painted, after the frame that draws them, and how far things moved.
 */
const WATCH = `(() => {
  window.painted = null;
  window.shift = 0;
  let last = 0;
  const note = () => {
    const count = document.querySelectorAll('.scale-page .tile').length;
    if (count === last) return;
    last = count;
    requestAnimationFrame(() => setTimeout(() => { window.painted = { count, at: performance.timeOrigin + performance.now() }; }));
  };
  new MutationObserver(note).observe(document.querySelector('.scale-page'), { childList: true, subtree: true });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; }).observe({ type: 'layout-shift' });
})()`;

using folder = temporaryFolder();
const firmware = await startFirmware(folder.path, { LANEWARE_CAMERA_DRIVER: 'push' });
const at = (path: string) => `${firmware.recognition}${path}`;

async function ask(path: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(at(path), init);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function show(frame: Buffer): Promise<void> {
  await ask('/camera/frame', { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(frame) });
}

async function painted(page: Page, isWanted: (count: number) => boolean): Promise<number> {
  for (;;) {
    // the page's policy forbids waiting inside it
    const seen = await page.evaluate<{ count: number; at: number } | null>('window.painted');
    if (seen !== null && isWanted(seen.count)) return seen.at;
    await pause(LOOK_AGAIN_MS);
  }
}

const now = () => performance.timeOrigin + performance.now();
const empty = await drawTray();
const frames = await Promise.all(
  PLACES.map((x, turn) => drawTray({ things: halves(x, 200, 300, turn % 2 === 0 ? RED : BLUE) })),
);

await show(empty);
while (!(await fetch(at('/v1/recognition'))).ok) await pause(LOOK_AGAIN_MS);
await ask('/api/learn_background', { method: 'POST' });
for (const [turn, frame] of frames.entries()) {
  await show(frame);
  await ask(`/v1/items/item${turn}/templates`, { method: 'POST' });
}

const browser = await startBrowser();
const page = await (await browser.newContext({ viewport: SCREEN })).newPage();
await show(empty);
await page.goto(at('/scale'));
await page.locator('.sign.empty').waitFor();
await page.evaluate(WATCH);

const [tiles, bare]: [number[], number[]] = [[], []];
for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  const frame = frames[(round + WARM_UP) % frames.length] ?? empty;
  await show(frame);
  const rest = now();
  const span = (await painted(page, (count) => count > 0)) - rest;
  const began = now();
  await ask('/v1/recognition');
  const look = now() - began + LOOK_EVERY_MS;
  if (round >= 0) {
    tiles.push(span);
    bare.push(look);
  }
  await show(empty);
  await painted(page, (count) => count === 0);
}
const shift = await page.evaluate<number>('window.shift');
await browser.close();
await firmware.stop();

process.stdout.write(
  `from the thing at rest to painted tiles, ${ROUNDS} times, asked: p95 under ${LIMIT_MS} ms and nothing that moves\n`,
);
for (const [what, spans] of [
  ['painted tiles', tiles],
  ['bare: a look and a pause', bare],
] as const)
  spread(what, spans);
for (const share of [0.5, 0.95])
  process.stdout.write(
    `p${share * 100} of the bare ${(percentile(tiles, share) / percentile(bare, share)).toFixed(2)}\n`,
  );
process.stdout.write(`layout shift ${shift}\n`);
