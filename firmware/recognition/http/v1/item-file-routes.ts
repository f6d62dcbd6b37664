/** The calls whose bodies or answers are files: an item's picture, and many items as JSON, CSV or a workbook. */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify';
import Type, { type Static } from 'typebox';
import { begun } from '../../../../drivers/lib/begun.ts';
import { acceptFiles, addAuditFacts, HttpFailure } from '../../../core/http/index.ts';
import { ITEMS_1C_HEAD, ITEMS_CSV_HEAD, itemLine, itemLineFor1C } from '../../items/item-csv.ts';
import { pictureToStore } from '../../items/item-picture.ts';
import type { Item } from '../../model/item.ts';
import { MAX_PICTURE_BYTES } from '../../model/item-limits.ts';
import type { Recognition } from '../../service/recognition.ts';
import { ASKED_AGAIN, sendJpeg } from '../file-answers.ts';
import { CheckAnswer, checkAnswer } from './item-check.ts';
import type { ItemFile } from './item-file.ts';
import { ItemFileReader } from './item-file-reader.ts';
import {
  ExportQuery,
  ImportAnswer,
  ImportQuery,
  ITEMS_FILE_EXAMPLE,
  ItemAnswer,
  ItemPath,
  ItemsFile,
  itemAnswer,
  unreadIn,
} from './item-schemas.ts';
import { refusals, WRITING } from './problem.ts';

/** Room for ten thousand items with names and numbers of full length, mostly two-byte letters, and a barcode or two each. */
const IMPORT_BYTES = 8 * 1024 * 1024;
const CSV_TYPE = 'text/csv';
const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const JSON_TYPE = 'application/json';
const CSV_EXAMPLE =
  'id,name,plu,price,barcodes,pieceWeight\n4011,Bananas,4011,12990,4006381333931,\nrolls,Rolls,77,4500,,65\n';

const file = (description: string) => ({ schema: { type: 'string', format: 'binary', description } });

const TABLE_BODIES = {
  [CSV_TYPE]: { schema: { type: 'string', examples: [CSV_EXAMPLE] } },
  [WORKBOOK_TYPE]: file('the same as a workbook of Excel: its first sheet'),
};

/** Makes the schema of a body only describe it: other code checks the body. */
const allButBody =
  ({ validatorCompiler: compile }: FastifyInstance): FastifySchemaCompiler<FastifySchema> =>
  (part) =>
    part.httpPart === 'body' ? () => true : (compile?.(part) ?? (() => true));

export async function addItemFileRoutes(app: FastifyInstance, recognition: Recognition): Promise<void> {
  addPicture(app, recognition);
  await addPictureUpload(app, recognition);
  addExport(app, recognition);
  const reader = new ItemFileReader();
  await addImport(app, recognition, reader);
  await addCheck(app, recognition, reader);
}

function addPicture(app: FastifyInstance, { items }: Recognition): void {
  app.get(
    '/v1/items/:id/picture',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getItemPicture',
        tags: ['items'],
        summary: 'Picture of an item',
        description: 'A JPEG of 512 pixels at most on its longer side.',
        params: ItemPath,
        response: {
          200: { description: 'the picture', content: { 'image/jpeg': file('JPEG') } },
          ...refusals('Items.NotFound', 'Items.NoPicture'),
        },
      },
    },
    async ({ params }, reply) => sendJpeg(reply, items.picture(params.id), ASKED_AGAIN),
  );
}

/** Adds the call that stores a picture, in a scope of its own, whose bodies are pictures. */
async function addPictureUpload(app: FastifyInstance, recognition: Recognition): Promise<void> {
  const { items } = recognition;
  await app.register(async (scope) => {
    const picture = (bytes: Buffer) => bytes;
    acceptFiles(
      scope,
      { 'image/jpeg': picture, 'image/png': picture },
      'the picture must be sent as Content-Type: image/jpeg or image/png',
    );
    scope.put<{ Params: Static<typeof ItemPath> }>(
      '/v1/items/:id/picture',
      {
        config: { role: 'supervisor', audit: { event: 'item-picture-put', fields: ['id'] } },
        bodyLimit: MAX_PICTURE_BYTES,
        schema: {
          operationId: 'putItemPicture',
          tags: ['items'],
          summary: 'Give an item a picture',
          description: `A JPEG or a PNG of ${MAX_PICTURE_BYTES} bytes at most. It is encoded again, smaller: what a camera wrote beside it is not kept.`,
          params: ItemPath,
          body: { content: { 'image/jpeg': file('JPEG'), 'image/png': file('PNG') } },
          response: {
            200: ItemAnswer,
            ...refusals('Items.NotFound', 'Items.PictureUnusable', ...WRITING),
          },
        },
        // the decoder judges the picture
        validatorCompiler: allButBody(app),
      },
      async ({ params, body }) => {
        if (!Buffer.isBuffer(body)) throw new HttpFailure('media-type', 'the body must be a JPEG or a PNG');
        items.get(params.id); // refuses an unknown item before the picture is decoded
        return itemAnswer(await items.setPicture(params.id, await pictureToStore(body)), recognition);
      },
    );
  });
}

const entryOf = ({ id, name, plu, price, barcodes, pieceWeight }: Item) => ({
  id,
  name,
  plu,
  price,
  barcodes,
  pieceWeight,
});

async function* jsonOf(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  let separator = '{"items":[';
  for await (const page of pages) {
    yield separator + page.map((item) => JSON.stringify(entryOf(item))).join(',');
    separator = ',';
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}

async function* csvOf(pages: AsyncIterable<readonly Item[]>, isFor1C: boolean): AsyncGenerator<string> {
  yield isFor1C ? ITEMS_1C_HEAD : ITEMS_CSV_HEAD;
  for await (const page of pages) yield page.map(isFor1C ? itemLineFor1C : itemLine).join('');
}

function addExport(app: FastifyInstance, { items }: Recognition): void {
  app.get<{ Querystring: Static<typeof ExportQuery> }>(
    '/v1/catalogue',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'exportItems',
        tags: ['items'],
        summary: 'All items as one file',
        description:
          'As an import takes it, 10,000 items at once: split a larger file. Pictures and templates are not in it.',
        querystring: ExportQuery,
        response: {
          200: {
            description: 'the file',
            content: {
              'application/json': { schema: ItemsFile, example: ITEMS_FILE_EXAMPLE },
              [CSV_TYPE]: { schema: Type.String(), example: CSV_EXAMPLE },
            },
          },
        },
      },
    },
    async ({ query }, reply) => {
      const { format = 'json' } = query;
      const isCsv = format !== 'json';
      const pieces = await begun(isCsv ? csvOf(items.all(), format === '1c') : jsonOf(items.all()), 2);
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="items.${isCsv ? 'csv' : 'json'}"`,
        })
        .type(isCsv ? `${CSV_TYPE}; charset=utf-8` : 'application/json')
        .send(Readable.from(pieces));
    },
  );
}

/** A body that came as a file. */
type SentFile = Omit<ItemFile, 'prices'>;
/** The request of an import or a check; without a body it has an empty object in its place. */
type Sent = { Querystring: Static<typeof ImportQuery>; Body: Partial<SentFile> };

const tableOf = (bytes: Buffer): SentFile => ({ kind: 'csv', bytes });
const TABLES = { [CSV_TYPE]: tableOf, [WORKBOOK_TYPE]: tableOf };
const documentOf = (bytes: Buffer): SentFile => ({ kind: 'json', bytes });
/** Read in place of a missing body, so that the answer names the missing fields. */
const NO_FILE = documentOf(Buffer.from('{}'));
const NO_TABLE = tableOf(Buffer.alloc(0));

/** Adds the import, in a scope of its own, in which a body may also be a table. */
async function addImport(app: FastifyInstance, { items }: Recognition, reader: ItemFileReader): Promise<void> {
  await app.register(async (scope) => {
    acceptFiles(
      scope,
      { ...TABLES, [JSON_TYPE]: documentOf },
      `the file must be sent as Content-Type: application/json, text/csv or ${WORKBOOK_TYPE}`,
    );
    scope.post<Sent>(
      '/v1/catalogue',
      {
        config: { role: 'supervisor', audit: { event: 'items-imported' } },
        bodyLimit: IMPORT_BYTES,
        // the reader checks each entry, of JSON and of CSV
        validatorCompiler: allButBody(scope),
        schema: {
          operationId: 'importItems',
          tags: ['items'],
          summary: 'Put many items at once',
          description:
            'Up to 10,000, as JSON or as a table (CSV or a workbook of Excel) with the columns id, name, plu, price (kopecks), barcodes (with a | between them) and pieceWeight (grams), or those of 1C (Код, Наименование, Цена in roubles, Штрихкод). All of them or none. Fields and columns that are left out are not changed; items that the file does not name stay. An unknown field is refused; a column of another name is not read, and the answer names it (`unread`).',
          querystring: ImportQuery,
          body: {
            content: {
              'application/json': { schema: ItemsFile },
              ...TABLE_BODIES,
            },
          },
          response: {
            200: ImportAnswer,
            ...refusals('Items.IllegalFile', 'Items.BarcodeTaken', ...WRITING),
          },
        },
      },
      async (request) => {
        const { body, query } = request;
        const { entries, unread } = await reader.read({ ...NO_FILE, ...body, prices: query.prices ?? null });
        const { created, updated } = await items.imports.run(entries);
        addAuditFacts(request, { created, updated });
        return { created, updated, ...unreadIn(unread) };
      },
    );
  });
}

/** Adds the check, in a scope of its own, in which a body is a table. */
async function addCheck(app: FastifyInstance, { items }: Recognition, reader: ItemFileReader): Promise<void> {
  await app.register(async (scope) => {
    acceptFiles(scope, TABLES, `the file must be sent as Content-Type: text/csv or ${WORKBOOK_TYPE}`);
    scope.post<Sent>(
      '/v1/catalogue/check',
      {
        config: { role: 'supervisor', audit: null }, // supervisor, because it takes seconds of work
        bodyLimit: IMPORT_BYTES,
        // each line is checked by the reader
        validatorCompiler: allButBody(scope),
        schema: {
          operationId: 'checkItems',
          tags: ['items'],
          summary: 'What an import of a table would do',
          description:
            'Nothing is changed: it returns what stands in the lines, how many items are new, and all that is wrong, line by line. `POST /v1/catalogue` takes the same file, all of it or nothing.',
          querystring: ImportQuery,
          body: { content: TABLE_BODIES },
          response: { 200: CheckAnswer, ...refusals('Items.IllegalFile', ...WRITING) },
        },
      },
      async ({ body, query: { prices = null } }) =>
        await checkAnswer(items, await reader.check({ ...NO_TABLE, ...body, prices })),
    );
  });
}
