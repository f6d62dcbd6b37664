/**
 * The sandbox bank as a process of its own:
 * `node firmware/sandbox-bank/main.ts [--port N] [--host H] [--data FILE] [--public-host H]
 * [--cert FILE --key FILE [--client-ca FILE]]`: HTTPS with a certificate in PEM, mutual TLS with an authority of clients.
 * Prints one JSON line with its url when it is ready; SIGTERM closes it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { SANDBOX_PORT } from '../config/index.ts';
import { SANDBOX_HOST, startSandboxBank } from './server.ts';

const CLOSE_LIMIT_MS = 2000;
const MAX_PORT = 65_535;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(SANDBOX_PORT) },
    host: { type: 'string', default: SANDBOX_HOST },
    data: { type: 'string', default: '.laneware/sandbox-bank.db' },
    'public-host': { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
    'client-ca': { type: 'string' },
  },
});

const writeLine = (fields: object): void => {
  process.stderr.write(`${JSON.stringify(fields)}\n`);
};

const port = Number(values.port);
if (!/^\d+$/.test(values.port) || port > MAX_PORT) throw new RangeError('--port must be 0 to 65535');

const { cert, key, 'client-ca': clientCa } = values;
if ((cert === undefined) !== (key === undefined)) throw new RangeError('--cert and --key belong together');
const tls =
  cert === undefined || key === undefined
    ? null
    : {
        ...{ cert: readFileSync(cert), key: readFileSync(key) },
        ...(clientCa === undefined ? {} : { clientCa: readFileSync(clientCa) }),
      };

const bank = await startSandboxBank({
  port,
  host: values.host,
  dataFile: values.data,
  publicHost: values['public-host'] ?? null,
  tls,
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
