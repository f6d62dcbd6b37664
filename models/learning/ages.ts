/** Items whose looks have changed: their old templates are a look-alike's, which is not enrolled itself. And items that stayed as they were. */
import { seeded } from '../../test/tools/seeded.ts';
import { type Row, shuffled } from '../evaluation/protocol.ts';
import type { FoldItems, Learned, Trial } from './trial.ts';
import { plainItems } from './views.ts';

const DAY_MS = 86_400_000;
const OLD_DAYS = 365;
const OLD = 10;
const NEW = 5;
const YEARS_DAYS = 730;

export interface Aged {
  readonly trial: Trial;
  /** The same with templates whose age nobody tells. */
  readonly ageless: Trial;
}

const withoutAges = (trial: Trial): Trial => ({
  ...trial,
  enrolled: new Map([...trial.enrolled].map(([item, all]) => [item, all.map(({ vector }) => ({ vector }))])),
});

/** Each item whose look-alikes are in the fold has ten templates of one of them, a year old, and five of its own. */
export function changedItems(fold: FoldItems, rows: readonly Row[], seed: number): Aged {
  const random = seeded(seed);
  const groupOf = new Map(rows.map(({ item, group }) => [item, group]));
  const enrolled = new Map<string, Learned[]>();
  const queries = new Map<string, readonly Float32Array[]>();
  const gone = new Set<string>();
  const learn = (item: string, count: number, madeAt: number): Learned[] =>
    shuffled(fold.shown.get(item) ?? [], random)
      .slice(0, count)
      .map((vector) => ({ vector, madeAt }));
  for (const item of shuffled(fold.items, random)) {
    const before = fold.items.find(
      (other) => other !== item && groupOf.get(other) === groupOf.get(item) && !gone.has(other) && !enrolled.has(other),
    );
    if (gone.has(item)) continue;
    const changes = before !== undefined;
    enrolled.set(
      item,
      changes ? [...learn(before, OLD, 0), ...learn(item, NEW, OLD_DAYS * DAY_MS)] : learn(item, OLD, 0),
    );
    if (!changes) continue;
    gone.add(before);
    queries.set(item, fold.asked.get(item) ?? []);
  }
  const trial = { rules: fold.rules, enrolled, queries };
  return { trial, ageless: withoutAges(trial) };
}

/** As {@link plainItems}, with templates of two years: nothing is gained where old ones are as good as new ones. */
export function agedItems(fold: FoldItems, count: number, seed: number): Aged {
  const random = seeded(seed + 1);
  const ageless = plainItems(fold, count, seed);
  const aged = [...ageless.enrolled].map(
    ([item, all]) => [item, all.map((one) => ({ ...one, madeAt: random() * YEARS_DAYS * DAY_MS }))] as const,
  );
  return { trial: { ...ageless, enrolled: new Map(aged) }, ageless };
}
