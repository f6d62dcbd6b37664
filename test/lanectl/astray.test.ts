/** `lanectl` where what it is answered, prints or hears goes astray: it says nothing untrue, and no money is lost sight of. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { lanectl, lanectlHere, leadingTo, start } from './lanectl.ts';
import { answering, foreign, type hangUp, never, PAYMENT, scripted } from './stand-in.ts';

const test = suite('lanectl, astray');
const withFullDisk = needing(existsSync('/dev/full') ? null : 'there is no /dev/full', 'a full disk', test);
const run = promisify(execFile);

let device: TestDevice;
let env: Record<string, string>;
test.before(async () => {
  device = await startTestDevice();
  await setUp(device);
  env = leadingTo(device);
});
test.after(async () => device[Symbol.asyncDispose]());

const PAID = { ...PAYMENT, state: 'ACCEPTED' };
const REFUND = { id: 'r-1', payment: 'p-1', amount: 500, state: 'pending', reason: null };
const lastState = async (): Promise<string> =>
  (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments[0].state;

test('every command reports a page that is no answer of a device, and waits for nothing', async () => {
  await using other = await scripted(foreign(200));
  for (const args of [
    ['status'],
    ['status', '7'],
    ['pay', '10'],
    ['refund', '7', '5'],
    ['report'],
    ['report', '--csv'],
    ['watch'],
    ['webhooks'],
    ['items', 'export', '-'],
    ['recognise'],
    ['setup', '--print'],
  ]) {
    const { code, stdout, stderr } = await lanectl(args, { env: other.env });
    assert.equal([code, stdout], [EXIT_CODES.refused, ''], args.join(' '));
    assert.match(stderr, /is not a Laneware device: it answers HTTP 200; use the address/);
  }
});

test('JSON of another program is no payment', async () => {
  await using other = await scripted(
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  const { code, stderr } = await lanectl(['pay', '10'], { env: other.env });
  assert.is(code, EXIT_CODES.refused, stderr);
  assert.is(other.asked.length, 1);
});

test('a redirect is reported and not followed', async () => {
  await using other = await scripted(foreign(302, { location: 'https://lane.example:1234/' }));
  const { code, stderr } = await lanectl(['pay', '10'], { env: other.env });
  assert.is(code, EXIT_CODES.refused);
  assert.match(stderr, /it redirects to https:\/\/lane\.example:1234\/; use the address/);
});

test('a gateway that fails may have passed the call on: it is sent again with its key, and never taken for a refusal', async () => {
  for (const [args, done] of [
    [['pay', '10'], answering(200, PAID)],
    [['refund', '7', '5'], answering(200, { ...REFUND, state: 'done' })],
  ] as const) {
    const inJson = (response: Parameters<typeof hangUp>[0]): void =>
      void response.writeHead(504, { 'content-type': 'application/json' }).end('{"detail": "upstream"}');
    await using between = await scripted(foreign(502), inJson, done);
    const { code, stderr } = await lanectl(args, { env: between.env });
    assert.is(code, 0, stderr);
    assert.equal([between.asked.length, new Set(between.asked.map(({ key }) => key)).size], [3, 1]);
  }
  await using between = await scripted(foreign(502));
  const { code, stderr } = await lanectl(['pay', '10', '--timeout', '2', '--key', 'k'], { env: between.env });
  assert.is(code, EXIT_CODES.undecided);
  assert.match(stderr, /answers HTTP 502; the same command with --key k says what became of it\n$/);
  const { stdout } = await lanectlHere(['doctor', '--json'], between.env);
  assert.is(JSON.parse(stdout).faults[0].code, 'port.taken');
});

test('a refund that is interrupted ends with 8 and names its key, whether a call is under way or the bank is waited for', async () => {
  for (const answer of [never, answering(202, REFUND)]) {
    await using bank = await scripted(answer);
    await using running = start(['refund', '7', '5', '--key', 'back-1', '--json'], { env: bank.env });
    await until('a call, and its answer', () => bank.asked.length > (answer === never ? 0 : 1));
    running.signal('SIGINT');
    const { code, stderr, stdout } = await running.ended;
    assert.is(code, EXIT_CODES.undecided, stderr);
    const printed = JSON.parse(stdout);
    assert.is((printed.error ?? printed).key, 'back-1');
    if (answer === never)
      assert.match(stderr, /it may have been made, or not: lanectl refund 7 5\.00 --key back-1 says what/);
  }
});

/** Of a command whose output goes where a shell sends it. */
async function shell(
  output: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stderr: string }> {
  const line = `"$0" "$1/firmware/lanectl/main.ts" ${args.join(' ')} ${output}; exit "\${PIPESTATUS[0]}"`;
  const options = { env: { ...process.env, ...env } };
  return run('bash', ['-c', line, process.execPath, ROOT], options).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );
}

test('a closed pipe does not change the exit code: an unpaid payment is not reported as paid', async () => {
  assert.is((await shell('| true', 'pay', '12', '--timeout', '2', '--json')).code, EXIT_CODES.cancelled);
  assert.is(await lastState(), 'CANCELED');
  assert.is((await shell('| true', 'report')).code, 0);
  assert.is((await shell('| true', 'report', '--url', 'http://127.0.0.1:9', '--json')).code, EXIT_CODES.usage);
});

withFullDisk(
  'where nothing can be printed the sale goes on to its end; what only prints says so, and ends with 1',
  async () => {
    const sale = await shell('> /dev/full', 'pay', '12', '--timeout', '2');
    assert.is(sale.code, EXIT_CODES.cancelled, sale.stderr);
    assert.is(await lastState(), 'CANCELED');
    await using paid = await scripted(answering(200, PAID));
    assert.is((await shell('> /dev/full', 'pay', '10', '--url', paid.env.LANEWARE_URL)).code, 0);
    assert.is((await shell('> /dev/full', 'pay', 'much', '--json')).code, EXIT_CODES.usage);
    for (const args of [['report'], ['watch', '--after', '0', '--count', '2'], ['--help']]) {
      const { code, stderr } = await shell('> /dev/full', ...args);
      assert.is(code, EXIT_CODES.failed, args.join(' '));
      assert.match(stderr, /^lanectl: the standard output cannot be written: ENOSPC/);
    }
  },
);

test('a terminal that is closed takes the payment back, however often it says so', async () => {
  const held: Parameters<typeof hangUp>[0][] = [];
  await using lane = await scripted(answering(201, PAYMENT), never, (response) => void held.push(response));
  await using running = start(['pay', '10', '--json'], { env: lane.env });
  await until('the wait for its end', () => lane.asked.length === 2);
  running.signal('SIGHUP');
  await until('the call that takes it back', () => held.length === 1);
  running.signal('SIGHUP');
  const [response] = held;
  if (response !== undefined)
    answering(200, { outcome: 'withdrawn', payment: { ...PAYMENT, state: 'CANCELED' } })(response);
  assert.is((await running.ended).code, EXIT_CODES.cancelled);
  assert.is(lane.asked.at(-1)?.call, 'POST /v1/payments/p-1/cancel');
});

test('what a device says moves no cursor, clears no screen and sets no title', async () => {
  const evil = '\u001b[2J\u001b]0;title\u0007paid\u009b1A\rno';
  const harmless = '\ufffd[2J\ufffd]0;title\ufffdpaid\ufffd1A\ufffdno';
  await using refuses = await scripted(answering(409, { detail: evil, code: 'Payments.MadeUp' }));
  const refused = await lanectlHere(['pay', '10'], refuses.env);
  assert.equal([refused.code, refused.stderr], [EXIT_CODES.refused, `lanectl: ${harmless}\n`]);
  await using declines = await scripted(answering(201, { ...PAYMENT, state: 'REJECTED', error: evil }));
  const declined = await lanectlHere(['pay', '10'], declines.env);
  assert.equal(
    [declined.code, declined.stdout],
    [EXIT_CODES.declined, `payment 7 of 10.00 roubles: declined by the bank: ${harmless}\n`],
  );
  const log = await lanectl(['logs', '--file', '-'], {
    input: `${JSON.stringify({ level: 30, msg: evil })}\n${evil}\n`,
  });
  assert.not.match(log.stdout, /(?!\n)\p{Cc}/u);
});

test('an empty variable of a script is no id of a payment', async () => {
  for (const args of [
    ['status', ''],
    ['status', '..'],
    ['refund', '.', '5'],
    ['refund', ' ', '--all'],
  ]) {
    const { code, stderr } = await lanectlHere(args, env);
    assert.is(code, EXIT_CODES.usage, args.join(' '));
    assert.match(stderr, /It must be the id or the number of a payment\./);
  }
});

test('with --json nothing but JSON comes out, and a misuse has a code of its own', async () => {
  for (const [what, args] of [
    ['Option', ['report', '--csv']],
    ['Option', ['items', 'export', '-', '--format', 'csv']],
    ['Option', ['pay', '1', '--never']],
    ['Option', ['pay', '1', '--purpose']],
    ['Command', ['nothing']],
    ['Command', ['webhooks', 'nothing']],
    ['Argument', ['pay']],
    ['Argument', ['report', 'more']],
    ['Value', ['pay', 'much']],
    ['Value', ['status', '--url', 'nowhere']],
    ['File', ['setup', '/nonexistent/file']],
  ] as const) {
    const { code, stdout } = await lanectlHere([...args, '--json'], env);
    const { exit, code: key } = JSON.parse(stdout).error;
    assert.equal([code, exit, key], [EXIT_CODES.usage, 'usage', `Usage.${what}`], args.join(' '));
  }
});

test.run();
