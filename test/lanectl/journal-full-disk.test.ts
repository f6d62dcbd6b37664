/** `lanectl journal write` where the disk is full. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { SmallDisk } from '../small-disk.ts';
import { startTestDevice } from '../support.ts';
import { lanectl, leadingTo } from './lanectl.ts';

const test = suite('lanectl journal on a full disk');

test('a file that cannot be written is not there', async () => {
  await using device = await startTestDevice();
  using disk = new SmallDisk(2);
  const place = join(disk.path, 'sub');
  const file = join(place, 'journal.jsonl');
  mkdirSync(place);
  disk.fill();
  const write = ['journal', 'write', file, '--from', '2026-11-01', '--to', '2026-11-02'];
  const full = await lanectl(write, { env: leadingTo(device) });
  assert.is(full.code, EXIT_CODES.failed);
  assert.match(full.stderr, /could not be written/);
  assert.equal([existsSync(file), existsSync(`${file}.part`)], [false, false]);
});

test.run();
