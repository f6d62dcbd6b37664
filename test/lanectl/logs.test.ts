/** `lanectl logs` of a kept file: what a person reads, and the newest lines of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../firmware/core/host/log.ts';
import { LEVELS } from '../../firmware/core/host/log-ring.ts';
import { replaced } from '../replaced.ts';
import { temporaryFolder } from '../support.ts';
import { ends, lanectlHere } from './lanectl.ts';

const test = suite('lanectl logs');

async function shown(lines: readonly string[], ...args: string[]): Promise<string[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'log');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { stdout } = await lanectlHere(['logs', '--file', file, ...args]);
  return stdout.split('\n').slice(0, -1);
}

test('logs are made readable, line by line, and what is no line of ours stays as it is', async () => {
  const lines = [
    '{"level":"warn","time":"2026-09-21T14:13:20.000Z","variable":"LANEWARE_X","msg":"this variable names no configuration key"}',
    'Error: a stack',
    '{"level":"info","time":"2026-11-21T10:00:00.000Z","msg":"ready"}',
  ];
  assert.equal(await shown(lines), [
    '2026-09-21 14:13:20 warn  this variable names no configuration key variable=LANEWARE_X',
    'Error: a stack',
    '2026-11-21 10:00:00 info  ready',
  ]);
  assert.equal(await shown(lines, '--json'), [lines[0], '{"msg":"Error: a stack"}', lines[2]]);
  await ends('usage', lanectlHere(['logs', '--file', '/nonexistent/log']));
});

test('of what a device writes each severity is shown', async () => {
  const lines: string[] = [];
  {
    using _heard = replaced(process.stdout, 'write', (line) => lines.push(String(line).trimEnd()) > 0);
    const log = createLog('trace', []);
    for (const level of LEVELS) log[level]('made up');
  }
  const words = (await shown(lines)).map((line) => line.replace(/^[-\d]+ [:\d]+ /, ''));
  const expected = LEVELS.map((level) => `${level.padEnd(5)} made up`);
  assert.equal(words, expected);
});

const LINES = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
test('the newest lines of a kept log are so many as are asked for', async () => {
  assert.equal(await shown(LINES, '--lines', '4'), LINES.slice(-4));
  assert.equal(await shown(LINES), LINES.slice(-50));
});

test.run();
