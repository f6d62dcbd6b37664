/**
 * The sandbox bank as a process of its own:
 * `node firmware/sandbox-bank/main.ts [--port N] [--host H] [--data FILE] [--public-host H]`.
 * Prints one JSON line with its url when it is ready; SIGTERM closes it.
 */
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { SANDBOX_PORT } from '../config/ports.ts';
import { SANDBOX_HOST, startSandboxBank } from './server.ts';

const CLOSE_LIMIT_MS = 2000;
const MAX_PORT = 65_535;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(SANDBOX_PORT) },
    host: { type: 'string', default: SANDBOX_HOST },
    data: { type: 'string', default: '.laneware/sandbox-bank.db' },
    'public-host': { type: 'string' },
  },
});

const writeLine = (fields: object): void => {
  process.stderr.write(`${JSON.stringify(fields)}\n`);
};

const port = Number(values.port);
if (!/^\d+$/.test(values.port) || port > MAX_PORT) throw new RangeError('--port must be 0 to 65535');

const bank = await startSandboxBank({
  port,
  host: values.host,
  dataFile: values.data,
  publicHost: values['public-host'] ?? null,
  log: {
    info: () => undefined,
    error: (fields, message) => writeLine({ level: 'error', message, ...fields }),
  },
});

closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: false }, async ({ err }) => {
  if (err !== undefined) writeLine({ level: 'error', message: err.message });
  await bank.close();
});

process.stdout.write(`${JSON.stringify({ url: bank.url, port: bank.port })}\n`);
