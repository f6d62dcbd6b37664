/** A root that is never written to, in `/health`: what its first program has found at the start of the board. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boardOn, Tree } from './tree.ts';

const test = suite('a read-only root, reported');
const STATE = '/run/laneware-root/state';

for (const [what, state, words] of [
  ['all is well', 'root=memory\ndata=ok\nwhy=', null],
  ['an ordinary root', null, null],
  [
    'no data partition',
    'root=memory\ndata=absent\nwhy=the disk has no data partition',
    /payments are not possible.*\(the disk has no data/,
  ],
  [
    'a mended one',
    'root=memory\ndata=repaired\nwhy=',
    /possibly with losses.*rm \/run\/laneware-root\/data\/repaired\)$/,
  ],
  [
    'a mended one that keeps nothing',
    'root=memory\ndata=absent\nwhy=what it kept is gone',
    /\(what it kept is gone\)$/,
  ],
  ['maintenance', 'root=writable\ndata=ok\nwhy=', /system partition is writable/],
  [
    'no overlay',
    'root=writable\ndata=ok\nwhy=no memory can be laid over the root',
    /\(no memory can be laid over the root\)$/,
  ],
] as const)
  test(`${what}: ${words === null ? 'nothing is said' : 'said'}`, () => {
    using tree = new Tree();
    tree.storage();
    using board = boardOn(tree);
    const before = board.part('disk');
    if (state !== null) tree.put(STATE, state);
    const isWritable = state === null ? null : state.startsWith('root=writable');
    assert.is(board.guards.writableRoot, isWritable);
    const { state: judged, reason } = board.part('disk');
    if (words === null) {
      assert.equal({ state: judged, reason }, before);
      return;
    }
    assert.is(judged, 'degraded', 'no release is at fault');
    assert.match(reason.split('; ')[0] ?? '', words);
  });

test.run();
