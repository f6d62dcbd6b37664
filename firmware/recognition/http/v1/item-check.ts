/** The check of a table of items before its import. */
import Type, { type Static } from 'typebox';
import { orNull } from '../../../core/schema/index.ts';
import type { Items } from '../../items/items.ts';
import { type CheckedFile, faultOf } from './item-file.ts';
import { Entry, UNREAD, unreadIn } from './item-schemas.ts';

/** The most lines, and below the most faults, of an answer: a person reads no more. */
const SHOWN_LINES = 50;
const SHOWN_FAULTS = 100;

const FAULTS = ['value', 'rounded', 'twice', 'taken'] as const;
const EXAMPLE = { id: '4011', name: 'Bananas', plu: '4011', price: 12_990, barcodes: ['4006381333931'] };

const Fault = Type.Object(
  {
    line: Type.Integer({ description: 'in the file, the head included' }),
    fault: Type.Enum([...FAULTS], {
      description:
        'value: a cell holds what its column (`field`) does not take; rounded: a code that a spreadsheet took for a number; twice: the item stands in a line before; taken: a barcode of it is that of another item',
    }),
    field: Type.Optional(Type.String({ description: 'the column at fault' })),
    item: Type.Optional(Type.String({ description: 'the item that is there twice, or whose barcode it is' })),
    barcode: Type.Optional(Type.String()),
    detail: Type.String({ description: 'the same as a sentence' }),
  },
  { title: 'TableFault' },
);

const Prices = Type.Object(
  {
    written: Type.String({ description: 'the first price, as the table has it' }),
    kopecks: orNull(Type.Integer(), 'its kopecks where the prices are kopecks; null: it cannot be that'),
    roubles: orNull(Type.Integer(), 'its kopecks where the prices are roubles'),
    said: Type.Boolean({
      description: 'whether the call (`prices`) or the name of the column says which; else they are read as kopecks',
    }),
  },
  { title: 'TablePrices', description: 'left out where the table has no price' },
);

export const CheckAnswer = Type.Object(
  {
    created: Type.Integer({ description: 'items that are not there yet' }),
    updated: Type.Integer({ description: 'items that are there' }),
    lines: Type.Array(Type.Object({ line: Type.Integer(), entry: Entry }), {
      description: `the first ${SHOWN_LINES} that can be read`,
    }),
    faults: Type.Array(Fault, {
      description: `by their lines, the first ${SHOWN_FAULTS}; with any of them the file is refused`,
    }),
    faultCount: Type.Integer({ description: 'how many there are in all' }),
    prices: Type.Optional(Prices),
    ...UNREAD,
  },
  {
    title: 'TableCheck',
    description: 'what an import would do',
    examples: [{ created: 1, updated: 0, lines: [{ line: 2, entry: EXAMPLE }], faults: [], faultCount: 0 }],
  },
);
type Fault = Static<typeof Fault>;

/** Tries an import of the readable lines; returns its counts, and the barcodes that belong to another item. */
async function tryLines(items: Items, { lines }: CheckedFile) {
  const { created, updated, problems } = await items.imports.try(lines.map(({ entry }) => entry));
  const taken = problems.map(({ problem, index }) => ({
    ...faultOf(problem),
    fault: 'taken' as const,
    line: lines[index]?.line ?? 0,
  }));
  return { created, updated, taken };
}

/** @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
export async function checkAnswer(items: Items, table: CheckedFile): Promise<Static<typeof CheckAnswer>> {
  const { created, updated, taken } = await tryLines(items, table);
  const faults = [...(table.faults as readonly Fault[]), ...taken].sort((one, other) => one.line - other.line);
  return {
    created,
    updated,
    lines: table.lines.slice(0, SHOWN_LINES),
    faults: faults.slice(0, SHOWN_FAULTS),
    faultCount: faults.length,
    ...(table.price !== null && { prices: table.price }),
    ...unreadIn(table.unread),
  };
}
