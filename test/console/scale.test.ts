/** What the page of a scale shows of each state of the tray. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageModule } from './pages.ts';

const test = suite('stages of the page of a scale');

interface Choice {
  readonly chosen: ReadonlyMap<number, object>;
  readonly isTakenBack: boolean;
  readonly thing: number | null;
}
const { stageOf, NO_CHOICE } = await pageModule<{
  stageOf(seen: { tray: object | null; isMoving: boolean }, choice: Choice): { name: string; [field: string]: unknown };
  NO_CHOICE: Choice;
}>('scale/stage.js');

const item = (id: string) => ({ id, name: id, plu: id, price: 100, picture: null, share: 0.5, similarity: 0.9 });
const [A, B, C] = ['a', 'b', 'c'].map(item);
const TRAY = {
  state: 'item',
  certain: false,
  reason: 'look-alikes',
  candidates: [A, B],
  quality: [],
  things: [],
  id: '1',
};
const CERTAIN = { ...TRAY, certain: true, reason: null };
const THINGS = [{ candidates: [A, B] }, { candidates: [C] }, { candidates: [] }];
const SEVERAL = { ...TRAY, reason: 'several-items', things: THINGS };
const at = (tray: object | null, choice: Partial<Choice> = {}, isMoving = false) =>
  stageOf({ tray, isMoving }, { ...NO_CHOICE, ...choice });

test('nothing to choose: a picture and a few words', () => {
  assert.equal(at(null), { name: 'looking' });
  for (const state of ['empty', 'lost']) assert.equal(at({ ...TRAY, state, candidates: [] }), { name: state });
  const dark = { ...TRAY, state: 'unknown', reason: 'unlike-all', quality: ['dark'] };
  assert.equal(at(dark), { name: 'dark' });
  assert.is(at({ ...TRAY, quality: ['dark'] }).name, 'many', 'what is recognised in the dark can be chosen');
});

test('while it moves, nothing of before can be tapped, chosen or certain', () => {
  for (const tray of [TRAY, CERTAIN, SEVERAL, { ...TRAY, state: 'empty' }])
    assert.equal(at(tray, { chosen: new Map([[0, A ?? {}]]) }, true), { name: 'moving' });
});

test('certain is one tile, until it is taken back; a choice is one tile', () => {
  assert.equal(at(CERTAIN), { name: 'one', item: A, isCertain: true });
  assert.equal(at(CERTAIN, { isTakenBack: true }), { name: 'many', candidates: [A, B] });
  const chosen = new Map([[0, B ?? {}]]);
  assert.equal(at(TRAY, { chosen }), { name: 'one', item: B, isCertain: false });
  assert.equal(at(CERTAIN, { chosen, isTakenBack: true }), { name: 'one', item: B, isCertain: false });
});

test('not certain is tiles, also of what is most likely something else', () => {
  assert.equal(at(TRAY), { name: 'many', candidates: [A, B] });
  assert.equal(at({ ...TRAY, state: 'unknown' }), { name: 'unknown', candidates: [A, B] });
  assert.equal(at({ ...TRAY, candidates: [] }), { name: 'unknown', candidates: [] });
});

test('several things: a tile each, opened one at a time, with what was chosen for each', () => {
  const chosen = new Map([[2, B ?? {}]]);
  assert.equal(at(SEVERAL, { chosen }), {
    name: 'several',
    things: [
      { thing: 1, item: A, isChosen: false },
      { thing: 2, item: B, isChosen: true },
      { thing: 3, item: null, isChosen: false },
    ],
  });
  assert.equal(at(SEVERAL, { chosen, thing: 1 }), { name: 'many', candidates: [A, B] });
  assert.equal(at(SEVERAL, { thing: 3 }), { name: 'unknown', candidates: [] });
  assert.is(at(SEVERAL, { thing: 4 }).name, 'several', 'one that is gone');
});

test.run();
