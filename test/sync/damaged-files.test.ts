/** Every file of a message server's store, damaged in every way that a cut of the power leaves: nothing of it is silent. */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { DAMAGES, DamagedFiles } from './damaged-files.ts';
import { NO_SERVER } from './real-rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: damaged files of the message server');

/** Stores that go on at once. */
const AT_ONCE = 4;
const LIMIT_MS = 60_000;

test('the devices come to the same, and nothing deleted comes back, or /health says why not; nothing is put without end', async () => {
  using damaged = await DamagedFiles.make('nats-server');
  const left = damaged.files.flatMap((file) => Object.keys(DAMAGES).map((damage) => ({ file, damage }))).values();
  const silent: string[] = [];
  const work = async (): Promise<void> => {
    for (const { file, damage } of left) {
      const lack = await damaged.outcome(file, damage, LIMIT_MS);
      if (lack !== null) silent.push(`${file}, ${damage}: ${lack}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.equal(silent, []);
});

test.run();
