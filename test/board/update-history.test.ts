/** What the updater left behind, as the device reports it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isNewer } from '../../drivers/lib/version.ts';
import { boardOn, Tree } from './tree.ts';

const test = suite('updates, as the device reports them');

const UPDATER = '/var/lib/laneware-update';

test('a machine that has no updater says nothing of it', async () => {
  using tree = new Tree();
  using board = boardOn(tree);
  assert.equal(board.part('update'), { state: 'ok', reason: '' });
  assert.not.match(await board.metrics(), /^laneware_update_running /m);
});

test('an update that is under way is said, and is no trouble', async () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=gate\nversion=1.3.0\nfrom=1.2.0\noutcome=');
  using board = boardOn(tree);
  assert.equal(board.part('update'), { state: 'ok', reason: 'An update is in progress. (gate)' });
  assert.match(await board.metrics(), /^laneware_update_running 1$/m);
  tree.put(`${UPDATER}/state`, 'state=idle\nversion=1.2.0\nfrom=1.1.0\noutcome=1.2.0 was installed');
  assert.equal(board.part('update'), { state: 'ok', reason: '' });
  assert.match(await board.metrics(), /^laneware_update_running 0$/m);
});

test('a newer release that was undone is named with its reason; older ones are past', async () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=idle\nversion=1.10.0\nfrom=1.2.0\noutcome=1.10.0 was undone');
  tree.put(`${UPDATER}/failures/1.10.0`, 'count=3\nreason=it ended\u0007 by itself');
  tree.put(`${UPDATER}/failures/1.1.0`, 'count=3\nreason=long ago').put(`${UPDATER}/failures/..x`, 'reason=none');
  using board = boardOn(tree);
  const { state, reason } = board.part('update');
  assert.is(state, 'degraded');
  assert.match(
    reason,
    'Version 1.10.0 was rolled back: it failed its checks here. (it ended  by itself; to try it again: laneware-ota update --retry)',
  );
  assert.not.match(reason, 'long ago');
  assert.match(await board.metrics(), /^laneware_releases_undone 1$/m);
  using later = boardOn(tree, '1.10.0');
  assert.is(later.part('update').state, 'ok');
});

test('a release that ends again and again is reported', async () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=idle').put(`${UPDATER}/ends/1.2.0`, 'ends=5\nran=7\nday=');
  using board = boardOn(tree);
  assert.is(board.part('update').state, 'ok');
  tree.put(`${UPDATER}/ends/1.2.0`, 'ends=6\nran=7\nday=');
  assert.match(board.part('update').reason, 'This version crashed 6 times within a day.');
  assert.match(await board.metrics(), /^laneware_release_ends 6$/m);
});

test('hangs and exhausted memory are reported from the first on, before an older release is back', () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=idle').put(`${UPDATER}/ends/1.2.0`, 'ends=1\nday=\ncauses=exit-code:1');
  using board = boardOn(tree);
  assert.is(board.part('update').state, 'ok');
  tree.put(`${UPDATER}/ends/1.2.0`, 'ends=4\nday=\ncauses=exit-code:1 oom-kill:2 watchdog:1');
  const { state, reason } = board.part('update');
  assert.is(state, 'degraded');
  assert.match(
    reason,
    /^Within a day, this version ran out of memory or hung 3 times\. The cause is the version, or load/,
  );
});

test('a release that may have been left for load from outside is reported as such', () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=idle');
  const why = 'it ended 4 times in its first day (oom-kill 4; load from outside can cause this, too)';
  tree.put(`${UPDATER}/failures/1.3.0`, `count=3\nreason=${why}`);
  using board = boardOn(tree);
  assert.match(
    board.part('update').reason,
    `Version 1.3.0 was rolled back: it ran out of memory or hung. The cause is the version, or load from outside. (${why}`,
  );
});

test('the last security updates are reported where this device installs them', async () => {
  using tree = new Tree();
  tree.put(`${UPDATER}/state`, 'state=idle');
  using board = boardOn(tree);
  assert.not.match(await board.metrics(), /^laneware_system_updated_seconds /m);
  tree.put(`${UPDATER}/system`, 'at=1768449600');
  assert.match(await board.metrics(), /^laneware_system_updated_seconds 1768449600$/m);
});

test('updates that are put off are reported after some days, and are a trouble after two weeks', async () => {
  using tree = new Tree();
  const day = (number: number): number => Date.parse('2026-03-01T00:00:00Z') + number * 86_400_000;
  tree.put(`${UPDATER}/state`, 'state=idle');
  tree.put(`${UPDATER}/put-off`, `since=${day(0) / 1000}\nwhy=nothing vouches for the clock`);
  using board = boardOn(tree);
  const on = (number: number) => {
    board.at(day(number));
    return board.part('update');
  };
  assert.equal(on(1), { state: 'ok', reason: '' }, 'as each night');
  const [since, why] = ['Updates postponed since 2026-03-01 00:00 UTC', '(nothing vouches for the clock)'];
  assert.equal(on(3), { state: 'ok', reason: `${since}; the device retries automatically. ${why}` });
  assert.equal(on(15), { state: 'degraded', reason: `${since}. ${why}` });
  assert.equal(on(-400), { state: 'ok', reason: '' }, 'a clock that was set back');
  tree.put(`${UPDATER}/put-off`, 'since=never\nwhy=x');
  assert.equal(on(30), { state: 'ok', reason: '' });
});

test('versions are compared by their numbers', () => {
  assert.ok(isNewer('1.10.0', '1.9.9'));
  assert.ok(isNewer('1.2.0.1', '1.2.0'));
  assert.not.ok(isNewer('1.2', '1.2.0'));
  assert.not.ok(isNewer('1.2.0', '1.2.0'));
  assert.not.ok(isNewer('0.9', '1.0'));
});

test.run();
