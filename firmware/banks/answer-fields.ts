/** Values and schemas of the fields in a bank's answer, which dialects share. */
import { type TSchema, Type } from 'typebox';
import type { BankVerdict } from './bank-payment.ts';

/**
 * The value of a field in an answer, as a list for a `BankReport`; an empty one where the field is absent or null.
 * `believed` of `bank-calls.ts` compares it: a report that lists another value than was asked for is refused, an empty
 * list contradicts nothing.
 */
export const reported = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value]);

/** The same for an amount. An accepted payment must have one: a missing amount is listed, too, and matches none. */
export const reportedAmount = (value: unknown, verdict: BankVerdict): readonly unknown[] =>
  verdict === 'accepted' ? [value] : reported(value);

/** An id that some banks write as a number; null for none, and the number 0 names none. */
export const idIn = (value: unknown): string | null =>
  (typeof value === 'number' && value !== 0) || (typeof value === 'string' && value !== '') ? String(value) : null;

/** The number; null for NaN, the value of an unreadable field. */
export const finiteOf = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** A timestamp that the bank writes in words, ms since 1970; null for none. */
export const timestampIn = (value: unknown): number | null =>
  typeof value === 'string' ? finiteOf(Date.parse(value)) : null;

/** An id that a bank gives: it becomes part of an address, so it must be printable, and no `..`. */
export const BankId = Type.String({ pattern: '^(?!\\.+$)[\\x21-\\x7e]{1,128}$' });

/** A field that does not matter, or is checked when read. */
export const OptionalValue = Type.Optional(Type.Unknown());

/** A field that may be left out, or be null. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Null(), schema]));
