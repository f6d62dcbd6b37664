/** What a till asks for, as the payment services take it: defaults filled in, the purpose made fit for banks. */

import { DEFAULT_TTL_MINUTES, MAX_PURPOSE_CHARACTERS } from '../payment-limits.ts';
import type { PaymentRequest } from './book.ts';

/** What has no place in one line of text. */
const BREAKS_AND_CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The first characters of a text that have room, none of them in part; the bank counts code points. */
function clipped(text: string, room: number): string {
  if ([...text].length <= room) return text;
  let used = 0;
  let end = 0;
  // made where it is needed: its tables cost every start 16 ms
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += [...segment].length;
    if (used > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd();
}

/** One line of whole characters that every bank takes; null where nothing is left. What is so already stays as it came. */
export function purposeFor(text: string): string | null {
  const line = text.toWellFormed().replaceAll(BREAKS_AND_CONTROLS, ' ');
  const purpose = clipped(line === text ? line : line.trim(), MAX_PURPOSE_CHARACTERS);
  return purpose === '' ? null : purpose;
}

export interface AskedPayment {
  readonly amount: number;
  readonly purpose?: string | null;
  readonly ttl?: number | null;
}

/** A till cannot change: a purpose that no bank would take is mended, and a `ttl` of 0 is the default. */
export function paymentRequest({ amount, purpose, ttl }: AskedPayment): PaymentRequest {
  return { amount, purpose: purposeFor(purpose ?? ''), ttl: ttl || DEFAULT_TTL_MINUTES };
}
