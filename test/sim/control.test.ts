/** The control of a simulated lane: what it moves, what it passes on to the bank, and what it refuses. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Sim, startSim } from '../../firmware/tools/sim/sim.ts';
import { type Answer, call, temporaryFolder, until } from '../support.ts';
import { ask, ends, NO_MODEL, put, type Urls } from './lane.ts';

const test = suite('the control of a simulated lane');

const FREE_PORTS = { LANEWARE_TERMINAL_PORT: '0', LANEWARE_RECOGNITION_PORT: '0', LANEWARE_SANDBOXBANK_PORT: '0' };
const start = (dataDir: string | null, controlPort = 0): Promise<Sim> =>
  startSim({ speed: 1, dataDir, host: '127.0.0.1', controlPort, names: [], env: { ...NO_MODEL, ...FREE_PORTS } });

let lane: Sim;
let urls: Urls;
test.before(async () => {
  lane = await start(null);
  urls = lane.urls;
});
test.after(() => lane.close());

test('a code of five minutes is over at once where the clock is moved', async () => {
  await ask(urls, 12_500, { ttl: 5 });
  const before = Date.parse((await call(`${urls.control}/clock`)).body.now);
  const { body } = await call(`${urls.control}/clock/advance`, { json: { seconds: 361 } });
  assert.ok(Date.parse(body.now) - before >= 361_000);
  await ends(urls, 'CANCELED');
  assert.is.not((await call(`${urls.control}/display`)).body.picture.kind, 'qr');
  await ask(urls, 12_550);
  const [{ createdAt }] = (await call(`${urls.control}/sandbox/payments`)).body;
  assert.ok(Date.parse(createdAt) >= Date.parse(body.now), 'the clock of the bank is moved with it');
});

test('a display unplugged or stuck fails the sale as a real one does, and comes back', async () => {
  await put(`${urls.control}/display`, { wire: 'unplugged' });
  const refused = await ask(urls, 12_600);
  assert.equal([refused.body.error_category, refused.body.status], ['SerialPort', 'error']);
  assert.match(refused.body.error_message, /nothing is shown/);
  await put(`${urls.control}/display`, { wire: 'plugged' });
  const again = await until('the sale goes on', async () => {
    const answer = await ask(urls, 12_600);
    return answer.status === 200 ? answer : null;
  });
  assert.is(again.body.status, 'success');
  await put(`${urls.control}/display`, { wire: 'frozen' });
  const stuck = await ask(urls, 12_700);
  assert.match(stuck.body.error_message, /may have been seen|nothing is shown/);
  await put(`${urls.control}/display`, { wire: 'plugged' });
  await until('the sale goes on', async () => (await ask(urls, 12_700)).status === 200);
});

test('the bank is scripted through the control as at the bank itself', async () => {
  const faults = await call(`${urls.control}/sandbox/faults`, {
    json: { faults: [{ call: 'register', kind: 'error', times: 9 }] },
  });
  assert.is(faults.status, 200);
  assert.is((await ask(urls, 12_800)).body.error_category, 'Bank');
  await call(`${urls.control}/sandbox/faults`, { json: { faults: [] } });
  assert.is((await ask(urls, 12_900)).status, 200);
  assert.is((await call(`${urls.control}/payer/decline`, { method: 'POST' })).status, 200);
  await ends(urls, 'REJECTED');
  assert.is((await call(`${urls.control}/sandbox/payments`)).body[0].state, 'declined');
});

test('what the control cannot do it refuses in a sentence', async () => {
  const refusals: readonly (readonly [Promise<Answer>, number, RegExp])[] = [
    [put(`${urls.control}/clock`, { speed: 0 }), 400, /speed must be at least 1/],
    [put(`${urls.control}/clock`, { speed: 1001 }), 400, /speed must be at most 1000/],
    [put(`${urls.control}/clock`, { spede: 2 }), 400, /spede/],
    [call(`${urls.control}/clock/advance`, { json: { seconds: -1 } }), 400, /seconds must be/],
    [call(`${urls.control}/clock/advance`, { json: { seconds: 86_401 } }), 400, /seconds must be at most 86400/],
    [call(`${urls.control}/clock/advance`, { method: 'POST', body: 'x' }), 415, /application\/json/],
    [put(`${urls.control}/display`, { wire: 'cut' }), 400, /wire must be .*plugged/],
    [call(`${urls.control}/payer/pay`, { method: 'POST' }), 409, /no code is on the display/],
    [call(`${urls.control}/nothing`), 404, /GET \/display\.png/],
  ];
  for (const [answer, status, words] of refusals) {
    const { status: got, body } = await answer;
    assert.is(got, status, JSON.stringify(body));
    assert.match(body.error, words);
  }
  await call(`${urls.terminal}/showInfoQR`, { json: { infoQR: 'https://shop.example' } });
  const strange = await call(`${urls.control}/payer/pay`, { method: 'POST' });
  assert.equal([strange.status, /no payment of the sandbox bank/.test(strange.body.error)], [409, true]);
});

test('another site’s page moves nothing, and as many shown pictures are stored as are listed', async () => {
  const calls: readonly (readonly [string, string, object])[] = [
    ['/clock', 'PUT', { speed: 1 }],
    ['/clock/advance', 'POST', { seconds: 1 }],
    ['/display', 'PUT', { wire: 'plugged' }],
    ['/payer/pay', 'POST', {}],
    ['/sandbox/faults', 'POST', { faults: [] }],
  ];
  for (const [path, method, json] of calls) {
    const { status, body } = await call(`${urls.control}${path}`, {
      json,
      method,
      headers: { origin: 'https://evil.example' },
    });
    assert.equal([status, body.error], [403, 'a page of another site may not ask this'], path);
  }
  const own = await call(`${urls.control}/clock`, {
    json: { speed: 1 },
    method: 'PUT',
    headers: { origin: urls.control, 'content-type': 'application/json' },
  });
  assert.is(own.status, 200);
  for (let count = 1; count <= 51; count++)
    await call(`${urls.terminal}/showInfoQR`, { json: { infoQR: `https://shop.example/${count}` } });
  const { shown, picture } = (await call(`${urls.control}/display`)).body;
  const found = [shown.length, shown.at(-1).picture.payload, picture.payload];
  assert.equal(found, [50, 'https://shop.example/51', 'https://shop.example/51']);
});

test('a lane whose start fails lets go of its folder and ports', async () => {
  using folder = temporaryFolder();
  const { port } = new URL(urls.control);
  await start(folder.path, Number(port)).then(
    () => assert.unreachable(),
    ({ code }) => assert.is(code, 'EADDRINUSE'),
  );
  const sim = await start(folder.path);
  await sim.close();
});

test.run();
