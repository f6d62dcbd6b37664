/**
 * The calls that read a code printed by a scale, and that list, preview and set the layouts of such codes. A preview
 * reads the code of a given label, or a sample made for each layout.
 */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { recorded } from '../../../drivers/lib/records.ts';
import { problemsOf } from '../../core/http/index.ts';
import { compiled, orNull } from '../../core/schema/index.ts';
import {
  GRAMS_PRINTED,
  ItemAnswer,
  itemAnswer,
  KOPECKS_PRINTED,
  MAX_LAYOUTS,
  PRINTED_REFUSALS,
  type PrintedCode,
  PrintedLayout,
  type PrintedRefusal,
  printedAs,
  type Recognition,
  ScannedCode,
} from '../../recognition/index.ts';
import { PRINTED_CODE_ERRORS } from './error-records.ts';

type Read = Pick<Recognition, 'items' | 'printedCodes' | 'settings' | 'templates'>;

class PrintedCodeError extends recorded('PrintedCodes', PRINTED_CODE_ERRORS) {}

const amounts = {
  weight: orNull(
    Type.Integer(GRAMS_PRINTED),
    'grams, as the label says: up to 99,999 with five digits; null of a code that has a price',
  ),
  price: orNull(
    Type.Integer(KOPECKS_PRINTED),
    'kopecks, of all that it is printed for; null of a code that has a weight',
  ),
};
const plu = Type.String({ description: 'its digits of the item, with the zeros before them' });
const EXAMPLE = '2104011012347';
const CodePath = Type.Object({
  code: {
    ...ScannedCode,
    description:
      'its 13 digits, as a hand scanner gives them, too: with the identifier of the symbology, or as GS1 elements',
  },
});
const CodeAnswer = Type.Object(
  {
    code: Type.String({ description: 'its 13 digits' }),
    layout: Type.String({ description: 'by which it was read' }),
    plu,
    ...amounts,
    item: orNull(
      ItemAnswer,
      'the one item with this PLU or id as it is printed, else without the zeros before it; null: none, or more than one',
    ),
  },
  {
    title: 'PrintedCode',
    description: 'what a scale has printed',
    examples: [{ code: EXAMPLE, layout: '21IIIIIWWWWWC', plu: '04011', weight: 1234, price: null, item: null }],
  },
);

const Layouts = Type.Object(
  { layouts: Type.Array(PrintedLayout, { maxItems: MAX_LAYOUTS, description: 'the first that fits a code reads it' }) },
  { title: 'PrintedLayouts', additionalProperties: false, examples: [{ layouts: ['21IIIIIWWWWWC', '22IIIIIPPPPPC'] }] },
);
const PreviewQuery = Type.Object(
  {
    layouts: Type.Optional(Type.String({ maxLength: 400, description: 'with blanks between them' })),
    code: Type.Optional(
      Type.String({ maxLength: 64, description: 'of a label; left out: one is made for each layout' }),
    ),
  },
  { additionalProperties: false },
);

const PreviewAnswer = Type.Object({
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
export type Preview = Static<typeof PreviewAnswer>;

const LAYOUT = compiled(PrintedLayout);
/** Amount of a sample, grams or kopecks. */
const EXAMPLE_AMOUNT = 1234;
const EXAMPLE_PLU = '42';
/** How many items are searched for a PLU that fits a layout, for its sample. */
const MOST_LOOKED_AT = 50;

/** What layouts would read. @param typed layouts with blanks between them @param code of a label; empty: samples */
function previewOf(
  { items, printedCodes }: Pick<Recognition, 'items' | 'printedCodes'>,
  typed: string,
  code: string,
): Preview {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const layouts = words.filter((word) => LAYOUT.fits(word));
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

const WORDS: Record<PrintedRefusal, (code: string, owner: string | null) => string> = {
  OwnCode: (code, owner) =>
    `${code} is the item ${owner}’s own barcode, id or PLU: find it by GET /v1/items?code=${code}`,
  WrongCheckDigit: (code) => `the last digit of ${code} does not fit the others: scan it again`,
  NoLayout: (code) => `no layout of this shop fits ${code}: look it up as a barcode`,
  NoAmount: (code) => `${code} has a weight or a price of 0: weigh the item again and print another label`,
};

/** Reads a code by the shop's layouts. @throws {PrintedCodeError} */
function read(code: string, { printedCodes }: Read): PrintedCode {
  const said = printedCodes.judge(code);
  if (typeof said === 'string') throw new PrintedCodeError(said, WORDS[said](code, printedCodes.ownerOf(code)));
  return said;
}

export function addPrintedCodes(app: FastifyInstance, recognition: Read): void {
  const { settings } = recognition;
  app.get(
    '/v1/printed-codes/:code',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'readPrintedCode',
        tags: ['items'],
        summary: 'What a code says that a scale has printed',
        description:
          'The item of an EAN-13 of the prefixes 20 to 29, and the weight or the price within it, by the layouts that the shop has set on the page Device.',
        params: CodePath,
        response: {
          200: CodeAnswer,
          ...problemsOf(PRINTED_CODE_ERRORS, [
            'PrintedCodes.OwnCode',
            'PrintedCodes.WrongCheckDigit',
            'PrintedCodes.NoLayout',
            'PrintedCodes.NoAmount',
          ]),
        },
      },
    },
    async ({ params }) => {
      const code = recognition.printedCodes.canonical(params.code);
      const { item, ...printed } = read(code, recognition);
      const known = item === null ? null : recognition.items.find(item);
      return { code, ...printed, item: known === null ? null : itemAnswer(known, recognition) };
    },
  );

  app.get(
    '/console/api/printed-codes',
    { config: { role: 'technician' }, schema: { response: { 200: Layouts } } },
    async () => ({ layouts: [...settings.printedLayouts] }),
  );

  app.put(
    '/console/api/printed-codes',
    {
      config: { role: 'technician', audit: { event: 'printed-codes-set', fields: ['layouts'] } },
      schema: { body: Layouts, response: { 200: Layouts } },
    },
    async ({ body: { layouts } }) => {
      await settings.set({ printedLayouts: layouts });
      return { layouts };
    },
  );

  app.get(
    '/console/api/printed-codes/preview',
    { config: { role: 'technician' }, schema: { querystring: PreviewQuery, response: { 200: PreviewAnswer } } },
    async ({ query: { layouts = '', code = '' } }) =>
      previewOf(recognition, layouts, code === '' ? '' : recognition.printedCodes.canonical(code)),
  );
}
