/** Shared by the routes of this folder. */
import type { FastifyReply } from 'fastify';
import { HttpFailure } from '../../core/http/index.ts';
import { compiled } from '../../core/schema/index.ts';
import { CellFault, type CellOf, codeCell, quotedCell, textCell } from '../../core/tables/index.ts';
import { barcodeProblem, codesIn, SEVERAL_CODES } from '../items/barcodes.ts';
import { AREA_COORDINATES } from '../model/area.ts';
import type { ItemChanges } from '../model/item.ts';
import { GIVEN_ID_RULE, GivenId, isCleanId } from '../model/item-id.ts';
import { MAX_BARCODES } from '../model/item-limits.ts';
import type { CalibratedArea } from '../storage/settings.ts';

/** Compiled, because a table has tens of thousands of ids. */
const GIVEN = compiled(GivenId);
/** A visible character: an id without one is refused. */
const SEEN = /[^\s\p{Cf}]/u;

/** Checks what the schema of an item's id cannot express. @throws {HttpFailure} `parameter` */
export function cleanItem(id: string, field = 'id'): string {
  if (!isCleanId(id)) {
    throw new HttpFailure('parameter', `${field} must hold whole characters, none of them a control character`, {
      field,
    });
  }
  return id;
}

/** Checks the id of a new item. @throws {HttpFailure} `parameter` */
export function newItem(id: string, field = 'id'): string {
  const said = fieldValue(textCell(id, 'document'), field);
  if (said === null && id.trim() !== '')
    throw new HttpFailure(
      'parameter',
      `${field} must be an id, and is ${quotedCell(id)}, which programs write for nothing`,
      {
        field,
      },
    );
  if (!GIVEN.Check(id) || !SEEN.test(id)) throw new HttpFailure('parameter', `${field} ${GIVEN_ID_RULE}`, { field });
  return id;
}

/** @throws {HttpFailure} `parameter` where the value cannot be read */
function fieldValue<T>(value: CellOf<T>, field: string): T | null {
  if (!(value instanceof CellFault)) return value;
  throw new HttpFailure('parameter', `${field} ${value.words}`, { field });
}

/** An id of a document, as a cell of a table is read. @throws {HttpFailure} `parameter` */
export const documentId = (id: string, field: string): string => fieldValue(codeCell(id, 'document'), field) ?? id;

/**
 * The texts of an item in a call or a document, judged as the cells of a table are: what programs write for nothing is
 * nothing, a code is its digits.
 * @param prefix of the names of the fields @throws {HttpFailure} `parameter`
 */
export function documentFields(changes: ItemChanges, prefix = ''): ItemChanges {
  const { name, plu, barcodes } = changes;
  const codesOf = (text: string, index: number): string[] => {
    const field = `${prefix}barcodes.${index}`;
    const code = fieldValue(codeCell(text, 'document'), field);
    return code === null ? [] : (codesIn(code) ?? fieldValue<string[]>(new CellFault(SEVERAL_CODES), field) ?? []);
  };
  const codes = barcodes?.flatMap(codesOf);
  if (codes !== undefined && codes.length > MAX_BARCODES) {
    const field = `${prefix}barcodes`;
    throw new HttpFailure('parameter', `${field} must have at most ${MAX_BARCODES} codes`, { field });
  }
  return {
    ...changes,
    ...(typeof name === 'string' && { name: fieldValue(textCell(name, 'document'), `${prefix}name`) }),
    ...(typeof plu === 'string' && { plu: fieldValue(codeCell(plu, 'document'), `${prefix}plu`) }),
    ...(codes !== undefined && { barcodes: codes }),
  };
}

/**
 * Checks what the schema of an item's fields cannot express.
 * @param prefix of the names of the fields @throws {HttpFailure} `parameter`
 */
export function cleanFields({ name, plu, barcodes }: ItemChanges, prefix = ''): void {
  cleanItem(name ?? '', `${prefix}name`);
  cleanItem(plu ?? '', `${prefix}plu`);
  for (const [index, barcode] of (barcodes ?? []).entries()) {
    const field = `${prefix}barcodes.${index}`;
    cleanItem(barcode, field);
    const problem = barcodeProblem(barcode);
    if (problem !== null) throw new HttpFailure('parameter', `${field} ${problem}`, { field });
  }
}

/** @throws {HttpFailure} `parameter` */
export function requireInside({ top, left, height, width }: CalibratedArea): void {
  const outside =
    left + width > AREA_COORDINATES.width ? 'width' : top + height > AREA_COORDINATES.height ? 'height' : null;
  if (outside === null) return;
  throw new HttpFailure('parameter', `${outside} must keep the area inside of the frame of 1280×720`, {
    field: outside,
  });
}

/** An answer that is a file, for OpenAPI; it is sent as it is. */
export const binary = (type: string, description: string) => ({
  200: { description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
});

/** @param headers in addition to those of every picture */
export const sendJpeg = (
  reply: FastifyReply,
  jpeg: Uint8Array,
  headers: Readonly<Record<string, string>>,
): FastifyReply =>
  reply
    .headers({ 'x-content-type-options': 'nosniff', ...headers })
    .type('image/jpeg')
    .send(Buffer.from(jpeg));
/** The picture may change, so a browser must ask each time. */
export const ASKED_AGAIN = { 'cache-control': 'no-cache' } as const;

/** For the document: a client that checks only the status would take a failure for a picture. */
export const FAILS_AS_JSON =
  'A failure is JSON under HTTP 200 with a `code` below 0, as at the original device: look at `Content-Type` before the file is used.';
