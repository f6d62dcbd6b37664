/**
 * `node scripts/bench/events.ts`: showQR while 100 calls wait for a payment and 50 streams of events are open, beside showQR without
 * them. The two take turns in one run, as machines are noisy; the ratio is what counts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBanks } from '../../test/banks/banks.ts';
import { temporaryFolder } from '../../test/support.ts';
import { ALONE, ms, p50, percentile, post, row, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { PROFILE, sellWith, settle } from './sales.ts';

const TURNS = amountOf({ full: 6, quick: 1 });
const SALES_A_TURN = amountOf({ full: 40, quick: 2 });
const SETTLE_MS = 500;
const WARM_UP = amountOf({ full: 30, quick: 1 });

using folder = temporaryFolder();
const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
const firmware = await startFirmware(join(folder.path, 'data'), { ...ALONE, LANEWARE_BANKS_CFT_BASEURL: bank.url });
await sellWith(firmware.url, {
  main: PROFILE,
  // a code of this one cannot be taken back: its payment stays open while others follow it
  open: { bankName: 'YooKassa', shopId: '506751', secretKey: 'test_made-up', baseUrl: `${bank.url}/yookassa/v3` },
});

async function openPayment(): Promise<string> {
  const answer = await fetch(`${firmware.url}/v1/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'the one that is waited for' },
    body: JSON.stringify({ amount: 5000, profile: 'open', ttl: 60 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { id } = (await answer.json()) as { id: string };
  return id;
}

let sales = 0;
async function sell(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    sales += 1;
    const began = performance.now();
    await post(`${firmware.url}/showQR`, { amount: 100 * sales });
    times.push(performance.now() - began);
    await settle(bank.url, firmware.url);
  }
  return times;
}

async function startCrowd(id: string): Promise<ChildProcess> {
  const crowd = spawn(process.execPath, ['scripts/bench/event-crowd.ts', firmware.url, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (crowd.stdout === null) throw new Error('the crowd says nothing');
  await once(crowd.stdout, 'data');
  return crowd;
}

/** @returns how many events the crowd has received */
async function endCrowd(crowd: ChildProcess): Promise<number> {
  const report = once(crowd.stdout ?? crowd, 'data');
  crowd.kill('SIGTERM');
  const [line] = await report;
  return (JSON.parse(String(line)) as { events: number }).events;
}

const id = await openPayment();
await sell(WARM_UP);
const alone: number[] = [];
const crowded: number[] = [];
let received = 0;
const before = firmware.rssMb();
let most = 0;
for (let turn = 0; turn < TURNS; turn += 1) {
  alone.push(...(await sell(SALES_A_TURN)));
  const crowd = await startCrowd(id);
  crowded.push(...(await sell(SALES_A_TURN)));
  most = Math.max(most, firmware.rssMb());
  await pause(SETTLE_MS); // the last events are on their way
  received += await endCrowd(crowd);
}

const ratio = p50(crowded) / p50(alone);
const table: [string, string, string][] = [
  ['what', 'p50', 'p95 or limit'],
  ['showQR alone', ms(p50(alone)), ms(percentile(alone, 0.95))],
  ['with 100 waiting, 50 streams', ms(p50(crowded)), ms(percentile(crowded, 0.95))],
  ['ratio', ratio.toFixed(2), 'at most 1.20'],
  ['events sent to 50 streams', String(received), `of ${3 * 50 * TURNS * SALES_A_TURN}`],
  ['memory', `${most.toFixed(0)} MB`, `${before.toFixed(0)} MB without`],
];
for (const line of table) row(...line);

await firmware.stop();
await bank.close();
