/** `scripts/chain.sh`: what is to be seen of a chain, and what others see it with. */
import { type Command, InvalidArgumentError } from 'commander';
import { Exporter } from './exporter.ts';
import { SILENT_MS } from './exposition.ts';
import { connectAs, withConnection } from './hub.ts';
import { ChainFailure, KeyFolder, pairOf } from './keys.ts';
import { PAYMENTS_HEAD, paymentLine, readPayments } from './payments.ts';
import { DeviceWatch, type WatchedDevice } from './watch.ts';

const HOST = '127.0.0.1';
const PORT = 9469;
const MAX_PORT = 65_535;
const MINUTE_MS = 60_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`chain: ${line}\n`);

/** @returns what an account is called; null for one that is no store of the chain (any more) */
function namesOf(folder: KeyFolder): (account: string) => string | null {
  const names = new Map(folder.stores.map(({ name, seed }) => [pairOf(seed).getPublicKey(), name]));
  return (account) => names.get(account) ?? null;
}

/** What lies at the hub at this moment. */
async function devicesAt(folder: KeyFolder): Promise<readonly WatchedDevice[]> {
  const watch = new DeviceWatch(warn);
  await withConnection(folder.keys, pairOf(folder.keys.account), (connection) => watch.read(connection));
  return watch.devices;
}

function wordOf({ inventory, heardAt }: WatchedDevice, now: number): string {
  const silentMs = now - heardAt;
  if (silentMs >= SILENT_MS) return `silent for ${Math.round(silentMs / MINUTE_MS)} minutes`;
  if (inventory === null) return 'has told nothing of itself yet';
  const { state, parts } = inventory;
  return [state, ...parts.map(({ part, reason }) => `${part}: ${reason}`)].join('; ');
}

const isIll = ({ inventory, heardAt }: WatchedDevice, now: number): boolean =>
  now - heardAt >= SILENT_MS || inventory === null || inventory.state !== 'ok';

interface ListOptions {
  readonly keys: string;
  readonly ill: boolean;
  readonly store?: string;
  readonly json: boolean;
}

async function listDevices({ keys, ill, store, json }: ListOptions): Promise<void> {
  const folder = KeyFolder.open(keys);
  if (store !== undefined) folder.store(store);
  const nameOf = namesOf(folder);
  const now = Date.now();
  const listed = (await devicesAt(folder))
    .map((device) => ({ device, store: nameOf(device.account) }))
    .filter((each) => each.store !== null && (store === undefined || each.store === store))
    .filter(({ device }) => !ill || isIll(device, now))
    .sort((a, b) => `${a.store} ${a.device.serial}`.localeCompare(`${b.store} ${b.device.serial}`));
  for (const { device, store: name } of listed) {
    const { serial, inventory, heardAt } = device;
    if (json) say(JSON.stringify({ store: name, serial, heardAt: new Date(heardAt).toISOString(), ...inventory }));
    else say([name, serial, inventory?.version ?? '?', inventory?.role ?? '?', wordOf(device, now)].join('  '));
  }
  if (listed.length === 0 && !json) say(ill ? 'no device is ill or silent' : 'no device has told of itself yet');
}

interface PaymentOptions {
  readonly keys: string;
  readonly store?: string;
  readonly since?: number;
}

/** @throws {ChainFailure} after all lines, where something is missing */
async function listPayments({ keys, store, since = null }: Omit<PaymentOptions, 'since'> & { since?: number | null }) {
  const folder = KeyFolder.open(keys);
  const nameOf = namesOf(folder);
  const account = store === undefined ? null : pairOf(folder.store(store).seed).getPublicKey();
  const { payments, gaps, unread } = await withConnection(folder.keys, pairOf(folder.keys.account), (connection) =>
    readPayments(connection, { account, since }),
  );
  const lines = payments.map((told) => paymentLine(told, nameOf(told.account) ?? told.account));
  process.stdout.write([PAYMENTS_HEAD, ...lines].join(''));
  for (const gap of gaps) {
    const name = nameOf(gap.account) ?? gap.account;
    warn(
      `${gap.serial} of ${name} let events go that the chain never had (numbers ${gap.after} to ${gap.upTo}): its ledger has the payments`,
    );
  }
  if (unread > 0) warn(`${unread} messages are not of this release or one before: bring this clone up to date`);
  if (gaps.length + unread > 0) throw new ChainFailure('what is listed is not all');
}

interface ExportOptions {
  readonly keys: string;
  readonly host: string;
  readonly port: number;
}

async function exportFigures({ keys, host, port }: ExportOptions): Promise<void> {
  const connect = () => {
    const { keys: all } = KeyFolder.open(keys);
    return connectAs(all, pairOf(all.account));
  };
  let nameOf = namesOf(KeyFolder.open(keys));
  const exporter = new Exporter({
    connect: () => {
      nameOf = namesOf(KeyFolder.open(keys));
      return connect();
    },
    storeOf: (account) => {
      const known = nameOf(account);
      if (known !== null) return known;
      nameOf = namesOf(KeyFolder.open(keys)); // a store that was added meanwhile
      return nameOf(account);
    },
    now: Date.now,
    warn,
  });
  const app = exporter.start();
  say(`figures of the chain: ${await app.listen({ host, port })}/metrics`);
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

/** @param withKeys adds the option that every command has */
export function addReadingCommands(program: Command, withKeys: (command: Command) => Command): void {
  withKeys(program.command('devices'))
    .description('the devices of the chain: store, serial number, release, role, and what ails them')
    .option('--ill', 'only those that are ill or silent', false)
    .option('--store <name>', 'of one store')
    .option('--json', 'one JSON document a line', false)
    .action(listDevices);
  withKeys(program.command('payments'))
    .description('payments of all stores as CSV, each once, as its device told of it last')
    .option('--store <name>', 'of one store')
    .option('--since <time>', 'only those that the hub was told of since then', moment)
    .action(listPayments);
  withKeys(program.command('exporter'))
    .description('tell the figures of all devices to Prometheus, until it is ended')
    .option('--host <address>', 'to listen on', HOST)
    .option('--port <number>', 'to listen on', portNumber, PORT)
    .action(exportFigures);
}
