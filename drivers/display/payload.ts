/** What any display can show, checked once at the door, so that no wire ever sees half of an impossible picture. */
import { DisplayError, MAX_PAYLOAD_BYTES, type Picture } from './contract.ts';

const UTF8 = new TextEncoder();

/**
 * The bytes of a QR payload.
 * @throws {DisplayError} `payload`: empty, longer than 1000 bytes of UTF-8, or with a lone surrogate, which UTF-8 cannot
 * carry and the encoder would silently replace
 */
export function payloadBytes(kind: string, payload: string): Uint8Array {
  if (!payload.isWellFormed()) throw new DisplayError(kind, 'payload', 'the payload is not valid Unicode');
  const bytes = UTF8.encode(payload);
  if (bytes.length === 0) throw new DisplayError(kind, 'payload', 'the payload is empty');
  if (bytes.length > MAX_PAYLOAD_BYTES) {
    const limit = `${bytes.length} bytes, the display takes ${MAX_PAYLOAD_BYTES}`;
    throw new DisplayError(kind, 'payload', `the payload is too long: ${limit}`);
  }
  return bytes;
}

/** Whether two pictures are the same to a customer of a wire display. */
export function samePicture(a: Picture, b: Picture): boolean {
  if (a.kind === 'qr') return b.kind === 'qr' && a.payload === b.payload;
  if (a.kind === 'status') return b.kind === 'status' && a.status === b.status;
  return b.kind === 'clear';
}
