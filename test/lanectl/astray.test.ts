import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeviceClient } from '../../firmware/core/cli/client.ts';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { atEnd } from '../support.ts';
import { ends, lanectl, lanectlHere } from './lanectl.ts';
import { answering, foreign, type hangUp, MARK, PAYMENT, scripted } from './stand-in.ts';

const test = suite('lanectl, astray');

/** Where nothing listens. */
const env = { LANEWARE_URL: 'http://127.0.0.1:9', LANEWARE_RECOGNITION_URL: 'http://127.0.0.1:9' };

const PAID = { ...PAYMENT, state: 'ACCEPTED' };
const REFUND = { id: 'r-1', payment: 'p-1', amount: 500, state: 'pending', reason: null };

test('every command reports a page that is no answer of a device, and waits for nothing', async () => {
  await using other = await scripted(foreign(200));
  for (const args of [
    ['status'],
    ['status', '7'],
    ['pay', '10'],
    ['refund', '7', '5'],
    ['call'],
    ['call', 'getDayReport', '--format', 'csv'],
    ['watch'],
    ['setup', '--print'],
  ]) {
    const { code, stdout, stderr } = await lanectl(args, { env: other.env });
    assert.equal([code, stdout], [EXIT_CODES.refused, ''], args.join(' '));
    assert.match(stderr, /is not a Laneware device: it answers HTTP 200; use the address/);
  }
});

/** An answer whose body begins and does not go on. */
function silentBehind(status: number) {
  return mock.method(globalThis, 'fetch', async (_url: string, { signal }: RequestInit) => {
    const body = new ReadableStream({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
    });
    return new Response(body, { status, headers: { ...MARK, 'content-type': 'application/json' } });
  });
}

test('a device that sends a status and then stays silent holds no caller for more than a minute', async () => {
  const given = { terminal: 'http://127.0.0.1:9', recognition: null };
  const client = new DeviceClient({ given, token: null, onSlow: () => undefined });
  for (const [status, ask] of [
    [500, () => client.opened('terminal', '/v1/events')],
    [200, () => client.call('terminal', '/v1/payments')],
    [200, () => client.read('terminal', '/metrics', (answer) => answer.text())],
  ] as const) {
    mock.timers.enable({ apis: ['setTimeout'] });
    silentBehind(status);
    using _end = atEnd(() => mock.reset());
    let error: unknown = null;
    ask().catch((reason: unknown) => {
      error = reason;
    });
    for (const ms of [59_999, 1]) {
      for (let n = 0; n < 20; n += 1) await turn();
      assert.is(error, null);
      mock.timers.tick(ms);
    }
    for (let n = 0; n < 20; n += 1) await turn();
    assert.match(String(error), /127\.0\.0\.1:9 does not answer: no answer within a minute/, `${ask}`);
  }
});

test('JSON of another program is no payment', async () => {
  await using other = await scripted(
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  await ends('refused', lanectl(['pay', '10'], { env: other.env }));
  assert.is(other.asked.length, 1);
});

test('a redirect is reported and not followed', async () => {
  await using other = await scripted(foreign(302, { location: 'https://lane.example:1234/' }));
  const { stderr } = await ends('refused', lanectl(['pay', '10'], { env: other.env }));
  assert.match(stderr, /it redirects to https:\/\/lane\.example:1234\/; use the address/);
});

test('a failing gateway may have passed the call on: sent again with its key, it is no refusal', async () => {
  for (const [args, done] of [
    [['pay', '10'], answering(200, PAID)],
    [['refund', '7', '5'], answering(200, { ...REFUND, state: 'done' })],
  ] as const) {
    const inJson = (response: Parameters<typeof hangUp>[0]): void =>
      void response.writeHead(504, { 'content-type': 'application/json' }).end('{"detail": "upstream"}');
    await using between = await scripted(foreign(502), inJson, done);
    await ends('ok', lanectl(args, { env: between.env }));
    assert.equal([between.asked.length, new Set(between.asked.map(({ key }) => key)).size], [3, 1]);
  }
  await using between = await scripted(foreign(502));
  const { stderr } = await ends(
    'undecided',
    lanectl(['pay', '10', '--timeout', '2', '--key', 'k'], { env: between.env }),
  );
  assert.match(stderr, /answers HTTP 502; the same command with --key k says what became of it\n$/);
  const { stdout } = await lanectlHere(['doctor', '--json'], between.env);
  assert.is(JSON.parse(stdout).faults[0].code, 'port.taken');
});

test('what a device says moves no cursor, clears no screen and sets no title', async () => {
  const evil = '\u001b[2J\u001b]0;title\u0007paid\u009b1A\rno';
  const harmless = '\ufffd[2J\ufffd]0;title\ufffdpaid\ufffd1A\ufffdno';
  await using refuses = await scripted(answering(409, { detail: evil, code: 'Payments.MadeUp' }));
  const refused = await lanectlHere(['pay', '10'], refuses.env);
  assert.equal([refused.code, refused.stderr], [EXIT_CODES.refused, `lanectl: ${harmless}\n`]);
  await using declines = await scripted(answering(201, { ...PAYMENT, state: 'REJECTED', error: evil }));
  const declined = await lanectlHere(['pay', '10'], declines.env);
  const said = [declined.code, declined.stdout];
  assert.equal(said, [EXIT_CODES.declined, `payment 7 of 10.00 roubles: declined by the bank: ${harmless}\n`]);
});

test('an empty variable of a script is no id of a payment', async () => {
  for (const args of [
    ['status', ''],
    ['status', '..'],
    ['refund', '.', '5'],
    ['refund', ' ', '--all'],
  ]) {
    await ends('usage', lanectlHere(args, env), /It must be the id or the number of a payment\./);
  }
});

test('with --json nothing but JSON comes out, and a misuse has a code of its own', async () => {
  for (const [what, args] of [
    ['Option', ['pay', '1', '--never']],
    ['Option', ['pay', '1', '--purpose']],
    ['Command', ['nothing']],
    ['Argument', ['pay']],
    ['Argument', ['doctor', 'more']],
    ['Value', ['pay', 'much']],
    ['Value', ['status', '--url', 'nowhere']],
    ['File', ['setup', '/nonexistent/file']],
  ] as const) {
    const { code, stdout } = await lanectlHere([...args, '--json'], env);
    const { exit, code: key } = JSON.parse(stdout).error;
    assert.equal({ code, exit, key }, { code: EXIT_CODES.usage, exit: 'usage', key: `Usage.${what}` }, args.join(' '));
  }
});

test.run();
