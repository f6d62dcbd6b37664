/** Whether one credential is used in two places, recognised by the names that processes give themselves. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Roster } from '../../firmware/sync/roster.ts';

const test = suite('synchronisation: the roster');

const statusOf = (instance: string) => ({
  instance,
  version: 'test',
  upload: true,
  download: true,
  templates: 0,
  pending: 0,
});

test('a replaced process that comes back is a second device; one that starts again is not', () => {
  const roster = new Roster();
  const kept = ['first', 'first', 'second', 'third'].map((name) => roster.record('S1', statusOf(name), 0));
  assert.equal(kept, [false, false, false, false]);
  assert.is(roster.record('S1', statusOf('second'), 1), true);
  assert.equal(roster.conflicts(2), ['S1']);
});

test('a device that names itself anew all the time is remembered by its last sixteen names only', () => {
  const roster = new Roster();
  for (let start = 0; start < 40; start++) roster.record('S1', statusOf(`start ${start}`), 0);
  assert.is(roster.record('S1', statusOf('start 0'), 1), false);
  assert.is(roster.record('S1', statusOf('start 30'), 1), true);
});

test('two devices with one serial number are reported for ten minutes after a sight, no longer', () => {
  const roster = new Roster();
  roster.recordConflict('S1', 1000);
  assert.equal(roster.conflicts(600_999), ['S1']);
  assert.equal(roster.conflicts(601_000), []);
});

test.run();
