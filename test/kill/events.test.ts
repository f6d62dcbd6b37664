/**
 * Sales go on while the reader of their events loses its connection again and again, and the device is ended or dies under it: each event
 * reaches the reader, and an address, at least once and in order, and none is missed. EVENTS=10000 CUTS=20 KILLS=5 is the long form.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SECRET, TestReceiver } from '../features/webhooks/rig.ts';
import { until } from '../support.ts';
import { connect } from '../terminal/event-rig.ts';
import { draw } from './killable.ts';
import { KilledLane } from './lane.ts';

const { kills, random, label } = draw(2);
const EVENTS = Number(process.env.EVENTS ?? 40);
const CUTS = Number(process.env.CUTS ?? 3);
const TRY_AGAIN_MS = 20;

const test = suite(`terminal: ${EVENTS} events, ${CUTS} lost connections, ${kills} restarts (${label})`);

/** So many places in the course of the events, evenly, with one random pause. */
const placesOf = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.floor(((n + 0.2 + 0.6 * random()) * EVENTS) / count));

/** Reads on from the last event, over every connection. */
class PatientReader {
  readonly #lane: KilledLane;
  readonly events: string[] = [];
  readonly gaps: unknown[] = [];
  connections = 0;
  lastId: number | null = null;
  #isConnected = false;
  #abort = new AbortController();
  #isOver = false;

  constructor(lane: KilledLane) {
    this.#lane = lane;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      const { ready } = this.#lane.device;
      if (ready !== null) await this.#read(ready.terminal).catch(() => undefined); // it is looked at what comes of it
      this.#isConnected = false;
      await pause(TRY_AGAIN_MS);
    }
  }

  async #read(terminal: string): Promise<void> {
    this.#abort = new AbortController();
    const from = { query: '?after=0', lastEventId: this.lastId, signal: this.#abort.signal };
    for await (const { id, name, data } of connect(terminal, from)) {
      this.lastId = id;
      if (name === 'hello') {
        this.connections += 1;
        this.#isConnected = true;
      }
      if (name === 'gap') this.gaps.push(data);
      if (data.payment !== undefined) this.events.push(`${id} ${name}`);
    }
  }

  async connected(): Promise<void> {
    await until('the reader is connected', () => this.#isConnected);
  }

  /** Loses its connection, and has another one. */
  async lose(): Promise<void> {
    await this.connected();
    this.#isConnected = false;
    this.#abort.abort();
    await this.connected();
  }

  end(): void {
    this.#isOver = true;
    this.#abort.abort();
  }
}

/** Sells on, and has every fifth sale paid, through all restarts of the device. */
async function sell(lane: KilledLane, isOver: () => boolean): Promise<void> {
  for (let n = 1; !isOver(); n += 1) {
    const shown = await lane.tryAsking('/v1/payments', {
      json: { amount: 100 * n },
      headers: { 'idempotency-key': `sale ${n}` },
    });
    const code = lane.inBook(100 * n);
    if (n % 5 !== 0 || shown?.status !== 201 || code === undefined) continue;
    lane.bank.payments.pay(code.qrcId);
    await lane.tryAsking(`/v1/payments/${shown.body.id}?wait=5`);
  }
}

test('each reaches the reader and the address at least once, in order, and none is missed', async () => {
  await using receiver = await TestReceiver.open();
  const config = { LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify([{ url: receiver.url, secret: SECRET }]) };
  await using lane = await KilledLane.open({ config });
  const reader = new PatientReader(lane);
  const reading = reader.run();
  let isOver = false;
  const selling = sell(lane, () => isOver);
  const seen = (count: number) => until(`${count} events`, () => reader.events.length >= count);
  const restart = (signal: NodeJS.Signals) => async (): Promise<void> => {
    await lane.device.end(signal);
    await lane.device.start();
    await reader.connected();
  };
  const steps = [
    ...placesOf(CUTS).map((at) => ({ at, step: () => reader.lose() })),
    ...placesOf(kills).map((at, n) => ({ at, step: restart(n % 2 === 0 ? 'SIGKILL' : 'SIGTERM') })),
  ].sort((one, other) => one.at - other.at);
  for (const { at, step } of steps) {
    await seen(at);
    await step();
  }
  await seen(EVENTS);
  isOver = true;
  await selling;
  await until('the last is delivered', async () => {
    const [state] = (await lane.ask('/v1/webhooks')).body.webhooks;
    return state.waiting === 0 && reader.lastId === state.toldTo;
  });
  reader.end();
  await reading;
  await lane.device.end('SIGTERM');
  const events = lane.read('SELECT number, type, order_id FROM events ORDER BY number');
  const expected = events.map(({ number, type }) => `${number} ${type}`);
  assert.equal(reader.events, expected, `each once and in order, ${label}`);
  assert.equal([reader.gaps, reader.connections], [[], 1 + CUTS + kills]);
  const delivered = [...new Map(receiver.received.map(({ id, type }) => [id, `${id} ${type}`])).values()];
  assert.equal(delivered, expected, 'the address has each, and first in order');
  assert.ok(receiver.received.every(({ isSigned }) => isSigned));
  const reported = new Set(events.map(({ order_id, type }) => `${order_id} ${type}`));
  const missing = lane
    .rows()
    .flatMap(({ orderId, state }) => [
      `${orderId} payment.created`,
      ...(state === 'PENDING' ? [] : [`${orderId} payment.${state.toLowerCase()}`]),
    ])
    .filter((event) => !reported.has(event));
  assert.equal(missing, [], 'the ledger holds nothing that was not reported');
  process.stdout.write(`  ${events.length} events, ${receiver.received.length - events.length} delivered again\n`);
});

test.run();
