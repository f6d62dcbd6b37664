/** Items of one look, and boxes: the front is one unseen item, the back another, under one name. */
import { seeded } from '../../test/tools/seeded.ts';
import { shuffled } from '../evaluation/protocol.ts';
import type { FoldItems, Trial } from './trial.ts';

/** Of a box's templates those of the front; customers show both sides alike. */
const FRONT_SHARE = 0.6;

const some = (vectors: readonly Float32Array[] | undefined, count: number, random: () => number) =>
  shuffled(vectors ?? [], random)
    .slice(0, count)
    .map((vector) => ({ vector }));

export function plainItems({ items, rules, shown, asked }: FoldItems, count: number, seed: number): Trial {
  const random = seeded(seed);
  const enrolled = new Map(items.map((item) => [item, some(shown.get(item), count, random)]));
  return { rules, enrolled, queries: asked };
}

export function boxes({ items, rules, shown, asked }: FoldItems, count: number, seed: number): Trial {
  const random = seeded(seed);
  const order = shuffled(items, random);
  const enrolled = new Map<string, { vector: Float32Array }[]>();
  const queries = new Map<string, Float32Array[]>();
  for (let at = 0; at + 1 < order.length; at += 2) {
    const [front = '', back = ''] = order.slice(at, at + 2);
    const fronts = Math.ceil(count * FRONT_SHARE);
    enrolled.set(front, [...some(shown.get(front), fronts, random), ...some(shown.get(back), count - fronts, random)]);
    queries.set(front, [...(asked.get(front) ?? []), ...(asked.get(back) ?? [])]);
  }
  return { rules, enrolled, queries };
}
