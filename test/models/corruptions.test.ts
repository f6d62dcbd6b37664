/** The suite of hard frames: drawn from seeds, through the product. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compose } from '../../models/corruptions/compose.ts';
import { openLane } from '../../models/corruptions/lane.ts';
import { cutOut } from '../../models/corruptions/patch.ts';
import { type Placement, ROW_NAMES, ROWS, smallItem } from '../../models/corruptions/shots.ts';
import { runSuite, type SuiteOptions } from '../../models/corruptions/suite.ts';
import { figuresOf } from '../../models/corruptions/tally.ts';
import type { Row } from '../../models/evaluation/protocol.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { picture } from '../recognition/support.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { temporaryFolder } from '../support.ts';
import { randomOf } from '../tools/scenes/random.ts';

const corruptions = suite('corruptions');
const FRAME = { width: 1280, height: 720 };

const placesOf = (name: (typeof ROW_NAMES)[number], seed: number): Placement[] => {
  const { item, second } = ROWS[name](randomOf(name, seed));
  return second === null ? [item] : [item, second];
};

corruptions('an item lies on the tray in every row, for any seed, and two do not touch', () => {
  for (const name of ROW_NAMES)
    for (let seed = 0; seed < 200; seed++) {
      const [item, second] = placesOf(name, seed);
      for (const place of [item, second].filter((one) => one !== undefined)) {
        const half = place.side / 2;
        const inside = place.x - half >= 0 && place.x + half <= FRAME.width;
        assert.ok(inside && place.y - half >= 0 && place.y + half <= FRAME.height, `${name} ${seed}`);
        assert.ok(place.side >= 190, `${name} ${seed}: ${place.side}`);
      }
      if (item !== undefined && second !== undefined)
        assert.ok(second.x - item.x >= (item.side + second.side) / 2, `${name} ${seed}`);
    }
});

corruptions('a small item has the share of the area that it is asked for, and lies anywhere', () => {
  const shots = Array.from({ length: 100 }, (_, seed) => smallItem(randomOf(seed), 0.03).item);
  for (const { side } of shots) assert.ok(Math.abs(side ** 2 / (FRAME.width * FRAME.height) - 0.03) < 1e-6);
  assert.ok(Math.min(...shots.map(({ x }) => x)) < 250 && Math.max(...shots.map(({ x }) => x)) > 1030);
});

corruptions('a frame is the same for the same seed, and another one for another', async () => {
  const patches = [await cutOut(await picture(1)), await cutOut(await picture(2))];
  for (const name of ROW_NAMES) {
    const frame = (seed: string) => compose({ tray: 'wood', shot: ROWS[name](randomOf(name, seed)), patches, seed });
    const [one, again, other] = [await frame('1'), await frame('1'), await frame('2')];
    assert.ok(one.equals(again), name);
    assert.not.ok(one.equals(other), name);
    const { width, height } = await sharp(one).metadata();
    assert.equal({ width, height }, FRAME);
  }
});

corruptions('half the light is half as bright, and a warm lamp is redder', async () => {
  const meansOf = async (shot: Parameters<typeof compose>[0]['shot']) => {
    const patches = [await cutOut(await picture(1))];
    const { channels } = await sharp(await compose({ tray: 'steel', shot, patches, seed: 'light' })).stats();
    const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
    return { red, blue };
  };
  const shot = ROWS.undisturbed(randomOf('light'));
  const [whole, half, warm] = [
    await meansOf(shot),
    await meansOf({ ...shot, light: 0.5 }),
    await meansOf({ ...shot, kelvin: 2700 }),
  ];
  assert.ok(Math.abs(half.red / whole.red - 0.5) < 0.03, `${half.red} of ${whole.red}`);
  assert.ok(warm.red / warm.blue > 1.3 * (whole.red / whole.blue));
});

corruptions('figures are shares of the queries; of the certain ones those that were wrong', () => {
  const [right, third, none] = [
    { rank: 1, certain: true, missed: false },
    { rank: 3, certain: true, missed: false },
    { rank: null, certain: false, missed: true },
  ];
  const figures = figuresOf([right, right, third, none]);
  assert.equal(figures, { queries: 4, top1: 50, top3: 75, certain: 75, wrong: 100 / 3, missed: 25 });
  assert.is(figuresOf([none]).wrong, null);
});

corruptions('a lane is asked through the product: what it learned is right, an empty tray is missed', async () => {
  await using lane = await openLane(SHIPPED_MANIFEST, 'fast');
  const frame = async (kind: number, seed: string) => {
    const patches = [await cutOut(await picture(kind))];
    return await compose({ tray: 'white', shot: ROWS.undisturbed(randomOf(seed)), patches, seed });
  };
  const empty = await compose({ tray: 'white', shot: null, patches: [], seed: 'empty' });
  await lane.learnEmptyTray(empty);
  for (const kind of [1, 2, 3]) await lane.teach(`item${kind}`, await frame(kind, 'taught'));
  assert.is((await lane.ask(await frame(2, 'asked'), ['item2'])).rank, 1);
  assert.is.not((await lane.ask(await frame(2, 'asked'), ['item3'])).rank, 1);
  assert.equal(await lane.ask(empty, ['item2']), { rank: null, certain: false, missed: true });
  assert.equal([await lane.looksEmpty(empty), await lane.looksEmpty(await frame(1, 'asked'))], [true, false]);
});

corruptions('the suite asks each row as often on each tray, about items of the fold alone', async () => {
  using folder = temporaryFolder();
  const rows: Row[] = [];
  for (const [kind, item] of ['a', 'b', 'c'].entries()) {
    mkdirSync(join(folder.path, item));
    for (const split of ['train', 'test'] as const) {
      const path = `${item}/${split}.jpg`;
      writeFileSync(join(folder.path, path), await picture(kind + 1, split === 'test' ? 1 : 0));
      rows.push({ path, item, group: item, split });
    }
  }
  const said: string[] = [];
  const options: Omit<SuiteOptions, 'names'> = {
    ...{ data: folder.path, rows, folds: [{ items: ['a', 'b'], manifestPath: SHIPPED_MANIFEST }] },
    ...{ templates: 1, enrolled: 1, queries: 2, speed: 'fast', say: (line) => said.push(line) },
  };
  const { outcomes, emptiness } = await runSuite({ ...options, names: ['undisturbed', 'two items'] });
  assert.equal(
    [...outcomes].map(([name, all]) => [name, all.length]),
    [
      ['undisturbed', 8],
      ['two items', 8],
    ],
  );
  assert.equal([...emptiness.keys()], ['steel', 'rubber', 'white', 'wood']);
  for (const { asked } of emptiness.values()) assert.is(asked, 2);
  assert.is(figuresOf(outcomes.get('undisturbed') ?? []).top1, 100);
  assert.is(said.length, 8);

  const crowded = await runSuite({ ...options, enrolled: 60, names: ['undisturbed'] });
  const { top1 } = figuresOf(crowded.outcomes.get('undisturbed') ?? []);
  assert.ok(top1 < 100, 'drawn items that are as like each other as these two stand between');
});

corruptions('a wrong option is reported with the allowed ones', async () => {
  for (const [options, says] of [
    [[], /name the folder of the pictures.*--data FOLDER/],
    [['--data', '/nowhere'], /index\.csv is not there/],
    [['--data', '.', '--rows', 'upside down'], /--rows upside down is not known: it may be undisturbed, /],
    [['--data', '.', '--speed', 'slow'], /--speed slow is not known: it may be /],
    [['--data', '.', '--queries', '0'], /--queries must be a whole number from 1, and is 0/],
  ] as const) {
    const { code, output } = await runCommand(process.execPath, [join(ROOT, 'models/corruptions.ts'), ...options]);
    assert.is(code, 1);
    assert.match(output, says);
  }
});

corruptions.run();
