/** The few schemas of which many others are made. */
import Type, { type TSchema } from 'typebox';
import { MAX_ID, NO_CONTROLS } from './patterns.ts';

/** A name or id that others give. */
export const id = (description: string) =>
  Type.String({ title: 'Id', minLength: 1, maxLength: MAX_ID, pattern: NO_CONTROLS, description });

/** A field that may be left out; null means the same. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A field that is always present, and null for no value. */
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Largest counted number, far below 2^53: above that a number is not exact, and `node:sqlite` does not read it. */
export const MOST_COUNTED = 2 ** 52;
/** A counted number that another device sends, from 1. */
export const CountedFromOne = Type.Integer({ minimum: 1, maximum: MOST_COUNTED });
