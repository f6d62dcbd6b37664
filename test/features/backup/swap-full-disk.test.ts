/** A change to a backup on a full disk ends as on any other. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { finishRestore } from '../../../firmware/features/backup/swap.ts';
import { suiteNeeding } from '../../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../../small-disk.ts';
import { brokenOff, mustBeNew, prepared } from './swap-rig.ts';

const test = suiteNeeding(whyNoSmallDisk(), 'the change to a backup on a full disk');

test('broken off after any number of steps', () => {
  let steps = 0;
  for (let isBroken = true; isBroken; steps++) {
    using disk = new SmallDisk(4);
    const folder = join(disk.path, 'data');
    mkdirSync(folder);
    prepared(folder);
    disk.fill();
    isBroken = brokenOff(steps, () => finishRestore(folder));
    finishRestore(folder);
    mustBeNew(folder);
  }
  assert.ok(steps > 10, `${steps} steps`);
});

test.run();
