/** `lanectl webhooks`: how addresses stand, what was sent, a test, and exit codes that a script may go by. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { call, setUp, startTestDevice, until } from '../support.ts';
import { OK, SECRET, TestReceiver } from '../terminal/webhook-rig.ts';
import { lanectl, leadingTo } from './lanectl.ts';

const test = suite('lanectl webhooks');

test('addresses are listed, tested and sent an event again; a failed delivery is reported, and ends with 9', async () => {
  await using good = await TestReceiver.open();
  await using bad = await TestReceiver.open();
  bad.answer = (response) => response.writeHead(503).end('made-up words of a receiver');
  const addresses = [
    { url: `${good.url}?k=made-up-key`, secret: SECRET },
    { url: bad.url, secret: SECRET, types: ['payment.created'] },
  ];
  await using device = await startTestDevice({ LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify(addresses) });
  await setUp(device);
  const env = leadingTo(device);
  const run = (...args: string[]) => lanectl(['webhooks', ...args], { env });
  const before = await run();
  assert.is(before.code, 0, before.stderr);
  assert.match(before.stdout, /^[0-9a-f]{12} {2}http:\S+\?… +all +all sent$/m);
  assert.match(before.stdout, /payment\.created +all sent$/m);

  await call(`${device.terminal}/showQR`, { json: { amount: 1200 } });
  await until('taken, and not', () => good.received.length === 2 && bad.received.length > 0);
  const listed = await run('list', '--json');
  assert.is(listed.code, EXIT_CODES.faults);
  const { webhooks } = JSON.parse(listed.stdout);
  assert.equal(
    webhooks.map(({ problem }: { problem: string | null }) => problem),
    [null, 'it answered HTTP 503'],
  );
  assert.match((await run('list')).stdout, /2 waiting, it answered HTTP 503, again at \d\d:\d\d:\d\d$/m);

  const [one, other] = webhooks.map(({ id }: { id: string }) => id);
  const taken = await run('test', one);
  assert.equal([taken.code, good.received.at(-1)?.type], [0, 'test']);
  assert.match(taken.stdout, /^http:\S+\?… took it \(\d+ ms\)\n$/);
  const refused = await run('test', other);
  assert.is(refused.code, EXIT_CODES.faults);
  assert.match(refused.stdout, /did not take it: it answered HTTP 503 \(\d+ ms\)\n$/);
  const each = await run('test', '--json');
  assert.is(each.code, EXIT_CODES.faults);
  assert.equal(
    each.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status),
    [204, 503],
  );
  const unknown = await run('test', '000000000000', '--json');
  assert.is(unknown.code, EXIT_CODES.refused);
  assert.is(JSON.parse(unknown.stdout).error.code, 'Webhooks.AddressNotFound');
  assert.is((await run('test', 'https://till.shop.example')).code, EXIT_CODES.usage);

  const sent = JSON.parse((await run('deliveries', '--json')).stdout).deliveries;
  const waiting = sent.find(({ state }: { state: string }) => state === 'waiting');
  assert.is(waiting.webhook, other);
  const people = await run('deliveries', '--limit', '1');
  assert.match(people.stdout, /^delivery +last sent +event +state +attempts +url\n\d+ [^\n]+\n$/);
  const inVain = await run('redeliver', String(waiting.id));
  assert.is(inVain.code, EXIT_CODES.faults);
  bad.answer = OK;
  const again = await run('redeliver', String(waiting.id), '--json');
  assert.is(again.code, 0, again.stderr);
  assert.is(JSON.parse(again.stdout).state, 'delivered');
  assert.is((await run('redeliver', '999')).code, EXIT_CODES.refused);
  await until('it goes on', async () => (await run()).code === 0);
  for (const { stdout, stderr } of [before, listed, taken, refused, each]) assert.not.match(stdout + stderr, /made-up/);
});

test('where no address is configured that is said, and nothing can be tested', async () => {
  await using device = await startTestDevice();
  const env = leadingTo(device);
  const none = await lanectl(['webhooks'], { env });
  assert.equal([none.code, none.stdout.slice(0, 39)], [0, 'no webhooks: set them in terminal.webho']);
  const tested = await lanectl(['webhooks', 'test'], { env });
  assert.is(tested.code, EXIT_CODES.failed);
  assert.match(tested.stderr, /terminal\.webhooks of the configuration/);
});

test('no more is asked for than the device lists at once', async () => {
  await using device = await startTestDevice();
  const env = leadingTo(device);
  for (const list of [
    ['webhooks', 'deliveries'],
    ['shifts', 'list'],
  ]) {
    assert.is((await lanectl([...list, '--limit', '100'], { env })).code, 0);
    const { code, stderr } = await lanectl([...list, '--limit', '101'], { env });
    assert.is(code, EXIT_CODES.usage, list.join(' '));
    assert.match(stderr, /from 1 to 100/);
  }
});

test.run();
