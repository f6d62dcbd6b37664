/**
 * Shows what layouts would read, before they are saved: from a given label's code, or from a sample made for each
 * layout.
 */
import Type, { type Static } from 'typebox';
import { compiled, orNull } from '../../core/store/index.ts';
import {
  GRAMS_PRINTED,
  KOPECKS_PRINTED,
  PRINTED_REFUSALS,
  PrintedLayout,
  printedAs,
  type Recognition,
} from '../../recognition/index.ts';

export const amounts = {
  weight: orNull(
    Type.Integer(GRAMS_PRINTED),
    'grams, as the label says: up to 99,999 with five digits; null of a code that has a price',
  ),
  price: orNull(
    Type.Integer(KOPECKS_PRINTED),
    'kopecks, of all that it is printed for; null of a code that has a weight',
  ),
};
export const plu = Type.String({ description: 'its digits of the item, with the zeros before them' });
export const Preview = Type.Object({
  unfit: Type.Array(Type.String(), { description: 'what is no layout' }),
  read: Type.Array(
    Type.Object({
      code: Type.String(),
      layout: Type.String(),
      plu,
      ...amounts,
      item: orNull(Type.String(), 'what its item is called, else its id'),
    }),
  ),
  refused: orNull(Type.Enum([...PRINTED_REFUSALS]), 'why `code` says nothing'),
});
export type Preview = Static<typeof Preview>;

type Read = Pick<Recognition, 'items' | 'printedCodes'>;

const LAYOUT = compiled(PrintedLayout);
/** Amount of a sample, grams or kopecks. */
const EXAMPLE_AMOUNT = 1234;
const EXAMPLE_PLU = '42';
/** How many items are searched for one that a scale could sell. */
const MOST_LOOKED_AT = 50;

export function previewOf({ items, printedCodes }: Read, typed: string, code: string): Preview {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const layouts = words.filter((word) => LAYOUT.Check(word));
  const plus = [...items.page({}, null, MOST_LOOKED_AT).map(({ plu }) => plu), EXAMPLE_PLU];
  const madeFor = (layout: string): string[] =>
    plus.flatMap((plu) => printedAs(layout, plu, EXAMPLE_AMOUNT) ?? []).slice(0, 1);
  const judged = (code === '' ? layouts.flatMap(madeFor) : [code]).map((text) => ({
    code: text,
    said: printedCodes.judge(text, layouts),
  }));
  const [refused] = code === '' ? [] : judged.flatMap(({ said }) => (typeof said === 'string' ? said : []));
  return {
    unfit: words.filter((word) => !layouts.includes(word)),
    read: judged.flatMap(({ code: text, said }) => {
      if (typeof said === 'string') return [];
      return { code: text, ...said, item: said.item === null ? null : (items.nameOf(said.item) ?? said.item) };
    }),
    refused: refused ?? null,
  };
}
