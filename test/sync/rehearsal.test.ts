/** A short rehearsal: two days of what `test/tools/rehearsal/main.ts` lives through in two weeks, so that it can be run before a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { NO_RELEASES } from '../ota/rig.ts';
import { Program } from '../process.ts';
import { temporaryFolder } from '../support.ts';
import { NO_NAMESPACES } from './network.ts';
import { NO_SERVER } from './real-rig.ts';

const lack = NO_SERVER ?? NO_NAMESPACES ?? NO_RELEASES ?? missingPrograms('unshare');
const test = suiteNeeding(lack, 'synchronisation: a rehearsal of a release');

test('four lanes live two days of cuts, kills, full disk, lost master, wrong clock: books agree', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'rehearsal.md');
  const args = ['test/tools/rehearsal/main.ts', '--days', '2', '--sales', '1', '--seed', '7', '--out', out];
  await using rehearsal = new Program(args, { PATH: process.env.PATH ?? '' });
  const { code } = await rehearsal.exited;
  const page = readFileSync(out, 'utf8');
  assert.is(code, 0, `${rehearsal.output}${rehearsal.errors}`);
  assert.match(page, /^Commit .*: all books and templates agree, and nothing has leaked\.$/m);
  assert.match(page, /\| L9 \| \d+ \| [1-9]/);
});

test.run();
