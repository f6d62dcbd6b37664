/**
 * The walks: through how many files an operation passes. A device is started as it is, its display at the far end of a
 * pseudo-terminal, and the operation is done once, after one like it. Counted are the files under `firmware/` and
 * `drivers/` of which a named function ran meanwhile, in any thread: all of them (wide), and those that are of the
 * operation's own rooms (narrow). Left out of these is what every operation passes through, on any subject: the
 * servers and their guard, the store, TLS, the audit trail, configuration and host (clock, log, metrics, health) and
 * `drivers/lib`; the sandbox bank, which is the other party; and rooms that do something else at the time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SimulatedDisplay } from '../../../drivers/display/simulator/device.ts';
import { freePort } from '../../ports.ts';
import { Program } from '../../process.ts';
import { picture } from '../../recognition/support.ts';
import { call, testEnvironment, until } from '../../support.ts';
import { PtyDisplay } from '../display/pty.ts';

/** Of both layouts, before the house was rebuilt and after. */
const GENERIC =
  /^(?:firmware\/[^/]+\.ts$|firmware\/(?:http|store|tls|audit|host|config|system|systemd|console|sandbox-bank|terminal\/banks\/sandbox)\/|drivers\/lib\/)|(?:health|log|metrics|clock|lock|errors)[\w-]*\.ts$/;
/** Rooms that an operation has nothing to do with, but whose timers may run meanwhile. */
const OTHER_ROOMS = {
  terminal: /^(?:firmware\/(?:recognition|sync)|drivers\/(?:camera|gpio))\//,
  recognition: /^(?:firmware\/(?:terminal|sync)|drivers\/display)\//,
  sync: /^(?:firmware\/terminal|drivers\/display)\//,
} as const;

/** @returns those of some files that are of the operation's own rooms */
export const ownRooms = (about: keyof typeof OTHER_ROOMS, wide: readonly string[]): string[] =>
  wide.filter((path) => !GENERIC.test(path) && !OTHER_ROOMS[about].test(path));

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url));

export interface Walk {
  readonly wide: readonly string[];
  readonly narrow: readonly string[];
}

interface Walked extends AsyncDisposable {
  readonly terminal: string;
  readonly recognition: string;
  /** Does something. @returns which files ran */
  walk(about: keyof typeof OTHER_ROOMS, operation: () => Promise<unknown>): Promise<Walk>;
}

async function startWalked(root: string, folder: string, settings: Readonly<Record<string, string>>): Promise<Walked> {
  const { LANEWARE_MODEL_MANIFEST: _, ...env } = testEnvironment(folder, {
    LANEWARE_CAMERA_DRIVER: 'push',
    ...settings,
  });
  const program = new Program(
    ['--import', PROBE, join(root, 'firmware/main.ts')],
    { ...env, LANEWARE_LOG_LEVEL: 'info' },
    { cwd: root, input: true },
  );
  const ready = program.line((line) =>
    line.msg === 'ready' ? { terminal: String(line.terminal), recognition: String(line.recognition) } : null,
  );
  const urls = await ready.catch(async (error: unknown) => {
    await program.kill('SIGKILL');
    throw error;
  });
  const send = async (word: string, key: string): Promise<unknown> => {
    const before = program.output.length;
    program.child.stdin?.write(`${word}\n`);
    return await until(key, () =>
      program.output
        .slice(before)
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith(`{"${key}"`))
        .map((line) => JSON.parse(line)[key])
        .at(0),
    );
  };
  return {
    ...urls,
    walk: async (about, operation) => {
      await send('begin', 'counting');
      await operation();
      const files = (await send('end', 'walk')) as string[];
      const wide = files
        .map((url) => relative(root, fileURLToPath(url)))
        .filter((path) => /^(?:firmware|drivers)\//.test(path))
        .sort();
      return { wide, narrow: ownRooms(about, wide) };
    },
    [Symbol.asyncDispose]: async () => {
      await program.kill('SIGTERM');
    },
  };
}

async function must(url: string, json?: unknown): Promise<Record<string, unknown>> {
  const { status, body, text } = await call(url, json === undefined ? { method: 'POST' } : { json });
  if (status !== 200 || (body.code ?? 0) !== 0) throw new Error(`${url}: ${text}`);
  return body;
}

/** An `amount` from the call of showQR to the last byte on the wire. */
async function amountWalk(root: string, folder: string): Promise<Walk> {
  await using device = await startWalked(root, join(folder, 'terminal'), {});
  const display = new SimulatedDisplay();
  const pty = new PtyDisplay(display);
  await pty.plug();
  try {
    const settings = {
      bankProfile: 'sandbox',
      bankProfiles: { sandbox: { bankName: 'Sandbox' } },
      deviceConnection: { connectionType: 'Serial', portName: pty.path() },
    };
    await must(`${device.terminal}/updateDriverSettings`, { settings });
    await until(
      'a code',
      async () => (await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status === 200,
    );
    await must(`${device.terminal}/clearScreen`);
    return await device.walk('terminal', () => must(`${device.terminal}/showQR`, { amount: 200 }));
  } finally {
    await pty.close();
  }
}

async function push(device: Walked, kind: number): Promise<void> {
  const body = new Uint8Array(await picture(kind));
  await call(`${device.recognition}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
}

async function learn(device: Walked, id: string, kind: number): Promise<void> {
  await until('a template', async () => {
    await push(device, kind);
    return (await call(`${device.recognition}/api/add_item_template`, { json: { id } })).body.code === 0;
  });
}

/** A frame from its arrival to the answer of get_result. */
async function frameWalk(root: string, folder: string): Promise<Walk> {
  await using device = await startWalked(root, join(folder, 'recognition'), {});
  await learn(device, 'a', 1);
  // on a machine that is busy with something else, a device that is measured may find no time for a frame
  const ask = () =>
    until('a result', async () => {
      await push(device, 1);
      return (await call(`${device.recognition}/api/get_result`)).body.code === 0;
    });
  await ask();
  return await device.walk('recognition', ask);
}

/** A template from the frame that it is learned from to the other device, which holds it. */
async function templateWalk(root: string, folder: string): Promise<Walk> {
  const port = String(await freePort());
  const [one, two] = await Promise.all([
    startWalked(root, join(folder, 'one'), { LANEWARE_SERIAL: 'ONE', LANEWARE_SYNC_PORT: port }),
    startWalked(root, join(folder, 'two'), { LANEWARE_SERIAL: 'TWO' }),
  ]);
  await using _one = one;
  await using _two = two;
  const both = { upload: true, download: true };
  await must(`${one.recognition}/api/set_sync_master`, both);
  await until(
    'a master',
    async () => (await call(`${one.recognition}/api/start_sync`, { method: 'POST' })).body.code === 0,
  );
  const { pairingCode } = (await must(`${one.recognition}/api/get_sync_pairing_code`)).data as { pairingCode: string };
  const request = { masterIP: '127.0.0.1', mastersyncPort: Number(port), ...both, pairingCode };
  await must(`${two.recognition}/api/set_sync_slave`, request);
  await until(
    'a slave',
    async () => (await call(`${two.recognition}/api/start_sync`, { method: 'POST' })).body.code === 0,
  );
  const arrives = (id: string) =>
    until(`${id} on the other device`, async () => {
      const { body } = await call(`${one.recognition}/api/get_item_list`);
      return JSON.stringify(body.data).includes(`"${id}"`);
    });
  await learn(two, 'first', 1);
  await arrives('first');
  const operation = async () => {
    await learn(two, 'second', 2);
    await arrives('second');
  };
  let there: Walk | null = null;
  const here = await two.walk('sync', async () => {
    there = await one.walk('sync', operation);
  });
  const union = (key: keyof Walk) => [...new Set([...here[key], ...(there?.[key] ?? [])])].sort();
  return { wide: union('wide'), narrow: union('narrow') };
}

/** @returns the walks through the checkout in `root`; it needs socat, nats-server and the packages of the checkout */
export async function walks(root: string): Promise<Record<'amount' | 'frame' | 'template', Walk>> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-walk-'));
  try {
    return {
      amount: await amountWalk(root, folder),
      frame: await frameWalk(root, folder),
      template: await templateWalk(root, folder),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
