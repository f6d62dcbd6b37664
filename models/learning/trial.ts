/** One enrolled gallery, asked with pictures that its templates were not made of, through the device's own classifier. */
import type { Speed } from '../../firmware/core/config/choices.ts';
import { classifyWeighed, type TrustByWeight } from '../../firmware/recognition/matching/by-weight.ts';
import { Classifier, type ClassifierRules } from '../../firmware/recognition/matching/classifier.ts';
import type { IndexedTemplate } from '../../firmware/recognition/matching/enrolled-items.ts';
import type { Row } from '../evaluation/protocol.ts';

/** Of a model that has not seen these items. */
export interface FoldItems {
  readonly items: readonly string[];
  readonly rules: ClassifierRules;
  /** Pictures that templates are made of, by item. */
  readonly shown: ReadonlyMap<string, readonly Float32Array[]>;
  /** Pictures that are asked with. */
  readonly asked: ReadonlyMap<string, readonly Float32Array[]>;
}

export interface Vectors {
  readonly rules: ClassifierRules;
  readonly rows: readonly Row[];
  readonly vectors: Readonly<Record<Speed, readonly Float32Array[]>>;
}

/** Queries at a speed, templates with all looks. */
export function foldItems(items: readonly string[], { rules, rows, vectors }: Vectors, speed: Speed): FoldItems {
  const of = (item: string, isTest: boolean): Float32Array[] =>
    rows.flatMap((row, at) => {
      const vector = vectors[isTest ? speed : 'normal'][at];
      return row.item === item && (row.split === 'test') === isTest && vector !== undefined ? [vector] : [];
    });
  return {
    items,
    rules,
    shown: new Map(items.map((item) => [item, of(item, false)])),
    asked: new Map(items.map((item) => [item, of(item, true)])),
  };
}

export type Learned = Omit<IndexedTemplate, 'item' | 'key'>;

export interface Trial {
  readonly rules: ClassifierRules;
  readonly enrolled: ReadonlyMap<string, readonly Learned[]>;
  readonly queries: ReadonlyMap<string, readonly Float32Array[]>;
}

export interface Tally {
  readonly asked: number;
  readonly right: number;
  readonly certain: number;
  readonly wrong: number;
  readonly items: number;
  readonly prototypes: number;
}

export function enrol({ rules, enrolled }: Pick<Trial, 'rules' | 'enrolled'>): Classifier {
  const classifier = new Classifier(rules);
  for (const [item, templates] of enrolled)
    classifier.addAll(templates.map((template, at) => ({ ...template, item, key: `${item}/${at}` })));
  return classifier;
}

/** @param trustOf by what a query of an item weighs; not weighed when left out */
export function ask(
  classifier: Classifier,
  { queries }: Pick<Trial, 'queries'>,
  speed: Speed,
  trustOf: (item: string) => TrustByWeight | null = () => null,
): Tally {
  const { itemCount: items, prototypeCount: prototypes } = classifier;
  const counts = { asked: 0, right: 0, certain: 0, wrong: 0 };
  for (const [item, vectors] of queries)
    for (const vector of vectors) {
      const byLooks = (count: number) => classifier.classify(vector, count, speed);
      const { items: found, verdict } = classifyWeighed(byLooks, trustOf(item), 1);
      const isRight = found[0]?.id === item;
      counts.asked += 1;
      counts.right += Number(isRight);
      counts.certain += Number(verdict.certain);
      counts.wrong += Number(verdict.certain && !isRight);
    }
  return { ...counts, items, prototypes };
}

/** All in per cent, but for the prototypes of an item. */
export function cellsOf(tallies: readonly Tally[]): string[] {
  const sum = (key: keyof Tally): number => tallies.reduce((total, tally) => total + tally[key], 0);
  const percent = (some: number, all: number): string => (all === 0 ? '-' : ((100 * some) / all).toFixed(1));
  return [
    percent(sum('right'), sum('asked')),
    percent(sum('certain'), sum('asked')),
    percent(sum('wrong'), sum('certain')),
    (sum('prototypes') / sum('items')).toFixed(2),
  ];
}
