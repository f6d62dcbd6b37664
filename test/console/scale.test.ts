/** What the page of a scale shows of each state of the tray. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TRAY_EVENTS } from '../../firmware/recognition/answer/tray-watch.ts';
import { UNCERTAIN_REASONS } from '../../firmware/recognition/matching/scoring.ts';
import { replaced } from '../replaced.ts';
import { ROOT } from '../root.ts';
import { PAGE_SCRIPTS, pageModule } from './pages.ts';

const test = suite('stages of the page of a scale');

interface Choice {
  readonly chosen: ReadonlyMap<number, object | null>;
  readonly thing: number | null;
}
const { stageOf, NO_CHOICE } = await pageModule<{
  stageOf(seen: { tray: object | null; isMoving: boolean }, choice: Choice): { name: string; [field: string]: unknown };
  NO_CHOICE: Choice;
}>('recognition/pages/tray/on-scale.js');
const { likelyOf } = await pageModule<{ likelyOf(thing: object): readonly object[] }>(
  'recognition/pages/tray/likely.js',
);
const { trayWords } = await pageModule<{ trayWords(translator: object, tray: object): string }>(
  'recognition/pages/camera/camera-stage.js',
);
const { TRANSLATORS, loadWords } = await pageModule<{
  TRANSLATORS: Readonly<Record<'en', object>>;
  loadWords(language: string): Promise<void>;
}>('core/pages/app/language.js');
await loadWords('en');

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
const DARK = { ...TRAY, state: 'unknown', reason: 'unlike-all', quality: ['dark'] };
const THINGS = [{ candidates: [A, B] }, { candidates: [C] }, { candidates: [] }];
const SEVERAL = { ...TRAY, reason: 'several-items', things: THINGS };
const at = (tray: object | null, choice: Partial<Choice> = {}, isMoving = false) =>
  stageOf({ tray, isMoving }, { ...NO_CHOICE, ...choice });

test('nothing to choose: a picture and a few words', () => {
  assert.equal(at(null), { name: 'looking' });
  for (const state of ['empty', 'lost']) assert.equal(at({ ...TRAY, state, candidates: [] }), { name: state });
  assert.equal(at(DARK), { name: 'dark' });
  assert.is(at({ ...TRAY, quality: ['dark'] }).name, 'many', 'what is recognised in the dark can be chosen');
});

test('while it moves, nothing of before can be tapped, chosen or certain', () => {
  for (const tray of [TRAY, CERTAIN, SEVERAL, { ...TRAY, state: 'empty' }])
    assert.equal(at(tray, { chosen: new Map([[0, A ?? {}]]) }, true), { name: 'moving' });
});

test('certain is one tile, until it is taken back; a choice is one tile', () => {
  assert.equal(at(CERTAIN), { name: 'one', item: A, by: 'certain' });
  for (const tray of [CERTAIN, TRAY])
    assert.equal(at(tray, { chosen: new Map([[0, null]]) }), { name: 'many', candidates: [A, B] });
  const chosen = new Map([[0, B ?? {}]]);
  for (const tray of [CERTAIN, TRAY, DARK]) assert.equal(at(tray, { chosen }), { name: 'one', item: B, by: 'chosen' });
});

for (const reason of Object.keys(UNCERTAIN_REASONS)) {
  const isLikeNone = reason === 'unlike-all';
  test(`not certain, ${reason}: ${isLikeNone ? 'no tile, name or picture of an item' : 'tiles'}`, () => {
    const thing = { ...TRAY, reason, state: isLikeNone ? 'unknown' : 'item' };
    const { name } = stageOf({ tray: reason === 'several-items' ? SEVERAL : thing, isMoving: false }, NO_CHOICE);
    assert.is(name, isLikeNone ? 'unknown' : reason === 'several-items' ? 'several' : 'many');
    const [shown] = Object(at({ ...SEVERAL, things: [thing] }).things);
    assert.equal(shown, { thing: 1, item: isLikeNone ? null : A, by: null });
    assert.is(trayWords(TRANSLATORS.en, thing).includes('unknown item'), isLikeNone);
    assert.equal(likelyOf(thing), isLikeNone ? [] : [A, B]);
  });
}

test('no candidate is drawn but through what leaves out the unlike', () => {
  /** Without comments, whose types name the field. */
  const codeOf = (path: string): string =>
    readFileSync(join(ROOT, 'firmware', path), 'utf8').replaceAll(/\/\*\*.*?\*\//gs, '');
  const drawing = PAGE_SCRIPTS.filter((path) => /\bcandidates\b/.test(codeOf(path)));
  const around = drawing.filter((path) => !/\blikelyOf\b/.test(codeOf(path)));
  const comparing = 'recognition/pages/tray/scale-answer.js';
  assert.equal(around, [comparing]);
});

test('nothing that was learned: unknown', () => {
  assert.equal(at({ ...TRAY, candidates: [] }), { name: 'unknown' });
});

test('several things: a tile each, opened one at a time, with what was chosen for each', () => {
  const chosen = new Map([[2, B ?? {}]]);
  assert.equal(at(SEVERAL, { chosen }), {
    name: 'several',
    things: [
      { thing: 1, item: A, by: null },
      { thing: 2, item: B, by: 'chosen' },
      { thing: 3, item: null, by: null },
    ],
  });
  assert.equal(at(SEVERAL, { chosen, thing: 1 }), { name: 'many', candidates: [A, B] });
  assert.equal(at(SEVERAL, { thing: 3 }), { name: 'unknown' });
  assert.is(at(SEVERAL, { thing: 4 }).name, 'several', 'one that is gone');
});

test('a certain one of several is chosen already, as a single one is, and can be undone', () => {
  const tray = {
    ...SEVERAL,
    things: [
      { certain: true, candidates: [A, B] },
      { certain: false, candidates: [C] },
    ],
  };
  const isCertain = { thing: 1, item: A, by: 'certain' };
  const isOpen = { thing: 2, item: C, by: null };
  assert.equal(at(tray), { name: 'several', things: [isCertain, isOpen] });
  assert.equal(at(tray, { thing: 1 }), { name: 'one', item: A, by: 'certain' });
  const chosen = new Map([[1, null]]);
  const takenBack = { thing: 1, item: null, by: null };
  assert.equal(at(tray, { chosen }), { name: 'several', things: [takenBack, isOpen] });
  assert.equal(at(tray, { chosen, thing: 1 }), { name: 'many', candidates: [A, B] });
  assert.equal(at(tray, { chosen: new Map([[1, B ?? {}]]), thing: 1 }), { name: 'one', item: B, by: 'chosen' });
});

const box = (x: number, y = 100) => ({ box: { x, y, width: 200, height: 100 } });
const { isSameLook, isSameTray, answer, rejectItem } = await pageModule<{
  isSameLook(before: object, now: object): boolean;
  isSameTray(before: object, now: object): boolean;
  rejectItem(tray: object, isWanted: () => boolean, thing: number): Promise<string>;
  answer(tray: object, item: string, isWanted: () => boolean, thing?: number): Promise<string>;
}>('recognition/pages/tray/scale-answer.js');

test('another look is of the same where as many things lie there, each at its place', () => {
  const before = { things: [box(100), box(600)] };
  assert.is(isSameLook(before, { things: [box(108, 96), box(600)] }), true, 'the camera is never quite still');
  assert.is(isSameLook(before, { things: [box(600), box(100)] }), false, 'the other one is the largest now');
  assert.is(isSameLook(before, { things: [box(100)] }), false);
  assert.is(isSameLook(before, { things: [box(100), box(600, 300)] }), false);
});

test('a tray shows the same where each thing is at its place, and most likely what it was', () => {
  const tray = (...things: object[]) => ({ things });
  const red = { ...box(100), candidates: [A, B] };
  const before = tray(red, { ...box(600), candidates: [] });
  assert.is(isSameTray(before, tray({ ...box(108), candidates: [A, C] }, { ...box(600), candidates: [] })), true);
  assert.is(isSameTray(before, tray({ ...red, candidates: [B, A] }, { ...box(600), candidates: [] })), false);
  assert.is(isSameTray(before, tray(red, { ...box(600), candidates: [C] })), false);
  assert.is(isSameTray(before, tray(red)), false);
  assert.is(isSameTray(tray(red), tray({ ...red, ...box(400) })), false, 'it lies elsewhere');
});

interface Sent {
  readonly posts: readonly string[];
  /** The recognition that was answered; null where it was refused. */
  readonly of: string | null;
}

/** @returns what was sent while the first recognition was answered otherwise already */
async function sent(now: object, isWanted: () => boolean, thing = 2): Promise<Sent> {
  return await sentBy((tray) => answer(tray, 'a', isWanted, thing), now);
}

async function sentBy(say: (tray: object) => Promise<string>, now: object): Promise<Sent> {
  const posts: string[] = [];
  using _fetch = replaced(globalThis, 'fetch', async (path, init) => {
    if (init?.method === 'DELETE') posts.push(`${init.method} ${path}`);
    else if (init?.method === 'POST') posts.push(`${path} ${init.body}`);
    else return Response.json(now);
    if (posts.length > 1) return Response.json({});
    return Response.json({ code: 'Recognition.AnsweredOtherwise' }, { status: 409 });
  });
  const of = await say({ id: '1', things: [box(100), box(600)] }).catch(() => null);
  return { posts, of };
}

test('an overruled answer is settled by another look, but not where another thing may lie', async () => {
  const first = '/v1/recognition/1/feedback {"item":"a","thing":2}';
  const again = { id: '2', things: [box(100), box(600)] };
  assert.equal(await sent(again, () => true), { posts: [first, first.replace('/1/', '/2/')], of: '2' });
  assert.match((await sent(again, () => true, 1)).posts[0] ?? '', /"thing":1/);
  assert.not.match((await sent(again, () => true, 0)).posts[0] ?? '', /thing/, 'the only one');
  const refused = { posts: [first], of: null };
  assert.equal(await sent({ ...again, things: [box(600), box(100)] }, () => true), refused);
  assert.equal(await sent({ id: null, things: [] }, () => true), refused, 'nothing lies there');
  assert.equal(await sent(again, () => false), refused, 'the tray has changed');
  let asked = 0;
  assert.equal(await sent(again, () => ++asked === 1), refused, 'the tray has changed while it was looked at');
});

test('an undone choice is that of the named thing, or of another look once the first is over', async () => {
  const again = { id: '2', things: [box(100), box(600)] };
  const gone = (thing: number) => sentBy((tray) => rejectItem(tray, () => true, thing), again);
  const path = (id: number, query: string) => `DELETE /v1/recognition/${id}/feedback${query}`;
  assert.equal(await gone(2), { posts: [path(1, '?thing=2'), path(2, '?thing=2')], of: '2' });
  assert.equal((await gone(0)).posts, [path(1, ''), path(2, '')]);
});

test('a name’s initials are whole characters, and an unreadable address still opens a page', async () => {
  const { lettersOf } = await pageModule<{ lettersOf(item: object): string }>('recognition/pages/tray/scale-tiles.js');
  const letters = ['milk', 'x\u{1F34E}y', '\u{1F1F7}\u{1F1FA}', ' щи'].map((name) => lettersOf({ name, id: '1' }));
  assert.equal(letters, ['MI', 'X\u{1F34E}', '\u{1F1F7}\u{1F1FA}', 'ЩИ']);
  assert.is(lettersOf({ name: null, id: '4011' }), '40');
  const shell = await pageModule<{ addFeaturePages(pages: object): void }>('core/pages/app/feature-pages.js');
  shell.addFeaturePages([{ name: 'scale', place: 'alone' }]);
  const { routeOf } = await pageModule<{ routeOf(hash: string): { page: string } }>('core/pages/app/route.js');
  assert.equal([routeOf('#/scale').page, routeOf('#/%E0%A4%A').page], ['scale', 'lane']);
});

test('a page of a feature follows another one, and is last where the other is not on this device', async () => {
  const { addFeaturePages, withFeatures } = await pageModule<{
    addFeaturePages(pages: object): void;
    withFeatures(names: readonly string[], place: string): string[];
  }>('core/pages/app/feature-pages.js');
  const section = (name: string, after?: string) => ({ name, place: 'section', after });
  addFeaturePages([section('lost', 'absent'), section('second', 'first'), section('first', 'a'), section('plain')]);
  assert.equal(withFeatures(['a', 'b'], 'section'), ['a', 'first', 'second', 'b', 'lost', 'plain']);
  assert.equal(withFeatures(['a', 'b'], 'rail'), ['a', 'b']);
});

test('the page follows each event that changes what stands on it', async () => {
  const { EVENTS } = await pageModule<{ EVENTS: readonly string[] }>('features/scale/page/page.js');
  assert.equal(
    EVENTS,
    TRAY_EVENTS.filter((name) => name !== 'item.contradicted'), // `item.chosen` comes with it
  );
});

test.run();
