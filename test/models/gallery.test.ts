import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toUnitVector } from '../../firmware/recognition/embedding/embedder-vectors.ts';
import type { Row } from '../../models/evaluation/protocol.ts';
import { chooseJudging } from '../../models/gallery/choose.ts';
import {
  type FoldVectors,
  type Gallery,
  type Sighting,
  sharesOf,
  sightingsOf,
} from '../../models/gallery/sightings.ts';
import { drawnItems, strangerPictures } from '../../models/gallery/strangers.ts';
import { picture } from '../recognition/support.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { temporaryFolder } from '../support.ts';
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

const OPEN = { thresholds: { certain: 0.5, margin: 0.05, unknown: 0.3 } };

gallery('queries are of judged items alone: of known ones all, of unknown ones the hidden half', () => {
  for (const kind of ['photographs', 'drawn'] as const) {
    const asked: Gallery = { size: 20, kind, templates: 3 };
    const sightings = sightingsOf([foldWith(0.1)], asked, 'normal');
    const known = sightings.filter(({ enrolled }) => enrolled);
    const unknown = sightings.filter(({ enrolled }) => !enrolled);
    assert.equal([known.length, unknown.length], [5 * 4 * 4, 5 * 2 * 4]);
    assert.ok(sightings.every(({ item }) => ITEMS.slice(0, 4).includes(item)));
    assert.ok(unknown.every(({ right }) => !right));
    assert.ok(Math.abs((known[0]?.crowd.fewness ?? 0) - 1 / 3) < 1e-9);
    assert.equal(sightingsOf([foldWith(0.1)], asked, 'normal'), sightings, 'drawn from seeds');
  }
});

gallery('shares are of the known and of the unknown, and wrong ones of the certain', () => {
  const base = { enrolled: true, item: 'a', agrees: true, nearest: null, crowd: { fewness: 0.2, nearness: null } };
  const seen = (right: boolean, similarity: number, lead: number, more: Partial<Sighting> = {}): Sighting => ({
    ...{ ...base, right, similarity, lead },
    ...more,
  });
  const shares = sharesOf(
    [
      ...[seen(true, 0.8, 0.2), seen(false, 0.8, 0.2), seen(true, 0.8, 0.01), seen(true, 0.2, 0.2)],
      ...[seen(true, 0.8, 0.2, { agrees: false }), seen(false, 0.2, 0, { enrolled: false })],
      seen(false, 0.8, 0.2, { enrolled: false }),
    ],
    OPEN,
  );
  assert.equal(shares, { top1: 80, certain: 40, wrong: 50, knownFlagged: 20, flagged: 50, fooled: 50 });
  assert.is(sharesOf([seen(true, 0.2, 0)], OPEN).wrong, null);
});

gallery('what is chosen keeps the promise in every gallery, and says so where nothing does', () => {
  const made = (lead: number, right: boolean): Sighting => ({
    ...{ right, enrolled: true, item: 'a', similarity: 0.9, lead, agrees: true, nearest: 0.5 },
    crowd: { fewness: 0.2, nearness: 0.5 },
  });
  const easy = Array.from({ length: 100 }, (_, at) => made(0.4 + at / 1000, true));
  const hard = [...easy, ...Array.from({ length: 10 }, () => made(0.2, false))];
  const judging = chooseJudging([easy, hard]);
  assert.equal([sharesOf(hard, judging).wrong, sharesOf(easy, judging).certain], [0, 100]);
  assert.ok(judging.thresholds.margin + 0.2 * (judging.gallery?.fewTemplates ?? 0) > 0.2);
  assert.throws(() => chooseJudging([[...easy, ...Array.from({ length: 10 }, () => made(1, false))]]), /no constants/);
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
  assert.equal(
    made.rows.map(({ path, item }) => [path, item]),
    [
      ['s0-0.jpg', 'stranger 0'],
      ['s1-0.jpg', 'stranger 1'],
    ],
  );
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
