/** The call that finds items which look alike, templates of the wrong item, and what would help. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Paging } from '../../../core/http/index.ts';
import { describeNames, enumOf, orNull } from '../../../core/schema/index.ts';
import { CURES } from '../../matching/look-alikes.ts';
import type { Recognition } from '../../service/recognition.ts';
import { ItemId, Sid } from '../item-id.ts';
import { nameOrNull, templatePictureOf } from './item-schemas.ts';

const FINDINGS = new Paging(20, 99);

const LookAlikesQuery = Type.Object(
  {
    limit: FINDINGS.limit('findings'),
    cursor: Type.Optional(ItemId),
  },
  { additionalProperties: false },
);

const similarity = (description: string) => Type.Number({ description: `${description}, -1 to 1` });
const AlikeItem = Type.Object({
  id: ItemId,
  name: nameOrNull,
  templates: Type.Integer({ description: 'templates of it that recognition uses' }),
});
const Pair = Type.Object(
  {
    items: Type.Array(AlikeItem, { minItems: 2, maxItems: 2 }),
    similarity: similarity('how near they are to each other'),
    cure: enumOf(CURES, 'LookAlikeCure'),
  },
  { description: `\`cure\` is what would help: ${describeNames(CURES)}` },
);
const StrayTemplate = Type.Object(
  {
    item: AlikeItem,
    template: Sid,
    picture: Type.String({ description: 'path of its picture on this port: look at it before you delete it' }),
    similarity: similarity('to the other templates of its item'),
    looksLike: Type.Object(
      { id: ItemId, name: nameOrNull, similarity: similarity('to this item') },
      { description: 'the item that it looks like' },
    ),
  },
  {
    description: 'DELETE /v1/items/{id}/templates/{template} forgets it; nothing is deleted by itself',
  },
);

export const LookAlikesAnswer = Type.Object({
  pairs: Type.Array(Pair, { description: 'items that are hardly kept apart' }),
  strays: Type.Array(StrayTemplate, { description: 'templates that look like another item than their own' }),
  looked: Type.Integer({ description: 'items that were looked at for this answer' }),
  cursor: orNull(Type.String(), 'to go on with; null where every item was looked at'),
});

/** Finds items that look alike, templates of the wrong item, and what would help. */
export function addLookAlikes(app: FastifyInstance, recognition: Recognition): void {
  const { items, templates } = recognition;
  app.get(
    '/console/api/recognition/look-alikes',
    {
      config: { role: 'supervisor' }, // who arranges the shelves and deletes templates
      schema: { querystring: LookAlikesQuery, response: { 200: LookAlikesAnswer } },
    },
    async ({ query: { limit, cursor } }) => {
      const found = await recognition.learning.lookAlikes(cursor ?? null, FINDINGS.sizeOf(limit));
      const alike = (id: string) => ({ id, name: items.nameOf(id), templates: recognition.learning.countOf(id) });
      return {
        pairs: found.pairs.map(({ items: ids, cosine, cure }) => ({
          items: ids.map(alike),
          similarity: cosine,
          cure,
        })),
        strays: found.strays.flatMap(({ item, key, own, looksLike }) => {
          const template = templates.reader.sidOf(Number(key));
          if (template === null) return [];
          const picture = templatePictureOf(item, template);
          const { id, similarity } = looksLike;
          const other = { id, similarity, name: items.nameOf(id) };
          return [{ item: alike(item), template, picture, similarity: own, looksLike: other }];
        }),
        looked: found.looked,
        cursor: found.cursor,
      };
    },
  );
}
