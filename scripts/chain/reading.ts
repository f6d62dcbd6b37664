/** `scripts/chain.sh`: what is to be seen of a chain, and what others see it with. */
import { type Command, InvalidArgumentError } from 'commander';
import { devicesAt, say, withKeys } from './command-line.ts';
import { Exporter } from './exporter.ts';
import { ChainFailure } from './failures.ts';
import { KeyFolder } from './keys.ts';
import { warn } from './lock.ts';
import { PAYMENTS_HEAD, paymentLine, readPayments } from './payments.ts';
import { type ChainReader, keeperOf, namesIn, readerOf } from './reader.ts';
import { levelOf, standingOf, storeStanding } from './standing.ts';

const HOST = '127.0.0.1';
const PORT = 9469;
const MAX_PORT = 65_535;

interface Source {
  readonly keys?: string;
  readonly credentials?: string;
}

/** @throws {ChainFailure} */
function readerFrom({ keys, credentials }: Source): ChainReader {
  if (credentials !== undefined) return readerOf(credentials);
  if (keys !== undefined) return keeperOf(keys);
  throw new ChainFailure('--keys (the folder of the chain’s keys) or --credentials (the file of a reader) is needed');
}

interface ListOptions {
  readonly keys: string;
  readonly ill: boolean;
  readonly store?: string;
  readonly stores: boolean;
  readonly json: boolean;
}

async function listDevices({ keys, ill, store, stores, json }: ListOptions): Promise<void> {
  const folder = KeyFolder.open(keys);
  if (store !== undefined) folder.store(store);
  const names = namesIn(folder);
  const now = Date.now();
  const listed = (await devicesAt(folder))
    .map((device) => ({ device, store: names.get(device.account) ?? null }))
    .filter((each) => store === undefined || each.store === store)
    .filter(({ device }) => !ill || levelOf(device, now) !== 'sells')
    .sort((a, b) => `${a.store} ${a.device.serial}`.localeCompare(`${b.store} ${b.device.serial}`));
  for (const [name, all] of stores ? Map.groupBy(listed, (each) => each.store) : []) {
    const stands = storeStanding(
      all.map(({ device }) => device),
      now,
    );
    say(json ? JSON.stringify({ store: name, stands }) : `${name}  ${stands}`);
  }
  for (const { device, store: name } of stores ? [] : listed) {
    const { serial, inventory, heardAt } = device;
    if (json) say(JSON.stringify({ store: name, serial, heardAt: new Date(heardAt).toISOString(), ...inventory }));
    else say([name, serial, inventory?.version ?? '?', inventory?.role ?? '?', standingOf(device, now)].join('  '));
  }
  if (listed.length === 0 && !json) say(ill ? 'no device is ill or silent' : 'no device has reported yet');
}

interface PaymentOptions extends Source {
  readonly store?: string;
  readonly since?: number;
}

/** @throws {ChainFailure} after all lines, where something is missing */
async function listPayments({ store, since, ...source }: PaymentOptions): Promise<void> {
  const reader = readerFrom(source);
  const connection = await reader.connect();
  const read = async () => {
    const names = await reader.names(connection);
    const account = store === undefined ? null : accountOf(store, names);
    return { names, fold: await readPayments(connection, { account, since: since ?? null, api: reader.api }) };
  };
  const { names, fold } = await read().finally(() => connection.close());
  const { payments, gaps, unread } = fold;
  const lines = payments.map((payment) => paymentLine(payment, names.get(payment.account) ?? payment.account));
  process.stdout.write([PAYMENTS_HEAD, ...lines].join(''));
  for (const gap of gaps) {
    const name = names.get(gap.account) ?? gap.account;
    warn(
      `${gap.serial} of ${name} let events go that the chain never had (numbers ${gap.after} to ${gap.upTo}): its ledger has the payments`,
    );
  }
  if (unread > 0) warn(`${unread} messages are not of this release or one before: bring this clone up to date`);
  if (gaps.length + unread > 0) throw new ChainFailure('what is listed is not all');
}

/** @throws {ChainFailure} */
function accountOf(store: string, names: ReadonlyMap<string, string>): string {
  for (const [account, name] of names) if (name === store) return account;
  throw new ChainFailure(`the chain has no store ${store}`);
}

interface ExportOptions extends Source {
  readonly host: string;
  readonly port: number;
}

async function exportFigures({ host, port, ...source }: ExportOptions): Promise<void> {
  const exporter = new Exporter({ reader: readerFrom(source), now: Date.now, warn });
  const app = exporter.start();
  const url = await app.listen({ host, port }).catch(async (error: unknown) => {
    await app.close(); // else it would follow the hub without a reader
    throw error;
  });
  say(`figures of the chain: ${url}/metrics`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`);
}

function moment(text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It must be a date, as 2026-11-20 or 2026-11-20T08:00:00+03:00.');
}

/** For commands that a reader gives, too. */
const withSource = (command: Command): Command =>
  command
    .option('--keys <folder>', 'of the chain’s keys', process.env.LANEWARE_CHAIN)
    .option('--credentials <file>', 'of a reader (reader add), in place of the keys');

export function addReadingCommands(program: Command): void {
  withKeys(program.command('devices'))
    .description('the devices of the chain: store, serial number, release, role, and what ails them')
    .option('--ill', 'only those that are ill or silent', false)
    .option('--store <name>', 'of one store')
    .option('--stores', 'one line a store: it stands as the worst of its lanes', false)
    .option('--json', 'one JSON document a line', false)
    .action(listDevices);
  withSource(program.command('payments'))
    .description('payments of all stores as CSV, each once, as its device reported it last')
    .option('--store <name>', 'of one store')
    .option('--since <time>', 'only those that have reached the hub since then', moment)
    .action(listPayments);
  withSource(program.command('exporter'))
    .description('offer the figures of all devices to Prometheus, until it is ended')
    .option('--host <address>', 'to listen on', HOST)
    .option('--port <number>', 'to listen on', portNumber, PORT)
    .action(exportFigures);
}
