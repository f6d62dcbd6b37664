/**
 * Runs the process of a device: reads arguments and configuration, starts the device, restarts it, and closes it in
 * order.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { completePath } from '../../drivers/lib/find-program.ts';
import { outliveOutputs } from '../../drivers/lib/outputs.ts';
import type { Reason } from '../../drivers/lib/records.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { VERSION } from '../../drivers/lib/version.ts';
import { type ChosenConfig, LastGoodConfig, unknownInWords } from '../core/config/index.ts';
import { reasonOf } from '../core/config/reason-records.ts';
import { type Log, LogOutput, LogRing, machineTime, superviseBySystemd } from '../core/host/index.ts';
import { openNetworks } from '../core/http/index.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { openLog } from './composition/base.ts';
import { CONFIGURATION, loadConfig, type WholeConfig } from './composition/config.ts';
import type { Tuning } from './composition/tuning.ts';
import type { Device } from './device.ts';
import { startDevice } from './device.ts';

type StartArguments = Parameters<typeof startDevice>;

/** A device that can be restarted within its process: nothing else restarts a device that a person started by hand. */
class Restartable {
  readonly #arguments: StartArguments;
  /** Runs one start or close at a time: a signal may come in the middle of a restart. */
  readonly #queue = new SerialQueue();
  #device: Device | null = null;
  #isOver = false;

  constructor(...given: StartArguments) {
    this.#arguments = given;
  }

  /** @throws where a port or the data folder is in use */
  start(): Promise<Device> {
    return this.#queue.run(async () => {
      this.#device = await startDevice(...this.#arguments);
      return this.#device;
    });
  }

  /** Restarts the device; does nothing after `close`. @throws as `start` */
  restart(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isOver) return;
      await this.#end();
      this.#device = await startDevice(...this.#arguments);
    });
  }

  close(): Promise<void> {
    this.#isOver = true;
    return this.#queue.run(() => this.#end());
  }

  async #end(): Promise<void> {
    await this.#device?.close();
    this.#device = null;
  }
}

/** Time that an orderly close may take; a second signal ends at once. */
const GRACE_MS = 1900;

const fileOf = ({ config }: Arguments): string | null => config ?? process.env.LANEWARE_CONFIG ?? null;

type LastGood = LastGoodConfig<WholeConfig>;

const readConfig = (given: Arguments) => loadConfig(fileOf(given), process.env);

/**
 * The current configuration, or the last good one in its place.
 * @throws {ConfigError} where the current one is wrong and there is no last good one
 */
function chooseConfig(given: Arguments, lastGood: LastGood | null): ChosenConfig<WholeConfig> {
  const load = () => readConfig(given);
  return lastGood?.choose(load) ?? { ...load(), instead: null };
}

/**
 * The last good configuration. It is stored only under systemd: a person who starts the device by hand should see a
 * mistake at once.
 */
function openLastGood({ STATE_DIRECTORY }: NodeJS.ProcessEnv): LastGood | null {
  const [folder = ''] = STATE_DIRECTORY?.split(':') ?? [];
  return folder === '' ? null : new LastGoodConfig(folder, machineTime().bootId, CONFIGURATION);
}

/** Faults of the configuration of a running device, as reasons in `/health`. */
function warningsOf({ unknown, instead }: ChosenConfig, file: string, lastGood: LastGood | null): Reason[] {
  if (instead !== null && lastGood !== null) {
    const keys = CONFIGURATION.keysIn(instead).join(', ') || file;
    const at = new Date(lastGood.storedAt).toISOString();
    return [reasonOf('config-last-good', { keys, at, detail: instead })];
  }
  if (unknown.length === 0) return [];
  const keys = unknown.map(unknownInWords).join(', ');
  return [reasonOf('config-unknown', { keys })];
}

/**
 * A reason in `/health` where the device listens to open networks: the installation refuses that, but a lane with it
 * must sell.
 */
function openReasons(config: WholeConfig): Reason[] {
  const networks = openNetworks(config);
  return networks.length === 0 ? [] : [reasonOf('network-open', { networks: networks.join(', ') })];
}

function keep(lastGood: LastGood | null, config: WholeConfig, log: Pick<Log, 'warn'>): void {
  try {
    lastGood?.store(config);
  } catch (error) {
    log.warn({ err: error }, 'the configuration cannot be kept as the last good one');
  }
}

const PRINTED = {
  help: () => readFileSync(new URL('./help.txt', import.meta.url), 'utf8'),
  version: () => `${VERSION}\n`,
} as const;

/** Prints the addresses and the folder for the person who typed the command; log lines are for programs. */
function greet({ urls, certificate }: Device, folder: string): void {
  const lines = [
    `Laneware ${VERSION} is running. Open ${urls.recognition} in a browser.`,
    `  payment terminal  ${urls.terminal}`,
    `  recognition       ${urls.recognition}`,
  ];
  if (urls.sandbox !== null) lines.push(`  sandbox bank      ${urls.sandbox}`);
  if (certificate !== null)
    lines.push(
      `  certificate       SHA-256 ${certificate.fingerprint}`,
      '                    callers from the network must use https',
    );
  lines.push(`  data              ${resolve(folder)}`);
  // under systemd, the process is not stopped by hand
  if (process.env.NOTIFY_SOCKET === undefined) lines.push(`Ctrl-C stops it, or from elsewhere: kill ${process.pid}`);
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Ends the process, which systemd then starts again. */
const endForSystemd = (): void => void process.kill(process.pid, 'SIGTERM');

/** Prints why the device did not start, and ends the process. @throws the error itself where it is not expected */
async function endWith(error: unknown): Promise<never> {
  const { refusalOf } = await import('./refusal.ts');
  const { sentence, exitCode } = refusalOf(error);
  process.stderr.write(`laneware: ${sentence}\n`);
  process.exit(exitCode);
}

/**
 * File mode mask, the same as in the unit: only the device's user may read its files, such as ledger, settings, PINs,
 * and SQLite's files beside them.
 */
const OF_ITS_USER = 0o077;

async function main(tuning: Tuning): Promise<void> {
  outliveOutputs();
  const given = readArguments(process.argv.slice(2));
  if (given.print !== null) return void process.stdout.write(PRINTED[given.print]());
  process.umask(OF_ITS_USER);
  process.env.PATH = completePath(process.env.PATH);
  const lastGood = openLastGood(process.env);
  const chosen = chooseConfig(given, lastGood);
  const { config } = chosen;
  const lines = new LogRing();
  // a person who sets another log level wants the plain log lines
  const isForPerson = process.stdout.isTTY === true && config.log.level === 'info';
  const output = new LogOutput();
  const log = openLog(config.log.level, lines, isForPerson, output);
  const configWarnings = [...warningsOf(chosen, fileOf(given) ?? 'LANEWARE_', lastGood), ...openReasons(config)];
  for (const warning of configWarnings) log.warn(String(warning));
  const restartHere = (): Promise<void> =>
    device.restart().catch((err: unknown) => {
      log.fatal({ err }, 'the device cannot be started anew: this process ends');
      return endWith(err);
    });
  const restart = (): void => (lastGood === null ? void restartHere() : endForSystemd());
  const retryConfig = (): void => {
    lastGood?.tryAgain(() => readConfig(given));
    endForSystemd();
  };
  const device = new Restartable(config, log, {
    tuning,
    configWarnings,
    restart,
    lines,
    output,
    retryConfig: chosen.instead === null ? null : retryConfig,
  });
  const started = await device.start();
  if (chosen.instead === null) keep(lastGood, config, log);
  const supervision = await superviseBySystemd(process, started.urls, log);
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'unexpected error: closing, to be started anew');
    else log.info({ signal }, 'closing');
    await Promise.all([supervision.stopping(), device.close()]);
  });
  const fingerprint = started.certificate?.fingerprint ?? null;
  log.info({ version: VERSION, ...started.urls, fingerprint }, 'ready');
  greet(started, config.dataDir);
  // written now: Node would write the cache at an orderly exit, and a lane loses its power instead
  flushCompileCache();
}

/** @param tuning times and limits that differ from the product's */
export const run = (tuning: Tuning = {}): Promise<void> => main(tuning).catch(endWith);
