/** Fields that stand in several calls of `/v1`. */

import Type from 'typebox';
import { LISTED, MAX_ID, MOST_LISTED } from '../../core/config/index.ts';
import { cursor, Paging, waitSeconds } from '../../core/http/index.ts';
import { CALENDAR_DAY, NO_CONTROLS, orNull, WRITTEN } from '../../core/store/index.ts';

export const MAX_NOTE_CHARACTERS = 500;

/** @param description of a day, `2026-11-21` */
export const day = (description: string) => Type.String({ title: 'Day', pattern: CALENDAR_DAY, description });
/** @param description of a timestamp, `2026-11-21T09:30:00.000Z` */
export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, UTC` });
/** @param description of a timestamp that may be missing */
export const timestampOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);
export const id = (description: string) =>
  Type.String({ title: 'Id', minLength: 1, maxLength: MAX_ID, pattern: NO_CONTROLS, description });

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
