/** What came as JSON, before a schema says what it is. */

/** A JSON object: no list, and not null. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object's or a list's own member; what every object inherits is none. */
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
