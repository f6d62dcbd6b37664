/** A lane where no template is learned any more: half of the queries are confirmed, some of them wrongly, the other half is asked before and after. */
import type { Speed } from '../../firmware/core/config/choices.ts';
import { STRAY_LEAD } from '../../firmware/recognition/matching/strays.ts';
import { seeded } from '../../test/tools/seeded.ts';
import { shuffled } from '../evaluation/protocol.ts';
import { ask, enrol, type FoldItems, type Tally } from './trial.ts';
import { plainItems } from './views.ts';

/** Candidates that a customer chooses from. */
const OFFERED = 5;

/** @param wrong share of the confirmations that name another of the offered items */
export function confirmedItems(
  fold: FoldItems,
  count: number,
  wrong: number,
  seed: number,
  speed: Speed,
): { before: Tally; after: Tally } {
  const trial = plainItems(fold, count, seed);
  const random = seeded(seed + 2);
  const classifier = enrol(trial);
  const confirmed: { item: string; vector: Float32Array }[] = [];
  const queries = new Map<string, Float32Array[]>();
  for (const [item, vectors] of trial.queries) {
    const order = shuffled(vectors, random);
    const half = Math.floor(order.length / 2);
    confirmed.push(...order.slice(0, half).map((vector) => ({ item, vector })));
    queries.set(item, order.slice(half));
  }
  const before = ask(classifier, { queries }, speed);
  for (const { item, vector } of shuffled(confirmed, random)) {
    const { items, verdict } = classifier.classify(vector, OFFERED, speed);
    const [best] = items;
    const others = items.filter(({ id }) => id !== item);
    const named = random() < wrong ? others[Math.floor(random() * others.length)]?.id : item;
    const own = items.find(({ id }) => id === named)?.similarity;
    // as the device takes a confirmation
    if (best === undefined || named === undefined || own === undefined) continue;
    if ((verdict.certain && best.id === named) || own < best.similarity - STRAY_LEAD) continue;
    classifier.confirm(named, vector);
  }
  return { before, after: ask(classifier, { queries }, speed) };
}
