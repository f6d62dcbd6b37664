/**
 * Three lanes sell while everything between them and the chain fails: lanes and the chain's server are killed, the lanes' lines are
 * cut. In the end each event that a lane has had on its disk lies at the chain. EVENTS=1000 KILLS=75 CUTS=170 is the long form,
 * SEED=n draws the moments of a run again.
 */

import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { decodePart } from '../../../drivers/lib/text.ts';
import { draw, Killable } from '../../kill/killable.ts';
import { suiteNeeding } from '../../needing.ts';
import { Program } from '../../process.ts';
import { temporaryFolder, until } from '../../support.ts';
import { startWire } from '../../wire.ts';
import { type ChainServer, NO_SERVER, startServer } from './nats.ts';
import type { SellingLane } from './selling-lane.ts';

const { kills: KILLS, random, label } = draw(20);
const SOLD = Number(process.env.EVENTS ?? 250);
const CUTS = Number(process.env.CUTS ?? 45);
const LANES = 3;
/** Of the kills one in so many is the chain's. */
const ONE_IN = 5;
const EVERY_MS = 100;
const LONGEST_PAUSE_MS = 300;

const test = suiteNeeding(NO_SERVER, `chain: ${SOLD} events, ${KILLS} kills, ${CUTS} cuts (${label})`);

/** A device as a process, its line to the chain, and what it has said. */
class Lane implements AsyncDisposable {
  readonly wire: Awaited<ReturnType<typeof startWire>>;
  readonly #process: Killable<Program>;
  readonly #folder: Disposable;
  readonly sold = new Set<number>();
  sentTo = 0;
  done: number | null = null;
  readonly serial: string;

  private constructor(settings: SellingLane, wire: Lane['wire'], folder: Disposable) {
    this.wire = wire;
    this.#folder = folder;
    this.serial = settings.serial;
    this.#process = new Killable(async () => {
      const program = new Program(
        ['test/features/chain/selling-lane.ts', JSON.stringify(settings)],
        {},
        { input: true },
      );
      let rest = '';
      program.child.stdout?.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#hear(JSON.parse(line));
      });
      return { program, ready: program };
    });
  }

  static async open({ url, admit }: ChainServer, serial: string): Promise<Lane> {
    const wire = await startWire(Number(new URL(url).port));
    const folder = temporaryFolder();
    const chain = { urls: [`nats://127.0.0.1:${wire.port}`], credentials: admit('M1'), caFile: null };
    return new Lane({ folder: folder.path, serial, chain, everyMs: EVERY_MS }, wire, folder);
  }

  start = async (): Promise<void> => void (await this.#process.start());
  kill = (): Promise<void> => this.#process.kill();

  /** Sells no more, and ends when all is sent. */
  async end(): Promise<void> {
    const { child } = await this.#process.start();
    child.stdin?.write('\n');
    await until(`${this.serial} has sent all`, () => this.done);
  }

  #hear(said: { readonly sold?: number; readonly sentTo?: number; readonly done?: number }): void {
    if (said.sold !== undefined) this.sold.add(said.sold);
    this.sentTo = said.sentTo ?? this.sentTo;
    this.done = said.done ?? this.done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.wire[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** Breaks it again and again; each time it is waited until the chain has taken something after that. */
async function keepBreaking(times: number, lanes: readonly Lane[], harm: () => Promise<void>): Promise<void> {
  for (let n = 0; n < times; n++) {
    await pause(random() * LONGEST_PAUSE_MS);
    await harm();
    const newest = lanes.map(({ sold }) => Math.max(...sold));
    await until('what was sold since is sent', () => lanes.some(({ sentTo }, at) => sentTo > (newest[at] ?? 0)));
  }
}

/** Numbers of the events of each device that lie at the chain, as often as they lie there. */
async function atChain({ messagesOf }: ChainServer): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const { subject, body } of await messagesOf('EVENTS')) {
    const serial = decodePart(subject.split('.')[3] ?? '') ?? subject;
    const { device, number, type, payment } = JSON.parse(body);
    assert.equal(
      { device, type, id: payment.id },
      { device: serial, type: 'payment.created', id: `${serial}-${number}` },
    );
    found.set(serial, [...(found.get(serial) ?? []), number]);
  }
  return found;
}

test('each event of each lane lies at the chain, once', async () => {
  await using server = await startServer();
  await server.makeStreams();
  await using stack = new AsyncDisposableStack();
  const lanes: Lane[] = [];
  for (let n = 1; n <= LANES; n++) lanes.push(stack.use(await Lane.open(server, `LW${n}`)));
  await Promise.all(lanes.map(({ start }) => start()));
  await until('the first of each lane', () => lanes.every(({ sentTo }) => sentTo > 0));

  const killServer = async (): Promise<void> => {
    await server.stop();
    await server.start();
  };
  const killsOfServer = Math.ceil(KILLS / ONE_IN);
  const each = (count: number): number => Math.ceil(count / LANES);
  await Promise.all([
    keepBreaking(killsOfServer, lanes, killServer),
    ...lanes.flatMap((lane) => [
      keepBreaking(each(KILLS - killsOfServer), [lane], () => lane.kill().then(lane.start)),
      keepBreaking(each(CUTS), [lane], async () => lane.wire.cut()),
    ]),
  ]);
  await until(`${SOLD} events`, () => lanes.reduce((sum, { sold }) => sum + sold.size, 0) >= SOLD);
  await Promise.all(lanes.map((lane) => lane.end()));
  const found = await atChain(server);
  for (const { serial, sold } of lanes) {
    const numbers = found.get(serial) ?? [];
    const lost = [...sold].filter((number) => !numbers.includes(number));
    assert.equal(lost, [], `${serial} lost some`);
    assert.is(new Set(numbers).size, numbers.length, 'what was sent again is stored once');
  }
});

test.run();
