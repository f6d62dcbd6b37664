/**
 * Bytes that reach the disk, counted by the kernel at the block device that the whole system lies on, log and all: of a
 * device that does nothing, and of one day's work. `test/lane/test-lane.sh wear [SECONDS OF IDLING]`
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Lane, sh } from './lane.ts';
import { PUBLIC_KEY, release } from './releases.ts';
import { learn, pictures, setUpBank, show, TERMINAL } from './till.ts';

const IDLE_SECONDS = Number(process.argv[2] ?? 3600);
const DAY_SECONDS = 86_400;
const PAYMENTS = 500;
const TEMPLATES = 50;
const SECTOR_BYTES = 512;
const FIELD_SECTORS_WRITTEN = 6;
/** What the system writes of itself after a start is over by then. */
const SETTLE_SECONDS = 60;

const lane = new Lane('wear', 16);
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

function written(): number {
  sh('sync', '-f', lane.mount);
  const device = basename(sh('findmnt', '--noheadings', '--output', 'SOURCE', lane.mount));
  const fields = readFileSync(`/sys/block/${device}/stat`, 'utf8').trim().split(/\s+/);
  return Number(fields[FIELD_SECTORS_WRITTEN]) * SECTOR_BYTES;
}

async function pay(turn: number): Promise<void> {
  const shown = await lane.post(TERMINAL, '/showQR', { amount: 100 * (1 + turn), purpose: 'a purchase' });
  if (shown.status !== 200) throw new Error(shown.text);
  const list = lane.in('curl', '-s', 'http://127.0.0.1:1280/sandbox/payments');
  const id = /"qrcId":"([^"]+)"/.exec(list)?.[1] ?? '';
  lane.in('curl', '-s', '-f', '-X', 'POST', `http://127.0.0.1:1280/sandbox/payments/${id}/pay`);
  for (;;) {
    const { text } = await lane.get(TERMINAL, '/getDynamicQRStatus');
    if (text.includes('ACCEPTED')) return;
    await pause(100);
  }
}

async function work(): Promise<void> {
  const seen = await pictures(5);
  for (let turn = 0; turn < TEMPLATES; turn += 1) {
    const { thing, jpeg } = seen[turn % seen.length] ?? { thing: '', jpeg: Buffer.alloc(0) };
    await show(lane, jpeg);
    await learn(lane, thing);
  }
  const afterTemplates = written();
  for (let turn = 0; turn < PAYMENTS; turn += 1) await pay(turn);
  process.stdout.write(`  of it ${TEMPLATES} templates: ${mb(afterTemplates - began)}\n`);
}

let began = 0;
try {
  lane.install('x64', release('x64'), PUBLIC_KEY);
  await lane.boot();
  // the bank that answers here is the sandbox; it keeps its own books on the same disk, which a real bank does not
  lane.in('sh', '-c', 'echo LANEWARE_SANDBOXBANK_ENABLED=true > /etc/laneware/environment; systemctl restart laneware');
  await lane.answers();
  await setUpBank(lane, 'Sandbox');
  await pause(SETTLE_SECONDS * 1000);
  began = written();
  await pause(IDLE_SECONDS * 1000);
  const idle = ((written() - began) / IDLE_SECONDS) * DAY_SECONDS;
  process.stdout.write(`idle, measured over ${IDLE_SECONDS} s: ${written() - began} bytes, ${mb(idle)} a day\n`);
  began = written();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const busy = written() - began;
  process.stdout.write(`${PAYMENTS} payments and ${TEMPLATES} templates, in ${seconds.toFixed(0)} s: ${mb(busy)}\n`);
  process.stdout.write(`busy day: ${mb(idle + busy)}\n`);
} finally {
  await lane.remove();
}
