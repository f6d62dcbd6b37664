/** Small faults, drawn by a seed: what the tests are measured by. */
import { seeded } from '../seeded.ts';
import { moduleOf } from './figures.ts';
import { readSources } from './sources.ts';

export interface Mutant {
  /** Relative to the checkout. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [pattern: RegExp, replacement: string];

/** Each leaves the types as they are. */
const CHANGES: readonly Change[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/\bif \((?!!)(.+)\)( \{)?$/, 'if (!($1))$2'],
  [/\bif \((?!!)(.+?)\) (return|throw|continue)\b/, 'if (!($1)) $2'],
  [/\breturn true;/, 'return false;'],
  [/\breturn false;/, 'return true;'],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/^(\s+)(?:await |void )?(?:this\.)?#?[\w.#]+\([^;{}]*\);$/, '$1;'],
];

/** Lines that are no code, or are of types alone. */
const PASSED_OVER = /^\s*(?:\*|\/\*|\/\/|import|export (?:type|interface)|readonly |type |@)/;

function mutantsOf(path: string, text: string): Mutant[] {
  return text.split('\n').flatMap((before, index) =>
    PASSED_OVER.test(before)
      ? []
      : CHANGES.filter(([pattern]) => pattern.test(before)).map(([pattern, replacement]) => ({
          ...{ path, line: index + 1, before },
          after: before.replace(pattern, replacement),
        })),
  );
}

/** @returns `count` faults of the checkout in `root`, the same for the same seed, spread over its modules: no module gives two before each gave one */
export function drawMutants(root: string, seed: number, count: number): Mutant[] {
  const random = seeded(seed);
  const modules = new Map<string, Mutant[]>();
  for (const { path, text } of readSources(root).filter((source) => source.path.endsWith('.ts')))
    modules.set(moduleOf(path), [...(modules.get(moduleOf(path)) ?? []), ...mutantsOf(path, text)]);
  const drawn: Mutant[] = [];
  while (drawn.length < count && modules.size > 0)
    for (const [module, left] of modules) {
      const [mutant] = left.splice(Math.floor(random() * left.length), 1);
      if (mutant === undefined) modules.delete(module);
      else if (drawn.length < count) drawn.push(mutant);
    }
  return drawn;
}
