/** Of an answer no more is read than a bank's may be long; one that breaks off is none. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankClient } from '../../../firmware/banks/bank-client.ts';
import { BankError } from '../../../firmware/banks/bank-error.ts';
import { MAX_ANSWER_BYTES } from '../../../firmware/banks/http-answer.ts';
import { listening } from '../../ports.ts';
import { patient } from './support.ts';

const test = suite('bank answers: how long');

const EXPECTED = { shape: Type.Object({ said: Type.String() }), otherwise: 'it said nothing' };
const ofBytes = (bytes: number): string => JSON.stringify({ said: 'x'.repeat(bytes - '{"said":""}'.length) });

/** Asks a bank that answers so. @param before that must be before the client is closed @returns what it said, or how that failed */
async function asked(answer: (response: ServerResponse) => void, before?: Promise<unknown>): Promise<string> {
  await using bank = await listening(createServer((_, response) => answer(response)));
  const client = new BankClient({ baseUrl: bank.url });
  const limit = patient();
  const endless = once(limit, 'abort')
    .then(() => setImmediate())
    .then(() => Promise.reject(new Error('it has no end')));
  try {
    const { said } = await Promise.race([client.call({ method: 'GET', path: '/' }, EXPECTED, limit), endless]);
    return said;
  } catch (error) {
    assert.instance(error, BankError);
    await before;
    return (error as BankError).code;
  } finally {
    client.close();
  }
}

test('as long as it may be, in one piece or in two', async () => {
  const longest = ofBytes(MAX_ANSWER_BYTES);
  const pieces = (response: ServerResponse): void => {
    response.write(longest.slice(0, 1000));
    setImmediate().then(() => response.end(longest.slice(1000)));
  };
  for (const answer of [(response: ServerResponse) => response.end(longest), pieces])
    assert.is((await asked(answer)).length, JSON.parse(longest).said.length);
});

test('one byte more', async () => {
  assert.is(await asked((response) => response.end(ofBytes(MAX_ANSWER_BYTES + 1))), 'contradiction');
});

test('without an end: the connection is closed', async () => {
  const closed = Promise.withResolvers<unknown>();
  const goOn = (response: ServerResponse): void => {
    while (!response.closed && response.write('x'.repeat(10_000)));
    response.once('drain', () => goOn(response));
  };
  const verdict = await asked((response) => {
    closed.resolve(once(response, 'close', { signal: patient() }));
    goOn(response);
  }, closed.promise);
  assert.is(verdict, 'contradiction');
});

test('one that breaks off', async () => {
  const verdict = await asked((response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"said":', () => response.socket?.destroy());
  });
  assert.is(verdict, 'unreachable');
});

test('one that switches protocols: the connection is closed', async () => {
  const closed = Promise.withResolvers<unknown>();
  const verdict = await asked(({ socket }) => {
    assert.ok(socket);
    closed.resolve(once(socket, 'close', { signal: patient() }));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
  }, closed.promise);
  assert.is(verdict, 'unreachable');
});

test.run();
