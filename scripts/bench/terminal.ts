/**
 * `node scripts/bench/terminal.ts`: measures showQR to the last byte on the wire, beside the bare wire and the bank's
 * answer; start-up and memory of the process, from the sources and from a lane's bundle. All in one run; only ratios
 * count: machines are noisy.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SerialPort } from 'serialport';
import { encodePicture } from '../../drivers/display/wire/frames.ts';
import { SimulatedDisplay } from '../../drivers/display/wire/simulator-device.ts';
import { startBanks } from '../../test/banks/banks.ts';
import { temporaryFolder } from '../../test/support.ts';
import { PtyDisplay, WIRE_BYTES_PER_SECOND } from '../../test/tools/display/pty.ts';
import { ALONE, bundleInto, ms, p50, percentile, post, row, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { PROFILE, sellWith, settle } from './sales.ts';

const ROUNDS = amountOf({ full: 100, quick: 2 });
const WARM_UP = amountOf({ full: 10, quick: 1 });
const STARTS = amountOf({ full: 7, quick: 1 });

/** Runs `round` many times; it measures until the last byte at the far end, not until the answer. */
async function timed(
  wire: Wire,
  round: (n: number) => Promise<void>,
  after: () => Promise<void> = async () => undefined,
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS + WARM_UP; n += 1) {
    const began = performance.now();
    await round(n);
    await wire.quiet();
    if (n >= WARM_UP) times.push(wire.lastByteAt() - began);
    await after();
  }
  return times;
}

interface Wire {
  readonly device: SimulatedDisplay;
  readonly pty: PtyDisplay;
  lastByteAt(): number;
  /** Waits until nothing has arrived for a while. */
  quiet(): Promise<void>;
}

async function openWire(): Promise<Wire> {
  let last = 0;
  class Watched extends SimulatedDisplay {
    override feed(bytes: Uint8Array): Uint8Array {
      last = performance.now();
      return super.feed(bytes);
    }
  }
  const device = new Watched('none');
  const pty = new PtyDisplay(device, { bytesPerSecond: WIRE_BYTES_PER_SECOND });
  await pty.plug();
  const quiet = async () => {
    await pause(30);
    while (performance.now() - last < 30) await pause(5);
  };
  return { device, pty, lastByteAt: () => last, quiet };
}

using folder = temporaryFolder();
const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
const wire = await openWire();

// the bare loop only writes the bytes that a showQR sends
const sample = encodePicture('serial', { kind: 'qr', payload: `${bank.url}/pay/${'A'.repeat(32)}` });
const port = new SerialPort({ path: wire.pty.path(), baudRate: 115_200, autoOpen: false });
await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
const bare = await timed(
  wire,
  () =>
    new Promise((resolve) => {
      for (const frame of sample) port.write(frame);
      port.drain(() => resolve());
    }),
);
await new Promise<void>((resolve) => port.close(() => resolve()));

const dataDir = join(folder.path, 'data');
const whole = { LANEWARE_BANKS_CFT_BASEURL: bank.url };
const alone = { ...ALONE, ...whole };
const firmware = await startFirmware(dataDir, alone);
await sellWith(firmware.url, { p: PROFILE }, { connectionType: 'Serial', portName: wire.pty.path() });
await pause(2000);

/** Times of the bank's answer alone, taken before each payment, so that the machine's moods affect both. */
const answers: number[] = [];
async function timeAnswer(): Promise<void> {
  const began = performance.now();
  await post(`${bank.url}/qr`, {
    extEntityId: 'e',
    merchantId: 'm',
    accAlias: 'a',
    amount: 100,
    qrcType: '02',
    expDt: 5,
    localExpDt: 300,
  });
  answers.push(performance.now() - began);
  await wire.quiet();
}

const shown = await timed(
  wire,
  (n) => post(`${firmware.url}/showQR`, { amount: 100 * (n + 1) }),
  async () => {
    await settle(bank.url, firmware.url);
    await wire.quiet();
    await timeAnswer();
  },
);
await firmware.stop();

interface Start {
  readonly wall: number;
  readonly cpu: number;
  readonly rssMb: number;
}

async function start(env: Record<string, string>, main?: string): Promise<Start> {
  const { startMs, startCpuMs, rssMb, stop } = await startFirmware(dataDir, env, main === undefined ? {} : { main });
  const taken = { wall: startMs, cpu: startCpuMs, rssMb: rssMb() };
  await stop();
  return taken;
}

/** Node itself with nothing to do. */
function bareStart(): Start {
  const began = performance.now();
  const script = 'const { user, system } = process.cpuUsage(); console.log(user + system, process.memoryUsage.rss())';
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const [cpu = 0, rss = 0] = stdout.split(' ').map(Number);
  return { wall: performance.now() - began, cpu: cpu / 1000, rssMb: rss / 1024 / 1024 };
}

/** Start of each kind in turns, with the same settings; the first of each fills Node's compile cache. */
const main = bundleInto(folder.path);
const kinds: Readonly<Record<string, () => Start | Promise<Start>>> = {
  'start, bare Node': bareStart,
  'start, the sources': () => start(whole),
  'start, npm start': () => start(whole, 'scripts/start.mjs'),
  'start, terminal alone': () => start(alone),
  'start, its bundle': () => start(alone, main),
};
const starts = new Map<string, Start[]>(Object.keys(kinds).map((kind) => [kind, []]));
for (let n = 0; n <= STARTS; n += 1) {
  for (const [kind, run] of Object.entries(kinds)) {
    const taken = await run();
    if (n > 0) starts.get(kind)?.push(taken);
  }
}
const middle = (kind: string, what: keyof Start): number => p50(starts.get(kind)?.map((taken) => taken[what]) ?? []);

/** A showQR's time relative to the bare wire and the bank's answer. */
const ratioAt = (share: number): string =>
  (percentile(shown, share) / (percentile(bare, share) + percentile(answers, share))).toFixed(2);
const table: [string, string, string][] = [
  ['what', 'p50', 'p95 or limit'],
  ['bytes on the wire', `${sample.reduce((sum, frame) => sum + frame.length, 0)}`, ''],
  ['bare loop, last byte', ms(p50(bare)), ms(percentile(bare, 0.95))],
  ["the bank's answer", ms(p50(answers)), ms(percentile(answers, 0.95))],
  ['showQR, last byte', ms(p50(shown)), ms(percentile(shown, 0.95))],
  ['showQR / (bare + bank)', ratioAt(0.5), ratioAt(0.95)],
  ['at most', '1.20', '1.35'],
  ...Object.keys(kinds).map((kind): [string, string, string] => {
    const [wall, cpu, rssMb] = [middle(kind, 'wall'), middle(kind, 'cpu'), middle(kind, 'rssMb')];
    return [kind, ms(wall), `${ms(cpu)} of CPU, ${rssMb.toFixed(0)} MB`];
  }),
  ...(['wall', 'cpu', 'rssMb'] as const).map((what): [string, string, string] => {
    const ratio = (to: string): string => (middle('start, its bundle', what) / middle(to, what)).toFixed(2);
    const sources = ratio('start, terminal alone');
    return [`bundle / sources, ${what}`, sources, `bundle / bare ${ratio('start, bare Node')}`];
  }),
];
for (const line of table) row(...line);

await wire.pty.close();
await bank.close();
