/** What the routes of this room share. */
import { HttpFailure } from '../../http/index.ts';
import { isCleanId } from '../packages/format.ts';
import type { CalibratedArea } from '../settings.ts';
import { AREA_COORDINATES } from '../vision/frame.ts';

/** What the schema of an item's id cannot say. @throws {HttpFailure} `parameter` */
export function cleanItem(id: string, field = 'id'): string {
  if (!isCleanId(id)) {
    throw new HttpFailure('parameter', `${field} must hold whole characters, none of them a control character`, {
      field,
    });
  }
  return id;
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

/** A client that looks at the status alone would take the failure for a picture. */
export const FAILS_AS_JSON =
  'A failure is JSON under HTTP 200 with a `code` below 0, as at the original device: look at `Content-Type` before the file is used.';
