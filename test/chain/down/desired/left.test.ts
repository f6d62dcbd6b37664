/** A device that belongs to no store any more, and so to no chain, as a process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DesiredConfig } from '../../../../firmware/config/desired.ts';
import { loadConfig } from '../../../../firmware/config/load.ts';
import { startFirmware } from '../../../process.ts';
import { temporaryFolder, until } from '../../../support.ts';

const test = suite('chain: configuration, of a device that has left');

test('a device that has left its store keeps nothing of what the chain had configured', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'chain-config.json');
  const taken = { mark: 'm', number: 1, settings: { 'terminal.symbolMs': 4000 } };
  writeFileSync(path, JSON.stringify({ taken, trial: null, failure: null }));
  const kept = new DesiredConfig(path).choose((settings) => loadConfig(null, {}, settings));
  assert.is(kept.config.terminal.symbolMs, 4000, 'it was in force');
  const { program } = await startFirmware(folder.path);
  await until('nothing', () => (JSON.parse(readFileSync(path, 'utf8')).taken === null ? true : null));
  await program.kill('SIGTERM');
});

test.run();
