/** `lanectl` in a process of its own: a signal, a pipe or a disk that ends it loses no money out of sight. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { ends, leadingTo, start } from './lanectl.ts';
import { answering, type hangUp, never, PAYMENT, scripted } from './stand-in.ts';

const test = suite('lanectl, cut off');
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

test('an interrupted refund ends with 8 and its key, whether the call or the bank is waited for', async () => {
  for (const answer of [never, answering(202, REFUND)]) {
    await using bank = await scripted(answer);
    await using running = start(['refund', '7', '5', '--key', 'back-1', '--json'], { env: bank.env });
    await until('a call, and its answer', () => bank.asked.length > (answer === never ? 0 : 1));
    running.signal('SIGINT');
    const { stderr, stdout } = await ends('undecided', running.ended);
    const printed = JSON.parse(stdout);
    assert.is((printed.error ?? printed).key, 'back-1');
    if (answer === never)
      assert.match(stderr, /it may have been made, or not: lanectl refund 7 5\.00 --key back-1 says what/);
  }
});

/** Of a command whose output goes where a shell sends it. */
async function shell(output: string, ...args: readonly string[]) {
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
  assert.is((await shell('| true', 'call', 'getDayReport')).code, 0);
  const away = (await shell('| true', 'call', 'getDayReport', '--url', 'http://127.0.0.1:9', '--json')).code;
  assert.is(away, EXIT_CODES.usage);
});

withFullDisk('where nothing can be printed a sale goes on; what only prints says so, and ends with 1', async () => {
  const sale = await shell('> /dev/full', 'pay', '12', '--timeout', '2');
  assert.is(sale.code, EXIT_CODES.cancelled, sale.stderr);
  assert.is(await lastState(), 'CANCELED');
  await using paid = await scripted(answering(200, PAID));
  assert.is((await shell('> /dev/full', 'pay', '10', '--url', paid.env.LANEWARE_URL)).code, 0);
  assert.is((await shell('> /dev/full', 'pay', 'much', '--json')).code, EXIT_CODES.usage);
  for (const args of [['call', 'getDayReport'], ['watch', '--after', '0', '--count', '2'], ['--help']]) {
    const { code, stderr } = await shell('> /dev/full', ...args);
    assert.is(code, EXIT_CODES.failed, args.join(' '));
    assert.match(stderr, /^lanectl: the standard output cannot be written: ENOSPC/);
  }
});

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
  await ends('cancelled', running.ended);
  assert.is(lane.asked.at(-1)?.call, 'POST /v1/payments/p-1/cancel');
});

test.run();
