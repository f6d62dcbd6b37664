/** Access tokens that expire: one question for all, before the end of the one in use, and none of them in an error. */
import { Type } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../../firmware/terminal/banks/bank.ts';
import { type AccessToken, AccessTokens } from '../../../firmware/terminal/banks/http/access-tokens.ts';
import { BankClient } from '../../../firmware/terminal/banks/http/bank-client.ts';
import { bankError, patient } from './support.ts';
import { startWireBank } from './wire-bank.ts';

const test = suite('access tokens');

const MINUTE_MS = 60_000;

/** A bank whose answers come when the test says so. */
class Tokens {
  readonly closing = new AbortController();
  now = 0;
  lifeMs = 30 * MINUTE_MS;
  asked = 0;
  signals: AbortSignal[] = [];
  /** Answers the questions that wait; null answers at once. */
  answers: PromiseWithResolvers<void> | null = null;
  failure: Error | null = null;
  readonly store = new AccessTokens(
    async (signal): Promise<AccessToken> => {
      this.signals.push(signal);
      this.asked += 1;
      const value = `token-${this.asked}`;
      await this.answers?.promise;
      if (this.failure !== null) throw this.failure;
      return { value, lifeMs: this.lifeMs };
    },
    this.closing.signal,
    () => this.now,
  );

  get = (signal = patient()): Promise<string> => this.store.call(async (token) => token, signal);
}

const gone = new BankError('unreachable', 'the bank is away');
const unauthorised = new BankError('refused', 'the bank refused (HTTP 401)', { status: 401 });

test('a token is asked for once, and again before it ends: a minute, or a tenth of a short life', async () => {
  for (const [lifeMs, freshMs] of [
    [30 * MINUTE_MS, 29 * MINUTE_MS],
    [MINUTE_MS, 54_000],
  ] as const) {
    const tokens = new Tokens();
    tokens.lifeMs = lifeMs;
    assert.is(await tokens.get(), 'token-1');
    tokens.now = freshMs - 1;
    assert.is(await tokens.get(), 'token-1');
    tokens.now = freshMs;
    assert.is(await tokens.get(), 'token-2');
    assert.is(tokens.asked, 2);
  }
});

test('all who need a token at once wait for one question', async () => {
  const tokens = new Tokens();
  tokens.answers = Promise.withResolvers<void>();
  const all = Array.from({ length: 20 }, () => tokens.get());
  tokens.answers.resolve();
  assert.equal([...new Set(await Promise.all(all))], ['token-1']);
  assert.is(tokens.asked, 1);
});

test('a caller that gives up waiting does not end the question for the others', async () => {
  const tokens = new Tokens();
  tokens.answers = Promise.withResolvers<void>();
  const hurried = new AbortController();
  const [first, second] = [tokens.get(hurried.signal), tokens.get()];
  hurried.abort();
  await bankError('unreachable', first);
  await bankError('unreachable', tokens.get(AbortSignal.abort()));
  assert.not.ok(tokens.signals[0]?.aborted);
  tokens.answers.resolve();
  assert.is(await second, 'token-1');
  assert.is(tokens.asked, 1);
});

test('a question that fails fails for all who waited, and the next caller asks again', async () => {
  const tokens = new Tokens();
  tokens.failure = gone;
  const all = [tokens.get(), tokens.get()];
  for (const each of all) await bankError('unreachable', each);
  assert.is(tokens.asked, 1);
  tokens.failure = null;
  assert.is(await tokens.get(), 'token-2');
});

test('a token that is good still is used while the bank gives no new one, and not a moment longer', async () => {
  const tokens = new Tokens();
  await tokens.get();
  tokens.failure = gone;
  tokens.now = 30 * MINUTE_MS - 1;
  assert.is(await tokens.get(), 'token-1');
  tokens.now = 30 * MINUTE_MS;
  await bankError('unreachable', tokens.get());
  assert.is(tokens.asked, 3);
});

test('a token that the bank no longer takes is replaced, and the call made again; concurrent calls ask for one', async () => {
  const tokens = new Tokens();
  await tokens.get();
  const tried: string[] = [];
  const work = async (token: string) => {
    tried.push(token);
    if (token === 'token-1') throw unauthorised;
    return token;
  };
  const all = [tokens.store.call(work, patient()), tokens.store.call(work, patient())];
  assert.equal(await Promise.all(all), ['token-2', 'token-2']);
  assert.equal(tried, ['token-1', 'token-1', 'token-2', 'token-2']);
  assert.is(tokens.asked, 2);
});

test('a refusal of the token before says nothing of the one that has taken its place', async () => {
  const tokens = new Tokens();
  await tokens.get();
  const gate = Promise.withResolvers<void>();
  const slow = tokens.store.call(async (token) => {
    if (token !== 'token-1') return token;
    await gate.promise;
    throw unauthorised;
  }, patient());
  tokens.now = 29 * MINUTE_MS;
  assert.is(await tokens.get(), 'token-2');
  gate.resolve();
  assert.is(await slow, 'token-2');
  assert.is(tokens.asked, 2);
});

test('a token that the bank takes no longer is not used while it gives no new one', async () => {
  const tokens = new Tokens();
  await tokens.get();
  const gate = Promise.withResolvers<void>();
  const slow = tokens.store.call(async () => {
    await gate.promise;
    throw unauthorised;
  }, patient());
  tokens.now = 29 * MINUTE_MS;
  tokens.answers = Promise.withResolvers<void>();
  tokens.failure = gone;
  const waiting = tokens.get();
  gate.resolve();
  const refused = bankError('unreachable', slow);
  await new Promise((resolve) => setImmediate(resolve));
  tokens.answers.resolve();
  await bankError('unreachable', waiting);
  await refused;
});

test('a bank that takes no token at all is asked twice, never on and on; other refusals are not repeated', async () => {
  const tokens = new Tokens();
  let calls = 0;
  const refuse = (error: BankError) => () => {
    calls += 1;
    return Promise.reject(error);
  };
  assert.is(await bankError('refused', tokens.store.call(refuse(unauthorised), patient())), unauthorised);
  assert.is(calls, 2);
  await bankError('refused', tokens.store.call(refuse(new BankError('refused', 'no', { status: 403 })), patient()));
  await bankError('unreachable', tokens.store.call(refuse(gone), patient()));
  assert.is(calls, 4);
});

test('a device that closes ends the question under way', async () => {
  const tokens = new Tokens();
  tokens.answers = Promise.withResolvers<void>();
  const waiting = tokens.get();
  tokens.closing.abort();
  assert.ok(tokens.signals[0]?.aborted);
  tokens.failure = gone;
  tokens.answers.resolve();
  await bankError('unreachable', waiting);
});

test('over HTTP: an expired token is renewed, and one that the bank repeats is in no error', async () => {
  let valid = 'token-2';
  await using server = await startWireBank(({ headers }) =>
    headers.authorization === `Bearer ${valid}`
      ? { body: { state: 'fine' } }
      : { status: 401, body: { code: `bad ${headers.authorization}`, message: `expired: ${headers.authorization}` } },
  );
  const client = new BankClient({ baseUrl: server.url });
  const tokens = new Tokens();
  const ask = (): Promise<{ state: string }> =>
    tokens.store.call(
      (token) =>
        client.call(
          { method: 'GET', path: '/state', headers: { authorization: `Bearer ${token}` } },
          { shape: Type.Object({ state: Type.String() }), otherwise: 'no state' },
          patient(),
        ),
      patient(),
    );
  assert.equal(await ask(), { state: 'fine' });
  assert.equal(
    server.asked.map(({ headers }) => headers.authorization),
    ['Bearer token-1', 'Bearer token-2'],
  );
  valid = 'none';
  const error = await bankError('refused', ask());
  assert.match(error.message, 'expired: Bearer <TOKEN>');
  assert.equal([error.bankCode, error.status], ['bad Bearer <TOKEN>', 401]);
  assert.not.match(`${error.message} ${error.bankCode} ${error.stack}`, /token-\d/);
  client.close();
});

test.run();
