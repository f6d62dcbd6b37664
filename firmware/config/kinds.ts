/** Kinds of values that the configuration has in several places. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

export const closed = { additionalProperties: false };
export const nullable = <T extends TSchema>(schema: T, options: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);
export const host = (value: string) => Type.String({ default: value, description: 'address to listen on' });
/** 0 lets the system choose a free port. */
export const port = (value: number) =>
  Type.Integer({ default: value, minimum: 0, maximum: 65535, description: 'port to listen on' });
export const milliseconds = (value: number, description: string, options: TSchemaOptions = {}) =>
  Type.Integer({
    ...{ default: value, minimum: 1, maximum: 3_600_000, description: `${description} (milliseconds)` },
    ...options,
  });
/**
 * Of a key that the store's chain may set. Only what changes how a lane works: never who may call it or pay whom, how it is
 * reached, what hangs on its pins, where it keeps anything, its store and its chain; nor a secret.
 */
export const fromChain = Object.freeze({ fromChain: true });
export const megabytes = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 1_048_576, description: `${description} (MiB)` });
