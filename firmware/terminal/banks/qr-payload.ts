/** What every display can draw as one QR code. */
export const MAX_QR_BYTES = 1000;

export function fitsQr(payload: string): boolean {
  const bytes = Buffer.byteLength(payload, 'utf8');
  return bytes >= 1 && bytes <= MAX_QR_BYTES;
}
