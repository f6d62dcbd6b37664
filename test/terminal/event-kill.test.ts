/**
 * Sales go on while the reader of their events loses its connection again and again, and the device is ended or dies under it: each
 * event reaches the reader, and an address, at least once and in order, and none is missed. EVENTS=10000 RECONNECTS=20 RESTARTS=5
 * is the long form, SEED=n repeats a run.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seeded } from '../../scripts/seeded.ts';
import { type Program, startFirmware, type Urls } from '../process.ts';
import { call, setUp, temporaryFolder, until } from '../support.ts';
import { connect } from './event-rig.ts';
import { SECRET, TestReceiver } from './webhook-rig.ts';

const EVENTS = Number(process.env.EVENTS ?? 60);
const RECONNECTS = Number(process.env.RECONNECTS ?? 4);
const RESTARTS = Number(process.env.RESTARTS ?? 2);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const TRY_AGAIN_MS = 20;

const test = suite(`terminal: ${EVENTS} events, ${RECONNECTS} lost connections, ${RESTARTS} restarts (SEED=${SEED})`);

/** So many places in the course of the events, evenly but for a while that nobody foresees. */
const placesOf = (count: number, random: () => number): number[] =>
  Array.from({ length: count }, (_, n) => Math.floor(((n + 0.2 + 0.6 * random()) * EVENTS) / count));

/** A device that is started again, in the same folder, on other ports. */
class RestartedDevice implements AsyncDisposable {
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  #program: Program | null = null;
  urls: Urls | null = null;

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { program, urls } = await startFirmware(this.#folder, { settings: this.#settings });
    this.#program = program;
    this.urls = urls;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.urls = null;
    await this.#program?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
  }
}

/** Reads on from the last event, over every connection. */
class PatientReader {
  readonly ids: number[] = [];
  readonly types: string[] = [];
  readonly gaps: unknown[] = [];
  connections = 0;
  #lastId: number | null = null;
  #isConnected = false;
  #abort = new AbortController();
  #isOver = false;

  async run(device: RestartedDevice): Promise<void> {
    while (!this.#isOver) {
      const terminal = device.urls?.terminal;
      if (terminal !== undefined) await this.#read(terminal).catch(() => undefined); // it is looked at what comes of it
      this.#isConnected = false;
      await pause(TRY_AGAIN_MS);
    }
  }

  async #read(terminal: string): Promise<void> {
    this.#abort = new AbortController();
    const from = { query: '?after=0', lastEventId: this.#lastId, signal: this.#abort.signal };
    for await (const { id, name, data } of connect(terminal, from)) {
      this.#lastId = id;
      if (name === 'hello') {
        this.connections += 1;
        this.#isConnected = true;
      }
      if (name === 'gap') this.gaps.push(data);
      if (data.payment === undefined) continue;
      this.ids.push(id);
      this.types.push(name);
    }
  }

  /** Loses its connection, and has another one. */
  async lose(): Promise<void> {
    await this.connected();
    this.#isConnected = false;
    this.#abort.abort();
    await this.connected();
  }

  async connected(): Promise<void> {
    await until('the reader is connected', () => this.#isConnected);
  }

  end(): void {
    this.#isOver = true;
    this.#abort.abort();
  }
}

/** Sells on, and has every fifth sale paid, whatever becomes of the device. */
async function sell(device: RestartedDevice, isOver: () => boolean): Promise<void> {
  for (let n = 1; !isOver(); n += 1) {
    try {
      const { terminal, sandbox } = device.urls ?? {};
      if (terminal === undefined || typeof sandbox !== 'string') await pause(TRY_AGAIN_MS);
      else {
        const shown = await call(`${terminal}/showQR`, { json: { amount: 100 * n, purpose: `sale ${n}` } });
        if (n % 5 === 0 && shown.status === 200) {
          const [newest] = (await call(`${sandbox}/sandbox/payments`)).body;
          await call(`${sandbox}/sandbox/payments/${newest.qrcId}/pay`, { method: 'POST' });
          await until(
            'an outcome',
            async () => (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus !== 'PENDING',
          );
        }
      }
    } catch {
      await pause(TRY_AGAIN_MS); // it is down, or was while it answered
    }
  }
}

test('each reaches the reader and the address at least once, in order, and none is missed', async () => {
  using folder = temporaryFolder();
  await using receiver = await TestReceiver.open();
  const random = seeded(SEED);
  const webhooks = JSON.stringify([{ url: receiver.url, secret: SECRET }]);
  await using device = new RestartedDevice(folder.path, { LANEWARE_TERMINAL_WEBHOOKS: webhooks });
  await device.start();
  await setUp({ terminal: device.urls?.terminal ?? '' });
  const reader = new PatientReader();
  const reading = reader.run(device);
  let isOver = false;
  const selling = sell(device, () => isOver);
  const seen = (count: number) => until(`${count} events`, () => reader.ids.length >= count);
  const steps = [
    ...placesOf(RECONNECTS, random).map((at) => ({ at, step: () => reader.lose() })),
    ...placesOf(RESTARTS, random).map((at, n) => ({
      at,
      step: async () => {
        await device.end(n % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        await device.start();
        await reader.connected();
      },
    })),
  ].sort((one, other) => one.at - other.at);
  for (const { at, step } of steps) {
    await seen(at);
    await step();
  }
  await seen(EVENTS);
  isOver = true;
  await selling;
  const { terminal = '' } = device.urls ?? {};
  await until('the last is delivered', async () => {
    const [state] = (await call(`${terminal}/v1/webhooks`)).body.webhooks;
    return state.waiting === 0 && reader.ids.at(-1) === state.toldTo;
  });
  reader.end();
  await reading;
  await device.end('SIGTERM');
  const db = new DatabaseSync(join(folder.path, 'ledger.db'));
  const events = db.prepare('SELECT number, type, order_id FROM events ORDER BY number').all();
  const payments = db.prepare('SELECT order_id, state FROM payments').all();
  db.close();
  const numbers = events.map(({ number }) => Number(number));
  assert.equal(reader.ids, numbers, `each once and in order, SEED=${SEED}`);
  assert.equal(
    reader.types,
    events.map(({ type }) => String(type)),
  );
  assert.equal(reader.gaps, []);
  const sent = receiver.ids;
  assert.equal([...new Set(sent)], numbers, 'the address has each, and first in order');
  assert.ok(receiver.received.every(({ isSigned }) => isSigned));
  const told = new Set(events.map(({ order_id, type }) => `${order_id} ${type}`));
  const untold = payments.filter(
    ({ order_id, state }) =>
      !told.has(`${order_id} payment.created`) ||
      (state !== 'PENDING' && !told.has(`${order_id} payment.${String(state).toLowerCase()}`)),
  );
  assert.equal(untold, [], 'the ledger holds nothing that was not told');
  assert.is(reader.connections, 1 + RECONNECTS + RESTARTS);
  const more = sent.length - numbers.length;
  process.stdout.write(
    `  ${numbers.length} events of ${payments.length} payments, ${reader.connections} connections, `,
  );
  process.stdout.write(`${more} delivered to the address once more\n`);
});

test.run();
