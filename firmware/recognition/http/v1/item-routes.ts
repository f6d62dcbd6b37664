/** The calls of items as a till sells them, by the item id of the templates: find, put, change and delete. */
import type { FastifyInstance } from 'fastify';
import { addAuditFacts } from '../../../core/http/index.ts';
import { type ItemChanges, nothingToDelete } from '../../model/item.ts';
import type { Recognition } from '../../service/recognition.ts';
import { newItem } from '../item-id.ts';
import { cleanFields, documentFields } from './item-fields.ts';
import {
  DeletionAnswer,
  DeletionQuery,
  ItemAnswer,
  ItemPath,
  ItemsPage,
  ItemsQuery,
  itemAnswer,
  PAGES,
  PatchItemBody,
  PutItemBody,
} from './item-schemas.ts';
import { refusals, WRITING } from './problem.ts';

/** Codes of the calls that put or change an item. */
const WRITE_CODES = ['Items.BarcodeTaken', ...WRITING] as const;

export function addItemRoutes(app: FastifyInstance, recognition: Recognition): void {
  addReading(app, recognition);
  addWriting(app, recognition);
  addDeletion(app, recognition);
}

function addReading(app: FastifyInstance, recognition: Recognition): void {
  const { items, printedCodes } = recognition;
  const codeQuery = (text: string) => {
    const code = printedCodes.canonical(text);
    return { code: printedCodes.read(code)?.item ?? code, orItem: items.ownerOf(code) };
  };

  app.get(
    '/v1/items',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'findItems',
        tags: ['items'],
        summary: 'Find items',
        description:
          'Those that fit all that is asked for, by their ids, a page at a time: `cursor` of an answer asks for the next one. An item that was learned and never put here is not among them.',
        querystring: ItemsQuery,
        response: { 200: ItemsPage },
      },
    },
    async ({ query: { search, plu, code, limit, cursor } }) => {
      const most = PAGES.sizeOf(limit);
      const wanted = { text: search, plu, ...(code !== undefined && codeQuery(code)) };
      const found = items.page(wanted, cursor ?? null, most + 1);
      const page = found.slice(0, most);
      const last = found.length > most ? page.at(-1) : undefined;
      return { items: page.map((item) => itemAnswer(item, recognition)), cursor: last?.id ?? null };
    },
  );

  app.get(
    '/v1/items/:id',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getItem',
        tags: ['items'],
        summary: 'An item',
        description: 'What it is called and sold as, and how many templates were learned of it.',
        params: ItemPath,
        response: { 200: ItemAnswer, ...refusals('Items.NotFound') },
      },
    },
    async ({ params }) => itemAnswer(items.get(params.id), recognition),
  );
}

/** Reads the texts of changes as `documentFields` does, and checks them. @throws {HttpFailure} `parameter` */
function clean<T extends ItemChanges>(changes: T): T {
  const normalised = { ...changes, ...documentFields(changes) };
  cleanFields(normalised);
  return normalised;
}

function addWriting(app: FastifyInstance, recognition: Recognition): void {
  const { items } = recognition;

  app.put(
    '/v1/items/:id',
    {
      config: {
        role: 'supervisor',
        audit: { event: 'item-put', fields: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight'] },
      }, // a supervisor's, because prices come from the office
      schema: {
        operationId: 'putItem',
        tags: ['items'],
        summary: 'Say what an item is called and sold as',
        description:
          'Makes it (201), or replaces all of it (200): what is left out is unknown from then on. Picture and templates stay.',
        params: ItemPath,
        body: PutItemBody,
        response: { 200: ItemAnswer, 201: ItemAnswer, ...refusals(...WRITE_CODES) },
      },
    },
    async ({ params, body }, reply) => {
      const { item, isNew } = await items.put(newItem(params.id), clean(body));
      return reply.code(isNew ? 201 : 200).send(itemAnswer(item, recognition));
    },
  );

  app.patch(
    '/v1/items/:id',
    {
      config: {
        role: 'supervisor',
        audit: { event: 'item-changed', fields: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight', 'picture'] },
      },
      schema: {
        operationId: 'changeItem',
        tags: ['items'],
        summary: 'Change some of an item',
        description: 'What is left out stays; null says that it is unknown from then on.',
        params: ItemPath,
        body: PatchItemBody,
        response: { 200: ItemAnswer, ...refusals('Items.NotFound', ...WRITE_CODES) },
      },
    },
    async ({ params, body: { picture, ...changes } }) =>
      itemAnswer(await items.patch(params.id, { ...clean(changes), picture }), recognition),
  );
}

/** Deletes an item's templates, in a store on all devices. @returns how many there were */
async function deleteTemplates({ templates }: Recognition, id: string): Promise<number> {
  const sids = templates.reader.sidsOf(id);
  await templates.deleteThese(id, sids);
  return sids.length;
}

function addDeletion(app: FastifyInstance, recognition: Recognition): void {
  const { items, templates } = recognition;
  app.delete(
    '/v1/items/:id',
    {
      config: { role: 'supervisor', audit: { event: 'item-removed', fields: ['id'] } },
      schema: {
        operationId: 'removeItem',
        tags: ['items'],
        summary: 'Delete an item, and its templates where that is asked for',
        description:
          'Name, PLU, price and picture are gone. Its templates stay unless `templates=delete` is asked for, which deletes them on all devices of the store; the answer says what has become of them.',
        params: ItemPath,
        querystring: DeletionQuery,
        response: { 200: DeletionAnswer, ...refusals('Items.NotFound', ...WRITING) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const { id } = params;
      if (items.find(id) === null) throw nothingToDelete(id);
      // the templates first: a call that is sent again after a power cut deletes the rest
      const deleted = query.templates === 'delete' ? await deleteTemplates(recognition, id) : 0;
      addAuditFacts(request, { templates: deleted });
      await items.delete(id);
      return { id, templates: { kept: templates.reader.countOf(id), deleted } };
    },
  );
}
