/** Places for connections: who goes when they are all taken. */
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpFailure } from '../../firmware/core/http/call/failure.ts';
import { ConnectionPool, type ConnectionSlot, type PoolLimits } from '../../firmware/core/http/connection-pool.ts';
import { EventStreamPool } from '../../firmware/core/http/event-stream-pool.ts';
import { until } from '../support.ts';

const pool = suite('places for connections');

/** A pool whose connections have names; `gone` are those that were closed for a newcomer, in order. */
function named(limits: PoolLimits) {
  const connections = new ConnectionPool(limits);
  const gone: string[] = [];
  const enter = (address: string, name = address) => connections.admit(address, () => gone.push(name));
  const must = (address: string, name = address): ConnectionSlot => {
    const slot = enter(address, name);
    if (slot === null) throw new Error(`${name} found no place`);
    return slot;
  };
  return { gone, enter, must };
}

pool('one that was served before stays longer than one that was never heard, however old it is', () => {
  const { gone, must } = named({ total: 2, perAddress: 2 });
  const till = must('till');
  till.move('busy');
  till.move('idle');
  for (let n = 0; n < 5; n += 1) must(`stranger ${n}`);
  assert.equal(gone, ['stranger 0', 'stranger 1', 'stranger 2', 'stranger 3']);
});

pool('of those that are idle, the one that has been so longest goes', () => {
  const { gone, must } = named({ total: 2, perAddress: 2 });
  const [first, second] = [must('first'), must('second')];
  for (const slot of [first, second, first]) {
    slot.move('busy');
    slot.move('idle');
  }
  must('third');
  assert.equal(gone, ['second']);
});

pool('one in the middle of a body or answer goes when no other can, the longest at it first', () => {
  const { gone, must } = named({ total: 4, perAddress: 4 });
  const [first, second, busy, idle] = [must('first'), must('second'), must('busy'), must('idle')];
  busy.move('busy');
  second.move('transfer');
  first.move('transfer');
  idle.move('idle');
  for (const name of ['a', 'b', 'c']) must(name).move('busy');
  assert.equal(gone, ['idle', 'second', 'first']);
});

pool('an address over its share closes connections of its own, and of no other', () => {
  const { gone, must } = named({ total: 10, perAddress: 2 });
  must('till');
  for (let n = 0; n < 6; n += 1) must('crowd', `crowd ${n}`);
  assert.equal(gone, ['crowd 0', 'crowd 1', 'crowd 2', 'crowd 3']);
});

pool('a place that was left is free, and left twice it counts once', () => {
  const { gone, must } = named({ total: 2, perAddress: 2 });
  const first = must('a');
  must('b');
  first.release();
  first.release();
  first.move('idle');
  must('c');
  assert.equal(gone, []);
  must('d');
  assert.equal(gone, ['b']);
});

pool('streams: a share for each address, a limit in all, and places of its own for this machine', () => {
  const places = new EventStreamPool({ total: 3, perAddress: 2 });
  const refused = (address: string, kind: string): void =>
    assert.throws(
      () => places.take(address),
      (error: unknown) => error instanceof HttpFailure && error.kind === kind && (error.retryAfterS ?? 0) > 0,
      `${address} ${kind}`,
    );
  const first = places.take('192.0.2.1');
  places.take('::ffff:192.0.2.1');
  refused('192.0.2.1', 'too-many');
  places.take('192.0.2.2');
  refused('192.0.2.3', 'busy');
  for (let n = 0; n < 3; n += 1) places.take('127.0.0.1');
  refused('::1', 'busy');
  first();
  places.take('192.0.2.1');
  refused('192.0.2.1', 'busy');
});

pool('streams: a place is free again when its stream has ended, and where none could be opened', async () => {
  const places = new EventStreamPool({ total: 1, perAddress: 1 });
  const streams = [
    () => {
      throw new Error('it cannot be read');
    },
    () => Readable.from(['one']),
    () => Readable.from(['two']),
  ];
  const app = fastify();
  app.get('/', (request, reply) => places.send(request, reply, () => streams.shift()?.() ?? Readable.from([])));
  assert.is((await app.inject('/')).json().message, 'it cannot be read');
  assert.is((await app.inject('/')).body, 'one');
  await until('the second', async () => (await app.inject('/')).body === 'two');
  await app.close();
});

pool.run();
