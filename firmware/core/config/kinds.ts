/** Kinds of values that the configuration has in several places. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

export const closed = { additionalProperties: false };
export const nullable = <T extends TSchema>(schema: T, options: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);
export const host = (value: string) => Type.String({ default: value, description: 'address to listen on' });
/** 0 lets the system choose a free port. */
export const port = (value: number) =>
  Type.Integer({ default: value, minimum: 0, maximum: 65535, description: 'port to listen on' });
export const megabytes = (value: number, description: string) =>
  Type.Integer({ default: value, minimum: 1, maximum: 1_048_576, description: `${description} (MiB)` });
