/** A whole lane without hardware: the real firmware with a simulated display, bank, camera and clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryWire } from '../../../drivers/display/wire/memory-wire.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import type { Fields } from '../../../drivers/lib/strict-json.ts';

import { MAX_TTL_MINUTES } from '../../core/config/index.ts';
import { listen } from '../../core/http/index.ts';
import { type Device, loadConfig, openLog, startDevice, type WholeConfig } from '../../device/index.ts';
import { buildControl, type ShownPicture } from './control.ts';
import { KeptTime, SimulatedTime } from './simulated-time.ts';

const TIME_FILE = 'simulated-time';
/** How many pictures are remembered: a test that looks after the sale still finds its code and its symbol. */
const REMEMBERED = 50;
/** Time limit of the setup; the lane is part of this process and answers at once. */
const SET_UP_LIMIT_MS = 10_000;
/** A display that was plugged in again is found at once, because a test waits for it. */
const TUNING = Object.freeze({ backoffMinMs: 50, backoffMaxMs: 200 });

export interface SimOptions {
  /** How many seconds pass on the lane in one second of the machine. */
  readonly speed: number;
  /** Data folder of the lane; null: a temporary one. */
  readonly dataDir: string | null;
  /** Address on which all servers listen. */
  readonly host: string;
  /** Port of the control; 0 takes a free one. */
  readonly controlPort: number;
  /** Host names by which the network calls it. */
  readonly names: readonly string[];
  /** `LANEWARE_…` variables as for the firmware: ports, the camera's driver. */
  readonly env: NodeJS.ProcessEnv;
}

export interface Sim {
  readonly urls: Device['urls'] & { readonly control: string };
  close(): Promise<void>;
}

/** Settings of a lane with a simulated display and the bank of this process, unless it is set up already. */
const SETTINGS: Fields = Object.freeze({
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Serial', portName: '/dev/ttySIM0' },
});

/** A simulated lane needs no access control on its own network, and a test knows no certificate. */
const OPEN_TO_ALL = Object.freeze({ LANEWARE_API_ALLOW: '0.0.0.0/0,::/0', LANEWARE_TLS_MODE: 'off' });

function configOf({ host, names, env }: SimOptions, dataDir: string) {
  const { config } = loadConfig(null, {
    LANEWARE_LOG_LEVEL: 'warn',
    LANEWARE_CAMERA_DRIVER: 'push',
    LANEWARE_TERMINAL_TTLMAXMINUTES: String(MAX_TTL_MINUTES), // its clock may run much faster than the till's
    LANEWARE_API_HOSTS: names.join(','),
    ...(host === '127.0.0.1' ? {} : OPEN_TO_ALL),
    LANEWARE_TERMINAL_HOST: host,
    LANEWARE_RECOGNITION_HOST: host,
    LANEWARE_SANDBOXBANK_HOST: host,
    ...env,
    LANEWARE_DATADIR: dataDir,
  });
  return config;
}

/** Sends the settings, unless a till has sent its own before. */
async function setUp(terminal: string): Promise<void> {
  const signal = AbortSignal.timeout(SET_UP_LIMIT_MS);
  const present = await fetch(`${terminal}/getDriverSettings`, { signal });
  const { settings } = (await present.json()) as { settings: Fields };
  if (settings.bankProfile) return;
  const answer = await fetch(`${terminal}/updateDriverSettings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings: SETTINGS }),
    signal,
  });
  if (!answer.ok) throw new Error(`the simulated lane cannot be set up: ${await answer.text()}`);
}

/** @throws {ConfigError} @throws when a port or the data folder is in use */
export async function startSim(options: SimOptions): Promise<Sim> {
  const ownDir = options.dataDir === null ? mkdtempSync(join(tmpdir(), 'laneware-sim-')) : null;
  const remove = (): void => {
    if (ownDir !== null) rmSync(ownDir, { recursive: true, force: true });
  };
  try {
    const lane = await startLane(configOf(options, ownDir ?? options.dataDir ?? ''), options);
    return { urls: lane.urls, close: () => lane.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Starts the firmware with its simulated parts, and their control. */
async function startLane(config: WholeConfig, { speed, dataDir, host, controlPort }: SimOptions): Promise<Sim> {
  const clock = dataDir === null ? null : new KeptTime(speed, join(dataDir, TIME_FILE));
  const time = clock ?? new SimulatedTime(speed);
  const shown: ShownPicture[] = [];
  const display = new SimulatedDisplay('echo', (picture) => {
    shown.push({ at: new Date(time.wall()).toISOString(), picture });
    shown.splice(0, shown.length - REMEMBERED);
  });
  const wire = new MemoryWire(display);
  const device = await startDevice(config, openLog(config.log.level), {
    time,
    openDisplay: ({ type }, displayOptions) => wire.open(type, displayOptions, TUNING),
  });
  const app = buildControl(time, display, shown, wire, () => device.urls);
  const close = async (): Promise<void> => {
    clock?.end();
    await Promise.all([app.close(), device.close()]);
  };
  try {
    clock?.begin();
    await setUp(device.urls.terminal);
    const control = await listen(app, { host, port: controlPort }); // opened last: once it answers, the lane is ready
    return { urls: { ...device.urls, control }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
