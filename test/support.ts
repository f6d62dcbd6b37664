/**
 * Shared by the tests: a device on free ports in a temporary folder, calls as a till makes them, waiting for a fact.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { isCode } from '../drivers/lib/errors.ts';
import type { Reason } from '../drivers/lib/records.ts';
import type { PageFiles } from '../firmware/console/page-files.ts';
import type { Config } from '../firmware/core/config/index.ts';
import { LogRing } from '../firmware/core/host/log-ring.ts';
import type { openLog } from '../firmware/device/composition/base.ts';
import { CONFIGURATION, loadConfig } from '../firmware/device/composition/config.ts';
import type { Device, StandIns } from '../firmware/device/device.ts';

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'laneware-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Does something at the end of a block, however it ends: `await using _end = atEnd(() => server.close())`. */
export const atEnd = (work: () => unknown): Disposable & AsyncDisposable => ({
  [Symbol.dispose]: () => void work(),
  [Symbol.asyncDispose]: async () => void (await work()),
});

/** Files below a folder that this process holds open. */
export const openFilesIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${number}`);
      return file.startsWith(folder) ? [file] : [];
    } catch (error) {
      if (isCode(error, 'ENOENT')) return []; // the listing's own file is closed by now
      throw error;
    }
  });

/** The text of a small file of the device, without its head. */
export const keptText = (path: string): string => readFileSync(path, 'utf8').replace(/^laneware-kept-.*\n/, '');

/** Writes a small file as a person does, without the copy beside it. */
export function writeUnkept(path: string, content: string | Uint8Array): void {
  rmSync(`${path}.copy`, { force: true });
  writeFileSync(path, content);
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

export async function call(url: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer> {
  const { json, ...rest } = init;
  const request: RequestInit =
    json === undefined
      ? rest
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(json), ...rest };
  const response = await fetch(url, request).catch((error: Error) => {
    // uvu prints only the message, which is always "fetch failed"
    throw Object.assign(error, { message: `${url}: ${error.message} (${error.cause})` });
  });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : null,
    text,
  };
}

/** The status and the code of a refusal by `/v1`, after a check that it is a problem document. */
export const problem = ({ status, headers, body, text }: Answer): unknown[] => {
  assert.is(headers.get('content-type'), 'application/problem+json', text);
  assert.is(body.status, status);
  return [status, body.code];
};

type With<Field extends PropertyKey> = { readonly [Name in Field]?: unknown };

/** One field of each object. */
export const pick = <Field extends PropertyKey, One extends With<Field>>(all: readonly One[], field: Field) =>
  all.map((one) => one[field]);

/** Some fields of each object, as a row. */
export const rowsOf = <Field extends PropertyKey>(all: readonly With<Field>[], ...fields: readonly Field[]) =>
  all.map((one) => fields.map((field) => one[field]));

/** The runner's compile cache, for programs that get their own environment. */
export const COMPILED: Readonly<Record<string, string>> =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Four times the longest wait for a fact on two busy cores. */
export const UNTIL_LIMIT_MS = 180_000;
const LOOK_AGAIN_MS = 10;

/**
 * Waits for a fact of another process or thread: repeats `check` until it gives something other than undefined, null or
 * false. A timed fact of this process is not waited for: the test moves its clock.
 */
export async function until<T>(
  what: string,
  check: () => Promise<T> | T,
  limitMs = UNTIL_LIMIT_MS,
): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end)
      throw new Error(`${what}: not within ${limitMs / 1000} s; the last look saw ${inspect(value)}`);
    await pause(LOOK_AGAIN_MS);
  }
}

/** A class of errors, also one whose `instanceof` is its own. */
interface Kind<E extends Error> {
  readonly name: string;
  readonly prototype: E;
  [Symbol.hasInstance](value: unknown): boolean;
}

const isOf = <E extends Error>(kind: Kind<E>, error: unknown): error is E => error instanceof kind;

/** Returns the error that the work throws; an error of another kind is thrown on. */
export function thrown<E extends Error>(kind: Kind<E>, work: () => unknown): E {
  try {
    work();
  } catch (error) {
    if (isOf(kind, error)) return error;
    throw error;
  }
  throw new Error(`no ${kind.name} was thrown`);
}

/** Returns the error that the promise rejects with; an error of another kind is thrown on. */
export async function failed<E extends Error>(kind: Kind<E>, work: Promise<unknown>): Promise<E> {
  try {
    await work;
  } catch (error) {
    if (isOf(kind, error)) return error;
    throw error;
  }
  throw new Error(`no ${kind.name} was thrown`);
}

/** Adds tests to a suite, each with what `within` opens for it, as in `const it = each(test, onDevice)`. */
export const each =
  <Given extends readonly unknown[], End extends Promise<void> | void = Promise<void>>(
    test: (title: string, run: () => Promise<void> | void) => unknown,
    within: (run: (...given: Given) => End) => () => Promise<void> | void,
  ) =>
  (title: string, run: (...given: Given) => End): void =>
    void test(title, within(run));

/** Opens something for each test and closes it after: `const it = each(test, opening(startMaster))`. */
export const opening =
  <Opened extends AsyncDisposable | Disposable>(open: () => Promise<Opened> | Opened) =>
  (run: (opened: Opened) => Promise<void> | void) =>
  async () => {
    await using opened = await open();
    await run(opened);
  };

export interface TestDevice extends AsyncDisposable {
  readonly device: Device;
  readonly config: Config;
  /** Base addresses. */
  readonly terminal: string;
  readonly recognition: string;
  /** Empty when the sandbox bank is off. */
  readonly sandbox: string;
  readonly dataDir: string;
}

/**
 * Environment that gives a device free ports and a folder; `settings` (LANEWARE_ variables) come first.
 */
export function testEnvironment(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const base = {
    LANEWARE_DATADIR: dataDir,
    LANEWARE_SERIAL: 'TEST0001',
    LANEWARE_TERMINAL_PORT: '0',
    LANEWARE_RECOGNITION_PORT: '0',
    LANEWARE_SANDBOXBANK_PORT: '0',
    LANEWARE_LOG_LEVEL: 'silent',
    // recognition has its own suites, so these devices start without camera and model
    LANEWARE_CAMERA_DRIVER: 'none',
    LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json',
  };
  const known = new Set(CONFIGURATION.keys.map(({ variable }) => variable));
  const unknown = Object.keys(settings).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`no such configuration keys: ${unknown.join(', ')}`);
  return { ...base, ...settings };
}

/** A device that asks its bank often. */
export const QUICK = Object.freeze({ pace: { askingSpeed: 40 } });

/** The pages of devices for which a test gives none: the sources, as in a clone. */
let ofTests: () => Promise<PageFiles | null> = async () => null;

/** Sets the pages of all devices that this process starts from now on. */
export function showPages(pages: () => Promise<PageFiles>): void {
  ofTests = pages;
}

type Started = StandIns & {
  readonly pages?: PageFiles;
  readonly log?: ReturnType<typeof openLog>;
  readonly lines?: LogRing;
  readonly configWarnings?: readonly Reason[];
  readonly retryConfig?: () => void;
};

export async function startTestDevice(
  settings: Readonly<Record<string, string>> = {},
  folder?: string,
  { log, lines = new LogRing(), pages, tuning, ...standIns }: Started = {},
): Promise<TestDevice> {
  const own = folder === undefined ? temporaryFolder() : null;
  const dataDir = folder ?? own?.path ?? '';
  const { config } = loadConfig(null, testEnvironment(dataDir, settings));
  // imported here, so that a test of a program does not load the whole device, too
  const [base, { startDevice }] = await Promise.all([
    import('../firmware/device/composition/base.ts'),
    import('../firmware/device/device.ts'),
  ]);
  const shown = pages ?? (await ofTests());
  const tuned = { ...tuning, pace: { ...QUICK.pace, ...tuning?.pace } };
  const options = { ...standIns, tuning: tuned, lines, ...(shown !== null && { pages: shown }) };
  const device = await startDevice(config, log ?? base.openLog(config.log.level, lines), options);
  let isOver = false; // some tests close the device themselves
  return {
    device,
    config,
    dataDir,
    terminal: device.urls.terminal,
    recognition: device.urls.recognition,
    sandbox: device.urls.sandbox ?? '',
    [Symbol.asyncDispose]: async () => {
      if (isOver) return;
      isOver = true;
      await device.close();
      own?.[Symbol.dispose]();
    },
  };
}

/** The letterhead of papers. */
export const LETTERHEAD = Object.freeze({ name: 'ООО «Ромашка»', address: 'ул. Ленина, 1', device: 'TEST0001' });

export const SCREEN = { connectionType: 'Screen' };
/** A bank with a secret, at an address where nothing listens. */
export const CFT = Object.freeze({
  bankName: 'CFT',
  accAlias: 'a',
  extEntityId: 'e',
  merchantId: 'm',
  password: 'made-up-secret',
  baseUrl: 'http://127.0.0.1:9',
});

export const SANDBOX_SETTINGS = {
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: SCREEN,
};

/** Sets a device up with the sandbox bank and the on-screen display. */
export async function setUp({ terminal }: Pick<TestDevice, 'terminal'>): Promise<void> {
  const { status, text } = await call(`${terminal}/updateDriverSettings`, { json: { settings: SANDBOX_SETTINGS } });
  if (status !== 200) throw new Error(`the device could not be set up: ${text}`);
}

/** Runs a test with a device: `const it = each(test, onDevice)`. @param settings as LANEWARE_ variables */
export const onDevice =
  (
    run: (device: TestDevice) => Promise<void>,
    settings: Readonly<Record<string, string>> = {},
    standIns: StandIns = {},
  ) =>
  async (): Promise<void> => {
    await using device = await startTestDevice(settings, undefined, standIns);
    await run(device);
  };

/** Runs a test with a device that is set up. */
export const onSetUpDevice = (...[run, ...options]: Parameters<typeof onDevice>): (() => Promise<void>) =>
  onDevice(
    async (device) => {
      await setUp(device);
      await run(device);
    },
    ...options,
  );

/** One field of each row; several fields as a list for each row. */
export const fieldsOf = <T extends object>(
  rows: readonly T[],
  ...[name, ...more]: [keyof T, ...(keyof T)[]]
): unknown[] => rows.map((row) => (more.length === 0 ? row[name] : [name, ...more].map((each) => row[each])));

/** Runs a test with its own folder: `const it = each(test, inFolder)`. */
export const inFolder = (run: (folder: TemporaryFolder) => Promise<void> | void) => async (): Promise<void> => {
  using folder = temporaryFolder();
  await run(folder);
};
