/** What the process does: configuration, device, listen, close with grace. */
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { isCode } from '../drivers/lib/errors.ts';
import { openLog } from './base.ts';
import { loadConfig } from './config/load.ts';
import { type Device, startDevice } from './device.ts';
import { outliveReaders } from './host/log.ts';
import { superviseBySystemd } from './host/systemd/supervision.ts';
import { VERSION } from './host/version.ts';

/** Time that an orderly close may take; a second signal ends at once. */
const GRACE_MS = 1900;

function readConfig() {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  return loadConfig(values.config ?? process.env.LANEWARE_CONFIG ?? null, process.env);
}

/** What the person who typed the command must know; the log lines are for machines. */
function greet({ urls, certificate }: Device): void {
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
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** What ends a start with a sentence for whoever started it; anything else ends it with its stack. */
const EXPECTED = ['CONFIG_INVALID', 'DATA_DIR_BUSY', 'SEAL_BROKEN', 'EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES'];

const isExpected = (error: unknown): error is Error => isCode(error, ...EXPECTED);

function explain(error: Error): string {
  if (isCode(error, 'EADDRINUSE'))
    return `${error.message}: another program listens there; stop it, or choose another port (LANEWARE_TERMINAL_PORT, LANEWARE_RECOGNITION_PORT, LANEWARE_SANDBOXBANK_PORT)`;
  return error.message;
}

async function main(): Promise<void> {
  outliveReaders();
  const { config, unknownVariables } = readConfig();
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
  greet(device);
}

main().catch((error: unknown) => {
  if (!isExpected(error)) throw error;
  process.stderr.write(`laneware: ${explain(error)}\n`);
  process.exit(1);
});
