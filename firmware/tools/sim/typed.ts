/** Reads the arguments that start a simulated lane, and words why it does not start. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { codeOf, isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { isHost } from '../../core/config/index.ts';
import { FASTEST, SLOWEST } from './simulated-time.ts';

/** Default port of the control: display, clock and payer. */
export const SIM_CONTROL_PORT = 1290;
const MAX_PORT = 65_535;
const EXIT_USAGE = 2;

const USAGE = `usage: lanectl sim [--speed N] [--port N] [--recognition-port N] [--bank-port N] [--control-port N]
                   [--host ADDRESS] [--name HOST]... [--data FOLDER] [--json]

  --speed N           so many seconds pass on the lane in each real one, 1 to ${FASTEST} (default 1)
  --port N            payment terminal (default 1234); 0 takes a free one, as for the others
  --recognition-port  recognition device (default 8080)
  --bank-port         sandbox bank (default 1280)
  --control-port      display, clock and payer (default ${SIM_CONTROL_PORT})
  --host ADDRESS      listen there (default 127.0.0.1); elsewhere anybody may call, without a token and without TLS
  --name HOST         a name that the network calls it by, as in http://laneware:1234; may be given again
  --data FOLDER       keep the lane there, with its clock (default: a folder that goes with it)
  --json              print as JSON, too, why it does not start: {"error": {"exit": …, "code": …, "message": …}}

Variables LANEWARE_... change the configuration as they do for the firmware.
`;

class UsageError extends Error {}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number, ${least} to ${most}; it is "${text}"`);
}

const isFolder = (path: string): boolean =>
  path !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false;

/** @throws {UsageError} or what `parseArgs` throws */
export function readSimArguments(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      speed: { type: 'string', default: String(SLOWEST) },
      port: { type: 'string' },
      'recognition-port': { type: 'string' },
      'bank-port': { type: 'string' },
      'control-port': { type: 'string', default: String(SIM_CONTROL_PORT) },
      host: { type: 'string', default: '127.0.0.1' },
      name: { type: 'string', multiple: true, default: [] },
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const ports = Object.entries({
    LANEWARE_TERMINAL_PORT: ['port', values.port],
    LANEWARE_RECOGNITION_PORT: ['recognition-port', values['recognition-port']],
    LANEWARE_SANDBOXBANK_PORT: ['bank-port', values['bank-port']],
  } as const).flatMap(([variable, [name, text]]) =>
    text === undefined ? [] : [[variable, String(numberOf(name, text, 0, MAX_PORT))]],
  );
  if (values.data !== undefined && !isFolder(values.data))
    throw new UsageError(`--data must name a folder, there already or to be made; it is "${values.data}"`);
  for (const name of values.name)
    if (!isHost(name)) throw new UsageError(`--name must be a host name, as lane-7.shop.example; it is "${name}"`);
  return {
    printed: values.help ? USAGE : null,
    options: {
      speed: numberOf('speed', values.speed, SLOWEST, FASTEST),
      dataDir: values.data ?? null,
      host: values.host,
      controlPort: numberOf('control-port', values['control-port'], 0, MAX_PORT),
      names: values.name,
      env: { ...environment, ...Object.fromEntries(ports) },
    },
  };
}

/** Codes of failures that end a start with a sentence for its user. */
const EXPECTED = ['CONFIG_INVALID', 'DATA_DIR_BUSY', 'DATA_DIR_UNUSABLE', 'EADDRINUSE', 'EACCES', 'EROFS'];
const NO_HOST = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/** The firmware's name of the data folder, which is an option here. */
const FOLDER_SETTING = 'dataDir (LANEWARE_DATADIR)';

const OTHER_PORT =
  ': another program listens there; stop it, or choose another port with --port, --recognition-port, --bank-port or --control-port (0 takes a free one)';

/**
 * The output where a simulated lane does not start: a sentence, and for programs the same as JSON, as `lanectl` prints
 * it.
 * @throws the failure itself where it is unexpected
 */
export function simRefusalOf(failure: unknown): {
  readonly text: string;
  readonly json: string;
  readonly exitCode: number;
} {
  const error = isCode(failure, ...NO_HOST)
    ? new UsageError(`--host names no address of this machine: ${messageOf(failure)}`)
    : failure;
  const isUsage = error instanceof UsageError || codeOf(error)?.startsWith('ERR_PARSE_ARGS_') === true;
  if (!isUsage && !isCode(error, ...EXPECTED)) throw error;
  const message = messageOf(error).replace(FOLDER_SETTING, '--data');
  const details = { exit: isUsage ? 'usage' : 'failed', code: codeOf(error), message };
  return {
    text: `${message}${isCode(error, 'EADDRINUSE') ? OTHER_PORT : ''}\n${isUsage ? USAGE : ''}`,
    json: `${JSON.stringify({ error: details })}\n`,
    exitCode: isUsage ? EXIT_USAGE : 1,
  };
}
