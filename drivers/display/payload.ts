/**
 * What a QR code may hold: the one rule of every display, and of all that gives a code to be drawn. It is asked before anything
 * is sent, so that no wire ever sees half of an impossible picture.
 */
import { DisplayError, type Picture } from './contract.ts';

/** The only published limit of the display family (docs/sources.md, "The display"). */
export const MAX_PAYLOAD_BYTES = 1000;
export const PAYLOAD_SIZE = `1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`;

const UTF8 = new TextEncoder();

/**
 * What is wrong with a payload, to be read after its name; null when nothing is. Half a character is refused, because UTF-8
 * cannot carry it and an encoder would silently replace it.
 */
export function payloadProblem(payload: string): string | null {
  if (!payload.isWellFormed()) return 'holds half a character';
  const bytes = Buffer.byteLength(payload);
  return bytes >= 1 && bytes <= MAX_PAYLOAD_BYTES ? null : `must have ${PAYLOAD_SIZE}; it has ${bytes}`;
}

/**
 * The bytes of a QR payload, UTF-8.
 * @param kind type of the display's driver
 * @throws {DisplayError} `payload`
 */
export function payloadBytes(kind: string, payload: string): Uint8Array {
  const problem = payloadProblem(payload);
  if (problem !== null) throw new DisplayError(kind, 'payload', `the payload ${problem}`);
  return UTF8.encode(payload);
}

/** Whether two pictures are the same to a customer of a wire display. */
export function samePicture(a: Picture, b: Picture): boolean {
  if (a.kind === 'qr') return b.kind === 'qr' && a.payload === b.payload;
  if (a.kind === 'status') return b.kind === 'status' && a.status === b.status;
  return b.kind === 'clear';
}
