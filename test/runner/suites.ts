/** Which test file belongs to which suite, and what a suite needs. A file that no suite names runs in the process of `npm test`. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';

const MINUTE_MS = 60_000;
/** Four times what the slowest file of each kind took on two cores that were busy with something else. */
const IN_PROCESS_LIMIT_MS = 4 * MINUTE_MS;
const ALONE_LIMIT_MS = 10 * MINUTE_MS;

export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly files: RegExp;
  /** Files at once. */
  readonly lanes: number;
  /** Each file in a process of its own. */
  readonly alone: boolean;
  readonly limitMs: number;
}

/** How the suites of `test:all` run: their files wait for disks, timers and programs, so that a third one uses what two leave of two cores. */
export const ALONE = Object.freeze({ lanes: 3, alone: true, limitMs: ALONE_LIMIT_MS });

/** @param files paths below `test/` without their ending; a `*` stands for any letters, slashes too */
const suite = (name: string, about: string, files: readonly string[]): Suite => ({
  ...{ name, about, ...ALONE },
  files: new RegExp(`^(?:${files.join('|').replaceAll('*', '.*')})$`),
});

/** What `npm test` runs beside lint and types: all that needs no program but this one, then a short real part. */
export const IN_PROCESS: Suite = {
  ...suite('in-process', 'services, pages and decisions, with a clock that is moved', ['*']),
  ...{ lanes: 3, alone: false, limitMs: IN_PROCESS_LIMIT_MS }, // one waits for the disk or a timer while two work
};
export const REAL: Suite = {
  ...suite('real', 'a sale with a kill in it, a walk in Chromium, two devices, an update', ['real/*']),
  lanes: 1, // a device and a browser are most of the gigabyte that npm test may take
};

/** What `npm run test:all` adds, in this order: those with long files first, as at the end a lane waits for the others. */
export const SUITES: readonly Suite[] = [
  suite('process', 'the program as a process: start, configuration, log, lanectl', [
    ...[
      'added-parts',
      'budgets',
      'bundle',
      'clock',
      'console/loads',
      'dev',
      'log',
      'log-outputs',
      'main',
      'runner',
      'setup',
      'start',
      'start-last-good',
      'zone',
      'lanectl/(?:backup|doctor|remote|selftest|shell|support|*-apart)',
    ],
    ...['features/taken-off*', 'held', 'store/other-processes'],
  ]),
  suite('faults', 'each write, sync and rename of what a till does fails once, or the process is killed there', [
    ...['faults/*', 'store/book-faults'],
  ]),
  suite('ota', 'updates, releases and their keys', ['ota/*']),
  suite('browser', 'every page in Chromium', [
    ...[
      'console/*-page',
      'console/bank-forms',
      'console/bluetooth-form',
      'console/display-panels',
      'console/every-action',
    ],
    ...['console/kept', 'console/lane-tray', 'console/quick-hands', 'console/ten-thousand'],
    ...[
      'console/whole-walk',
      'console/windows',
      'features/receipt-code/page',
      'http/reference',
      'terminal/banks/pay-page',
    ],
  ]),
  suite('power', 'a plug that is pulled, a disk that is full or damaged, what a backup brings', [
    ...[
      '*full-disk',
      'features/backup/(?:taken-over|over-newer|callers-gone|slow-callers|stuck-process|hostile|device|newer-medium|other-*)',
      'obstacles',
      'power',
      'store/power',
      'store/table-journal-disk',
      'sweep',
    ],
    ...['sync/damaged-(?:files|templates)', 'sync/kept-power', 'terminal/disk', 'terminal/lane-payments-disk'],
  ]),
  suite('install', 'what the scripts and units make of a machine', [
    ...['install/*', 'systemd/host', 'systemd/notify', 'systemd/units'],
  ]),
  suite('network', 'a store of devices over a real message server, and who else is on the network', [
    ...['claim/claim-network', 'sync/centre-real', 'sync/flood', 'sync/network', 'sync/own-unit'],
    ...['sync/identity', 'sync/lane-payments', 'sync/process', 'sync/rehearsal', 'sync/reload'],
    ...['sync/security', 'sync/store-real', 'sync/trouble', 'sync/wipe-odds'],
  ]),
  suite('chain', 'what a device sends to a real server of a chain; alerts and dashboard', [
    ...['features/chain/(?:hub|hub-files|oracle|table|uplink|chain-connection)'],
    ...['monitoring/*'],
  ]),
  suite('fuzz', 'calls that no developer would write, a million drawn sums', [
    'http/fuzz',
    'features/voice/drawn-sums',
  ]),
  suite('docs', 'each command of the documents', [
    ...['docs/commands*', 'docs/outcomes', 'docs/receivers', 'docs/release-page', 'docs/samples'],
  ]),
  suite('clients', 'samples and generated clients against a device', ['clients/*', 'sim/(?:sim|webhook-outage)']),
  suite('banks', 'a cashier at each bank with kills, banks over TLS', [
    'terminal/conformance/cashier',
    'terminal/banks/tls',
  ]),
  suite('models', 'frames that are drawn and looked at with the shipped model, the native runtime', [
    ...['models/corruptions', 'models/native'],
  ]),
  suite('kill', 'a process that is killed in the middle, and what it kept', [...['kill/*', '*killed']]),
  suite('drivers', 'cameras and displays as processes, terminals and buses', [
    ...['drivers/camera/libcamera*', 'drivers/camera/memory', 'drivers/camera/orphans'],
    ...['drivers/display/ble*', 'drivers/display/serial*', 'drivers/gpio/onoff-pins'],
    ...['drivers/gpio/libgpiod', 'recognition/camera-losses', 'recognition/streaming-camera', 'terminal/unplug'],
    ...['features/voice/player'],
  ]),
];

const pathOf = (file: string): string => relative(join(ROOT, 'test'), file).replace(/\.test\.ts$/, '');

/** The suite of a file: the first that names it. */
export function suiteOf(file: string): Suite {
  const path = pathOf(file);
  return [REAL, ...SUITES].find(({ files }) => files.test(path)) ?? IN_PROCESS;
}

/** All test files, absolute, in the order of their paths. */
export function testFiles(folder = join(ROOT, 'test')): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file));
}

export const filesOf = (wanted: Suite): string[] => testFiles().filter((file) => suiteOf(file) === wanted);

/** Test files of `test:all` among those that are near. */
export const NEAR = 3;

/** @returns of some files those that `npm test` runs, and the first few of the others */
export function nearOf(files: readonly string[]): string[] {
  const isAtOnce = (file: string): boolean => [IN_PROCESS, REAL].includes(suiteOf(file));
  return [...files.filter(isAtOnce), ...files.filter((file) => !isAtOnce(file)).slice(0, NEAR)];
}
