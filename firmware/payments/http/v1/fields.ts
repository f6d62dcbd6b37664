/** Fields that stand in several calls of `/v1`. */
import Type from 'typebox';
import { LISTED, MOST_LISTED } from '../../../core/config/index.ts';
import { cursor, Paging, waitSeconds } from '../../../core/http/index.ts';
import {
  CALENDAR_DAY,
  HEADER_TEXT,
  id,
  MAX_ID,
  maybe,
  NO_CONTROLS,
  orNull,
  WRITTEN,
  whenAbsent,
} from '../../../core/schema/index.ts';

const MAX_CASHIER = 64;

export const CashierField = maybe(
  Type.String({
    title: 'Cashier',
    minLength: 1,
    maxLength: MAX_CASHIER,
    pattern: NO_CONTROLS,
    description: 'the cashier at the till: stored with the payment, and a group of the totals of the shift',
  }),
);

export const MAX_NOTE_CHARACTERS = 500;

/** @param description of a day, `2026-11-21` */
export const day = (description: string) => Type.String({ title: 'Day', pattern: CALENDAR_DAY, description });
/** @param description of a timestamp, `2026-11-21T09:30:00.000Z` */
export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, UTC` });
/** @param description of a timestamp that may be missing */
export const timestampOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** @param description of a note that a person writes */
export const noteText = (description: string) =>
  Type.String({ title: 'Note', minLength: 1, maxLength: MAX_NOTE_CHARACTERS, pattern: WRITTEN, description });

export const wait = waitSeconds('the state to change');

export const PAGES = new Paging(LISTED, MOST_LISTED);
/** The parameters `limit` and `cursor` of a list. @param what the things it lists */
export const pageFields = (what: string) => ({ limit: PAGES.limit(what), cursor });

export const PaymentPath = Type.Object({
  id: id('the `id` of the payment, or its `number`'),
});

/** The header `Idempotency-Key`. */
export const KeyHeader = Type.String({
  title: 'IdempotencyKey',
  maxLength: MAX_ID,
  pattern: HEADER_TEXT,
  ...whenAbsent(
    'name each sale, refund or close of a shift by a key of your own, written down before it is sent; the same again is the same one',
  ),
  description: 'names this sale, refund or close of a shift: the same again is the same one',
});

export const KeyHeaders = Type.Object({ 'idempotency-key': Type.Optional(KeyHeader) });
