/** Hands over as many items as it is told, each a list that names one text many times. */
import { servePages } from '../../../drivers/lib/paged-thread.ts';

export interface Told {
  readonly items: number;
  readonly texts: number;
  readonly characters: number;
  /** Ends with a refusal of so many characters. */
  readonly refusal?: number;
}

export class Refused extends Error {}

function* itemsOf({ items, texts, characters, refusal }: Told): Generator<string[]> {
  const text = 'я'.repeat(characters);
  for (let at = 0; at < items; at++) yield Array.from({ length: texts }, () => text);
  if (refusal !== undefined) throw new Refused('x'.repeat(refusal));
}

servePages(itemsOf, [Refused]);
