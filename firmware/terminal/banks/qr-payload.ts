import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/contract.ts';

/** Whether every display can draw it as one QR code. */
export function fitsQr(payload: string): boolean {
  const bytes = Buffer.byteLength(payload, 'utf8');
  return bytes >= 1 && bytes <= MAX_PAYLOAD_BYTES;
}
