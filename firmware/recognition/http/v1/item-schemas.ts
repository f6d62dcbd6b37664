/** Schemas of `/v1/items`: validation, serialisation and OpenAPI come from here. */
import Type, { type Static } from 'typebox';
import { Paging } from '../../../core/http/index.ts';
import { GRAMS, KOPECKS, NO_CONTROLS, orNull } from '../../../core/schema/index.ts';
import { ScannedCode } from '../../items/barcodes.ts';
import { type Item, ItemChanges } from '../../model/item.ts';
import { MAX_NAME_CHARACTERS } from '../../model/item-limits.ts';
import type { Recognition } from '../../service/recognition.ts';
import { ItemId } from '../item-id.ts';

type Learned = Pick<Recognition, 'templates'>;
type Known = Pick<Recognition, 'templates' | 'items'>;

export const PAGES = new Paging(50, 500);
/** The most entries of one import. */
export const MAX_ENTRIES = 10_000;

export const nameOrNull = orNull(Type.String(), 'what people call it; null where it has no name');
const timestamp = (description: string) => Type.String({ format: 'date-time', description: `${description}, UTC` });

export const ItemPath = Type.Object({ id: ItemId });

const EXAMPLE = Object.freeze({
  id: '4011',
  name: 'Bananas',
  plu: '4011',
  price: 12_990,
  barcodes: ['4006381333931'],
  pieceWeight: null,
  picture: '/v1/items/4011/picture',
  templates: 3,
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
});

export const ItemAnswer = Type.Object(
  {
    id: ItemId,
    name: orNull(Type.String(), 'what people call it'),
    plu: Type.String({ description: 'the code that the till sells it under' }),
    price: orNull(Type.Integer(KOPECKS), 'kopecks'),
    barcodes: Type.Array(Type.String(), { description: 'codes that are printed on it' }),
    pieceWeight: orNull(Type.Integer(GRAMS), 'grams of one piece; null: sold by weight, or unknown'),
    picture: orNull(Type.String(), 'path on this port: of its own picture, else of the first that was learned of it'),
    templates: Type.Integer({ description: 'templates that were learned of it; 0: it cannot be recognised yet' }),
    createdAt: timestamp('when it was first put'),
    updatedAt: timestamp('when it was changed last'),
  },
  { title: 'Item', description: 'an item', examples: [EXAMPLE] },
);

export const ItemsQuery = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        title: 'ItemName',
        minLength: 1,
        maxLength: MAX_NAME_CHARACTERS,
        pattern: NO_CONTROLS,
        description:
          'part of an id, a PLU, a name or a barcode; large and small letters are the same, and so are ё and е',
      }),
    ),
    plu: Type.Optional(ItemId),
    code: Type.Optional({
      ...ScannedCode,
      description:
        'the whole id of an item, its PLU or its barcode, as a hand scanner gives it, too: with the identifier of its symbology, as GS1 elements or a GS1 link, in the short form of UPC; a code that no item has as its own may be one that a scale has printed',
    }),
    limit: PAGES.limit('items'),
    cursor: Type.Optional(ItemId),
  },
  { additionalProperties: false },
);

export const ItemsPage = Type.Object(
  {
    items: Type.Array(ItemAnswer, { description: 'by their ids' }),
    cursor: orNull(Type.String(), 'of the next page; null where there is none'),
  },
  {
    title: 'ItemsPage',
    description: 'items that fit all that was asked for',
    examples: [{ items: [EXAMPLE], cursor: null }],
  },
);

export const PutItemBody = Type.Object(ItemChanges.properties, {
  title: 'ItemFields',
  additionalProperties: false,
  examples: [{ name: 'Bananas', plu: '4011', price: 12_990, barcodes: ['4006381333931'], pieceWeight: null }],
});
export const PatchItemBody = Type.Object(
  {
    ...ItemChanges.properties,
    picture: Type.Optional(Type.Null({ description: 'takes the picture away; one is put with PUT …/picture' })),
  },
  { title: 'ItemChanges', additionalProperties: false, examples: [{ price: 12_990 }] },
);

export const DeletionQuery = Type.Object(
  {
    templates: Type.Optional(
      Type.Enum(['keep', 'delete'], {
        description:
          'keep, which is also meant when it is left out: the item is recognised as before, and has no name any more. delete: it is forgotten',
      }),
    ),
  },
  { additionalProperties: false },
);
export const DeletionAnswer = Type.Object(
  {
    id: ItemId,
    templates: Type.Object(
      {
        kept: Type.Integer({ description: 'templates by which it is still recognised' }),
        deleted: Type.Integer({ description: 'templates that are gone' }),
      },
      { description: 'what has become of what was learned of it' },
    ),
  },
  {
    title: 'ItemDeletion',
    description: 'the item is gone',
    examples: [{ id: '4011', templates: { kept: 3, deleted: 0 } }],
  },
);

export const Entry = Type.Object(
  { id: ItemId, ...ItemChanges.properties },
  { title: 'ItemEntry', additionalProperties: false, description: 'fields that are left out are not changed' },
);
export const ITEMS_FILE_EXAMPLE = {
  items: [{ id: '4011', name: 'Bananas', plu: '4011', price: 12_990, barcodes: ['4006381333931'], pieceWeight: null }],
};
export const ItemsFile = Type.Object(
  { items: Type.Array(Entry, { maxItems: MAX_ENTRIES, description: 'each item with its fields' }) },
  {
    title: 'ItemsFile',
    additionalProperties: false,
    description: 'items as a file',
    examples: [ITEMS_FILE_EXAMPLE],
  },
);

/** How many ignored columns are named, of a table that may have thousands. */
const MOST_UNREAD = 20;
export const UNREAD = {
  unread: Type.Optional(
    Type.Array(Type.String(), {
      description: `columns and further sheets of the table that were not read, the first ${MOST_UNREAD}; left out where all were`,
    }),
  ),
};
export const unreadIn = (unread: readonly string[]): { unread?: string[] } =>
  unread.length === 0 ? {} : { unread: unread.slice(0, MOST_UNREAD) };

export const ImportAnswer = Type.Object(
  {
    created: Type.Integer({ description: 'items that were not there' }),
    updated: Type.Integer({ description: 'items that were there' }),
    ...UNREAD,
  },
  { title: 'ItemsImported', description: 'all of the file was taken', examples: [{ created: 1, updated: 0 }] },
);

export const ExportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Enum(['json', 'csv', '1c'], {
        description: 'json when left out; 1c: `Код;Наименование;Цена`, the price in roubles',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ImportQuery = Type.Object(
  {
    prices: Type.Optional(
      Type.Enum(['kopecks', 'roubles'], {
        title: 'PriceUnit',
        description:
          'what the prices of a table are in; left out: kopecks, in the column Цена of 1C roubles. Prices in JSON are kopecks',
      }),
    ),
  },
  { additionalProperties: false },
);

export const templatePictureOf = (item: string, template: string): string =>
  `/v1/items/${encodeURIComponent(item)}/templates/${encodeURIComponent(template)}/picture`;

/** The path of an item's picture: the one that the shop has put, else the first that was learned. */
export function pictureOf({ id, hasPicture }: Pick<Item, 'id' | 'hasPicture'>, { templates }: Learned): string | null {
  if (hasPicture) return `/v1/items/${encodeURIComponent(id)}/picture`;
  const [first] = templates.reader.sidsOf(id);
  return first === undefined ? null : templatePictureOf(id, first);
}

export const itemAnswer = (item: Item, learned: Known): Static<typeof ItemAnswer> => ({
  id: item.id,
  name: item.name,
  plu: item.plu,
  price: item.price,
  barcodes: [...item.barcodes],
  pieceWeight: item.pieceWeight,
  picture: pictureOf(item, learned),
  templates: learned.templates.reader.countOf(item.id),
  createdAt: new Date(item.createdAt).toISOString(),
  updatedAt: new Date(item.updatedAt).toISOString(),
});
