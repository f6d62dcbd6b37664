/** What the routes of this room share. */
import type { FastifyRequest } from 'fastify';
import { HttpFailure } from '../http/failure.ts';
import { CODES } from './codes.ts';
import { isCleanId } from './packages/format.ts';
import { Failure } from './schemas.ts';

export const DONE = Object.freeze({ code: CODES.ok, data: null });

/** What the schema of an item's id cannot say. @throws {HttpFailure} `parameter` */
export function cleanItem(id: string, field = 'id'): string {
  if (!isCleanId(id)) {
    throw new HttpFailure('parameter', `${field} must hold whole characters, none of them a control character`, {
      field,
    });
  }
  return id;
}

/** Answers of a call: done with HTTP 200 (its code says how), refused before the handler with 400. */
export const answers = <T>(success: T) => ({ 200: success, 400: Failure, 500: Failure });

/** For a call whose body may be left out: none is the same as `{}`, but `null` is none of an object. */
export const BODY_OPTIONAL = Object.freeze({
  config: { bodyOptional: true },
  preValidation: async (request: FastifyRequest): Promise<void> => {
    if (request.body === undefined) request.body = {};
  },
});
