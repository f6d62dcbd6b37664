/** A whole device and its chain: payments, and what the device says of itself, from the till to the chain. */

import * as assert from 'uvu/assert';
import { encodePart } from '../../../drivers/lib/text.ts';
import { suiteNeeding } from '../../needing.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../../support.ts';
import { type ChainServer, NO_SERVER, startServer } from './nats.ts';

const test = suiteNeeding(NO_SERVER, 'chain: from the till to the chain');

const configured = (url: string, credentials: string) => ({
  ...{ LANEWARE_SERIAL: 'LW7', LANEWARE_CHAIN_URLS: url, LANEWARE_CHAIN_CREDENTIALS: credentials },
});

const sell = async (terminal: string, amount: number): Promise<void> => {
  const { status, text } = await call(`${terminal}/showQR`, { json: { amount } });
  assert.is(status, 200, text);
};

async function partOf({ recognition }: Pick<TestDevice, 'recognition'>, name: string) {
  const { body } = await call(`${recognition}/health`);
  return body.data.parts.find(({ part }: { part: string }) => part === name);
}

const eventsAt = async ({ messagesOf }: ChainServer) =>
  (await messagesOf('EVENTS')).map(({ subject, id, body }) => ({ subject, id, ...JSON.parse(body) }));

test('what is sold lies at the chain with device and number, and so does the device’s state', async () => {
  await using server = await startServer();
  await server.makeStreams();
  await using device = await startTestDevice(configured(server.url, server.admit('M1')));
  await setUp(device);
  for (const amount of [100, 200, 300]) await sell(device.terminal, amount);
  const told = await until('all', async () => {
    const events = (await eventsAt(server)).filter(({ type }) => type === 'payment.shown');
    return events.length === 3 ? events : null;
  });
  const amounts = told.map(({ payment }) => payment.amount);
  assert.equal(amounts, [100, 200, 300]);
  for (const { subject, device: serial, number, id } of told) {
    assert.equal([subject, serial], [`up.M1.event.${encodePart('LW7')}.payment`, 'LW7']);
    assert.ok(number > 0 && !id.includes(String(number)), 'a name that nobody guesses');
  }
  const inventory = await until('its state', async () => {
    const states = await server.messagesOf('STATES');
    return states.find(({ subject }) => subject === `up.M1.state.${encodePart('LW7')}.inventory`);
  });
  const { serial, role, sales } = JSON.parse(inventory.body);
  assert.equal([serial, role], ['LW7', 'standalone']);
  assert.ok(['sells', 'sells-look-later'].includes(sales), inventory.body);
  assert.is((await partOf(device, 'chain')).state, 'ok');
});

test('a chain that does not know the device leaves the sale alone, and /health says what to do', async () => {
  await using server = await startServer();
  await using stranger = await startServer();
  await using device = await startTestDevice(configured(server.url, stranger.admit('M1')));
  await setUp(device);
  await sell(device.terminal, 100);
  const part = await until('the part', async () => {
    const found = await partOf(device, 'chain');
    return found.state === 'ok' ? null : found;
  });
  assert.equal([part.state, part.sales, part.reasons[0].code], ['degraded', 'sells-look-later', 'chain-credentials']);
  assert.match(
    part.reason,
    /^The chain does not accept the credentials of this device.*M1 .*: put others in their place/,
  );
});

test('a device without a chain says nothing of one', async () => {
  await using device = await startTestDevice();
  assert.is(await partOf(device, 'chain'), undefined);
  const { text } = await call(`${device.recognition}/metrics`);
  assert.not.match(text, /laneware_payments_untold/);
});

test.run();
