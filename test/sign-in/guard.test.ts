/** What the guard makes of a session. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Guard } from '../../firmware/core/http/guard/guard.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';

const test = suite('guard and people');

const TILL = 'http://till.example';

function guarded(settings: Readonly<Record<string, string>> = {}, isLocked = true) {
  const used: string[] = [];
  const { api } = loadConfig(null, { LANEWARE_API_CORS: TILL, ...settings }).config;
  const guard = new Guard(api, false, undefined, {
    isLocked,
    cookie: 'laneware',
    find: (secret) => (secret === 'good' ? { owner: { role: 'technician', till: null }, by: 'pin' } : null),
    use: (secret) => used.push(secret),
    onChange: () => () => undefined,
  });
  guard.origins.serves(8080);
  const caller = (method: string, headers: Record<string, string>) => ({
    method,
    headers: { host: '127.0.0.1:8080', ...headers },
    remoteAddress: '127.0.0.1',
    localAddress: '127.0.0.1',
    isEncrypted: false,
  });
  return { guard, used, caller };
}

test('a change is use of the session, a look is none', () => {
  const { guard, used, caller } = guarded();
  const headers = { cookie: 'other=1; laneware=good', 'sec-fetch-site': 'same-origin' };
  assert.equal(guard.enter(caller('GET', headers)), { credential: 'technician', till: null, signedInBy: 'pin' });
  assert.equal(used, []);
  guard.enter(caller('POST', headers));
  assert.equal(used, ['good']);
});

test('what another page asks for is asked without the session, by what the browser says of it', () => {
  const { guard, used, caller } = guarded();
  for (const [method, more, became] of [
    ['GET', { 'sec-fetch-site': 'same-origin' }, 'technician'],
    ['GET', { 'sec-fetch-site': 'none' }, 'technician'],
    ['GET', { 'sec-fetch-site': 'same-site' }, /sign in/],
    ['GET', { 'sec-fetch-site': 'cross-site' }, /web page of another site/],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, /sign in/],
    ['POST', { 'sec-fetch-site': 'same-site' }, /page of this device/],
    ['POST', { 'sec-fetch-site': 'cross-site' }, /web page of another site/],
    ['POST', { 'sec-fetch-site': 'none' }, /page of this device/],
    ['POST', {}, /page of this device/],
  ] as const) {
    const enter = () => guard.enter(caller(method, { cookie: 'laneware=good', ...more }));
    if (typeof became === 'string') assert.is(enter().credential, became, JSON.stringify([method, more]));
    else assert.throws(enter, became, JSON.stringify([method, more]));
  }
  assert.equal(used, []);
});

test('the session of our pages is none of a till that is a page', () => {
  const { guard, used, caller } = guarded();
  const headers = { cookie: 'laneware=good', origin: TILL, 'sec-fetch-site': 'same-site' };
  for (const method of ['GET', 'POST'])
    assert.equal(guard.enter(caller(method, headers)), { credential: 'loopback', till: null, signedInBy: null });
  assert.equal(used, []);
});

test('an unknown cookie alone makes its caller count as a page', () => {
  const { guard, caller } = guarded();
  assert.throws(() => guard.enter(caller('GET', { cookie: 'laneware=old' })), /sign in/);
  assert.is(guard.enter(caller('GET', {})).credential, 'loopback');
});

test('the customer’s screen is followed over the network as long as its token opens it', () => {
  const { guard, caller } = guarded({ LANEWARE_API_TOKENS_TILL: 'made-up-token-of-a-till' });
  const far = (headers: Record<string, string>) => ({
    ...caller('GET', { host: '192.0.2.2:8080', ...headers }),
    remoteAddress: '192.0.2.1',
    localAddress: '192.0.2.2',
  });
  assert.ok(guard.wouldEnter(caller('GET', {}), 'loopback', true));
  assert.ok(guard.wouldEnter(far({ authorization: 'Bearer made-up-token-of-a-till' }), 'till', true));
  assert.not(guard.wouldEnter(far({ authorization: 'Bearer former-token-of-a-till' }), 'till', true));
});

test('a token, or this machine, enters beside any cookie; a session enters as long as it lasts', () => {
  const { guard, caller } = guarded({ LANEWARE_API_TOKENS_TILL: 'made-up-token-of-a-till' });
  const dead = { cookie: 'laneware=dead' };
  const token = { authorization: 'Bearer made-up-token-of-a-till' };
  const passedOn = caller('GET', { ...dead, ...token, via: '1.1 proxy' });
  assert.is(guard.enter(passedOn).credential, 'till');
  assert.ok(guard.wouldEnter(passedOn, 'till'));
  assert.not(guard.wouldEnter(passedOn, 'technician'), 'it has come by a session of more rights');
  assert.ok(guard.wouldEnter(caller('GET', { cookie: 'laneware=good' }), 'technician'));
  assert.not(guard.wouldEnter(caller('GET', dead), 'technician'));
  assert.not(guard.wouldEnter(caller('GET', dead), 'loopback'), 'a page, and pages are locked');
  assert.ok(guard.wouldEnter(caller('GET', {}), 'loopback'));
  const open = guarded({}, false);
  assert.is(open.guard.enter(open.caller('GET', dead)).credential, 'loopback');
  assert.ok(open.guard.wouldEnter(open.caller('GET', dead), 'loopback'));
});

test.run();
