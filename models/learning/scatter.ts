/** What a shop would gain if its own templates whitened its vectors once more: the scatter within its items, shrunk towards none. */
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { factorise, scatterWithin, solve } from '../evaluation/whitening.ts';
import type { FoldItems, Trial } from './trial.ts';
import { plainItems } from './views.ts';

/** @param shrink 0 to 1: 1 leaves every direction as it is */
export function learnScatter(
  byItem: readonly (readonly Float32Array[])[],
  shrink: number,
): (vector: Float32Array) => Float32Array {
  const size = byItem[0]?.[0]?.length ?? 0;
  const scatter = scatterWithin(
    byItem.map((vectors) => vectors.map((vector) => Float64Array.from(vector))),
    size,
  );
  let trace = 0;
  for (let at = 0; at < size; at++) trace += scatter[at * size + at] ?? 0;
  const factor = scatter.map(
    (value, at) => ((1 - shrink) * value * size) / trace + (at % (size + 1) === 0 ? shrink : 0),
  );
  factorise(factor, size);
  return (vector) => {
    const whitened = Float64Array.from(vector);
    solve(factor, whitened);
    return toUnitVector(whitened);
  };
}

/** As {@link plainItems}, with templates and queries whitened by the templates; 1 leaves them as they are. */
export function whitenedItems(fold: FoldItems, count: number, shrink: number, seed: number): Trial {
  const { rules, enrolled, queries } = plainItems(fold, count, seed);
  const vectors = [...enrolled.values()].map((all) => all.map(({ vector }) => vector));
  const whiten = shrink === 1 ? (vector: Float32Array) => vector : learnScatter(vectors, shrink);
  return {
    rules,
    enrolled: new Map(
      [...enrolled].map(([item, all]) => [item, all.map(({ vector }) => ({ vector: whiten(vector) }))]),
    ),
    queries: new Map([...queries].map(([item, all]) => [item, all.map(whiten)])),
  };
}
