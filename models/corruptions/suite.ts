/**
 * The suite: for each fold and tray a device learns the empty tray and every item by a few templates, laid down whole in the middle;
 * then it is asked about items of the fold, which its model has not seen, in every way of `shots.ts`. The same pictures in each row.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Speed } from '../../firmware/core/config/choices.ts';
import { randomOf } from '../../test/tools/scenes/random.ts';
import { TRAYS, type Tray } from '../../test/tools/scenes/trays.ts';
import type { Row } from '../evaluation/protocol.ts';
import { compose } from './compose.ts';
import { type Lane, openLane } from './lane.ts';
import { cutOut, type Patch } from './patch.ts';
import { ROWS, type RowName, smallItem } from './shots.ts';
import type { Outcome } from './tally.ts';

export const ALL_TRAYS: readonly Tray[] = Object.freeze([...TRAYS, 'wood']);
/** Of the frame: what a plum has on a tray of half a metre. */
const SMALL_SHARE = 0.03;
/** Light of an empty tray beside that in which it was learned. */
const EMPTY_LIGHT = [0.5, 1.5] as const;

export interface SuiteOptions {
  readonly data: string;
  readonly rows: readonly Row[];
  /** Items of each fold, and the model that has not seen them. */
  readonly folds: readonly { readonly items: readonly string[]; readonly manifestPath: string }[];
  readonly templates: number;
  /** Items that are enrolled at least: drawn ones fill up what the data lacks. */
  readonly enrolled: number;
  /** Of each row, for each fold and tray. */
  readonly queries: number;
  readonly speed: Speed;
  readonly names: readonly RowName[];
  readonly say: (line: string) => void;
}

export interface SuiteResult {
  readonly outcomes: ReadonlyMap<RowName, readonly Outcome[]>;
  /** By tray: small items that were called an empty tray, and empty trays that were called an item. */
  readonly emptiness: ReadonlyMap<Tray, { readonly missed: number; readonly imagined: number; readonly asked: number }>;
}

type Picture = Pick<Row, 'path' | 'item'>;

class Suite {
  readonly #options: SuiteOptions;
  readonly outcomes = new Map<RowName, Outcome[]>();
  readonly emptiness = new Map<Tray, { missed: number; imagined: number; asked: number }>();

  constructor(options: SuiteOptions) {
    this.#options = options;
  }

  async judge(tray: Tray, fold: number): Promise<void> {
    const { folds, speed, names, say } = this.#options;
    const { manifestPath = '' } = folds[fold] ?? {};
    await using lane = await openLane(manifestPath, speed);
    const empty = await compose({ tray, shot: null, patches: [], seed: `empty ${tray}` });
    await lane.learnEmptyTray(empty);
    await this.#teach(lane, tray, fold);
    const { enrolled, rows } = this.#options;
    if (enrolled > new Set(rows.map((row) => row.item)).size) await lane.fillUp(enrolled, folds[fold]?.items ?? []);
    for (const name of names) {
      await this.#ask(lane, tray, fold, name);
      say(`fold ${fold + 1}, ${tray}: ${name}`);
    }
    await this.#askForNothing(lane, tray, fold);
  }

  /** Every item of the data is enrolled, of every fold. */
  async #teach(lane: Lane, tray: Tray, fold: number): Promise<void> {
    const { rows, templates } = this.#options;
    for (const item of [...new Set(rows.map((row) => row.item))].sort()) {
      const random = randomOf('templates', item, fold);
      const own = rows.filter((row) => row.item === item && row.split !== 'test');
      for (const picture of random.shuffled(own).slice(0, templates)) {
        const seed = `template ${picture.path} ${tray}`;
        const shot = ROWS.undisturbed(randomOf(seed));
        await lane.teach(item, await compose({ tray, shot, patches: [await this.#patch(picture)], seed }));
      }
    }
  }

  async #ask(lane: Lane, tray: Tray, fold: number, name: RowName): Promise<void> {
    const outcomes = this.outcomes.get(name) ?? [];
    this.outcomes.set(name, outcomes);
    for (const [index, picture] of this.#queries(tray, fold).entries()) {
      const seed = `${name} ${picture.path} ${tray}`;
      const random = randomOf(seed);
      const shot = ROWS[name](random);
      const beside = shot.second === null ? null : this.#another(tray, fold, index, picture);
      const pictures = beside === null ? [picture] : [picture, beside];
      const patches = await Promise.all(pictures.map((one) => this.#patch(one)));
      const frame = await compose({ tray, shot, patches, seed });
      outcomes.push(
        await lane.ask(
          frame,
          pictures.map(({ item }) => item),
        ),
      );
    }
  }

  async #askForNothing(lane: Lane, tray: Tray, fold: number): Promise<void> {
    const count = this.emptiness.get(tray) ?? { missed: 0, imagined: 0, asked: 0 };
    this.emptiness.set(tray, count);
    for (const picture of this.#queries(tray, fold)) {
      const seed = `small ${picture.path} ${tray}`;
      const random = randomOf(seed);
      const shot = smallItem(random, SMALL_SHARE);
      const small = await compose({ tray, shot, patches: [await this.#patch(picture)], seed });
      const light = random.between(...EMPTY_LIGHT);
      const empty = await compose({
        tray,
        shot: null,
        patches: [],
        light,
        seed: `nothing ${picture.path} ${tray}`,
      });
      count.asked += 1;
      if (await lane.looksEmpty(small)) count.missed += 1;
      if (!(await lane.looksEmpty(empty))) count.imagined += 1;
    }
  }

  /** The same in every row. */
  #queries(tray: Tray, fold: number): readonly Picture[] {
    const { rows, folds, queries } = this.#options;
    const own = rows.filter(({ item, split }) => split === 'test' && folds[fold]?.items.includes(item));
    return randomOf('queries', tray, fold).shuffled(own).slice(0, queries);
  }

  /** One of another item, to lie beside it. */
  #another(tray: Tray, fold: number, index: number, { item }: Picture): Picture | null {
    const all = this.#queries(tray, fold);
    const others = [...all.slice(index + 1), ...all.slice(0, index)];
    return others.find((other) => other.item !== item) ?? null;
  }

  async #patch({ path }: Picture): Promise<Patch> {
    return await cutOut(readFileSync(join(this.#options.data, path)));
  }
}

/** @throws {Error} a model cannot be used, a picture not be read */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const suite = new Suite(options);
  for (const fold of options.folds.keys()) for (const tray of ALL_TRAYS) await suite.judge(tray, fold);
  return suite;
}
