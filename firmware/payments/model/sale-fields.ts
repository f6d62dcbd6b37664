/**
 * Fields that a till may add to a sale beside what is to be paid. They are stored with the payment of a sale that has a
 * key, and returned by each call, event and journal that has the payment. Body, answer, columns, digest of the key and
 * examples come from here; a new field also needs its column in `money-schema.ts`.
 */
import Type from 'typebox';
import { id, maybe, orNull } from '../../core/schema/index.ts';

/**
 * The fields are in the digest of each key for ever: the first by its place, each later one by its name and place. So no name
 * changes, and a new field stands last. `column` is a column of texts. `sent` and `returned` are the schemas of the field in the
 * body of the call and in a payment.
 */
export const SALE_FIELDS = {
  reference: {
    column: 'reference',
    sent: maybe(id('what the till calls the sale, as the number of a receipt: kept and returned with the payment')),
    returned: orNull(Type.String(), 'what the till calls it; null where it was not said'),
    example: 'receipt 4711',
  },
};

type Fields = typeof SALE_FIELDS;
export type SaleFieldName = keyof Fields;
/** Null for each that the till did not name. */
export type SaleValues = Readonly<Record<SaleFieldName, string | null>>;

const isName = (name: string): name is SaleFieldName => Object.hasOwn(SALE_FIELDS, name);
export const SALE_FIELD_NAMES: readonly SaleFieldName[] = Object.keys(SALE_FIELDS).filter(isName);

/** One member of each field, by its name. */
const membersOf = <Member extends keyof Fields[SaleFieldName]>(member: Member) =>
  Object.fromEntries(SALE_FIELD_NAMES.map((name) => [name, SALE_FIELDS[name][member]])) as {
    [Name in SaleFieldName]: Fields[Name][Member];
  };

export const SENT_FIELDS = membersOf('sent');
export const RETURNED_FIELDS = membersOf('returned');
export const FIELDS_EXAMPLE = membersOf('example');

/** The values of all fields. An empty text counts as absent. */
export const saleValues = (read: (name: SaleFieldName) => string | null | undefined): SaleValues =>
  Object.fromEntries(SALE_FIELD_NAMES.map((name) => [name, read(name) || null])) as SaleValues;

/** The columns of a payment's row. */
export const saleColumns = (values: SaleValues | null): Readonly<Record<string, string | null>> =>
  Object.fromEntries(SALE_FIELD_NAMES.map((name) => [SALE_FIELDS[name].column, values?.[name] ?? null]));
