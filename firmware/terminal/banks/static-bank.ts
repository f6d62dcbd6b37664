/** A fixed code, printed or registered elsewhere: the customer types the amount, and no outcome can be known. */
import { MAX_PAYLOAD_BYTES } from '../../../drivers/display/contract.ts';
import type { StaticBank } from './bank.ts';
import { BankProfileError } from './profile-error.ts';
import { fitsQr } from './qr-payload.ts';

/** @throws {BankProfileError} when no display can draw it */
export function staticBank(payload: string): StaticBank {
  if (!fitsQr(payload)) {
    throw new BankProfileError('payload', 'staticQR', `it must have 1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`);
  }
  return Object.freeze({ kind: 'static', payload });
}
