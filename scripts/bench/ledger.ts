/**
 * `node scripts/bench/ledger.ts`: measures the calls with 200,000 payments in the ledger, 10,000 a day, beside 100; sales
 * with four pages of the console open, beside none; and, with 5,000 open payments, the questions to the bank and the
 * memory. Only ratios count, because machines are noisy.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startBanks } from '../../test/banks/banks.ts';
import { temporaryFolder } from '../../test/support.ts';
import { type Filling, fillLedger } from '../../test/terminal/filled-ledger.ts';
import { ALONE, ms, p50, percentile, post, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { PROFILE, sellWith, settle } from './sales.ts';

const SIZES = [100, amountOf({ full: 200_000, quick: 1000 })] as const;
const ROUNDS = amountOf({ full: 100, quick: 2 });
const WARM_UP = amountOf({ full: 20, quick: 1 });
const OPEN = amountOf({ full: 5000, quick: 50 });
/** Pause before the measuring of a device that has just started. */
const SETTLE_MS = amountOf({ full: 5000, quick: 500 });
/** Time between two payments of the ledger: 10,000 a day. */
const APART_MS = 8640;
/** Sales with the pages open, and as many with none, in turns. */
const SALES_A_TURN = amountOf({ full: 10, quick: 1 });
const TURNS = amountOf({ full: 20, quick: 1 });
const PAGES = new URL('./open-pages.ts', import.meta.url);
/** How long questions to the bank are counted. */
const COUNTED_MS = amountOf({ full: 30_000, quick: 1000 });

using folder = temporaryFolder();
const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
const profileOf = (baseUrl: string) => ({ ...PROFILE, baseUrl });

/** Yields payments of many days, the newest of them open. */
function* fillings(payments: number, open: number): Generator<Filling> {
  for (let n = 1; n <= payments; n += 1) {
    const createdAt = Date.now() - (payments - n) * APART_MS;
    yield { createdAt, amount: 100 + n, state: n > payments - open ? 'PENDING' : 'ACCEPTED' };
  }
}

const get = async (url: string): Promise<void> => void (await (await fetch(url)).arrayBuffer());

async function timed(work: () => Promise<void>, after: () => Promise<void> = async () => undefined): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS + WARM_UP; n += 1) {
    const began = performance.now();
    await work();
    if (n >= WARM_UP) times.push(performance.now() - began);
    await after();
  }
  return p50(times);
}

/** The p50 and p95 of the same call of a till with no page open, and with all of them, in turns. */
async function besidePages(url: string, show: () => Promise<void>, end: () => Promise<void>): Promise<number[][]> {
  const [none, open]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 2 * TURNS; turn += 1) {
    const pages = turn % 2 === 0 ? null : new Worker(PAGES, { workerData: { url } });
    if (pages !== null) await once(pages, 'message');
    for (let n = 0; n < SALES_A_TURN; n += 1) {
      const began = performance.now();
      await show();
      (pages === null ? none : open).push(performance.now() - began);
      await end();
    }
    await pages?.terminate();
  }
  return [none, open].map((times) => [p50(times), percentile(times, 0.95)]);
}

async function measure(size: number): Promise<Map<string, number>> {
  const dataDir = join(folder.path, `data-${size}`);
  fillLedger(dataDir, fillings(size, 0), profileOf(bank.url));
  const firmware = await startFirmware(dataDir, ALONE);
  const { url, recognition } = firmware;
  await sellWith(url, { p: profileOf(bank.url) });
  let amount = 1_000_000;
  const results = new Map([
    ['start', firmware.startMs],
    ['/health', await timed(() => get(`${url}/health`))],
    ["the console's state", await timed(() => get(`${recognition}/console/api/overview`))],
  ]);
  const show = () => {
    amount += 100; // whole roubles, because the sandbox bank scripts some kopecks
    return post(`${url}/showQR`, { amount });
  };
  results.set(
    'showQR',
    await timed(show, async () => void (await settle(bank.url, url, { by: 'decline', askEveryMs: 5 }))),
  );
  const paid = async () => void (await settle(bank.url, url, { askEveryMs: 5 }));
  const [none, open] = await besidePages(recognition, show, paid);
  for (const [at, share] of ['p50', 'p95'].entries())
    results
      .set(`showQR, ${share}`, none?.[at] ?? Number.NaN)
      .set(`with four pages, ${share}`, open?.[at] ?? Number.NaN);
  results.set('getDynamicQRStatus', await timed(() => get(`${url}/getDynamicQRStatus`)));
  await firmware.stop();
  return results;
}

/** A bank that only counts questions, and answers that nothing was paid. */
async function countingBank() {
  let questions = 0;
  const server = createServer((request, response) => {
    questions += 1;
    request.resume();
    response.setHeader('content-type', 'application/json');
    setTimeout(() => response.end(JSON.stringify({ status: 'NTST' })), 100);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => questions, close: () => server.close() };
}

async function measureOpen(): Promise<{ perSecond: number; rssMb: number }> {
  const counting = await countingBank();
  const dataDir = join(folder.path, 'data-open');
  fillLedger(dataDir, fillings(OPEN, OPEN), profileOf(counting.url));
  const firmware = await startFirmware(dataDir, ALONE);
  await sellWith(firmware.url, { p: profileOf(counting.url) }); // these settings name the payments' merchant
  await pause(SETTLE_MS);
  const before = counting.asked();
  await pause(COUNTED_MS);
  const perSecond = (counting.asked() - before) / (COUNTED_MS / 1000);
  if (perSecond === 0) throw new Error('the bank was asked about none of the open payments');
  const rssMb = firmware.rssMb();
  await firmware.stop();
  counting.close();
  return { perSecond, rssMb };
}

const [few, many] = [await measure(SIZES[0]), await measure(SIZES[1])];
const open = await measureOpen();
process.stdout.write(`${'p50'.padEnd(28)}${SIZES.map((size) => String(size).padEnd(14)).join('')}ratio\n`);
for (const [what, value] of few) {
  const other = many.get(what) ?? Number.NaN;
  process.stdout.write(
    `${what.padEnd(28)}${ms(value).padEnd(14)}${ms(other).padEnd(14)}${(other / value).toFixed(2)}\n`,
  );
}
for (const share of ['p50', 'p95']) {
  const ratio = (many.get(`with four pages, ${share}`) ?? 0) / (many.get(`showQR, ${share}`) ?? 0);
  process.stdout.write(
    `showQR with four pages of the console open, ${share}: ${ratio.toFixed(2)} of the same with none\n`,
  );
}
process.stdout.write(
  `${OPEN} open payments: ${open.perSecond.toFixed(1)} questions a second, ${open.rssMb.toFixed(0)} MB\n`,
);
await bank.close();
