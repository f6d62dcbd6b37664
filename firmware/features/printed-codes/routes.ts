/** The calls that read a scale's printed code, and that show and set the layouts. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type MembersOf, RecordedError } from '../../../drivers/lib/records.ts';
import { problemsOf } from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/store/index.ts';
import {
  ItemAnswer,
  itemAnswer,
  MAX_LAYOUTS,
  type PrintedCode,
  PrintedLayout,
  type PrintedRefusal,
  type Recognition,
} from '../../recognition/index.ts';
import { PRINTED_CODE_ERRORS } from './error-records.ts';
import { amounts, Preview, plu, previewOf } from './preview.ts';

type Read = Pick<Recognition, 'items' | 'printedCodes' | 'settings' | 'templates'>;

class PrintedCodeError extends RecordedError<MembersOf<typeof PRINTED_CODE_ERRORS, 'PrintedCodes'>> {
  constructor(code: MembersOf<typeof PRINTED_CODE_ERRORS, 'PrintedCodes'>, message: string) {
    super(['PrintedCodes', PRINTED_CODE_ERRORS], code, message);
  }
}

const EXAMPLE = '2104011012347';
const CodePath = Type.Object({
  code: Type.String({
    title: 'PrintedCodeText',
    pattern: patternWithMessage('^[0-9]{13}$', 'must be the 13 digits of an EAN-13'),
    description: 'its 13 digits',
  }),
});
const CodeAnswer = Type.Object(
  {
    code: CodePath.properties.code,
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

const WORDS: Record<PrintedRefusal, (code: string, owner: string | null) => string> = {
  OwnCode: (code, owner) =>
    `${code} is the item ${owner}’s own barcode, id or PLU: find it by GET /v1/items?code=${code}`,
  WrongCheckDigit: (code) => `the last digit of ${code} does not fit the others: scan it again`,
  NoLayout: (code) => `no layout of this shop fits ${code}: look it up as a barcode`,
  NoAmount: (code) => `${code} has a weight or a price of 0: weigh the item again and print another label`,
};

/** @throws {PrintedCodeError} */
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
    async ({ params: { code } }) => {
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
    { config: { role: 'technician' }, schema: { querystring: PreviewQuery, response: { 200: Preview } } },
    async ({ query: { layouts = '', code = '' } }) => previewOf(recognition, layouts, code),
  );
}
