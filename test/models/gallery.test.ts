import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Evidence,
  FEATURE_NAMES,
  FEATURES,
  likelihoodOf,
  SPEAK_FOR,
} from '../../firmware/recognition/matching/confidence.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import type { Row } from '../../models/evaluation/protocol.ts';
import { calibrated, judgeByOthers, PARTS, withCurve } from '../../models/gallery/calibrate.ts';
import { COLUMNS, cellsOf } from '../../models/gallery/certainty.ts';
import { type Example, fitWeights } from '../../models/gallery/fit.ts';
import {
  type FoldVectors,
  type Gallery,
  type Sighting,
  sharesOf,
  sightingsOf,
} from '../../models/gallery/sightings.ts';
import { drawnItems, strangerPictures } from '../../models/gallery/strangers.ts';
import { confidenceOf } from '../recognition/steps.ts';
import { picture } from '../recognition/support.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { rowsOf, temporaryFolder } from '../support.ts';
import { seeded } from '../tools/seeded.ts';

const gallery = suite('galleries');
const ITEMS = ['apple', 'carrot', 'lemon', 'plum', 'radish', 'turnip', 'melon', 'kiwi'];
const ROWS: Row[] = ITEMS.flatMap((item) =>
  Array.from({ length: 14 }, (_, at) => ({
    ...{ path: `${item}/${at}.jpg`, item, group: 'all' },
    split: at < 10 ? ('train' as const) : ('test' as const),
  })),
);

/** An axis for each item, with noise. */
function vectorsWith(noise: number): Float32Array[] {
  const random = seeded(7);
  return ROWS.map(({ item }) =>
    toUnitVector(Float64Array.from(ITEMS, (name) => (name === item ? 1 : 0) + noise * random())),
  );
}

function foldWith(noise: number): FoldVectors {
  const vectors = vectorsWith(noise);
  const random = seeded(9);
  const strangers = Array.from({ length: 20 }, () =>
    Array.from({ length: 5 }, () => toUnitVector(Float64Array.from(ITEMS, () => random() - 0.5))),
  );
  return { judged: ITEMS.slice(0, 4), rows: ROWS, vectors: { normal: vectors, fast: vectors }, strangers };
}

const OPEN = confidenceOf({ certain: 0.5, margin: 0.05, unknown: 0.3 });

const SPREAD = { mean: 0.5, deviation: 0.1 };
const evidenceOf = (similarity: number, lead: number): Evidence => ({
  ...{ items: 30, similarity, nearest: similarity, lead, prototypeLead: lead, ratio: 0 },
  pair: { templates: [5, 5], own: [SPREAD, SPREAD], leads: [SPREAD, SPREAD], cosine: 0.3 },
});

gallery('queries are of judged items alone: of known ones all, of unknown ones the hidden half', () => {
  for (const kind of ['photographs', 'drawn'] as const) {
    const asked: Gallery = { size: 20, kind, templates: 3 };
    const sightings = sightingsOf([foldWith(0.1)], asked, 'normal');
    const known = sightings.filter(({ enrolled }) => enrolled);
    const unknown = sightings.filter(({ enrolled }) => !enrolled);
    assert.equal([known.length, unknown.length], [5 * 4 * 4, 5 * 2 * 4]);
    assert.ok(sightings.every(({ item }) => ITEMS.slice(0, 4).includes(item)));
    assert.ok(unknown.every(({ right }) => !right));
    assert.equal(known[0]?.evidence.pair.templates, [3, 3]);
    assert.equal(new Set(known.map(({ draw }) => draw)).size, 5);
    const some = sightingsOf([foldWith(0.1)], asked, 'normal', 4);
    assert.is(some.length * 4, sightings.length, 'one query in four');
    assert.equal(sightingsOf([foldWith(0.1)], asked, 'normal'), sightings, 'drawn from seeds');
  }
});

gallery('a sighting has whether it is among six tiles, and whether its look-alike is enrolled', () => {
  const rows = ROWS.map((row) => ({ ...row, group: row.item === 'apple' ? 'fruit' : 'others' }));
  const fold = { ...foldWith(0.1), rows };
  const sightings = sightingsOf([fold], { size: 20, kind: 'photographs', templates: 3 }, 'normal');
  const unknown = sightings.filter(({ enrolled }) => !enrolled);
  assert.equal(new Set(unknown.map(({ item, alike }) => alike === (item !== 'apple'))), new Set([true]));
  assert.ok(unknown.some(({ alike }) => alike) && unknown.some(({ alike }) => !alike));
  assert.ok(sightings.every(({ shown, enrolled }) => shown === enrolled));
  // turned away from its own item, a known query is neither first nor among six
  const away = fold.vectors.normal.map((vector, at) =>
    rows[at]?.split === 'test' ? (vector?.map((one) => -one) ?? null) : vector,
  );
  const lost = sightingsOf(
    [{ ...fold, vectors: { normal: away, fast: away } }],
    { size: 8, kind: 'drawn', templates: 3 },
    'normal',
  );
  assert.ok(lost.every(({ shown, right }) => !shown && !right));
});

gallery('shares are of the known and of the unknown, and wrong ones of the certain', () => {
  const seen = (right: boolean, similarity: number, lead: number, enrolled = true): Sighting => ({
    ...{ right, enrolled, item: 'a', draw: 0, shown: right || similarity > 0.7, alike: similarity > 0.5 },
    evidence: evidenceOf(similarity, lead),
  });
  const shares = sharesOf(
    [
      ...[seen(true, 0.8, 0.2), seen(false, 0.8, 0.2), seen(true, 0.8, 0.01), seen(true, 0.2, 0.2)],
      ...[seen(true, 0.4, 0.2), seen(false, 0.2, 0.1, false), seen(false, 0.8, 0.2, false)],
    ],
    OPEN,
  );
  assert.equal(shares, {
    ...{ top1: 80, shown: 100, certain: 40, wrong: 50, knownFlagged: 20, flagged: 50, fooled: 50, fooledByAlike: 100 },
  });
  assert.is(sharesOf([seen(true, 0.2, 0)], OPEN).wrong, null);
});

/** A right answer leads by about 0.3, a wrong one by 0.1; a stranger is less similar. */
function drawn(count: number, items = ['a']): Sighting[] {
  const random = seeded(5);
  return Array.from({ length: count }, (_, at) => {
    const is = at % 10 < 6 ? 'right' : at % 10 < 8 ? 'wrong' : 'stranger';
    const similarity = (is === 'stranger' ? 0.5 : 0.7) + 0.2 * (random() - 0.5);
    const lead = (is === 'right' ? 0.3 : 0.1) + 0.2 * (random() - 0.5);
    const item = items[Math.floor(at / 10) % items.length] ?? 'a';
    return {
      ...{ right: is === 'right', enrolled: is !== 'stranger', item, draw: at % 2, shown: true, alike: false },
      evidence: evidenceOf(similarity, Math.max(0, lead)),
    };
  });
}

gallery('weights are those of the least loss, with nothing that speaks for an answer against it', () => {
  const random = seeded(3);
  const [odds, slope] = [2, -12];
  const examples = Array.from({ length: 3000 }, (): Example => {
    const lead = 0.4 * random();
    const wrong = Math.exp(odds + slope * Math.min(lead, 0.25));
    const is = random() < 0.2 ? 'stranger' : random() < wrong / (1 + wrong) ? 'wrong' : 'right';
    return { evidence: { ...evidenceOf(0.7, lead), similarity: is === 'stranger' ? random() : 0.6 }, is };
  });
  const made = fitWeights(examples);
  for (const lead of [0.05, 0.15, 0.25, 0.35]) {
    const { right, wrong } = likelihoodOf(made, { ...evidenceOf(0.7, lead), similarity: 0.6 });
    const expected = odds + slope * Math.min(lead, 0.25);
    assert.ok(Math.abs(Math.log(wrong / right) - expected) < 0.5, `${lead}: ${Math.log(wrong / right)}, ${expected}`);
  }
  // turned about, a lead would speak against an answer
  const turned = fitWeights(
    examples.map(
      ({ evidence, is }): Example => ({ evidence, is: is === 'right' ? 'wrong' : is === 'wrong' ? 'right' : is }),
    ),
  );
  for (const weights of [made.wrong, made.stranger, turned.wrong, turned.stranger]) {
    assert.equal(Object.keys(weights), [...FEATURE_NAMES]);
    for (const name of SPEAK_FOR) assert.ok((weights[name] ?? 1) <= 0, `${name}: ${weights[name]}`);
  }
  assert.is(Object.keys(FEATURES).length, FEATURE_NAMES.length);
});

gallery('strangers count as 3 in 20, however many were seen', () => {
  const random = seeded(8);
  const examples = Array.from({ length: 2000 }, (_, at): Example => {
    const is = at % 2 === 0 ? 'stranger' : at % 10 === 1 ? 'wrong' : 'right';
    return { evidence: evidenceOf(random(), random()), is };
  });
  const { right, wrong, stranger } = likelihoodOf(fitWeights(examples), evidenceOf(0.5, 0.5));
  for (const [value, expected] of [
    [right, 0.68],
    [wrong, 0.17],
    [stranger, 0.15],
  ] as const)
    assert.ok(Math.abs(value - expected) < expected / 3, `${value} is not ${expected}`);
});

gallery('what is calibrated keeps the risk, with strangers in their share, and misses few', () => {
  const sightings = drawn(1500, ITEMS);
  const confidence = calibrated(sightings, judgeByOthers(sightings), 0.6);
  const { certain, wrong, fooled, flagged, knownFlagged } = sharesOf(sightings, confidence);
  const [right, risk] = [0.85 * certain, 0.85 * certain * ((wrong ?? 0) / 100) + 0.15 * fooled];
  assert.ok(certain > 50 && risk <= 0.023 * (right + 0.15 * fooled), `${certain}, ${wrong}, ${fooled}`);
  assert.ok(flagged > 50 && Math.abs(knownFlagged - 12) < 3, `${flagged}, ${knownFlagged}`);
  assert.is(confidence.floor, 0.6);
  const hopeless = sightings.map((one): Sighting => ({ ...one, right: false }));
  const without = [...sightings.slice(0, 50), ...hopeless];
  assert.is(calibrated(without, judgeByOthers(without), 0.6).certain, 1, 'none keeps it');
});

gallery('a curve judges each item by what was fitted to others, and falls where more is certain', () => {
  const items = Array.from({ length: 2 * PARTS }, (_, at) => `i${at}`);
  const sightings = drawn(1200, items);
  const curveOf = (list: readonly Sighting[]) => {
    const judge = judgeByOthers(list);
    return withCurve(calibrated(list, judge, 0.6), judge(list));
  };
  const { measured, certain } = curveOf(sightings);
  assert.is(measured.length, 7);
  assert.ok(measured.some(({ from }) => from === certain));
  for (const [at, one] of measured.entries()) {
    const before = measured[at - 1];
    assert.ok(before === undefined || (before.from >= one.from && before.certain <= one.certain), `${at}`);
    assert.ok(one.worst >= one.wrong - 0.11, 'of two draws one is no better than both');
  }
  // one item of a part is always wrong: what was fitted to it would know
  const spoiled = sightings.map(
    (one): Sighting => (one.item === 'i0' && one.enrolled ? { ...one, right: false } : one),
  );
  const own = (list: readonly Sighting[]) =>
    judgeByOthers(list)(list).flatMap(({ sighting, likelihood }) => (sighting.item === 'i0' ? [likelihood] : []));
  assert.equal(own(spoiled), own(sightings), 'nothing of its own was fitted to');
  const last = curveOf(spoiled).measured.at(-1);
  assert.ok((last?.wrong ?? 0) > 8, `${last?.wrong}`);
});

gallery('a line of the table has what is certain, wrong and fooled, in the worst draw, too', () => {
  const rated = (enrolled: boolean, right: boolean, sure: number, draw: number, alike = false) => ({
    sighting: { right, enrolled, item: 'a', draw, shown: right, alike, evidence: evidenceOf(0.7, 0.2) },
    likelihood: { right: sure, wrong: 0, stranger: 1 - sure },
  });
  const cells = cellsOf(
    [
      ...[rated(true, true, 0.95, 0), rated(true, true, 0.9, 0), rated(true, true, 0.9, 1), rated(true, false, 0.9, 1)],
      ...[rated(false, false, 0.9, 0, true), rated(false, false, 0.2, 0), rated(false, false, 0.1, 1)],
      rated(false, false, 0.1, 1, true),
    ],
    0.9,
  );
  // of 16 pairs of a known and a stranger one known is surer in all, three are as sure as one of the strangers
  const expected = [75, 75, 100, 25, 50, 25, 50, 50, 14.5 / 16];
  assert.equal([cells.length, cells], [COLUMNS.length, expected]);
  assert.is(cellsOf([rated(true, true, 0.95, 0)], 0.9)[7], null, 'no stranger beside a look-alike');
});

gallery('drawn items lie as those do that they are drawn after', () => {
  const shown = ITEMS.map((item) => vectorsWith(0.3).filter((_, at) => ROWS[at]?.item === item));
  const drawn = drawnItems(shown, 50, 4, 3);
  assert.equal([drawn.length, drawn[0]?.length], [50, 4]);
  assert.equal(drawnItems(shown, 50, 4, 3), drawn);
  for (const vector of drawn.flat()) {
    const length = Math.hypot(...vector);
    assert.ok(Math.abs(length - 1) < 1e-5);
  }
});

gallery('strangers are pictures in other colours, the same for the same number', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'a'));
  const rows: Row[] = ['train', 'test'].map((split) => ({
    ...{ path: `a/${split}.jpg`, item: 'a', group: 'a', split: split === 'test' ? 'test' : 'train' },
  }));
  for (const { path } of rows) writeFileSync(join(folder.path, path), await picture(1));
  writeFileSync(join(folder.path, 'index.csv'), rows.map(({ path, item }) => `${path},${item}`).join('\n'));
  const made = await strangerPictures(folder.path, rows, 2, () => undefined, folder.path);
  assert.equal(rowsOf(made.rows, 'path', 'item'), [
    ['s0-0.jpg', 'stranger 0'],
    ['s1-0.jpg', 'stranger 1'],
  ]);
});

gallery('what cannot be judged is reported with what may be', async () => {
  for (const [options, says] of [
    [[], /name the folder of the pictures.*--data FOLDER/],
    [['--data', '/nowhere'], /index\.csv is not there/],
    [['--data', '.', '--sizes', '10,x'], /--sizes 10,x are no numbers of items/],
  ] as const) {
    const { code, output } = await runCommand(process.execPath, [join(ROOT, 'models/gallery.ts'), ...options]);
    assert.is(code, 1);
    assert.match(output, says);
  }
});

gallery.run();
