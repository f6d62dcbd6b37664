/** What the process does: configuration, device, listen, close with grace. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { isCode } from '../drivers/lib/errors.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { openLog } from './base.ts';
import { loadConfig } from './config/load.ts';
import { type Device, startDevice } from './device.ts';
import { outliveReaders } from './host/log.ts';
import { superviseBySystemd } from './host/systemd/supervision.ts';
import { VERSION } from './host/version.ts';

/** Time that an orderly close may take; a second signal ends at once. */
const GRACE_MS = 1900;

/** Exit codes, as help.txt tells them. */
const CANNOT_START = 1;
const WRONG_ARGUMENT = 2;

const readConfig = ({ config }: Arguments) => loadConfig(config ?? process.env.LANEWARE_CONFIG ?? null, process.env);

/** What is printed in place of a start. */
const PRINTED = {
  help: () => readFileSync(new URL('./help.txt', import.meta.url), 'utf8'),
  version: () => `${VERSION}\n`,
} as const;

/** What the person who typed the command must know; the log lines are for machines. */
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
  // systemd stops what it has started
  if (process.env.NOTIFY_SOCKET === undefined) lines.push(`Ctrl-C stops it, or from elsewhere: kill ${process.pid}`);
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** What ends a start with a sentence for whoever started it; anything else ends it with its stack. */
const EXPECTED = [
  'ARGUMENT_INVALID',
  'CONFIG_INVALID',
  'DATA_DIR_BUSY',
  'DATA_DIR_UNUSABLE',
  'SEAL_BROKEN',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
];

const isExpected = (error: unknown): error is Error => isCode(error, ...EXPECTED);

function explain(error: Error): string {
  if (isCode(error, 'EADDRINUSE'))
    return `${error.message}: another program listens there; stop it, or choose another port (LANEWARE_TERMINAL_PORT, LANEWARE_RECOGNITION_PORT, LANEWARE_SANDBOXBANK_PORT)`;
  if (isCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'))
    return `${error.message}: this machine has no such address; choose 127.0.0.1, one of its own, or 0.0.0.0 for all of them (LANEWARE_TERMINAL_HOST, LANEWARE_RECOGNITION_HOST, LANEWARE_SANDBOXBANK_HOST)`;
  return error.message;
}

async function main(): Promise<void> {
  outliveReaders();
  const given = readArguments(process.argv.slice(2));
  if (given.print !== null) return void process.stdout.write(PRINTED[given.print]());
  const { config, unknownVariables } = readConfig(given);
  const log = openLog(config.log.level);
  for (const { name, nearest } of unknownVariables)
    log.warn({ variable: name, nearest }, 'this variable names no configuration key and is ignored');
  const device = await startDevice(config, log);
  const supervision = await superviseBySystemd({
    env: process.env,
    pid: process.pid,
    urls: device.urls,
    log,
  });
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'unexpected error: closing, to be started anew');
    else log.info({ signal }, 'closing');
    await Promise.all([supervision.stopping(), device.close()]);
  });
  const fingerprint = device.certificate?.fingerprint ?? null;
  log.info({ version: VERSION, ...device.urls, fingerprint }, 'ready');
  greet(device, config.dataDir);
}

main().catch((error: unknown) => {
  if (!isExpected(error)) throw error;
  process.stderr.write(`laneware: ${explain(error)}\n`);
  process.exit(isCode(error, 'ARGUMENT_INVALID') ? WRONG_ARGUMENT : CANNOT_START);
});
