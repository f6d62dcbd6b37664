/** The commands of `lanectl` that read their standard input, what a terminal changes in what they print, and a disk that is full. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { missingPrograms, needing } from '../needing.ts';
import { SmallDisk } from '../small-disk.ts';
import { call, startTestDevice } from '../support.ts';
import { ends, lanectl, lanectlHere, leadingTo, start } from './lanectl.ts';

const test = suite('lanectl, its standard input, terminal and disk');
const onTerminal = needing(missingPrograms('script'), 'a terminal', test);

test('settings and items are read from the standard input', async () => {
  await using device = await startTestDevice();
  const env = leadingTo(device);
  const put = (input: string, ...args: string[]) => lanectl([...args, '--json'], { env, input });
  const items = JSON.stringify({ items: [{ id: '4011', price: 9900 }] });
  assert.equal(JSON.parse((await put(items, 'call', 'importItems', '--body', '-')).stdout), { created: 1, updated: 0 });
  assert.is((await call(`${device.recognition}/v1/items/4011`)).body.price, 9900);
  const wrong = {
    bankProfile: 'a',
    bankProfiles: { a: { bankName: 'Nobody' } },
    deviceConnection: { connectionType: 7 },
  };
  await ends('usage', put(JSON.stringify(wrong), 'setup', '-'));
  const broken = await put('{"password": made-up-secret', 'setup', '-');
  assert.equal([broken.code, broken.stderr], [EXIT_CODES.usage, 'lanectl: - cannot be used: it is no JSON\n']);
});

onTerminal('what is typed is waited for, up to Ctrl-D', async () => {
  await using device = await startTestDevice();
  await using typing = start(['pins', 'set', 'technician', '-'], { env: leadingTo(device), terminal: true });
  await Promise.race([typing.ended, pause(1500)]);
  typing.type('4827\n');
  await Promise.race([typing.ended, pause(100)]);
  typing.type('\u0004');
  const { code, stdout } = await typing.ended;
  assert.is(code, 0, stdout);
  assert.match(stdout, 'technician: has a PIN');
});

test('of a log that comes through a pipe all lines are shown, or so many as are asked for', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
  const shown = async (...args: string[]) =>
    (await lanectl(['logs', '--file', '-', ...args], { input: `${lines.join('\n')}\n` })).stdout
      .split('\n')
      .slice(0, -1);
  assert.equal(await shown('--lines', '3'), lines.slice(-3));
  assert.equal(await shown(), lines);
  const input = '{"level":"info","msg":"\\u001b[2Jpaid"}\n\u001b[2Jpaid\n';
  assert.not.match((await lanectl(['logs', '--file', '-'], { input })).stdout, /(?!\n)\p{Cc}/u);
});

onTerminal('colours are for a terminal, and not with NO_COLOR', async () => {
  await using device = await startTestDevice();
  const env = leadingTo(device);
  const ESCAPE = '\u001b[';
  assert.match((await lanectl(['status'], { env, terminal: true })).stdout, ESCAPE);
  assert.not.match((await lanectlHere(['status'], env)).stdout, ESCAPE);
  assert.not.match((await lanectl(['status'], { env: { ...env, NO_COLOR: '1' }, terminal: true })).stdout, ESCAPE);
  assert.not.match((await lanectl(['status', '--json'], { env, terminal: true })).stdout, ESCAPE);
});

test('a journal that finds no room on the disk is not there', async () => {
  await using device = await startTestDevice();
  using disk = new SmallDisk(2);
  const place = join(disk.path, 'sub');
  const file = join(place, 'journal.jsonl');
  mkdirSync(place);
  disk.fill();
  const write = ['journal', 'write', file, '--from', '2026-11-01', '--to', '2026-11-02'];
  await ends('failed', lanectl(write, { env: leadingTo(device) }), /could not be written/);
  assert.equal([existsSync(file), existsSync(`${file}.part`)], [false, false]);
});

test.run();
