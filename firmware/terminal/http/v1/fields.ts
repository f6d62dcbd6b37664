/** Fields that stand in several calls of `/v1`. */
import Type from 'typebox';
import { CALENDAR_DAY, NO_CONTROLS, WAIT_SECONDS, wholeNumber } from '../../../store/schema.ts';
import { MAX_ID } from '../schemas.ts';

export const MAX_NOTE_CHARACTERS = 500;
export const PAGE = 20;
export const MAX_PAGE = 100;

export const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
/** @param description of a day, `2026-11-21` */
export const day = (description: string) => Type.String({ title: 'Day', pattern: CALENDAR_DAY, description });
/** @param description of a moment, `2026-11-21T09:30:00.000Z` */
export const moment = (description: string) => Type.String({ format: 'date-time', description: `${description}, UTC` });
export const id = (description: string) =>
  Type.String({ title: 'Id', minLength: 1, maxLength: MAX_ID, pattern: NO_CONTROLS, description });

export const wait = Type.Optional(
  Type.String({
    title: 'WaitSeconds',
    pattern: WAIT_SECONDS,
    description: 'seconds, 25 at most, for the state to change; 0 when left out',
  }),
);

export const place = (description: string) => Type.String({ title: 'Place', pattern: wholeNumber(15), description });

/** What names a page of a list. @param what is listed */
export const pageFields = (what: string) => ({
  limit: Type.Optional(
    Type.String({
      title: 'PageSize',
      pattern: wholeNumber(3, `, and a page has ${MAX_PAGE} at most`),
      description: `${what} at most, ${MAX_PAGE} in any case; ${PAGE} when left out`,
    }),
  ),
  cursor: Type.Optional(place('`cursor` of the page before')),
});

export const PaymentPath = Type.Object({
  id: id('the `id` of the payment, or its `number`'),
});
