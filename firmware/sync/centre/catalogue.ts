/**
 * Templates for all stores, as they lie at the chain. One signed document, the head, names the parts of a catalogue by their
 * checksums; a part names its items' templates by theirs. So one signature holds all of it, nothing is too large for one
 * message, and a change of one item changes its templates, one part and the head. Parts and templates never change: another
 * one lies under another key.
 */
import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { placeOf, TrustSchema } from '../../chain/index.ts';
import { CHAIN_ORIGIN, GivenId, ItemChanges, PackageLineSchema, type TemplateName } from '../../recognition/index.ts';
import { Counted } from '../../store/index.ts';

/** Put down for all stores, signed. */
export const CATALOGUE = 'templates';
/** An item is in the part that its checksum names; so many make a part of 5,000 items some 30 kB. */
export const PARTS = 64;
/** As many templates of an item are put down at most. */
export const MOST_OF_ITEM = 1000;
/** Stores that a ring names at most. */
const MOST_STORES = 1000;
const ORIGIN_DIGITS = 8;
/** What a description says of an item. */
export const FIELDS = ['name', 'plu', 'price', 'barcodes', 'pieceWeight', 'picture'] as const;
export type DescribedField = (typeof FIELDS)[number];

const sha256 = PackageLineSchema.properties.cropSha256;

/** A description that is with some stores: named ones, and those that lie below a line, as devices do for a release. */
const Ring = Type.Object({
  /** Of the change that the description came with; places are drawn from it. */
  number: Counted,
  below: Type.Number({ minimum: 0, maximum: 1 }),
  stores: Type.Array(TrustSchema.properties.account, { maxItems: MOST_STORES }),
});
export type Ring = Readonly<Static<typeof Ring>>;

export const CatalogueHead = Type.Object({
  format: Type.Literal(1),
  /** Of the change that was made last. */
  number: Counted,
  /** Of the description that is for all. Absent: there is none. */
  described: Type.Optional(Counted),
  /** Absent: no description is with some stores alone. */
  ring: Type.Optional(Ring),
  /** Checksum of each part; null: it has no items. */
  parts: Type.Array(Type.Union([sha256, Type.Null()]), { minItems: PARTS, maxItems: PARTS }),
  /** Absent: no item has ever had a picture, and devices need not look for any. */
  pictured: Type.Optional(Type.Literal(true)),
});
export type CatalogueHead = Readonly<Static<typeof CatalogueHead>>;

const Details = Type.Object({
  number: Counted,
  item: Type.Union([ItemChanges, Type.Null()]),
  /** Checksum of its picture. Absent: it has none. */
  picture: Type.Optional(sha256),
  /** Fields that go before those of the store. */
  wins: Type.Optional(Type.Array(Type.Enum([...FIELDS]))),
});
export type Details = Readonly<Static<typeof Details>>;

const CatalogueItem = Type.Object({
  item: GivenId,
  /** Of the change that it came with: a store that has deleted it takes it again with a higher one. */
  number: Counted,
  /** That made its templates. Absent: it has never had any. */
  model: Type.Optional(PackageLineSchema.properties.model),
  /** Of all that it was made of, so that the same package put down twice is one. */
  source: sha256,
  /** None: it is only described, or was taken back and goes from the stores. */
  templates: Type.Array(
    Type.Object({
      origin: Type.String({ pattern: '^chain\\.[0-9]{1,16}\\.[0-9a-f]{8}$' }),
      sid: PackageLineSchema.properties.sid,
      sha256,
    }),
    { maxItems: MOST_OF_ITEM },
  ),
  /** What it is sold as, and the change that this came with; null: it was taken back. */
  details: Type.Optional(Details),
  /** What stores of the ring take in its place. */
  next: Type.Optional(Details),
});
export type CatalogueItem = Readonly<Static<typeof CatalogueItem>>;

export const CataloguePart = Type.Object({ items: Type.Array(CatalogueItem) });
export type CataloguePart = Readonly<Static<typeof CataloguePart>>;

export const checksumOf = (data: Uint8Array | string): string => hash('sha256', data);

export const partOf = (item: string): number => Number.parseInt(checksumOf(item).slice(0, 8), 16) % PARTS;

/** Where a store lies among all, as to one description. */
export const placeOfStore = (number: number, account: string): number =>
  placeOf(String(number), { account, serial: '' });

/** The ring, where a store is in it. */
export const ringOf = ({ ring }: CatalogueHead, account: string): Ring | null =>
  ring !== undefined && (ring.stores.includes(account) || placeOfStore(ring.number, account) < ring.below)
    ? ring
    : null;

/** What a store is to have of an item. @param ring that it is in */
export const saidOf = ({ details, next }: CatalogueItem, ring: Ring | null): Details | undefined =>
  (ring === null ? undefined : next) ?? details;

/** Where a part, a template or a picture lies, for all stores. */
export const keyOfPart = (checksum: string): string => `${CATALOGUE}.part.${checksum}`;
export const keyOfTemplate = (checksum: string): string => `${CATALOGUE}.template.${checksum}`;

export const keyOfPicture = (checksum: string): string => `${CATALOGUE}.picture.${checksum}`;

/** The mark of templates from the chain, which a store's own do not have: the change they came with, and their maker. */
export const chainOrigin = (change: number, maker: string): string =>
  `${CHAIN_ORIGIN}${change}.${checksumOf(maker).slice(0, ORIGIN_DIGITS)}`;

export const namesIn = ({ item, templates }: CatalogueItem): TemplateName[] =>
  templates.map(({ origin, sid }) => ({ item, origin, sid }));
