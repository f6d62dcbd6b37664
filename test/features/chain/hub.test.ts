/**
 * The hub of docs/chain.md, rehearsed: three nodes, three stores of real devices that sell, and the sample that fills a table. Nodes
 * and the sample are killed, lines are cut, and the power of one node and of all goes. In the end the table has each event of each
 * ledger once. The same cut with the server's default loses what was acknowledged, and the query of the document finds that.
 * `sudo EVENTS=20000 node test/features/chain/hub.test.ts` is the long form of the bench at its end.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { Uplink } from '../../../firmware/features/chain/uplink.ts';
import { PENDING_EXAMPLE } from '../../../firmware/payments/http/v1/payment-schemas.ts';
import { NO_POWER_CUTS } from '../../disk.ts';
import { suiteNeeding } from '../../needing.ts';
import { Program, startFirmware } from '../../process.ts';
import { ROOT } from '../../root.ts';
import { call, QUICK, setUp, temporaryFolder, until } from '../../support.ts';
import { Hub, NO_NEWER_SERVER } from './hub.ts';
import { NO_POSTGRES, type Postgres, startPostgres } from './postgres.ts';

const test = suiteNeeding(NO_NEWER_SERVER ?? NO_POSTGRES ?? NO_POWER_CUTS, 'chain: the hub');

const STORES = ['M1', 'M2', 'M3'] as const;
const SELL_EVERY_MS = 150;
/** Of JetStream at a node. By itself a server flushes every two minutes. */
const ALWAYS = 'sync_interval: always';
const BY_ITSELF = '';
/** Between an acknowledgement and the cut: longer than one would think that a flush takes. */
const ACKNOWLEDGED_MS = 5000;
/** After which the power goes. */
const IN_THE_MIDST_MS = 500;
/** Of the bench: stores, and events of all of them. */
const CROWD = 200;
const EVENTS = Number(process.env.EVENTS ?? 4000);

/** The query of the document. */
const MISSING = /```sql\n(SELECT[\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/chain.md'), 'utf8'))?.[1] ?? '';

/** A real device of a store, which sells until it is told to stop. */
class Store implements AsyncDisposable {
  readonly serial: string;
  readonly #folder = temporaryFolder();
  readonly #settings: Readonly<Record<string, string>>;
  #device: Awaited<ReturnType<typeof startFirmware>> | null = null;
  #selling: Promise<void> | null = null;
  #isOver = false;
  #amount = 0;

  constructor(name: string, { urls, accounts }: Hub) {
    this.serial = `LW-${name}`;
    this.#settings = {
      LANEWARE_SERIAL: this.serial,
      LANEWARE_CHAIN_URLS: urls.join(),
      LANEWARE_CHAIN_CREDENTIALS: accounts.admit(name),
    };
  }

  async start(): Promise<void> {
    this.#device = await startFirmware(this.#folder.path, { settings: this.#settings, tuning: QUICK });
    await setUp(this.#device.urls);
  }

  keepSelling(): void {
    this.#selling = (async () => {
      for (; !this.#isOver; await pause(SELL_EVERY_MS)) await this.sell();
    })();
    this.#selling.catch(() => undefined); // `stop` says it
  }

  async sell(): Promise<void> {
    this.#amount += 100; // the same again would be the same sale, and kopecks are a fault of the bank
    const { status, text } = await call(`${this.#device?.urls.terminal}/showQR`, { json: { amount: this.#amount } });
    assert.is(status, 200, text);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#selling;
  }

  /** As the document has it. @param toldTo the number behind which all is sent again */
  async sendAnew(toldTo: string): Promise<void> {
    await this.#device?.program.kill('SIGTERM');
    writeFileSync(join(this.#folder.path, 'chain-payments.json'), `{"toldTo": ${toldTo}}\n`);
    await this.start();
  }

  /** Of all events that its ledger has. */
  get numbers(): number[] {
    using db = openFile(join(this.#folder.path, 'money.db'), { readOnly: true });
    return db
      .prepare('SELECT number FROM events ORDER BY number')
      .all()
      .map(({ number }) => Number(number));
  }

  get last(): number {
    return this.numbers.at(-1) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#device?.program[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

async function openStores(hub: Hub, stack: AsyncDisposableStack): Promise<Store[]> {
  const stores = STORES.map((name) => stack.use(new Store(name, hub)));
  await Promise.all(stores.map((store) => store.start()));
  for (const store of stores) store.keepSelling();
  return stores;
}

/** The sample, as a person would start it. */
function startTable(hub: Hub, { environment }: Postgres): Program {
  const HUB = hub.nodes.map(({ port }) => `127.0.0.1:${port}`).join();
  const HUB_CREDENTIALS = hub.accounts.admitAdministrator('table');
  return new Program(['clients/chain/hub-to-postgres.mjs'], { ...environment, HUB, HUB_CREDENTIALS });
}

const hasTable = ({ ask }: Postgres): boolean => ask(`SELECT to_regclass('events')`).length > 0;

const rowsOf = ({ ask }: Postgres, serial: string): number[] =>
  ask(`SELECT number FROM events WHERE device = '${serial}' ORDER BY number`).map(Number);

/** Numbers of a ledger that the table does not have. */
function lostOf(postgres: Postgres, stores: readonly Store[]): string[] {
  return stores.flatMap(({ serial, numbers }) => {
    const rows = new Set(rowsOf(postgres, serial));
    return numbers.filter((number) => !rows.has(number)).map((number) => `${serial} ${number}`);
  });
}

const soldOf = (stores: readonly Store[]): number => stores.reduce((sum, { numbers }) => sum + numbers.length, 0);

test('kills, cuts and power losses of one and all nodes: each event is in the table, once', async () => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const hub = stack.use(await Hub.open(ALWAYS));
  let table = stack.use(startTable(hub, postgres));
  const stores = await openStores(hub, stack);
  const goesOn = async (what: string): Promise<void> => {
    const marks = stores.map((store) => [store, store.last] as const);
    await until(`what is sold after ${what}`, () =>
      marks.every(([{ serial }, mark]) => rowsOf(postgres, serial).some((number) => number > mark)),
    );
  };
  await until('the table', () => hasTable(postgres));
  await goesOn('the first harm');
  for (const node of hub.nodes) {
    await hub.kill(node);
    await table.kill('SIGKILL');
    table = stack.use(startTable(hub, postgres));
    node.line.cut();
    await goesOn(`the kill of ${node.name}`);
  }
  for (const node of hub.nodes) {
    await hub.whole();
    await hub.losePower([node]);
    for (const { line } of hub.nodes) line.cut();
    await goesOn(`the loss of power of ${node.name}`);
  }
  // what the stores were told is safe is nowhere but at the hub
  await table.kill('SIGKILL');
  await pause(ACKNOWLEDGED_MS);
  await hub.losePower(hub.nodes);
  table = stack.use(startTable(hub, postgres));
  await goesOn('the loss of all power');
  await Promise.all(stores.map((store) => store.stop()));
  await until('all', () => lostOf(postgres, stores).length === 0);
  const [count, distinct] = ['count(*)', 'count(DISTINCT (device, number))'].map((what) =>
    Number(postgres.ask(`SELECT ${what} FROM events`)[0]),
  );
  const sold = soldOf(stores);
  assert.equal([count, distinct], [sold, sold]);
  assert.equal(postgres.ask(MISSING), [], 'the query finds nothing');
  console.log(`${sold} events: none lost, none twice`);
});

test('with the server’s default a total power cut loses acknowledged events, found and sent anew', async () => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const hub = stack.use(await Hub.open(BY_ITSELF));
  const stores = await openStores(hub, stack);
  await pause(ACKNOWLEDGED_MS);
  await Promise.all(stores.map((store) => store.stop()));
  const sold = soldOf(stores);
  await until('all are acknowledged', async () => (await hub.whole()).state.messages === sold);
  await pause(ACKNOWLEDGED_MS);
  await hub.losePower(hub.nodes);
  await hub.makeStreams(); // they may be lost with their events
  stack.use(startTable(hub, postgres));
  await Promise.all(stores.map((store) => store.sell()));
  await until('the table', () => hasTable(postgres));
  await until('the newest', () => stores.every((store) => rowsOf(postgres, store.serial).includes(store.last)));
  const lost = lostOf(postgres, stores);
  assert.ok(lost.length > sold / 2, `${lost.length} of ${sold} are lost`);
  const missing = postgres.ask(MISSING);
  const serials = missing.map((row) => row.split('|')[1]).sort();
  assert.equal(serials, stores.map(({ serial }) => serial).sort(), String(missing));
  console.log(`${lost.length} of ${sold} acknowledged events are lost with the default`);
  const since = new Map(missing.map((row) => row.split('|')).map(([, device, , , number]) => [device, number]));
  await Promise.all(stores.map((store) => store.sendAnew(since.get(store.serial) || 'null')));
  await until('all', () => lostOf(postgres, stores).length === 0);
  assert.equal(postgres.ask(MISSING), [], 'what was sent anew closes it');
});

/** So many stores, simulated by their connections alone. */
async function openCrowd({ urls, accounts }: Hub, stack: AsyncDisposableStack) {
  const clock = { wall: () => Date.now(), monotonic: () => performance.now() };
  const log = { info: () => undefined, warn: () => undefined };
  const stores = Array.from({ length: CROWD }, (_, at) => {
    const serial = `LW-${at}`;
    const config = { urls, credentials: accounts.admit(`S${at}`), caFile: null };
    const nameOf = (event: string): string => `${serial} ${event.replace('\n', ' ')}`;
    const link = new Uplink(config, { serial, nameOf }, { clock, log });
    stack.defer(() => link.close());
    const line = new Promise<void>((resolve) => void link.onLine(resolve));
    link.start();
    return { serial, link, line };
  });
  await Promise.all(stores.map(({ line }) => line));
  const event = { type: 'payment.created', at: new Date().toISOString(), payment: PENDING_EXAMPLE };
  /** Each sends one after the other. @returns names of those that were acknowledged, until the first that was not */
  return async (from: number, to: number): Promise<string[]> => {
    const acknowledged: string[] = [];
    await Promise.all(
      stores.map(async ({ serial, link }) => {
        for (let number = from; number < to; number++) {
          const body = JSON.stringify({ device: serial, number, after: number - 1, ...event });
          const isTaken = await link.send('payment', body, `${number}`).then(
            () => true,
            () => false,
          );
          if (!isTaken) return;
          acknowledged.push(`${serial} payment ${number}`);
        }
      }),
    );
    return acknowledged;
  };
}

for (const settings of [ALWAYS, BY_ITSELF])
  test(`${CROWD} stores, ${settings || 'a flush in two minutes'}: events a second, and a cut`, async () => {
    await using stack = new AsyncDisposableStack();
    const hub = stack.use(await Hub.open(settings));
    const send = await openCrowd(hub, stack);
    const [bytes, flushes, from] = [hub.diskBytes, hub.flushes, performance.now()];
    const each = Math.ceil(EVENTS / CROWD);
    const { length: taken } = await send(0, each);
    const seconds = (performance.now() - from) / 1000;
    assert.is(taken, each * CROWD);
    const [grown, flushed] = [hub.diskBytes - bytes, hub.flushes - flushes];
    const rest = send(each, Number.MAX_SAFE_INTEGER);
    await pause(IN_THE_MIDST_MS);
    await hub.losePower(hub.nodes);
    const acknowledged = await rest;
    await hub.makeStreams();
    const kept = new Set(await hub.names());
    const lost = acknowledged.filter((name) => !kept.has(name));
    console.log(
      `${Math.round(taken / seconds)} events a second, each ${Math.round(grown / taken)} bytes on the disk of a node and ` +
        `${(flushed / taken).toFixed(2)} flushes; ${lost.length} of ${acknowledged.length} lost in the cut`,
    );
    assert.ok(acknowledged.length > CROWD);
    if (settings === ALWAYS) assert.equal(lost, []);
    else assert.ok(lost.length > 0);
  });

test.run();
