/**
 * `node test/tools/held-calls.ts [--quick]`: for how long each GET of both documents, the first seconds of a start, and 50
 * readers of all events hold the event loop of a busy shop's device, by processor time. Takes ten minutes.
 */
import { rmSync } from 'node:fs';
import { get as openStream } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { type Firmware, ms, startFirmware } from '../../scripts/bench/firmware.ts';
import { amountOf } from '../../scripts/bench/quick.ts';
import { PROFILE, sellWith } from '../../scripts/bench/sales.ts';
import { temporaryFolder } from '../support.ts';
import { BUSY, fillBusyDay, whenJournalled } from '../terminal/busy-day.ts';
import { longestSince } from './held.ts';

const FEW = { payments: 100, aDay: 100, events: 300, items: 10, templates: 10 };
const SIZES = amountOf({ full: 1, quick: 0 }) === 1 ? BUSY : FEW;
const READERS = amountOf({ full: 50, quick: 2 });
const READ_MS = amountOf({ full: 20_000, quick: 500 });
/** Pause before the measuring of a device that has just started. */
const SETTLE_MS = amountOf({ full: 10_000, quick: 500 });
/** A call that has not ended by then, as one that streams, is hung up. */
const CALL_LIMIT_MS = amountOf({ full: 10_000, quick: 500 });

using folder = temporaryFolder();
/** Nobody is there: no sale is made. */
const profile = { ...PROFILE, baseUrl: 'http://127.0.0.1:9' };
const { identity, manifest } = await loadModel(join(import.meta.dirname, '../../models/lane-embed-1.json'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const get = async (url: string): Promise<void> =>
  void (await (await fetch(url, { signal: AbortSignal.timeout(CALL_LIMIT_MS) })).arrayBuffer());

async function start() {
  const dataDir = join(folder.path, 'busy');
  await fillBusyDay(dataDir, { profile, sizes: SIZES, model: { identity, dimension: manifest.output.dimension } });
  const file = join(folder.path, 'held');
  const env = { HELD: file, LANEWARE_CAMERA_DRIVER: 'none' };
  const run = () => startFirmware(dataDir, env, { options: ['--import', './test/tools/held.ts'] });
  const first = await run();
  await whenJournalled(dataDir);
  await first.stop();
  rmSync(file, { force: true });
  const firmware = await run();
  const since = Date.now();
  await sellWith(firmware.url, { p: profile });
  await pause(SETTLE_MS);
  return { firmware, file, heldAtStart: longestSince(file, since) };
}

/** The addresses of all GET calls that the document of a port promises. @param payment id of one */
async function callsIn(base: string, payment: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: Record<string, object> };
  const asked = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
  const named = asked.map((path) => path.replace(/(?<=payments\/)\{\w+\}/, payment).replaceAll(/\{\w+\}/g, 'item%205'));
  return ['/metrics', ...named.map((path) => path.replace(/events$/, 'events?after=0'))];
}

/** @returns for how long each of them, and the document itself, held the event loop; the longest first */
async function hold({ url, recognition }: Firmware, file: string): Promise<[string, number][]> {
  const { payments } = (await (await fetch(`${url}/v1/payments?limit=1`)).json()) as { payments: { id: string }[] };
  const held: [string, number][] = [];
  for (const [name, base] of Object.entries({ terminal: url, recognition })) {
    let since = Date.now();
    const paths = await callsIn(base, payments[0]?.id ?? '');
    held.push([`${name} /openapi.json`, longestSince(file, since)]);
    for (const path of paths) {
      since = Date.now();
      await get(base + path).catch(() => undefined); // hung up
      await pause(50); // what it has left behind runs
      held.push([`${name} ${path}`, longestSince(file, since)]);
    }
  }
  return held.toSorted(([, one], [, other]) => other - one);
}

/** How many bytes each of many readers of all events gets meanwhile, fewest first. */
async function readAll({ url }: Firmware): Promise<number[]> {
  const bytes = Array.from({ length: READERS }, () => 0);
  const streams = bytes.map(
    (_, index) =>
      openStream(`${url}/v1/events?after=0`, (answer) =>
        answer.on('data', (chunk: Buffer) => {
          bytes[index] = (bytes[index] ?? 0) + chunk.length;
        }),
      ).on('error', () => undefined), // it is hung up below
  );
  await pause(READ_MS);
  for (const stream of streams) stream.destroy();
  return bytes.toSorted((one, other) => one - other);
}

const { firmware, file, heldAtStart } = await start();
say(`held after the start: ${ms(heldAtStart)}, at most 200`);
const held = await hold(firmware, file);
say(`held by each of ${held.length} GETs, at most 50 ms; the longest:`);
for (const [what, longest] of held.slice(0, 8)) say(`  ${ms(longest).padEnd(10)}${what}`);
const since = Date.now();
const got = await readAll(firmware);
say(`${READERS} readers: ${got[0]} to ${got.at(-1)} bytes each, held ${ms(longestSince(file, since))}`);
await firmware.stop();
